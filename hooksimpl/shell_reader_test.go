package hooksimpl

import (
	"slices"
	"strings"
	"testing"
)

// shown writes a reading so that a person can compare it: one line a command, `?` for what is only known at run time.
func shown(r *shellReading) string {
	var lines []string
	for _, c := range r.commands {
		words := append([]shellWord{plainWord(c.name)}, c.args...)
		line := strings.ReplaceAll(joinWords(words, " ").text, openPart, "?")
		if g := c.git; g != nil {
			words = append([]shellWord{plainWord(g.sub)}, g.args...)
			line = strings.ReplaceAll("git["+g.dir.text+"] "+joinWords(words, " ").text, openPart, "?")
		}
		if c.more {
			line += " ?more"
		}
		if c.doubt != "" {
			line += " (doubt: " + c.doubt + ")"
		}
		if len(c.written) > 0 {
			line += " > " + strings.ReplaceAll(joinWords(c.written, " ").text, openPart, "?")
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func testContext() shellContext {
	return shellContext{home: "/home/u", cwd: "/p", top: func(string) string { return "/p" }, alias: func(_ *gitCall, name string) string {
		if name == "pf" {
			return "push --force"
		}
		return ""
	}}
}

// TestReadingFindsCommands holds each way to hide or wrap a command to the command it runs.
func TestReadingFindsCommands(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{`git push --force origin main`, `git[/p] push --force origin main`},
		{`g""it push`, `git[/p] push`},
		{`\git push`, `git[/p] push`},
		{`$'\x67it' push`, `git[/p] push`},
		{`$'\147\u0069t' push`, `git[/p] push`},
		{"gi\\\nt push", `git[/p] push`},
		{`"git" 'push'`, `git[/p] push`},
		{`/usr/bin/git push`, `git[/p] push`},
		{`./bin/git.exe push`, `git[/p] push`},
		{`'C:\Program Files\Git\bin\git.exe' push`, `git[/p] push`},
		{`git-push -f`, `git[/p] push -f`},
		{`{git,push,--force}`, `git[/p] push --force`},
		{`git push {--force,origin,main}`, `git[/p] push --force origin main`},
		{`git push o{a,b{c,d}}`, `git[/p] push oa obc obd`},
		{`FOO=1 BAR="x y" git push`, `git[/p] push`},
		{`$G push`, `? push`},
		{`g$X push`, `g? push`},
		{`git$IFS"push"`, `git?push`},
		{`git $F`, `git[/p] ?`},
		{`/usr/bin/g?t push`, "?g?t push"},
		{`sudo -nu root git push`, "sudo -nu root git push\ngit[/p] push"},
		{`sudo --user=x -- git push`, "sudo --user=x -- git push\ngit[/p] push"},
		{`sudo --frobnicate git push`, "sudo --frobnicate git push\ngit[/p] push (doubt: option --frobnicate of sudo)"},
		{`env -i A=1 git push`, "env -i A=1 git push\ngit[/p] push"},
		{`env -C /q git push`, "env -C /q git push\ngit[/q] push"},
		{`env -S '-i git push --force'`, "env -S -i git push --force\nenv -i git push --force\ngit[/p] push --force"},
		{`env -S"git push" origin`, "env -Sgit push origin\nenv git push origin\ngit[/p] push origin"},
		{`nice -n 5 nohup timeout -k 5 10s git push`, "nice -n 5 nohup timeout -k 5 10s git push\nnohup timeout -k 5 10s git push\ntimeout -k 5 10s git push\ngit[/p] push"},
		{`time -p git push`, `git[/p] push`},
		{`command git push`, "command git push\ngit[/p] push"},
		{`exec -a x git push`, "exec -a x git push\ngit[/p] push"},
		{`stdbuf -oL setsid -w git push`, "stdbuf -oL setsid -w git push\nsetsid -w git push\ngit[/p] push"},
		{`sh -c 'git push'`, "git[/p] push\nsh -c git push"},
		{`bash -lc "sh -c \"dash -c 'git push'\""`, "git[/p] push\ndash -c git push\nsh -c dash -c 'git push'\nbash -lc sh -c \"dash -c 'git push'\""},
		{`bash -o pipefail -ec 'git push' name`, "git[/p] push\nbash -o pipefail -ec git push name"},
		{`bash -c "git push $X main"`, "git[/p] push ? main\nbash -c git push ? main"},
		{`sh -c "$X"`, "? ?\nsh -c ?"},
		{`bash script.sh -c 'git push'`, "bash script.sh -c git push"},
		{"bash <<'EOF'\ngit push\nEOF", "git[/p] push\nbash"},
		{`echo "git push" | sh`, "echo git push\ngit[/p] push\nsh"},
		{`bash <<< 'git push'`, "git[/p] push\nbash"},
		{`eval git push`, "git[/p] push\neval git push"},
		{`eval 'git' "push"`, "git[/p] push\neval git push"},
		{`echo main | xargs -n1 git push -f origin`, "echo main\nxargs -n1 git push -f origin\ngit[/p] push -f origin main"},
		{`xargs -I{} sh -c 'git push {}'`, "xargs -I{} sh -c git push {}\ngit[/p] push ?\nsh -c git push ?"},
		{`find . -name x -exec git push {} \;`, "git[/p] push ?\nfind . -name x -exec git push {} ;"},
		{`find . -execdir git push + -print`, "git[?] push\nfind . -execdir git push + -print"},
		{`find . -exec sh -c 'git push' \;`, "git[/p] push\nsh -c git push\nfind . -exec sh -c git push ;"},
		{`echo "$(git push)"`, "echo ?\ngit[/p] push"},
		{"echo `git push`", "echo ?\ngit[/p] push"},
		{`(git push); { git push; }`, "git[/p] push\ngit[/p] push"},
		{`if true; then git push; fi; case x in y) git pull;; esac`, "true\ngit[/p] push\ngit[/p] pull"},
		{`while read x; do git push; done`, "read x\ngit[/p] push"},
		{`f() { git push "$@"; }; f --force`, "git[/p] push ?\nf --force"},
		{"cat <<EOF\n$(git push)\ngit pull\nEOF", "cat\ngit[/p] push"},
		{"cat <<'EOF'\n$(git push)\nEOF", "cat"},
		{`# git push`, ``},
		{`echo 'git push'`, `echo git push`},
		{`git -c alias.x='push --force' x origin`, `git[/p] push --force origin`},
		{`git -c alias.x='!git push' x`, "git[/p] x\ngit[/p] push"},
		{`git -c alias.x='!sh -c "git push"' x`, "git[/p] x\ngit[/p] push\nsh -c git push"},
		{`git -c alias.a=b -c alias.b=push a`, `git[/p] push`},
		{`git -c alias.a=a a`, `git[/p] a?`},
		{`GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='push -f' git x`, `git[/p] push -f`},
		{`git pf origin`, `git[/p] push --force origin`},
		{`git -C sub --no-pager -c a.b=c push`, `git[/p/sub] push`},
		{`cd sub && git push`, "cd sub\ngit[/p/sub] push"},
		{`cd /q; (cd r; git push); git pull`, "cd /q\ncd r\ngit[/q/r] push\ngit[/q] pull"},
		{`cd "$(git rev-parse --show-toplevel)" && git push`, "cd /p\ngit[/p] rev-parse --show-toplevel\ngit[/p] push"},
		{`cd $D && git push`, "cd ?\ngit[?] push"},
		{`cd ~/x && git push`, "cd /home/u/x\ngit[/home/u/x] push"},
		{`git push origin $(git branch --show-current)`, "git[/p] push origin HEAD\ngit[/p] branch --show-current"},
		{"git commit -m \"$(cat <<'EOF'\na\nb\nEOF\n)\"", "git[/p] commit -m a\nb\ncat"},
		{`git submodule foreach 'git push'`, "git[/p] submodule foreach git push\ngit[?] push"},
		{`git rebase -x 'git push' main`, "git[/p] rebase -x git push main\ngit[/p] push"},
		{`git bisect run git push`, "git[/p] bisect run git push\ngit[/p] push"},
		{`trap 'git push' EXIT`, "git[/p] push\ntrap git push EXIT"},
		{`coproc git push`, `git[/p] push`},
		{`! git push`, `git[/p] push`},
		{`su x -c 'git push'`, "su x -c git push\ngit[/p] push"},
		{`flock /tmp/l git push`, "flock /tmp/l git push\ngit[/p] push"},
		{`flock /tmp/l -c 'git push'`, "flock /tmp/l -c git push\ngit[/p] push"},
		{`watch -n 5 git push`, "watch -n 5 git push\ngit[/p] push"},
		{`cmd //c "git push"`, "git[/p] push\ncmd //c git push"},
		{`pwsh -NoProfile -Command "git push"`, "git[/p] push\npwsh -NoProfile -Command git push"},
		{`powershell -enc ZwBpAHQAIABwAHUAcwBoAA==`, "git[/p] push\npowershell -enc ZwBpAHQAIABwAHUAcwBoAA=="},
		{`{ echo a; } > b; > c; echo d >> e`, " > b\necho a\n > c\necho d > e"},
		{`echo 2>/dev/null`, `echo > /dev/null`},
		{`busybox sh -c 'git push'`, "busybox sh -c git push\ngit[/p] push\nsh -c git push"},
		{`git push "unclosed`, "git[/p] push \"unclosed"},
		{`for x in 1; do git push`, "for x in 1\ngit[/p] push"},
	} {
		if got := shown(readShell(ToolBash, c.text, testContext())); got != c.want {
			t.Errorf("%s\n got: %s\nwant: %s", c.text, strings.ReplaceAll(got, "\n", "\n      "), strings.ReplaceAll(c.want, "\n", "\n      "))
		}
	}
}

func TestReadingFindsPowerShellCommands(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{`git push --force`, `git[/p] push --force`},
		{`& git push; & "C:\Git\git.exe" pull`, "git[/p] push\ngit[/p] pull"},
		{"g`it push `\n --force", `git[/p] push --force`},
		{`& 'git' 'push'`, `git[/p] push`},
		{`$x = git push`, `git[/p] push`},
		{`if ($true) { git push }`, "git[/p] push\nif ? ?"},
		{`git push $args`, `git[/p] push ?`},
		{`git @a`, `git[/p] ?`},
		{`& $g push`, `? push`},
		{`Write-Output "git push"`, `write-output git push`},
		{`"x $(git push)"`, `git[/p] push`},
		{`cmd /c "git push"`, "git[/p] push\ncmd /c git push"},
		{`iex 'git push'`, "git[/p] push\niex git push"},
		{`Start-Process git -ArgumentList 'push','--force' -Wait`, "start-process git -ArgumentList push,--force -Wait\ngit[/p] push --force"},
		{"git commit -m @'\na\nb\n'@", "git[/p] commit -m a\nb"},
		{`Set-Location sub; git push`, "set-location sub\ngit[/p/sub] push"},
		{`'git push' | iex`, "git[/p] push\niex"},
		{`# git push`, ``},
		{`echo x > a.txt`, `echo x > a.txt`},
		{`$env:GIT_DIR = 'x'; git push`, `git[/p] push`},
		{`pwsh -c { git push }`, "git[/p] push\n? ?\npwsh -c ?"},
	} {
		if got := shown(readShell(ToolPowerShell, c.text, testContext())); got != c.want {
			t.Errorf("%s\n got: %s\nwant: %s", c.text, strings.ReplaceAll(got, "\n", "\n      "), strings.ReplaceAll(c.want, "\n", "\n      "))
		}
	}
}

// TestReadingKnowsInput holds what a command reads on stdin, and messages, to the text that reaches them.
func TestReadingKnowsInput(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"git commit -F - <<'EOF'\nhello $x\nEOF", "hello $x\n"},
		{"git commit -F - <<EOF\nhello $x `y` \\$z\nEOF", "hello ? ? $z\n"},
		{"git commit -F - <<-EOF\n\thello\n\tEOF", "hello\n"},
		{`echo "a b" | git commit -F -`, "a b"},
		{`printf '%s\n\n%s\n' a b | git commit -F -`, "a\n\nb\n"},
		{"cat <<'EOF' | git commit -F -\nx\nEOF", "x\n"},
		{`git commit -F - <<< "x"`, "x"},
		{`true && echo y | git commit -F - && echo z`, "y"},
		{`make | git commit -F -`, "?"},
		{`git commit -F - < msg.txt`, "?"},
	} {
		r := readShell(ToolBash, c.text, testContext())
		i := slices.IndexFunc(r.commands, func(c shellCommand) bool { return c.git != nil })
		if i < 0 || r.commands[i].input == nil {
			t.Errorf("%s: no input", c.text)
		} else if got := strings.ReplaceAll(r.commands[i].input.text, openPart, "?"); got != c.want {
			t.Errorf("%s: input %q, want %q", c.text, got, c.want)
		}
	}
}
