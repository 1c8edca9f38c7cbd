package hooksimpl

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf16"
)

// wrapper says how a program that runs another one reads its own words, in front of the other's.
type wrapper struct {
	grammar
	operands int    // of its own, before the command
	text     string // the option whose value is a text of shell commands
	dir      string // the option whose value is the working directory
	more     bool   // appends words that are only known at run time
	joined   bool   // puts the words of the command together and gives them to a shell
}

// wrapperOf returns how the program name wraps a command; ok is false for programs that do not.
func wrapperOf(name string) (w wrapper, ok bool) {
	switch name {
	case "sudo":
		w = wrapper{grammar: grammar{flags: "ABbEeHiKklNnPSsVvh", values: "CDgprRtTuU", assigns: true,
			long:   "askpass background bell edit set-home login list non-interactive preserve-groups stdin shell validate remove-timestamp reset-timestamp no-update help version preserve-env",
			valued: "close-from chdir group host prompt chroot command-timeout type role user other-user"}, dir: "D"}
	case "doas":
		w = wrapper{grammar: grammar{flags: "Lns", values: "aCu"}}
	case "env":
		w = wrapper{grammar: grammar{flags: "i0v", values: "uCSPa", assigns: true,
			long: "ignore-environment null debug list-signal-handling block-signal default-signal ignore-signal", valued: "unset chdir split-string argv0"}, dir: "C"}
	case "command", "builtin":
		w = wrapper{grammar: grammar{flags: "pvV"}}
	case "exec":
		w = wrapper{grammar: grammar{flags: "cl", values: "a"}}
	case "nice":
		w = wrapper{grammar: grammar{flags: "0123456789", values: "n", valued: "adjustment"}}
	case "ionice":
		w = wrapper{grammar: grammar{flags: "t", values: "cnpPu", long: "ignore", valued: "class classdata pid pgid uid"}}
	case "nohup", "chronic", "unbuffer", "catchsegv", "winpty", "fakeroot", "caffeinate", "-", "--", "eatmydata", "fakechroot", "rlwrap", "linux32", "linux64", "noglob", "nocorrect", "coproc":
		w = wrapper{grammar: grammar{flags: "dimsu", values: "t"}}
	case "time", "gtime":
		w = wrapper{grammar: grammar{flags: "pvqaVhl", values: "fo", long: "portability verbose quiet append", valued: "format output"}}
	case "timeout", "gtimeout":
		w = wrapper{grammar: grammar{flags: "vfp", values: "ks", long: "foreground preserve-status verbose", valued: "kill-after signal"}, operands: 1}
	case "stdbuf":
		w = wrapper{grammar: grammar{values: "ioe", valued: "input output error"}}
	case "setsid":
		w = wrapper{grammar: grammar{flags: "cfw", long: "ctty fork wait"}}
	case "xargs":
		w = wrapper{grammar: grammar{flags: "0prtxo", values: "adEILnPsJRS", glued: "eil", long: "null no-run-if-empty interactive verbose exit open-tty show-limits eof replace max-lines",
			valued: "arg-file delimiter max-args max-procs max-chars process-slot-var"}, more: true}
	case "parallel", "sem":
		w = wrapper{grammar: grammar{flags: "0kmtuXvq", values: "jaSnNLdI", long: "null keep-order xargs dry-run verbose bar progress eta line-buffer ungroup halt-on-error quote",
			valued: "jobs arg-file delimiter max-args timeout halt joblog retries results tag colsep delay"}, more: true, joined: true}
	default:
		return rarerWrapper(name)
	}
	return w, true
}

