package hooksimpl

import (
	"path/filepath"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// shellReading is what a guard learns from the text of a shell call: every command it runs, wherever it stands, with the
// wrappers taken off that do not change its meaning.
type shellReading struct {
	commands []shellCommand
	// lexical says why a text, or a text inside it, was read word by word instead of parsed; empty when all was parsed.
	lexical string
	// files are the contents of files that commands of the text write, by absolute path.
	files map[string]shellWord
	// config are settings, key=value, that commands of the text write into git's configuration.
	config []string
	// aliases are the texts that commands of the text give names to, by name in lower case.
	aliases map[string]shellWord
	// gitAliases are the answers of git about aliases.
	gitAliases map[string]string
	// looped are the words that loops of the text go over.
	looped []shellWord
	spare  []shellWord // memory for the words of the commands to come
	bytes  int         // of all texts read so far
	texts  int         // how many they are
	whole  string      // the text of the call
}

// shellCommand is one command of a reading.
type shellCommand struct {
	name    string       // the program in lower case, without path and .exe; openPart in it where it is only known at run time
	args    []shellWord  // the words behind it
	more    bool         // it gets further words that are only known at run time (xargs)
	env     []shellWord  // NAME=value in front of it, or exported before
	dir     shellWord    // its working directory, open when it is only known at run time
	input   *shellWord   // what it reads on stdin, when that is known or a file
	written []shellWord  // files its redirections write to
	source  string       // as written
	doubt   string       // what in front of it could not be read for certain; empty when nothing
	git     *gitCall     // when it is git
	stmt    *syntax.Stmt // nil in PowerShell and lexical readings
}

// Limits of what is read: texts inside texts, their bytes, and commands in all.
const (
	shellTextDepth    = 8
	shellBytesLimit   = 1 << 20
	shellCommandLimit = 4_000
	shellTextLimit    = 1_000
	variableLimit     = 64 << 10
)

// shellContext is what a reader knows beside the text.
type shellContext struct {
	home, cwd string
	// top returns the top of the work tree around a directory, empty when there is none.
	top func(dir string) string
	// alias returns what the repository around dir calls by a git alias, empty when it has none of that name.
	alias func(call *gitCall, name string) string
}

// readShell reads text as tool (Bash or PowerShell) runs it.
func readShell(tool, text string, ctx shellContext) *shellReading {
	out := &shellReading{whole: text, files: map[string]shellWord{}, commands: make([]shellCommand, 0, 4+len(text)/24)}
	r := &shellReader{shellContext: ctx, out: out, vars: map[string]shellWord{}, dirs: []shellWord{dirWord(ctx.cwd)}}
	if tool == ToolPowerShell {
		r.powerShell(plainWord(text))
		return out
	}
	r.text(plainWord(strings.ReplaceAll(text, openPart, "")))
	return out
}

func dirWord(path string) shellWord {
	if path == "" {
		return shellWord{text: openPart, open: true}
	}
	return plainWord(path)
}

// shellReader collects the commands of one text; texts inside it are read by the same reader.
type shellReader struct {
	shellContext
	out     *shellReading
	depth   int
	written string // the text that is being read
	dirs    []shellWord
	scopes  []bool // for each open node: it has a working directory of its own
	vars    map[string]shellWord
	arrays  map[string][]shellWord
	exports []shellWord
	helping bool                       // the text at hand is one that git runs for itself (an editor, a pager)
	fed     map[*syntax.Stmt]shellWord // what a pipe feeds to a statement
}

func (r *shellReader) dir() shellWord { return r.dirs[len(r.dirs)-1] }

// text reads a text of shell commands. Open parts become a variable nobody knows.
func (r *shellReader) text(text shellWord) {
	if !r.mayRead(text) {
		r.unknown(text)
		return
	}
	inner := *r
	inner.depth++
	inner.written = strings.ReplaceAll(text.text, openPart, "${__}")
	inner.dirs, inner.scopes, inner.fed = []shellWord{r.dir()}, nil, map[*syntax.Stmt]shellWord{}
	tree, err := parseShell(inner.written)
	if err != nil {
		r.out.lexical = err.Error()
		inner.lexical()
		return
	}
	syntax.Walk(tree, inner.visit)
	r.exports = inner.exports
}

// mayRead reports whether text is known at all and within the limits.
func (r *shellReader) mayRead(text shellWord) bool {
	r.out.bytes += len(text.text)
	r.out.texts++
	return r.out.texts <= shellTextLimit && strings.TrimSpace(text.text) != openPart && r.depth < shellTextDepth && r.out.bytes < shellBytesLimit+shellSizeLimit
}

// unknown notes that something runs which is only known at run time.
func (r *shellReader) unknown(text shellWord) {
	text.open = true
	r.emit(shellCommand{name: openPart, args: []shellWord{text}, dir: r.dir(), source: strings.ReplaceAll(text.text, openPart, "...")})
}

func (r *shellReader) emit(c shellCommand) {
	r.remember(c)
	switch n := len(r.out.commands); {
	case n < shellCommandLimit-1:
		r.out.commands = append(r.out.commands, c)
	case n == shellCommandLimit-1: // the rest is not told apart any more
		r.out.commands = append(r.out.commands, shellCommand{name: openPart, args: []shellWord{{text: r.out.whole, open: true}}, dir: c.dir, source: r.out.whole})
	}
}

// remember keeps what c writes into files, where that is known without running it.
func (r *shellReader) remember(c shellCommand) {
	files := c.written
	text := shellWord{text: openPart, open: true}
	if c.name == "tee" {
		for _, a := range c.args {
			if !strings.HasPrefix(a.text, "-") {
				files = append(files, a)
			}
		}
		if c.input != nil {
			text = *c.input
		}
	}
	if len(files) == 0 {
		return
	}
	if printed, ok := r.printed(c.name, c.args, c.input); ok && c.name != "git" {
		text = printed
	}
	for _, f := range files {
		path := pathFrom(c.dir, f).text
		if before, twice := r.out.files[path]; twice {
			text = joinWords([]shellWord{before, text}, "\n")
		}
		r.out.files[path] = text
	}
}

func (r *shellReader) visit(n syntax.Node) bool {
	if n == nil {
		last := len(r.scopes) - 1
		if r.scopes[last] {
			r.dirs = r.dirs[:len(r.dirs)-1]
		}
		r.scopes = r.scopes[:last]
		return true
	}
	scoped := false
	switch n := n.(type) {
	case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst, *syntax.FuncDecl:
		scoped = true
		r.dirs = append(r.dirs, r.dir())
	case *syntax.BinaryCmd:
		r.pipe(n)
	case *syntax.DeclClause:
		r.declare(n)
	case *syntax.WordIter:
		r.out.looped = append(r.out.looped, r.wordsOf(n.Items)...)
	case *syntax.Stmt:
		if scoped = n.Background; scoped {
			r.dirs = append(r.dirs, r.dir())
		}
		r.statement(n)
	}
	r.scopes = append(r.scopes, scoped)
	return true
}

// pipe remembers what the left side of a pipe writes, where that is known without running it.
func (r *shellReader) pipe(n *syntax.BinaryCmd) {
	if n.Op != syntax.Pipe && n.Op != syntax.PipeAll {
		return
	}
	to := n.Y
	for {
		b, ok := to.Cmd.(*syntax.BinaryCmd)
		if !ok {
			break
		}
		to = b.X
	}
	if _, done := r.fed[to]; done {
		return
	}
	text, ok := r.output(n.X)
	if !ok {
		text = shellWord{text: openPart, open: true}
	}
	r.fed[to] = text
}

func (r *shellReader) declare(n *syntax.DeclClause) {
	for _, a := range n.Args {
		if a.Name != nil && a.Array != nil {
			r.assignArray(a.Name.Value, a.Array)
			continue
		}
		if a.Name == nil || a.Naked {
			continue
		}
		value := r.word(a.Value)
		r.assign(a.Name.Value, value)
		if n.Variant.Value == "export" || n.Variant.Value == "declare" {
			value.text = a.Name.Value + "=" + value.text
			r.exports = append(r.exports, value)
		}
	}
}

// assign remembers a variable with a known text; assigned twice, nobody knows which one counts.
func (r *shellReader) assign(name string, value shellWord) {
	if _, twice := r.vars[name]; twice || value.open || len(value.text) > variableLimit {
		value = shellWord{text: openPart, open: true}
	}
	r.vars[name] = value
}

func (r *shellReader) statement(s *syntax.Stmt) {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok {
		if files := r.writtenFiles(s); len(files) > 0 {
			r.emit(shellCommand{written: files, dir: r.dir(), source: r.sourceOf(s), stmt: s})
		}
		return
	}
	c := shellCommand{dir: r.dir(), written: r.writtenFiles(s), input: r.inputOf(s), source: r.sourceOf(call), stmt: s}
	c.env = append(c.env, r.exports...)
	for _, a := range call.Assigns {
		if a.Name != nil && a.Array != nil {
			r.assignArray(a.Name.Value, a.Array)
			continue
		}
		if a.Name == nil {
			continue
		}
		value := r.word(a.Value)
		if len(call.Args) == 0 {
			r.assign(a.Name.Value, value)
			continue
		}
		value.text = a.Name.Value + "=" + value.text
		c.env = append(c.env, value)
	}
	words := r.wordsOf(call.Args)
	if len(words) == 0 {
		if len(c.written) > 0 {
			r.emit(c)
		}
		return
	}
	r.command(c, words)
}

func (r *shellReader) sourceOf(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from > to || to > len(r.written) {
		return ""
	}
	return r.written[from:to]
}

// writtenFiles returns the files that the redirections of s write.
func (r *shellReader) writtenFiles(s *syntax.Stmt) []shellWord {
	var files []shellWord
	for _, d := range s.Redirs {
		switch d.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrInOut, syntax.RdrClob, syntax.AppClob, syntax.RdrAll, syntax.RdrAllClob, syntax.AppAll, syntax.AppAllClob:
			files = append(files, r.word(d.Word))
		}
	}
	return files
}

