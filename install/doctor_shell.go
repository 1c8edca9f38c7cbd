package install

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"viber/internal/program"
)

// profilePatience is how long a shell may take to come up.
const profilePatience = 5 * time.Second

// profile starts the user's shell as the client's shell tool does and looks at what the profile does to commands.
func (x *exam) profile() {
	bash := findProgram(x.w.Env, "bash", x.w.Project.Root)
	if bash == "" {
		return
	}
	out, ok := x.shell(bash, "-lc", "true")
	switch {
	case !ok:
		x.note(LevelNote, "profile-slow", "bash -lc true", "the login shell gave no answer within "+profilePatience.String(), "look for what waits in your shell profile")
	case out != "":
		first, _, _ := strings.Cut(out, "\n")
		level := LevelNote
		if !x.w.Client.ExecForm() {
			level = LevelWarning // the text comes before the answer of a hook in shell form
		}
		x.note(level, "profile-noise", "bash -lc true", "your shell profile prints text: "+printable(first), "print only in interactive shells: case $- in *i*) ... ;; esac")
	}
	x.aliases(bash)
}

// aliases names those that rewrite a command after a guard has judged it; no guard can see them.
func (x *exam) aliases(bash string) {
	shell := x.w.Env.Getenv("SHELL")
	if name := filepath.Base(shell); !filepath.IsAbs(shell) || name != "bash" && name != "zsh" || holds(x.w.Project.Root, shell) {
		shell = bash
	}
	out, ok := x.shell(shell, "-ic", "alias")
	if !ok {
		return
	}
	for line := range strings.Lines(out) {
		name, _, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "alias "), "=")
		if ok && slices.Contains([]string{"git", "rm", "mv", "cp", "cd", "kill", "killall", "pkill", "sudo", "sh", "bash", "viber"}, name) {
			x.note(LevelNote, "alias", name, "your shell replaces "+name+" by another command after the hooks judged it: "+printable(strings.TrimSpace(line)),
				"guards see what the agent wrote, not what the alias makes of it")
		}
	}
}

// shell runs a line in a shell of the user and returns what it printed; ok is false when it gave no answer in time.
func (x *exam) shell(path string, args ...string) (out string, ok bool) {
	res, err := program.Run(context.Background(), program.Call{
		Path: path, Args: args, Dir: x.w.Places.Home, Env: builtEnvironment(x.w.Env, x.w.Project.Root), Limit: profilePatience, Alone: true,
	})
	return strings.TrimSpace(string(res.Stdout)), err == nil
}