func rarerWrapper(name string) (w wrapper, ok bool) {
	switch name {
	case "busybox", "toybox":
	case "watch":
		w = wrapper{grammar: grammar{flags: "bcdegprtwx", values: "nq", long: "beep color errexit chgexit precise no-title exec no-wrap differences", valued: "interval equexit"}, joined: true}
	case "flock":
		w = wrapper{grammar: grammar{flags: "esnxouFv", values: "wcE", long: "shared exclusive unlock nonblock nb close no-fork verbose", valued: "timeout wait command conflict-exit-code"}, operands: 1, text: "c"}
	case "su":
		w = wrapper{grammar: grammar{flags: "-flmpPT", values: "cgGsuw", interspersed: true, long: "login preserve-environment pty fast", valued: "command group supp-group shell user whitelist-environment"}, text: "c", operands: 99}
	case "script":
		w = wrapper{grammar: grammar{flags: "aefqt", values: "cEIoOmBT", interspersed: true, long: "append flush force quiet return", valued: "command"}, text: "c", operands: 99}
	case "chroot":
		w = wrapper{grammar: grammar{long: "skip-chdir", valued: "userspec groups"}, operands: 1}
	case "taskset", "chrt":
		w = wrapper{grammar: grammar{flags: "acpbfimodrv", values: "TPD", long: "all-tasks cpu-list"}, operands: 1}
	case "unshare", "nsenter", "systemd-run":
		w = wrapper{grammar: grammar{flags: "mupinUfrTCdGqPtS", values: "RwtE", long: "fork mount user pid net ipc uts map-root-user user scope quiet pty wait collect pipe",
			valued: "target property setenv unit working-directory description"}}
	case "strace", "ltrace":
		w = wrapper{grammar: grammar{flags: "cCdDfFhikqrtTvVwxyYzZ", values: "abeEIoOpPsSuUX"}}
	default:
		return w, false
	}
	return w, true
}

// unwrapLimit bounds the wrappers in front of one command.
const unwrapLimit = 20

// command takes the wrappers off words and notes the command behind them, or reads the text they run.
func (r *shellReader) command(c shellCommand, words []shellWord) {
	for range unwrapLimit {
		if len(words) == 0 || r.renamed(c, words) {
			return
		}
		c.name, c.args = programName(words[0].text), words[1:]
		if words[0].glob && c.name != "[" && c.name != "[[" {
			c.name = openPart + c.name
		}
		w, wraps := wrapperOf(c.name)
		if !wraps {
			r.plain(c, words[0])
			return
		}
		r.emit(wrapped(c))
		var done bool
		if words, done = r.unwrap(w, &c); done {
			return
		}
	}
	r.unknown(joinWords(words, " "))
}

// wrapped is the wrapper itself as a command: what it writes is its own.
func wrapped(c shellCommand) shellCommand {
	return shellCommand{name: c.name, args: c.args, env: c.env, dir: c.dir, written: c.written, source: c.source, stmt: c.stmt}
}

// unwrap returns the words behind the wrapper c; done says that it runs a text, which was read.
func (r *shellReader) unwrap(w wrapper, c *shellCommand) (words []shellWord, done bool) {
	a := w.read(c.args)
	if a.doubt != "" && c.doubt == "" {
		c.doubt = "option " + a.doubt + " of " + c.name
	}
	c.env = append(c.env, a.assigns...)
	c.more = c.more || w.more
	if w.dir != "" {
		if o, ok := a.last(w.dir, "chdir"); ok {
			c.dir = pathFrom(c.dir, o.value)
		}
	}
	if o, ok := a.last("S", "split-string"); ok && c.name == "env" {
		return append(append([]shellWord{plainWord("env")}, splitWords(o.value)...), a.all()...), false
	}
	if o, ok := a.last("c", "command"); ok && w.text != "" {
		r.in(c.dir, o.value)
		return nil, true
	}
	words = a.all()
	words = words[min(w.operands, len(words)):]
	if w.more {
		words = r.supplied(c, a, words)
	}
	if w.text != "" && len(words) > 1 && words[0].text == "-"+w.text { // flock FILE -c TEXT
		r.in(c.dir, words[1])
		return nil, true
	}
	if w.joined && len(words) > 0 && (c.name != "watch" || !a.has("x", "exec")) {
		r.in(c.dir, joinWords(words, " "))
		return words, c.name == "watch"
	}
	return words, false
}

// in reads a text that runs in dir.
func (r *shellReader) in(dir, text shellWord) {
	r.dirs = append(r.dirs, dir)
	r.text(text)
	r.dirs = r.dirs[:len(r.dirs)-1]
}

