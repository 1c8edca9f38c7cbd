package hooksimpl

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Limits of the text that is parsed at all. The parser and every walk over its tree recurse, up to 14 KB of stack a level,
// and a Go program cannot survive the end of its stack: what is larger or deeper goes to the lexical scans. The depth is an
// estimate that quotes can mislead; the number of openings bounds it for certain.
const (
	shellSizeLimit    = 256 << 10
	shellNestLimit    = 200
	shellOpeningLimit = 8_000
)

var errShellLimits = errors.New("too large or too deeply nested to parse")

// parseShell reads text as the client's Bash tool runs it. It fails on text that is not bash, and on text over the limits.
func parseShell(text string) (*syntax.File, error) {
	if len(text) > shellSizeLimit {
		return nil, errShellLimits
	}
	if openings, depth := shellNesting(text); openings > shellOpeningLimit || depth > shellNestLimit {
		return nil, errShellLimits
	}
	return syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
}

// shellNesting counts what can open a level of the parser's recursion in text, and estimates how deep the levels nest.
func shellNesting(text string) (openings, deepest int) {
	depth := 0
	for i := 0; i < len(text); i++ {
		step := 0
		switch c := text[i]; c {
		case '(', '[', '{':
			step = 1
		case ')', ']', '}':
			step = -1
		case '`':
			openings++
		default:
			if !wordByte(c) {
				continue
			}
			end := i + 1
			for end < len(text) && wordByte(text[end]) {
				end++
			}
			if word := text[i:end]; len(word) <= longestKeyword {
				step = keywordStep(word)
			}
			i = end - 1
		}
		openings += max(step, 0)
		depth = max(depth+step, 0)
		deepest = max(deepest, depth)
	}
	return openings, deepest
}

const longestKeyword = len("function")

func keywordStep(word string) int {
	switch word {
	case "if", "elif", "while", "until", "for", "select", "case", "function", "time", "coproc":
		return 1
	case "fi", "done", "esac":
		return -1
	}
	return 0
}

func wordByte(c byte) bool {
	return (c|0x20)-'a' < 26 || c-'0' < 10 || c == '_' // a byte below the first of its row wraps around and is no word's
}

// simpleCommand is a command at command position: nothing but the shell's own reserved words, separators and opening
// brackets stand before its name.
type simpleCommand struct {
	name *syntax.Word
	args []*syntax.Word
}

// commandsOf calls yield for every simple command of the tree at command position, those inside substitutions, subshells,
// bodies and unquoted here-documents included, until yield returns false. A command behind an assignment, a redirection or
// `time` is not at command position.
func commandsOf(tree syntax.Node, yield func(simpleCommand) bool) {
	timed := map[*syntax.Stmt]bool{}
	stop := false
	syntax.Walk(tree, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.TimeClause:
			timed[n.Stmt] = true
		case *syntax.Stmt:
			if call, ok := n.Cmd.(*syntax.CallExpr); ok && !timed[n] && leads(n, call) {
				stop = stop || !yield(simpleCommand{name: call.Args[0], args: call.Args[1:]})
			}
		case *syntax.FuncDecl:
			if !n.RsrvWord && n.Name != nil {
				stop = stop || !yield(simpleCommand{name: &syntax.Word{Parts: []syntax.WordPart{n.Name}}})
			}
		}
		return !stop
	})
}

// leads reports whether call's name is the first thing of the statement s.
func leads(s *syntax.Stmt, call *syntax.CallExpr) bool {
	if len(call.Args) == 0 || len(call.Assigns) > 0 {
		return false
	}
	return len(s.Redirs) == 0 || s.Redirs[0].Pos().After(call.Pos())
}

// opening returns the unquoted text word starts with, as written, and whether that is the whole word.
func opening(word *syntax.Word) (text string, whole bool) {
	lit, ok := word.Parts[0].(*syntax.Lit)
	if !ok {
		return "", false
	}
	return lit.Value, len(word.Parts) == 1
}

// substitutes reports whether a command substitution stands anywhere in word.
func substitutes(word *syntax.Word) bool {
	found := false
	syntax.Walk(word, func(n syntax.Node) bool {
		if _, ok := n.(*syntax.CmdSubst); ok {
			found = true
		}
		return !found
	})
	return found
}
