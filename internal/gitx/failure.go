package gitx

import (
	"fmt"
	"strings"
)

// Failure is a git command that ended with an error: its first telling line, and the way out where one is known.
type Failure struct {
	Command string
	Reason  string
	Remedy  string
}

// Error is "git <command>: <reason>; <remedy>".
func (f *Failure) Error() string {
	text := "git " + f.Command + ": " + f.Reason
	if f.Remedy != "" {
		text = strings.TrimSuffix(text, ".") + "; " + f.Remedy
	}
	return text
}

// Fail turns the result of a failed git command into a Failure.
func Fail(command string, res Result) *Failure {
	text := string(res.Stderr)
	if strings.TrimSpace(text) == "" {
		text = string(res.Stdout)
	}
	reason := tellingLine(text)
	if reason == "" {
		reason = fmt.Sprintf("exit %d without a word", res.Code)
	}
	return &Failure{Command: command, Reason: reason, Remedy: remedy(text)}
}

// tellingLine is the first line git marks as an error, else the first line with text; hints and progress are passed over.
func tellingLine(text string) string {
	first := ""
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		for _, mark := range []string{"fatal: ", "error: "} {
			if rest, ok := strings.CutPrefix(line, mark); ok {
				return rest
			}
		}
		if first == "" && line != "" && !strings.HasPrefix(line, "hint:") && !strings.HasPrefix(line, "warning:") {
			first = line
		}
	}
	return first
}

// remedy knows the ways out of the failures a user meets most.
func remedy(text string) string {
	for _, k := range []struct{ sign, out string }{
		{"index.lock': Permission denied", "check who owns git's directory"},
		{"index.lock", "another git is at work, or one was killed: wait for it, or remove that file when none runs"},
		{"dubious ownership", "the repository belongs to another user: git config --global --add safe.directory <path>"},
		{"safe.bareRepository", "a bare repository inside a project is not trusted: run inside a work tree"},
		{"must be run in a work tree", "this is a bare repository or its git directory: run inside a work tree"},
		{"outside of your sparse-checkout", "widen the sparse checkout: git sparse-checkout add <directory>"},
		{"Please tell me who you are", "set user.name and user.email with git config"},
		{"empty ident name", "set user.name and user.email with git config"},
		{"already checked out at", "that branch is in use in another work tree: work there, or take another branch"},
		{"is already used by worktree", "that branch is in use in another work tree: work there, or take another branch"},
		{"partial commit during a merge", "finish or abort the merge first"},
		{"unmerged files", "resolve the conflicts first"},
		{"not a valid object name", "the branch has no commit yet: make a first commit"},
		{"did not match any file", "the path is neither on disk nor tracked"},
		{"would be overwritten by checkout", "commit or stash these files first"},
		{"gpg failed to sign", "fix signing, or commit with commit.gpgSign off"},
		{"is in submodule", "that path belongs to a submodule: commit it there"},
		{"no merge base", "they share no commit here: 'git fetch --unshallow' completes a shallow clone, else name another base"},
		{"No space left", "free some disk space"},
		{"Permission denied", "check who owns the file"},
	} {
		if strings.Contains(text, k.sign) {
			return k.out
		}
	}
	return ""
}