// splitWords splits a text into words as `env -S` does.
func splitWords(text shellWord) []shellWord {
	var words []shellWord
	for _, t := range lexicalWords(text.text) {
		words = append(words, shellWord{text: t, open: strings.Contains(t, openPart)})
	}
	return words
}

// plain notes a command that wraps no other by its grammar; what it runs beside is read.
func (r *shellReader) plain(c shellCommand, name shellWord) {
	r.reach(c)
	if strings.Contains(name.text, "/") {
		r.script(c, name)
	}
	if isGitName(c.name) {
		r.git(c)
		return
	}
	r.emit(c)
}

func (r *shellReader) reach(c shellCommand) {
	if startsOthers(c.name) {
		r.runner(c)
		return
	}
	switch c.name {
	case "cd", "pushd", "chdir", "set-location", "sl", "push-location":
		r.changeDir(c)
	case "sh", "bash", "dash", "zsh", "ksh", "ash", "mksh", "fish", "rbash":
		r.shell(c)
	case ".", "source":
		if len(c.args) > 0 {
			r.script(c, c.args[0])
		}
	case "alias":
		for _, a := range c.args {
			if name, text, ok := strings.Cut(a.text, "="); ok {
				a.text = text
				r.named(name, a)
			}
		}
	case "at", "batch":
		r.standardInput(c)
	case "npm":
		if len(c.args) > 0 && (c.args[0].text == "exec" || c.args[0].text == "x") {
			r.runner(c)
		}
	case "eval":
		r.in(c.dir, joinWords(c.args, " "))
	case "trap":
		if len(c.args) > 1 {
			r.in(c.dir, c.args[0])
		}
	case "find":
		r.find(c)
	case "powershell", "pwsh":
		r.powerShellCall(c)
	case "cmd":
		r.cmdCall(c)
	case "iex", "invoke-expression":
		r.powerShell(invoked(c))
	case "set-alias", "new-alias", "sal", "nal":
		r.namesProgram(c)
	}
}

// startsOthers knows the programs that run another one in an environment of its own.
func startsOthers(name string) bool {
	switch name {
	case "nix", "nix-shell", "direnv", "mise", "rtx", "asdf", "uv", "poetry", "pipenv", "pdm", "hatch", "rye", "bundle", "npx",
		"pnpm", "yarn", "bunx", "devbox", "devenv", "dotenv", "doppler", "op", "aws-vault", "chamber", "conda", "mamba",
		"micromamba", "firejail", "bwrap", "proot", "gosu", "su-exec", "setpriv", "prlimit", "numactl", "cpulimit", "pkexec",
		"runcon", "systemd-inhibit", "xvfb-run", "dbus-run-session", "tmux", "screen", "ssh-agent", "setarch", "arch", "trickle",
		"valgrind", "gdb", "perf", "rr", "runuser", "wsl", "entr", "retry", "faketime", "torsocks", "proxychains",
		"proxychains4", "hyperfine":
		return true
	}
	return false
}

// runner reads the command behind a program that runs another one in an environment of its own, whatever its options: from
// the first word on that is git or a shell.
func (r *shellReader) runner(c shellCommand) {
	for i, a := range c.args {
		switch name := programName(a.text); name {
		case "git", "sh", "bash", "zsh", "dash":
			r.command(shellCommand{env: c.env, dir: c.dir, source: c.source, doubt: c.doubt}, c.args[i:])
			return
		}
		if strings.Contains(a.text, "git ") { // a whole command in one word
			r.in(c.dir, a)
		}
	}
}

