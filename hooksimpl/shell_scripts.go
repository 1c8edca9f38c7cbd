package hooksimpl

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// known puts the contents of files in place that the text at hand wrote before; ok is false when a file is another one.
func (r *shellReader) known(w shellWord) (text shellWord, ok bool) {
	if len(w.files) == 0 {
		return w, true
	}
	all := []shellWord{}
	for _, path := range w.files {
		written, ok := r.out.files[path]
		if !ok {
			return w, false
		}
		all = append(all, written)
	}
	return joinWords(all, "\n"), true
}

// script reads the file that a shell is told to run, when the text at hand wrote it or fed it.
func (r *shellReader) script(c shellCommand, file shellWord) {
	if file.text == "-" || file.text == "/dev/stdin" || file.text == "/dev/fd/0" {
		r.standardInput(c)
		return
	}
	if text, written := r.out.files[pathFrom(c.dir, file).text]; written && !file.open {
		r.in(c.dir, text)
	}
}

// standardInput reads what a shell gets on stdin.
func (r *shellReader) standardInput(c shellCommand) {
	if c.input == nil {
		return
	}
	if text, ok := r.known(*c.input); ok {
		r.in(c.dir, text)
	}
}

// process is the name of the file that `<(...)` stands for; what it holds is kept where that is known without running it.
func (r *shellReader) process(p *syntax.ProcSubst) shellWord {
	open := shellWord{text: openPart, open: true}
	if p.Op != syntax.CmdIn || len(p.Stmts) != 1 {
		return open
	}
	text, ok := r.output(p.Stmts[0])
	if !ok {
		return open
	}
	name := "/dev/fd/" + strconv.Itoa(r.depth) + "." + strconv.Itoa(int(p.Pos().Offset()))
	r.out.files[name] = text
	return plainWord(name)
}

// named notes what `alias NAME=TEXT` and its kin call a command by.
func (r *shellReader) named(name string, text shellWord) {
	if r.out.aliases == nil {
		r.out.aliases = map[string]shellWord{}
	}
	r.out.aliases[strings.ToLower(name)] = text
}

// renamed reads words whose first one is an alias that the text at hand made; it is false when that is none.
func (r *shellReader) renamed(c shellCommand, words []shellWord) bool {
	name := strings.ToLower(words[0].text)
	text, ok := r.out.aliases[name]
	if !ok {
		return false
	}
	delete(r.out.aliases, name) // an alias in its own text is the program
	r.in(c.dir, joinWords(append([]shellWord{text}, quotedWords(words[1:])...), " "))
	r.out.aliases[name] = text
	return true
}

// array returns the words that `${NAME[@]}` becomes, when the text at hand assigned them.
func (r *shellReader) array(word *syntax.Word) (words []shellWord, ok bool) {
	if len(r.arrays) == 0 || len(word.Parts) != 1 {
		return nil, false
	}
	part := word.Parts[0]
	if quoted, is := part.(*syntax.DblQuoted); is && len(quoted.Parts) == 1 {
		part = quoted.Parts[0]
	}
	p, is := part.(*syntax.ParamExp)
	if !is || p.Param == nil || p.Index == nil || p.Length || p.Excl || p.Slice != nil || p.Repl != nil || p.Exp != nil {
		return nil, false
	}
	index, is := p.Index.(*syntax.Word)
	if !is || index.Lit() != "@" && index.Lit() != "*" {
		return nil, false
	}
	words, ok = r.arrays[p.Param.Value]
	return words, ok
}

// assignArray remembers the words of an array; assigned twice, nobody knows which ones count.
func (r *shellReader) assignArray(name string, a *syntax.ArrayExpr) {
	if _, twice := r.arrays[name]; twice {
		r.arrays[name] = []shellWord{{text: openPart, open: true}}
		return
	}
	var words []shellWord
	for _, e := range a.Elems {
		if e.Value == nil {
			continue
		}
		w := r.word(e.Value)
		w.assigned = true
		words = append(words, w)
	}
	if r.arrays == nil {
		r.arrays = map[string][]shellWord{}
	}
	r.arrays[name] = words
}

// fields are the words that an unquoted variable with a known value becomes.
func (r *shellReader) fields(word *syntax.Word) (words []shellWord, ok bool) {
	if len(word.Parts) != 1 {
		return nil, false
	}
	p, is := word.Parts[0].(*syntax.ParamExp)
	if !is {
		return nil, false
	}
	value := r.parameter(p)
	if value.open || !value.assigned || !strings.ContainsAny(value.text, " \t\n") {
		return nil, false
	}
	for text := range strings.FieldsSeq(value.text) {
		w := value
		w.text = text
		words = append(words, w)
	}
	return words, true
}
