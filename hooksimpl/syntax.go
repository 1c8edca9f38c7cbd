package hooksimpl

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"viber/internal/secrets"
)

// Bounds of syntax.
const (
	syntaxFileLimit = 1 << 20 // bytes; a larger file is not looked at
	syntaxNesting   = 500     // brackets; deeper text is not given to a parser
	syntaxFiles     = 20      // of one patch
	syntaxErrors    = 5       // told of one file
	syntaxMessage   = 200     // characters
	syntaxLimit     = 6 * time.Second
	toolLimit       = 2 * time.Second
)

// syntaxCheck parses the file that was just written and tells the model where it does not parse. It never refuses anything.
func syntaxCheck() check {
	return check{
		name:    "syntax",
		events:  []string{EventPostToolUse},
		tools:   []string{ToolEdit, ToolWrite, ToolMultiEdit, ToolApplyPatch},
		limit:   syntaxLimit,
		run:     runSyntax,
		fault:   silence,
		because: explainSyntax,
	}
}

// syntaxError is one place where a file does not parse; Column 0 is an unknown one.
type syntaxError struct {
	Line, Column int
	Message      string
}

func runSyntax(w *World, p *Payload) Verdict {
	if _, value := w.guard(p, "syntax"); value == switchOff {
		return Verdict{}
	}
	var lines []string
	for _, path := range writtenFiles(p) {
		found, _ := parseFile(w, p.Cwd, path)
		for _, e := range found[:min(len(found), syntaxErrors)] {
			lines = append(lines, "- "+e.at(shortPath(p.Cwd, path)))
		}
	}
	if len(lines) == 0 {
		return Verdict{}
	}
	return Verdict{Context: "viber: what was just written does not parse:\n" + strings.Join(lines, "\n")}
}

// at is the error as compilers print it.
func (e syntaxError) at(name string) string {
	message := strings.Join(strings.Fields(printable(e.Message)), " ")
	if r := []rune(message); len(r) > syntaxMessage {
		message = string(r[:syntaxMessage]) + "..."
	}
	if len(secrets.Find([]byte(message))) > 0 {
		message = "syntax error"
	}
	if e.Column > 0 {
		return fmt.Sprintf("%s:%d:%d: %s", name, e.Line, e.Column, message)
	}
	return fmt.Sprintf("%s:%d: %s", name, e.Line, message)
}

func shortPath(cwd, path string) string {
	if rel, err := filepath.Rel(cwd, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// writtenFiles are the absolute paths of the files a call wrote.
func writtenFiles(p *Payload) []string {
	var names []string
	if p.Tool == ToolApplyPatch {
		names = patchedFiles(patchText(p))
	} else if name, ok := p.Input("file_path"); ok {
		names = []string{name}
	}
	var paths []string
	for _, name := range names[:min(len(names), syntaxFiles)] {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.Cwd, filepath.FromSlash(name))
		}
		paths = append(paths, name)
	}
	return paths
}

// parseFile parses one file; how says by what, or why not.
func parseFile(w *World, cwd, path string) (found []syntaxError, how string) {
	parser, how := parserFor(path)
	if parser == nil {
		return nil, how
	}
	info, err := w.Stat(path)
	switch {
	case err != nil || !info.Mode().IsRegular():
		return nil, "is no file"
	case info.Size() > syntaxFileLimit:
		return nil, fmt.Sprintf("is larger than %d bytes", syntaxFileLimit)
	}
	text, err := w.Read(path, syntaxFileLimit)
	if err != nil {
		return nil, "cannot be read"
	}
	if nesting(text) > syntaxNesting {
		return nil, fmt.Sprintf("nests deeper than %d brackets", syntaxNesting)
	}
	source := written{world: w, top: projectTop(cwd), name: filepath.Base(path), path: path, text: text}
	found, why := parser(source)
	if why != "" {
		return nil, why
	}
	return found, how
}

// nesting is how deep the brackets of text stand in each other, strings and comments not understood.
func nesting(text []byte) int {
	depth, deepest := 0, 0
	for _, c := range text {
		switch c {
		case '(', '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ')', ']', '}':
			depth = max(depth-1, 0)
		}
	}
	return deepest
}

func explainSyntax(w *World, p *Payload) []string {
	if _, value := w.guard(p, "syntax"); value == switchOff {
		return []string{"guards.syntax is off here"}
	}
	var lines []string
	for _, path := range writtenFiles(p) {
		found, how := parseFile(w, p.Cwd, path)
		lines = append(lines, fmt.Sprintf("%s: %s, %s", shortPath(p.Cwd, path), how, counted(len(found), "error")))
	}
	if len(lines) == 0 {
		return []string{"the call wrote no file"}
	}
	return lines
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
