package install

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"viber/internal/gitx"
)

// Binary says by which path the hooks call viber.
type Binary struct {
	Path string // stable and absolute
	Copy bool   // Path is a copy that setup has to make or refresh from Exe
	Exe  string // the running executable, links resolved
	Why  string // why Exe's own path would not do, when Copy is set
}

// FindBinary finds the path of this executable that survives an upgrade of it: its own when that is stable, else one on
// PATH that leads to the same file, else a copy in the data directory.
func FindBinary(env Env, p Places) Binary {
	exe := resolved(env.Exe)
	b := Binary{Path: env.Exe, Exe: exe}
	if b.Why = unstable(env, p, env.Exe); b.Why == "" {
		return b
	}
	for _, candidate := range append(neighbours(exe), onPath(env, executableName("viber"))...) {
		if resolved(candidate) == exe && unstable(env, p, candidate) == "" {
			return Binary{Path: candidate, Exe: exe}
		}
	}
	b.Path, b.Copy = filepath.Join(p.Data, "bin", executableName("viber")), true
	return b
}

func executableName(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// unstable says why path may lead nowhere or to another version later; empty when it stays.
func unstable(env Env, p Places, path string) string {
	slashed := filepath.ToSlash(path)
	parts := strings.Split(slashed, "/")
	switch {
	case slices.Contains(parts, "Cellar") || slices.Contains(parts, "Caskroom"):
		return "it is in a versioned folder of Homebrew"
	case strings.HasPrefix(slashed, "/nix/store/"):
		return "it is in the nix store"
	case versionedFolder(parts):
		return "it is in a versioned folder"
	case strings.Contains(slashed, "/go-build"):
		return "it is in the cache of go build"
	case holds(p.Config, path) || holds(p.State, path):
		return "it is in a folder that viber manages"
	case inTemp(env, p, path):
		return "it is in a temporary folder"
	}
	if l, ok := gitx.Find(filepath.Dir(path)); ok && !holds(l.Top, resolved(p.Home)) {
		return "it is inside the git work tree " + l.Top
	}
	return ""
}

// versionedFolder knows scoop's apps/NAME/1.2.3 and the installs/NAME/1.2.3 of version managers.
func versionedFolder(parts []string) bool {
	for i := range len(parts) - 2 {
		if (parts[i] == "apps" || parts[i] == "installs") && startsWithDigit(strings.TrimPrefix(parts[i+2], "v")) {
			return true
		}
	}
	return false
}

func startsWithDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// inTemp reports whether path lies in the system's folder for temporary files, unless the whole home does.
func inTemp(env Env, p Places, path string) bool {
	tmp := env.Getenv("TMPDIR")
	if runtime.GOOS == "windows" {
		tmp = env.Getenv("TEMP")
	}
	if tmp == "" && runtime.GOOS != "windows" {
		tmp = "/tmp"
	}
	if tmp == "" {
		return false
	}
	tmp = resolved(tmp)
	return holds(tmp, resolved(path)) && !holds(tmp, resolved(p.Home))
}

// neighbours are the stable names that package managers give to the file exe.
func neighbours(exe string) []string {
	slashed := filepath.ToSlash(exe)
	name := filepath.Base(exe)
	if prefix, _, ok := strings.Cut(slashed, "/Cellar/"); ok {
		return []string{filepath.FromSlash(prefix + "/bin/" + name)}
	}
	if i := strings.LastIndex(slashed, "/apps/"); i >= 0 {
		app, _, _ := strings.Cut(slashed[i+len("/apps/"):], "/")
		return []string{
			filepath.FromSlash(slashed[:i] + "/apps/" + app + "/current/" + name),
			filepath.FromSlash(slashed[:i] + "/shims/" + name),
		}
	}
	return nil
}

// onPath lists the files called name on PATH, in its order; relative entries are left out.
func onPath(env Env, name string) []string {
	var found []string
	for _, dir := range filepath.SplitList(env.Getenv("PATH")) {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if filepath.IsAbs(dir) && err == nil && info.Mode().IsRegular() {
			found = append(found, path)
		}
	}
	return found
}