// inputOf returns what s reads on stdin: a here-document, a here-string, a file, or what a pipe feeds it.
func (r *shellReader) inputOf(s *syntax.Stmt) *shellWord {
	var in *shellWord
	if text, ok := r.fed[s]; ok {
		fed := text // a variable of its own: most statements are fed nothing, and cost no memory
		in = &fed
	}
	for _, d := range s.Redirs {
		switch d.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			text := r.hereDocument(d)
			if d.Op == syntax.DashHdoc {
				text.text = withoutIndent(text.text)
			}
			in = &text
		case syntax.WordHdoc:
			text := r.word(d.Word)
			in = &text
		case syntax.RdrIn:
			in = &shellWord{text: openPart, open: true, files: []string{r.path(r.word(d.Word)).text}}
		}
	}
	return in
}

// withoutIndent takes the tabs off that <<- drops in front of every line.
func withoutIndent(text string) string {
	var plain strings.Builder
	for line := range strings.Lines(text) {
		plain.WriteString(strings.TrimLeft(line, "\t"))
	}
	return plain.String()
}

func (r *shellReader) hereDocument(d *syntax.Redirect) shellWord {
	if d.Hdoc == nil {
		return shellWord{}
	}
	for _, part := range d.Word.Parts {
		if lit, bare := part.(*syntax.Lit); !bare || strings.Contains(lit.Value, `\`) { // a quoted delimiter: nothing in the text is special
			var text strings.Builder
			for _, p := range d.Hdoc.Parts {
				if lit, ok := p.(*syntax.Lit); ok {
					text.WriteString(lit.Value)
				}
			}
			return plainWord(text.String())
		}
	}
	return r.parts(d.Hdoc.Parts, true)
}

// path makes w absolute, from the working directory at hand; a path that is not known stays open.
func (r *shellReader) path(w shellWord) shellWord { return pathFrom(r.dir(), w) }

func pathFrom(dir, w shellWord) shellWord {
	switch {
	case w.open || isAbsolute(w.text):
		return w
	case dir.open:
		return shellWord{text: openPart + "/" + w.text, open: true}
	}
	w.text = filepath.Join(dir.text, filepath.FromSlash(w.text))
	return w
}

func isAbsolute(path string) bool { return filepath.IsAbs(path) || strings.HasPrefix(path, "/") }

// programName is the name of the program a command word starts: lower case, without folders and .exe.
func programName(word string) string {
	word = word[1+max(strings.LastIndexByte(word, '/'), strings.LastIndexByte(word, '\\')):]
	word = strings.ToLower(word)
	for _, end := range []string{".exe", ".cmd", ".bat", ".com"} {
		word = strings.TrimSuffix(word, end)
	}
	return word
}
