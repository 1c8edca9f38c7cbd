// Package host holds one file a coding agent: what viber writes into its settings, how its own entries are recognised
// there, and how the agent reads the files. claude.go is Claude Code.
package host

import (
	"slices"
	"strings"

	"viber/install/settings"
)

// Recogniser tells viber's own hook entries from everybody else's by parsing the command they run.
type Recogniser struct {
	// Programs are paths under which viber is or was installed (the running executable, the stable path, those of the
	// record); they count as viber whatever their file is called.
	Programs []string
}

// Own reports whether the handler runs viber as a hook: the inverse of what Entries writes, in exec form or as one shell
// line, quoted or not, with .exe, from any folder, through ~ or a variable. A program that only has viber in its name or
// its arguments is somebody else's, and so is a line that does more than call viber.
func (r Recogniser) Own(h settings.Handler) bool {
	if h.Type != "" && h.Type != "command" {
		return false
	}
	argv, ok := Command(h)
	if !ok {
		return false
	}
	if len(argv) == 1 {
		return isViber(argv[0])
	}
	if argv[1] != "hook" || len(argv) > 2 && !isCheck(argv[2]) {
		return false
	}
	return isViber(argv[0]) || r.known(argv[0])
}

// Command returns the program and the arguments a hook handler starts; ok is false for a line that is more than one
// plain command.
func Command(h settings.Handler) (argv []string, ok bool) {
	if h.Command == "" {
		return nil, false
	}
	if h.HasArgs && (len(h.Args) > 0 || isViber(h.Command)) {
		return append([]string{h.Command}, h.Args...), true
	}
	return words(h.Command)
}

// known reports whether program is, or is called like, one of the paths of viber.
func (r Recogniser) known(program string) bool {
	return slices.ContainsFunc(r.Programs, func(p string) bool {
		return p != "" && (p == program || base(p) == base(program))
	})
}

// isViber reports whether the path names a program called viber, viber.exe, or viber with a version (viber-1.2).
func isViber(path string) bool {
	rest, ok := strings.CutPrefix(base(path), "viber")
	if !ok {
		return false
	}
	if rest == "" {
		return true
	}
	if rest[0] != '-' && rest[0] != '_' {
		return false
	}
	rest = strings.TrimPrefix(rest[1:], "v")
	return rest != "" && rest[0] >= '0' && rest[0] <= '9'
}

// base returns the file name of a path of either system; without .exe, and then in small letters as Windows compares.
func base(path string) string {
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	if i := len(name) - len(".exe"); i > 0 && strings.EqualFold(name[i:], ".exe") {
		return strings.ToLower(name[:i])
	}
	return name
}

// isCheck reports whether s can name an event or a check.
func isCheck(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-") == "" && s[0] != '-'
}
