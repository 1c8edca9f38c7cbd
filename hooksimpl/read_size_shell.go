package hooksimpl

import (
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// wholePrint is a file that a shell command prints; lines is how many of its lines at most, 0 for all of it.
type wholePrint struct {
	path  string
	lines int64
}

// globLimit bounds the files a pattern of names is taken for, globFolders the folders in it that are patterns themselves: each
// of them multiplies what has to be read.
const (
	globLimit   = 100
	globFolders = 1
)

// wholePrints lists the files a call prints to the model. What is fed to another command, caught by a substitution or
// written to a file is not printed.
func wholePrints(p *Payload, reading *shellReading) []wholePrint {
	command, _ := p.Input("command")
	caught := caughtOutput(p.Tool, command)
	var all []wholePrint
	for _, cmd := range reading.commands {
		if caught(cmd) {
			continue
		}
		files, lines, ok := printedBy(p.Tool, cmd)
		if !ok {
			continue
		}
		for _, file := range files {
			for _, path := range pathsOf(cmd.dir, file) {
				all = append(all, wholePrint{path, lines})
			}
		}
	}
	return all
}

// printsFiles is a quick test, true for every reading in which wholePrints finds something.
func printsFiles(tool string, reading *shellReading) bool {
	return slices.ContainsFunc(reading.commands, func(c shellCommand) bool {
		files, _, ok := printedBy(tool, c)
		return ok && len(files) > 0
	})
}

// caughtOutput returns which commands of the text do not print: those at the left of a pipe and inside substitutions.
func caughtOutput(tool, command string) func(shellCommand) bool {
	if tool == ToolPowerShell {
		piped := strings.ContainsAny(command, "|>")
		return func(shellCommand) bool { return piped }
	}
	tree, err := parseShell(command)
	if err != nil {
		return func(shellCommand) bool { return true }
	}
	caught := map[uint]bool{}
	inside := func(n syntax.Node) {
		syntax.Walk(n, func(n syntax.Node) bool {
			if s, ok := n.(*syntax.Stmt); ok {
				caught[s.Pos().Offset()] = true
			}
			return true
		})
	}
	syntax.Walk(tree, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BinaryCmd:
			if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
				inside(n.X)
			}
		case *syntax.CmdSubst, *syntax.ProcSubst:
			inside(n)
			return false
		case *syntax.Stmt:
			if writesFile(n) {
				inside(n)
			}
		}
		return true
	})
	return func(cmd shellCommand) bool { return cmd.stmt == nil || caught[cmd.stmt.Pos().Offset()] }
}

// writesFile reports whether the statement's output goes to a file.
func writesFile(s *syntax.Stmt) bool {
	for _, r := range s.Redirs {
		switch r.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.AppClob, syntax.RdrAll, syntax.AppAll, syntax.RdrAllClob, syntax.AppAllClob:
			if r.N == nil || r.N.Value == "1" {
				return true
			}
		}
	}
	return false
}

// printedBy returns the files that cmd prints and how many lines of each; ok is false for commands that print none whole.
func printedBy(tool string, cmd shellCommand) (files []shellWord, lines int64, ok bool) {
	switch cmd.name {
	case "cat", "nl", "tac", "less", "more", "bat", "batcat":
		g := grammar{flags: "AbeEnstTuvFgiIJKLmMNqQrRsSwWXpPl", values: "hoyzb", interspersed: true, long: "number show-all", valued: "style theme language paging color"}
		return fed(cmd, g.read(cmd.args).all()), 0, true
	case "head", "tail":
		return printedEnd(cmd)
	case "sed", "gsed":
		return printedBySed(cmd)
	case "type", "get-content", "gc":
		if tool == ToolPowerShell {
			return printedByGetContent(cmd)
		}
	}
	return nil, 0, false
}

// fed adds what a redirection feeds to a command without operands.
func fed(cmd shellCommand, operands []shellWord) []shellWord {
	if len(operands) > 0 || cmd.stmt == nil {
		return operands
	}
	for _, r := range cmd.stmt.Redirs {
		if name := r.Word; r.Op == syntax.RdrIn && name != nil && name.Lit() != "" {
			operands = append(operands, plainWord(name.Lit()))
		}
	}
	return operands
}

