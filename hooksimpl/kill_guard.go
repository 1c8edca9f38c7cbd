package hooksimpl

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// killGuard refuses commands of the plugin's agents that stop processes by name: those also hit processes the agent did
// not start. It says nothing to anybody else, and never allows.
func killGuard() check {
	return check{
		name:    "kill-guard",
		events:  []string{EventPreToolUse},
		tools:   []string{ToolBash, ToolPowerShell},
		run:     runKillGuard,
		fault:   silence,
		because: explainKill,
	}
}

func runKillGuard(_ *World, p *Payload) Verdict {
	if !strings.HasPrefix(p.AgentType, AgentPrefix) {
		return Verdict{}
	}
	command, ok := p.Input("command")
	if !ok {
		return Verdict{}
	}
	found := findKill(p.Tool, command)
	if found.rule == "" {
		return Verdict{}
	}
	return Verdict{Decision: Deny, Reason: killReason(found.rule)}
}

func killReason(rule string) string {
	return "viber agents must not stop processes by name: `" + rule + "` also hits processes that this agent did not start. " +
		"Stop only what you started here, by its id: `kill <PID>`; confirm each with `kill -0 <PID>`."
}

// killFinding says what kill-guard found in a command; rule is empty when it found nothing.
type killFinding struct {
	rule    string // killall, pkill, taskkill /IM, xargs kill, kill $(...), Stop-Process by name
	words   string // the command as written, when it was parsed
	lexical bool   // the text could not be parsed and was scanned instead
}

// findKill looks for a command in command position that stops processes by name.
func findKill(tool, command string) killFinding {
	if tool == ToolPowerShell {
		return findPowerShellKill(command)
	}
	if !mayKill(command) {
		return killFinding{}
	}
	tree, err := parseShell(command)
	if err != nil {
		return killFinding{rule: scanKill(command), lexical: true}
	}
	return judgeTree(command, tree)
}

func judgeTree(command string, tree *syntax.File) killFinding {
	var found killFinding
	commandsOf(tree, func(c simpleCommand) bool {
		if rule := judgeKill(c); rule != "" {
			found = killFinding{rule: rule, words: sourceOf(command, c)}
		}
		return found.rule == ""
	})
	return found
}

func sourceOf(text string, c simpleCommand) string {
	last := c.name
	if len(c.args) > 0 {
		last = c.args[len(c.args)-1]
	}
	from, to := int(c.name.Pos().Offset()), int(last.End().Offset())
	if from > to || to > len(text) {
		return ""
	}
	return text[from:to]
}

func judgeKill(c simpleCommand) string {
	name, whole := opening(c.name)
	switch {
	case opensWith(name, "killall"):
		return "killall"
	case opensWith(name, "pkill"):
		return "pkill"
	case strings.HasPrefix(name, "taskkill"):
		if anyWord(c.args, isImageSwitch) {
			return "taskkill /IM"
		}
	case name == "xargs" && whole:
		if word := xargsCommand(c.args); word != nil && isKill(word) {
			return "xargs kill"
		}
	case name == "kill" && whole:
		if anyWord(c.args, substitutes) {
			return "kill $(...)"
		}
	}
	return ""
}

// opensWith reports whether text starts with name as a word of its own: what follows is no letter, digit, `_`, `.` or `-`.
func opensWith(text, name string) bool {
	rest, ok := strings.CutPrefix(text, name)
	if !ok || rest == "" {
		return ok
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_.-", r)
}

func anyWord(words []*syntax.Word, is func(*syntax.Word) bool) bool {
	for _, w := range words {
		if is(w) {
			return true
		}
	}
	return false
}

func isImageSwitch(word *syntax.Word) bool {
	text, whole := opening(word)
	return whole && (strings.EqualFold(text, "/im") || strings.EqualFold(text, "//im"))
}

func isKill(word *syntax.Word) bool {
	text, _ := opening(word)
	return opensWith(text, "kill")
}

// xargsCommand returns the word xargs runs: the first one that is neither an option nor an option's value.
func xargsCommand(args []*syntax.Word) *syntax.Word {
	for i := 0; i < len(args); i++ {
		text, whole := opening(args[i])
		switch {
		case text == "--" && whole:
			if i+1 < len(args) {
				return args[i+1]
			}
			return nil
		case !strings.HasPrefix(text, "-") || text == "-" && whole:
			return args[i]
		case whole && takesNextWord(text):
			i++
		}
	}
	return nil
}

// takesNextWord reports whether the xargs option text (a cluster of short ones, or a long one) has its value in the next
// word.
func takesNextWord(text string) bool {
	if strings.HasPrefix(text, "--") {
		switch text {
		case "--arg-file", "--delimiter", "--max-args", "--max-procs", "--max-chars", "--process-slot-var":
			return true
		}
		return false
	}
	for i := 1; i < len(text); i++ {
		switch {
		case strings.IndexByte("nPILsdEaJRS", text[i]) >= 0:
			return i == len(text)-1
		case strings.IndexByte("eil", text[i]) >= 0:
			return false
		}
	}
	return false
}
