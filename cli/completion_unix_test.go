//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shellTrial asks a shell, with the script of `viber completion` loaded, what can follow words; the last one may be begun.
type shellTrial struct {
	program string
	ask     func(script string, words []string) (text string)
}

func shellTrials() map[string]shellTrial {
	quoted := func(words []string) string {
		var b strings.Builder
		for _, w := range words {
			b.WriteString(" '" + w + "'")
		}
		return b.String()
	}
	return map[string]shellTrial{
		"bash": {"bash", func(script string, words []string) string {
			return ". '" + script + "'\nCOMP_WORDS=(" + quoted(words) + ")\nCOMP_CWORD=$((${#COMP_WORDS[@]}-1))\n_viber\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n"
		}},
		"zsh": {"zsh", func(script string, words []string) string {
			return "compdef() { : }\n. '" + script + "'\ncompadd() { shift; local w; for w in \"$@\"; do if [[ $w == ${words[CURRENT]}* ]]; then print -r -- $w; fi; done }\n_files() { : }\n" +
				"words=(" + quoted(words) + ")\nCURRENT=$#words\n_viber\n"
		}},
		"fish": {"fish", func(script string, words []string) string {
			return "source '" + script + "'\ncomplete -C '" + strings.Join(words, " ") + "' | string replace -r '\\t.*' ''; true\n"
		}},
	}
}

// The scripts work in the shells that are installed: commands, subcommands, flags, a word that is begun.
func TestCompletionInTheShells(t *testing.T) {
	t.Parallel()
	for shell, trial := range shellTrials() {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			script, ok := completionScript(Env{Getenv: func(string) string { return "" }}, shell)
			if !ok || script == "" {
				t.Fatal("no script")
			}
			program, err := exec.LookPath(trial.program)
			if err != nil {
				t.Logf("%s is not installed; its script is only checked for its words", shell)
				wordsInScript(t, script)
				return
			}
			path := filepath.Join(t.TempDir(), "completion")
			if err := os.WriteFile(path, []byte(script), 0o644); err != nil {
				t.Fatal(err)
			}
			for _, c := range []struct {
				words    []string
				has, not string
			}{
				{[]string{"viber", ""}, "setup", "--scope"},
				{[]string{"viber", "set"}, "setup", "uninstall"},
				{[]string{"viber", "setup", "--s"}, "--scope", "setup"},
				{[]string{"viber", "run", ""}, "lock", "setup"},
				{[]string{"viber", "config", "ex"}, "explain", "get"},
				{[]string{"viber", "--quiet", "config", "ge"}, "get", "setup"},
				{[]string{"viber", "setup", "--scope", ""}, "local", "--yes"},
				{[]string{"viber", "setup", "--scope", "user", "--y"}, "--yes", "user"},
				{[]string{"viber", "-C", "/tmp", "config", "ge"}, "get", "setup"},
				{[]string{"viber", "config", "get", "github."}, "github.issues", "build.qa"},
				{[]string{"viber", "config", "set", "build.baseline-tests", ""}, "fast", "build.qa"},
				{[]string{"viber", "config", "set", "build.baseline-tests", "fast", "--u"}, "--user", "fast"},
				{[]string{"viber", "commit-task", "plan.md", "T1", "--h"}, "--help", "setup"},
				{[]string{"viber", "gate", "reviewer", "r.json", "--a"}, "--apply", "reviewer"},
				{[]string{"viber", "completion", "z"}, "zsh", "bash"},
				{[]string{"viber", "schema", ""}, "reviewer", "setup"},
				{[]string{"viber", "undo", "--only"}, "", "--only-files"},
			} {
				said := shellSays(t, program, trial.ask(path, c.words))
				if c.has != "" && !slices.Contains(said, c.has) || slices.Contains(said, c.not) {
					t.Errorf("after %q: %q; want %s, not %s", c.words, said, c.has, c.not)
				}
			}
		})
	}
}

// shellSays runs text in a shell with a home of its own and returns the lines it prints.
func shellSays(t *testing.T, program, text string) []string {
	t.Helper()
	cmd := exec.Command(program)
	cmd.Stdin = strings.NewReader(text)
	cmd.Env = []string{"HOME=" + t.TempDir(), "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"}
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s\n%s", program, err, text, out)
	}
	return strings.Fields(string(out))
}

func wordsInScript(t *testing.T, script string) {
	t.Helper()
	for _, want := range []string{"setup", "uninstall", "--scope", "run worktree"} {
		if !strings.Contains(script, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

// No shell for PowerShell's script here: its table has every command once, quoted so that nothing ends early.
func TestPowerShellCompletionTable(t *testing.T) {
	t.Parallel()
	env := Env{Getenv: func(string) string { return "" }}
	script, _ := completionScript(env, "powershell")
	for _, line := range Tree(env) {
		if strings.Count(script, "\n    '"+line.Words+"' = '") != 1 {
			t.Errorf("%q is not in the table once", line.Words)
		}
	}
	for line := range strings.Lines(script) {
		if strings.HasPrefix(line, "    '") && strings.Count(line, "'") != 4 {
			t.Errorf("quotes: %s", line)
		}
	}
	if strings.Count(script, "{") != strings.Count(script, "}") {
		t.Error("braces do not match")
	}
}