func (r *shellReader) changeDir(c shellCommand) {
	if slices.ContainsFunc(c.args, func(w shellWord) bool { return c.name == "pushd" && w.text == "-n" }) {
		return
	}
	to := plainWord(r.home)
	for _, a := range c.args {
		if !strings.HasPrefix(a.text, "-") || a.text == "-" {
			to = a
			break
		}
	}
	if c.stmt == nil { // PowerShell takes both
		to.text = strings.ReplaceAll(to.text, `\`, "/")
	}
	if to.text == "-" || to.text == "" || to.glob {
		to = shellWord{text: openPart, open: true}
	}
	r.dirs[len(r.dirs)-1] = pathFrom(c.dir, to)
}

// shell reads what `sh -c TEXT` runs, or what a shell without a script reads on stdin.
func (r *shellReader) shell(c shellCommand) {
	g := grammar{flags: "abefhiklmnprstuvxBCDHPEc", values: "oO", long: "login norc noprofile posix restricted verbose noediting", valued: "rcfile init-file command"}
	args := make([]shellWord, len(c.args))
	copy(args, c.args)
	for i, a := range args {
		if strings.HasPrefix(a.text, "+") && len(a.text) > 1 {
			args[i].text = "-" + a.text[1:]
		}
	}
	a := g.read(args)
	operands := a.all()
	switch {
	case a.has("command"):
		o, _ := a.last("command")
		r.in(c.dir, o.value)
	case a.has("c"):
		if len(operands) > 0 {
			r.in(c.dir, operands[0])
		}
	case len(operands) == 0 || a.has("s"):
		r.standardInput(c)
	default:
		r.script(c, operands[0])
	}
}

// find reads the commands of -exec and its kin.
func (r *shellReader) find(c shellCommand) {
	for i := 0; i < len(c.args); i++ {
		switch c.args[i].text {
		case "-exec", "-execdir", "-ok", "-okdir":
		default:
			continue
		}
		from := i + 1
		for i = from; i < len(c.args) && c.args[i].text != ";" && c.args[i].text != "+"; i++ {
		}
		inner := shellCommand{env: c.env, dir: c.dir, source: c.source, doubt: c.doubt}
		if strings.HasSuffix(c.args[from-1].text, "dir") {
			inner.dir = shellWord{text: openPart, open: true}
		}
		var words []shellWord
		for _, w := range c.args[from:i] {
			if strings.Contains(w.text, "{}") {
				w = shellWord{text: strings.ReplaceAll(w.text, "{}", openPart), open: true}
			}
			words = append(words, w)
		}
		r.command(inner, words)
	}
}

// cmdCall reads `cmd /c TEXT`.
func (r *shellReader) cmdCall(c shellCommand) {
	for i, a := range c.args {
		if t := strings.ToLower(strings.TrimLeft(a.text, "/")); (t == "c" || t == "k") && strings.HasPrefix(a.text, "/") {
			text := joinWords(c.args[i+1:], " ")
			text.text = strings.ReplaceAll(text.text, `\`, `\\`)
			r.in(c.dir, text)
			return
		}
	}
	r.standardInput(c)
}

// powerShellCall reads `pwsh -Command TEXT` and its kin.
func (r *shellReader) powerShellCall(c shellCommand) {
	for i, a := range c.args {
		name := strings.ToLower(strings.TrimLeft(a.text, "-/"))
		switch {
		case name == "" || strings.IndexByte("-/", a.text[0]) < 0:
			continue
		case strings.HasPrefix("command", name) && i+1 < len(c.args) && c.args[i+1].text == "-":
		case strings.HasPrefix("command", name):
			r.powerShell(joinWords(c.args[i+1:], " "))
			return
		case strings.HasPrefix("encodedcommand", name) && name != "executionpolicy" && i+1 < len(c.args), name == "ec" && i+1 < len(c.args):
			r.powerShell(decodedCommand(c.args[i+1]))
			return
		}
	}
	if c.input != nil {
		r.powerShell(*c.input)
	}
}

// decodedCommand is the text of -EncodedCommand: UTF-16 in base64.
func decodedCommand(w shellWord) shellWord {
	raw, err := base64.StdEncoding.DecodeString(w.text)
	if err != nil || len(raw)%2 != 0 {
		return shellWord{text: openPart, open: true}
	}
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = uint16(raw[2*i]) | uint16(raw[2*i+1])<<8
	}
	return plainWord(string(utf16.Decode(units)))
}