// printedEnd reads head and tail: -n 5000, -n5000, -5000, --lines=5000, tail -n +1.
func printedEnd(cmd shellCommand) ([]shellWord, int64, bool) {
	lines := int64(10)
	words := cmd.args
	if len(words) > 0 && len(words[0].text) > 1 && words[0].text[0] == '-' && strings.Trim(words[0].text[1:], "0123456789") == "" {
		if lines, _ = strconv.ParseInt(words[0].text[1:], 10, 64); lines == 0 {
			return nil, 0, false
		}
		words = words[1:]
	}
	a := grammar{flags: "qvzfFr", values: "nc", long: "quiet silent verbose zero-terminated follow", valued: "lines bytes", interspersed: true}.read(words)
	if o, ok := a.last("n", "lines"); ok && o.has {
		switch text := o.value.text; {
		case strings.HasPrefix(text, "+") && cmd.name == "tail", strings.HasPrefix(text, "-") && cmd.name == "head":
			lines = 0 // from there to the end, or all but the last
		default:
			lines, _ = strconv.ParseInt(strings.TrimLeft(text, "+-"), 10, 64)
			if lines == 0 {
				return nil, 0, false
			}
		}
	}
	if a.has("c", "bytes") {
		return nil, 0, false
	}
	return fed(cmd, a.all()), lines, true
}

// printedBySed reads sed: without -n everything is printed, with it what the ranges of the script print.
func printedBySed(cmd shellCommand) ([]shellWord, int64, bool) {
	a := grammar{flags: "nErsuz", values: "efl", glued: "i", long: "quiet silent regexp-extended null-data posix debug", valued: "expression file in-place", interspersed: true}.read(cmd.args)
	if a.has("i", "in-place") {
		return nil, 0, false
	}
	operands := a.all()
	script, given := a.last("e", "expression")
	text := script.value.text
	if !given && !a.has("f", "file") {
		if len(operands) == 0 {
			return nil, 0, false
		}
		text, operands = operands[0].text, operands[1:]
	}
	if !a.has("n", "quiet", "silent") {
		if strings.HasSuffix(strings.TrimSpace(text), "q") {
			return nil, 0, false // ends early
		}
		return fed(cmd, operands), 0, true
	}
	lines, ok := rangeOf(text)
	return fed(cmd, operands), lines, ok
}

// rangeOf is how many lines the script of sed -n prints: '1,$p' all of them (0), '10,90p' 81.
func rangeOf(script string) (int64, bool) {
	body, ok := strings.CutSuffix(strings.TrimSpace(script), "p")
	if !ok {
		return 0, false
	}
	from, to, isRange := strings.Cut(body, ",")
	first, err := strconv.ParseInt(strings.TrimSpace(from), 10, 64)
	switch {
	case body == "":
		return 0, true
	case !isRange || err != nil:
		return 0, false
	case strings.TrimSpace(to) == "$":
		return 0, first <= 1
	}
	last, err := strconv.ParseInt(strings.TrimSpace(to), 10, 64)
	if err != nil || last < first {
		return 0, false
	}
	return last - first + 1, true
}

// printedByGetContent reads PowerShell's Get-Content: with -TotalCount, -Head, -First or -Tail it prints a part.
func printedByGetContent(cmd shellCommand) ([]shellWord, int64, bool) {
	var files []shellWord
	lines := int64(0)
	for i := 0; i < len(cmd.args); i++ {
		word := strings.ToLower(cmd.args[i].text)
		switch {
		case word == "-path" || word == "-literalpath":
		case word == "-totalcount" || word == "-head" || word == "-first" || word == "-tail" || word == "-last":
			if i+1 >= len(cmd.args) {
				return nil, 0, false
			}
			i++
			lines, _ = strconv.ParseInt(cmd.args[i].text, 10, 64)
			if lines <= 0 {
				lines = math.MaxInt64
			}
		case word == "-encoding" || word == "-delimiter" || word == "-readcount":
			i++
		case strings.HasPrefix(word, "-"):
		default:
			files = append(files, cmd.args[i])
		}
	}
	return files, lines, true
}

// pathsOf are the absolute paths a word names in dir; none when either is only known at run time.
func pathsOf(dir, word shellWord) []string {
	if word.open || dir.open || word.text == "" || word.text == "-" {
		return nil
	}
	path := filepath.FromSlash(word.text)
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir.text, path)
	}
	if !word.glob {
		return []string{path}
	}
	folders := 0
	for folder := range strings.SplitSeq(filepath.Dir(path), string(filepath.Separator)) {
		if strings.ContainsAny(folder, "*?[") {
			folders++
		}
	}
	if folders > globFolders {
		return nil
	}
	found, err := filepath.Glob(path)
	if err != nil {
		return nil
	}
	return found[:min(len(found), globLimit)]
}
