package install

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"viber/install/host"
	"viber/internal/program"
)

// clientPatience is how long the client may take to say its version.
const clientPatience = 5 * time.Second

// Client is the Claude Code that was found.
type Client struct {
	host.Claude        // its version is unknown when it could not be had
	Path        string // empty when not found
}

// findProgram looks on PATH for an executable called name. Entries that are relative or lie inside the project are passed
// over: a project's settings can set PATH, and what a project brings is not run.
func findProgram(env Env, name, project string) string {
	for _, path := range onPath(env, executableName(name)) {
		if project != "" && (holds(project, path) || holds(project, resolved(path))) {
			continue
		}
		if runtime.GOOS == "windows" || executable(path) {
			return path
		}
	}
	return ""
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().Perm()&0o111 != 0
}

// findClient finds Claude Code and asks its version, bounded in time, with nothing in its environment but PATH and home.
func findClient(env Env, p Places, project string) Client {
	path := findProgram(env, "claude", project)
	if path == "" {
		if native := filepath.Join(p.Home, ".local", "bin", executableName("claude")); executable(native) {
			path = native
		}
	}
	if path == "" {
		return Client{}
	}
	return Client{Path: path, Claude: host.Claude{Version: askVersion(env, p, path, project)}}
}

func askVersion(env Env, p Places, path, project string) host.Version {
	res, err := program.Run(context.Background(), program.Call{
		Path: path, Args: []string{"--version"}, Dir: p.Home, Env: builtEnvironment(env, project),
		Limit: clientPatience, MaxOutput: 4096,
	})
	if err != nil || res.Code != 0 {
		return host.Version{}
	}
	return host.ParseVersion(string(res.Stdout))
}

// builtEnvironment is what children of viber get: PATH without what the project could have put there, home, and what
// Windows programs cannot start without.
func builtEnvironment(env Env, project string) []string {
	var dirs []string
	for _, dir := range filepath.SplitList(env.Getenv("PATH")) {
		if filepath.IsAbs(dir) && (project == "" || !holds(project, resolved(dir))) {
			dirs = append(dirs, dir)
		}
	}
	built := []string{"PATH=" + strings.Join(dirs, string(filepath.ListSeparator))}
	for _, name := range []string{"HOME", "USERPROFILE", "SYSTEMROOT", "APPDATA", "LOCALAPPDATA", "TEMP", "PATHEXT"} {
		if v := env.Getenv(name); v != "" {
			built = append(built, name+"="+v)
		}
	}
	return built
}
