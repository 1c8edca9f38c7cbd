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
