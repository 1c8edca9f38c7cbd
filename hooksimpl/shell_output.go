package hooksimpl

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// substitution is the text of $(...) where that is known without running it.
func (r *shellReader) substitution(s *syntax.CmdSubst) shellWord {
	open := shellWord{text: openPart, open: true}
	if len(s.Stmts) != 1 {
		return open
	}
	text, ok := r.output(s.Stmts[0])
	if !ok {
		return open
	}
	text.text = strings.TrimRight(text.text, "\n")
	return text
}

// output is what a statement writes, where that is known without running it.
func (r *shellReader) output(s *syntax.Stmt) (shellWord, bool) {
	if in := r.inputOf(s); s.Cmd == nil && in != nil { // $(< FILE)
		return *in, true
	}
	if b, ok := s.Cmd.(*syntax.BinaryCmd); ok && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll) {
		r.pipe(b)
		return r.output(b.Y)
	}
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return shellWord{}, false
	}
	words := r.wordsOf(call.Args)
	return r.printed(programName(words[0].text), words[1:], r.inputOf(s))
}

// printed is what the program name writes when it gets args and reads in.
func (r *shellReader) printed(name string, args []shellWord, in *shellWord) (shellWord, bool) {
	switch name {
	case "tee":
		if in != nil {
			return *in, true
		}
	case "cat":
		return r.concatenated(args, in)
	case "echo":
		return echoed(args), true
	case "printf":
		return formatted(args), true
	case "pwd":
		return r.dir(), true
	case "git":
		return r.askedOfGit(args)
	}
	return shellWord{}, false
}

func (r *shellReader) concatenated(args []shellWord, in *shellWord) (shellWord, bool) {
	all := shellWord{text: openPart, open: true}
	for _, a := range args {
		switch {
		case a.text == "-" && in != nil && len(args) == 1:
			return *in, true
		case strings.HasPrefix(a.text, "-"):
		default:
			all.files = append(all.files, r.path(a).text)
		}
	}
	if len(all.files) == 0 && in != nil {
		return *in, true
	}
	return all, len(all.files) > 0
}

func echoed(args []shellWord) shellWord {
	escapes := false
	for len(args) > 0 && (args[0].text == "-n" || args[0].text == "-e" || args[0].text == "-ne" || args[0].text == "-en") {
		escapes = escapes || strings.Contains(args[0].text, "e")
		args = args[1:]
	}
	text := joinWords(args, " ")
	if escapes {
		text.text = ansiText(text.text)
	}
	return text
}

// formatted is near enough to printf: every argument once, where the format has a place for one.
func formatted(args []shellWord) shellWord {
	if len(args) > 0 && args[0].text == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return shellWord{}
	}
	all := joinWords(args, "")
	format, rest := args[0].text, args[1:]
	var text strings.Builder
	for round := 0; round == 0 || len(rest) > 0; round++ {
		before := len(rest)
		for i := 0; i < len(format); i++ {
			if format[i] == '%' && i+1 < len(format) {
				i++
				if format[i] == '%' {
					text.WriteByte('%')
				} else if len(rest) > 0 {
					text.WriteString(rest[0].text)
					rest = rest[1:]
				}
				continue
			}
			text.WriteByte(format[i])
		}
		if len(rest) == before {
			break
		}
	}
	all.text = ansiText(text.String())
	return all
}

// headWord is what `$(git branch --show-current)` stands for wherever git reads a branch: the current one.
const headWord = "HEAD"

func (r *shellReader) askedOfGit(args []shellWord) (shellWord, bool) {
	switch joinWords(args, " ").text {
	case "rev-parse --show-toplevel":
		if dir := r.dir(); !dir.open && r.top != nil {
			if top := r.top(dir.text); top != "" {
				return plainWord(top), true
			}
		}
	case "branch --show-current", "rev-parse --abbrev-ref HEAD", "symbolic-ref --short HEAD", "symbolic-ref HEAD":
		return plainWord(headWord), true
	}
	return shellWord{}, false
}
