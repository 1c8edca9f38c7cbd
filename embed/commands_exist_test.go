package embed_test

import (
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"viber/cli"
	"viber/internal/term"
)

var quoted = regexp.MustCompile(`"[^"]*"`)

// tree is the command tree of the program, by the words of each command.
func tree() map[string]cli.Line {
	all := map[string]cli.Line{}
	streams := term.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}
	for _, line := range cli.Tree(cli.Env{Streams: streams, Now: time.Now}) {
		all[line.Words] = line
	}
	return all
}

// TestCommandsExist: every line of a text that runs viber names a command of the program and only flags which that command
// speaks of in its help; its arguments stand in double quotes, so that the client's prefix rules match.
func TestCommandsExist(t *testing.T) {
	t.Parallel()
	commands := tree()
	found := 0
	for _, x := range texts(t) {
		for _, c := range calls(x) {
			if slices.ContainsFunc(notCalls, func(n string) bool { return strings.HasPrefix(c.line, n) }) {
				continue
			}
			found++
			checkCall(t, commands, c)
		}
	}
	if found < 60 {
		t.Errorf("only %d command lines found: this test went blind", found)
	}
}

func checkCall(t *testing.T, commands map[string]cli.Line, c call) {
	t.Helper()
	words := strings.Fields(quoted.ReplaceAllString(strings.TrimPrefix(c.line, "viber "), `""`))
	command, known := commands[words[0]]
	rest := words[1:]
	for known && len(rest) > 0 {
		deeper, is := commands[command.Words+" "+rest[0]]
		if !is {
			break
		}
		command, rest = deeper, rest[1:]
	}
	if !known {
		t.Errorf("%s: %q: viber has no command %s", c.from.path, c.line, words[0])
		return
	}
	for _, word := range rest {
		switch {
		case strings.HasPrefix(word, "--"):
			if !strings.Contains(command.Usage, word) && !slices.Contains(command.Flags, strings.TrimPrefix(word, "--")) {
				t.Errorf("%s: %q: the help of viber %s does not know %s", c.from.path, c.line, command.Words, word)
			}
		case word == `""` || word == "...":
		case command.Words == "switch-text" && !strings.Contains(word, "<"):
		case command.Words == "config" || command.Words == "config explain":
		default:
			t.Errorf("%s: %q: %s stands without double quotes", c.from.path, c.line, word)
		}
	}
}

// TestCommandsTakeTheirArguments runs every command line of the texts in an empty folder: whatever it then lacks, it never is
// a wrong command line. With one flag more it is, so the test would see one.
func TestCommandsTakeTheirArguments(t *testing.T) {
	t.Parallel()
	played := 0
	for _, x := range texts(t) {
		if x.skill() == "" && !x.isAgent() {
			continue
		}
		for _, c := range calls(x) {
			if slices.ContainsFunc(notCalls, func(n string) bool { return strings.HasPrefix(c.line, n) }) || mentioned(x, c.line) {
				continue
			}
			args := arguments(c.line)
			if len(args) == 1 && args[0] == "commit-task" {
				continue // the command spoken of, not a call
			}
			played++
			if said := wrongCall(t, args); said != "" {
				t.Errorf("%s: %q: %s", x.path, c.line, said)
			}
			if tolerant[args[0]] {
				continue
			}
			if wrongCall(t, misspelt(args)) == "" {
				t.Errorf("%q with a flag that does not exist counts as right: this test went blind", c.line)
			}
		}
	}
	if played < 60 {
		t.Errorf("only %d command lines played", played)
	}
}

// tolerant are commands whose contract takes any words: a preload must never fail, and words are what they are about.
var tolerant = map[string]bool{"config": true, "switch-text": true, "run-clock": true, "commit-context": true, "commit": true, "commit-selfcheck": true,
	"handoff-path": true, "memory-map": true, "rules-map": true, "issue-facts": true, "issue-templates": true,
	"pr-create": true, "post-comment": true, "open-page": true} // the last three take a file first, whatever its name

var argument = regexp.MustCompile(`"[^"]*"|[^ ]+`)

// arguments are the words of a command line, with a plain value for each placeholder.
func arguments(line string) []string {
	var args []string
	for _, word := range argument.FindAllString(strings.TrimPrefix(line, "viber "), -1) {
		if word != "..." {
			args = append(args, placeholder.ReplaceAllStringFunc(strings.Trim(word, `"`), plain))
		}
	}
	return args
}

var placeholder = regexp.MustCompile(`<[^>]*>|\$\{[A-Z_]+\}`)

func plain(name string) string {
	switch name {
	case "<round>":
		return "1"
	case "<PR_URL>", "<URL>":
		return "https://github.com/o/r/pull/1"
	}
	return "x"
}

// misspelt is the call with a flag nobody knows behind its command.
func misspelt(args []string) []string {
	at := 1
	for commands := tree(); at < len(args); at++ {
		if _, is := commands[strings.Join(args[:at+1], " ")]; !is {
			break
		}
	}
	return slices.Insert(slices.Clone(args), at, "--no-such-flag")
}

// wrongCall plays a command line and returns what was said when it was a wrong one.
func wrongCall(t *testing.T, args []string) string {
	t.Helper()
	home := t.TempDir()
	var out, errors strings.Builder
	streams := term.Streams{In: strings.NewReader(""), Out: &out, Err: &errors}
	env := cli.Env{Streams: streams, Getenv: func(name string) string { return map[string]string{"HOME": home, "USERPROFILE": home}[name] },
		Environ: []string{"HOME=" + home}, Dir: t.TempDir(), Exe: home + "/viber", Now: time.Now, Sleep: func(time.Duration) {}, ManagedDir: home}
	code := cli.Main(env, append([]string{"viber"}, args...))
	said := out.String() + errors.String()
	for _, sign := range []string{"usage:", "see --help", "unknown option", "--help'"} {
		if strings.Contains(said, sign) {
			return said
		}
	}
	if code == 64 {
		return said
	}
	return ""
}
