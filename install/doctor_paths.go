package install

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"viber/install/host"
)

// programOf resolves the program a handler of ours starts, as the client would. problem says why there is none.
func (x *exam) programOf(r registered) (path, problem string) {
	argv, ok := host.Command(r.Handler)
	if !ok {
		return "", "the command is not one plain command"
	}
	program := argv[0]
	if r.scope == scopePlugin {
		program = strings.ReplaceAll(program, "${CLAUDE_PLUGIN_ROOT}", x.w.pluginRoot())
	}
	if !r.HasArgs {
		program = x.expand(program)
	}
	switch {
	case strings.HasPrefix(program, "~"), strings.Contains(program, "$"):
		return program, "the client does not expand ~ and variables in a command with args"
	case !strings.ContainsAny(program, `/\`):
		if found := findProgram(x.w.Env, executableName(strings.TrimSuffix(program, ".exe")), x.w.Project.Root); found != "" {
			return found, ""
		}
		return program, "is not on PATH"
	case !filepath.IsAbs(program):
		return program, "is a relative path: it means another program in every folder"
	}
	if _, err := os.Stat(program); err != nil {
		return program, "does not exist"
	}
	return program, ""
}

// expand does what a shell does to ~ and variables in a path.
func (x *exam) expand(program string) string {
	if rest, ok := strings.CutPrefix(program, "~/"); ok {
		program = filepath.Join(x.w.Places.Home, rest)
	}
	return os.Expand(program, x.w.Env.Getenv)
}

// isThis reports whether path leads to the running executable or to the copy that setup made of it.
func (x *exam) isThis(path string) bool {
	return resolved(path) == x.w.Binary.Exe || sameFile(x.w.Binary.Exe, path)
}

// paths looks at the viber programs on PATH, and at the ones the entries lead to.
func (x *exam) paths() {
	found := onPath(x.w.Env, executableName("viber"))
	for i, path := range found {
		if i == 0 || resolved(path) == resolved(found[0]) || sameFile(found[0], path) {
			continue
		}
		x.note(LevelWarning, "second-viber", path,
			fmt.Sprintf("another viber; %s comes first on PATH, hooks call %s", found[0], x.w.Binary.Path), "remove one of them")
	}
	switch {
	case len(found) == 0:
		x.note(LevelNote, "not-on-path", x.w.Binary.Path, "viber is not on PATH; hooks and the plugin find it all the same", "put its folder on PATH to use it by hand")
	case !x.isThis(found[0]):
		x.note(LevelWarning, "other-viber", found[0], "the viber on PATH is not the running one ("+x.w.Env.Exe+")", "check which one you mean to use")
	}
	if was := x.w.Record.Binary; was != "" && was != x.w.Binary.Path {
		if _, err := os.Stat(was); err != nil {
			x.note(LevelError, "stale-path", was, "setup wrote this path into hooks, and it is gone", "run 'viber setup'")
		}
	}
}
