package hooksimpl

import "strings"

// closeFrame ends a bracket: the text in it, or something nobody knows, is a word of the command around.
func (p *psCommands) closeFrame() {
	text, known := p.top().expression()
	p.flush()
	if len(p.frames) == 1 {
		return
	}
	p.pop()
	f := p.top()
	if !known {
		text = shellWord{text: openPart, open: true}
	}
	if last := len(f.words) - 1; last >= 0 {
		p.method(f.words[last].text, text)
	}
	f.quoted = f.quoted || len(f.words) == 0 && known
	f.words = append(f.words, text)
}

// method reads what the methods that run a text or a program are given.
func (p *psCommands) method(name string, text shellWord) {
	name = strings.ToLower(name)
	switch {
	case strings.HasSuffix(name, "[scriptblock]::create"):
		p.reader.powerShell(text)
	case changesFileMethod(name):
		for i, w := range startedWords([]shellWord{text}) {
			if i == 0 || !strings.Contains(name, "::write") && !strings.Contains(name, "::append") {
				p.reader.emit(shellCommand{name: "set-content", args: []shellWord{w}, dir: p.reader.dir(), source: name})
			}
		}
	case strings.HasSuffix(name, "process]::start"):
		p.reader.command(shellCommand{dir: p.reader.dir(), source: name}, startedWords([]shellWord{text}))
	}
}

// changesFileMethod knows the methods that change the file whose name they are given.
func changesFileMethod(method string) bool {
	_, call, ok := strings.Cut(method, "io.file]::")
	return ok && (strings.HasPrefix(call, "write") || strings.HasPrefix(call, "append") || call == "delete" || call == "copy" || call == "move" || call == "create" || call == "open" || call == "openwrite" || call == "replace")
}

// expression is the text of a frame that holds strings, put together or alone; ok is false for anything else.
func (f *psFrame) expression() (text shellWord, ok bool) {
	if !f.quoted || f.called || f.fed != nil {
		return shellWord{}, false
	}
	for i, w := range f.words {
		switch {
		case i%2 == 0:
			text.glue(w)
		case w.text != "+":
			return shellWord{}, false
		}
	}
	text.assigned = text.assigned || len(f.words) > 1
	return text, true
}

// assign remembers a variable with a known text; one of the environment is there for the commands behind it too.
func (p *psCommands) assign(name string, text shellWord) {
	if variable, ok := strings.CutPrefix(name, "env:"); ok {
		text.text = strings.ToUpper(variable) + "=" + text.text
		p.reader.exports = append(p.reader.exports, text)
		return
	}
	p.reader.assign(name, text)
}

// written notes the file that a string is redirected into.
func (p *psCommands) written(words []shellWord) {
	c := shellCommand{name: "echo", dir: p.reader.dir()}
	if c.args = p.reader.withoutRedirects(&c, words); len(c.written) > 0 {
		p.reader.emit(c)
	}
}

// invoked is the text that Invoke-Expression runs.
func invoked(c shellCommand) shellWord {
	var words []shellWord
	for i := 0; i < len(c.args); i++ {
		name := strings.ToLower(c.args[i].text)
		switch {
		case len(name) > 1 && strings.HasPrefix("-command", name), name == "-inputobject":
		case strings.HasPrefix(name, "-error"), strings.HasPrefix(name, "-warning"):
			i++
		default:
			words = append(words, c.args[i])
		}
	}
	if len(words) == 0 && c.input != nil {
		return *c.input
	}
	return joinWords(words, " ")
}

// namesProgram notes the alias that Set-Alias or New-Alias makes.
func (r *shellReader) namesProgram(c shellCommand) {
	var words []shellWord
	for i := 0; i < len(c.args); i++ {
		name := strings.ToLower(c.args[i].text)
		switch {
		case len(name) > 1 && (strings.HasPrefix("-name", name) || strings.HasPrefix("-value", name)), name == "-force":
		case strings.HasPrefix(name, "-"):
			i++
		default:
			words = append(words, c.args[i])
		}
	}
	if len(words) == 2 {
		r.named(words[0].text, words[1])
	}
}

// startedWords are the words of the program that Start-Process starts.
func startedWords(words []shellWord) []shellWord {
	var program []shellWord
	for i := 0; i < len(words); i++ {
		w := words[i]
		lower := strings.ToLower(w.text)
		switch {
		case len(lower) > 1 && lower[0] == '-' && strings.HasPrefix("-filepath", lower), strings.HasPrefix("-argumentlist", lower) && len(lower) > 1, lower == "-args":
			continue
		case lower == "-workingdirectory", strings.HasPrefix(lower, "-redirect"), lower == "-verb", lower == "-credential":
			i++
			continue
		case lower == "-wait", lower == "-nonewwindow", lower == "-passthru":
			continue
		}
		for _, t := range strings.FieldsFunc(w.text, func(c rune) bool { return c == ',' || c == ' ' }) {
			program = append(program, shellWord{text: strings.Trim(t, `"'`), open: w.open, assigned: w.assigned})
		}
	}
	return program
}
