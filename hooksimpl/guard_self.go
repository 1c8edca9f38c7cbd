package hooksimpl

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"viber/schema"
)

// selfGuard asks before an agent changes what guards it: settings, viber's files, the plugin, the state, the program.
func selfGuard() check {
	return check{
		name: "self", events: []string{EventPreToolUse},
		tools: []string{ToolBash, ToolPowerShell, ToolWrite, ToolEdit, ToolMultiEdit, ToolNotebookEdit},
		run:   runSelfGuard, fault: guardFault("self", "VG-709"), because: explainSelfGuard,
	}
}

func runSelfGuard(w *World, p *Payload) Verdict {
	if w.spared(p, "self") {
		return Verdict{}
	}
	found := judgeSelf(w, p)
	if len(found) == 0 {
		return Verdict{}
	}
	if _, value := w.guard(p, "self"); value != switchOn {
		return Verdict{}
	}
	return objectionVerdict(w, p, "self", found)
}

func explainSelfGuard(w *World, p *Payload) []string {
	return explainGuard(w, p, "self", func(*schema.Config) []objection { return judgeSelf(w, p) })
}

// selfJudge knows what belongs to viber on this machine.
type selfJudge struct {
	world   *World
	reading *shellReading
	known   bool     // the rest is filled in
	folders []string // all below them is viber's
	files   []string
	config  string // the client's configuration directory
	links   map[string]string
	found   []objection
}

func judgeSelf(w *World, p *Payload) []objection {
	j := &selfJudge{world: w, reading: &shellReading{}}
	dir := dirWord(p.Cwd)
	for _, key := range []string{"file_path", "notebook_path"} {
		if name, ok := p.Input(key); ok {
			j.learn()
			if what := j.own(pathFrom(dir, plainWord(name))); what != "" {
				j.object(p.Tool+" "+name, what)
			}
		}
	}
	if p.Tool == ToolBash || p.Tool == ToolPowerShell {
		j.reading = p.shell(w)
		for i := range j.reading.commands {
			j.command(&j.reading.commands[i])
		}
	}
	return j.found
}

// learn finds out what is viber's here; most commands never need it.
func (j *selfJudge) learn() {
	if j.known {
		return
	}
	j.known = true
	if j.world.ConfigDir != nil && j.world.ConfigDir() != "" {
		j.config = filepath.Clean(j.world.ConfigDir())
	}
	if j.config != "" {
		j.folders = append(j.folders, filepath.Join(j.config, "skills", PluginName))
	}
	if j.world.State != nil {
		if state := j.world.State(); state != "" {
			j.folders = append(j.folders, filepath.Clean(state))
		}
	}
	for _, f := range slices.Clone(j.folders) {
		if real := resolved(f); real != f {
			j.folders = append(j.folders, real)
		}
	}
	if binary := j.world.setupRecord().Binary; binary != "" {
		j.files = append(j.files, binary)
		if real, err := filepath.EvalSymlinks(binary); err == nil {
			j.files = append(j.files, real)
		}
	}
}

// speaksOfViber reports whether a path can be one of viber's at all.
func speaksOfViber(name string) bool {
	for i := 0; i+len("viber") <= len(name); i++ {
		word := ""
		switch name[i] | 0x20 {
		case 'c':
			word = "claude"
		case 'v':
			word = "viber"
		case 's':
			word = "settings"
		default:
			continue
		}
		if i+len(word) <= len(name) && strings.EqualFold(name[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

func (j *selfJudge) command(c *shellCommand) {
	for _, f := range c.written {
		j.path(c, c.dir, j.target(c, f), false)
	}
	switch {
	case c.git != nil:
		j.gitCommand(c)
	case readsOnly(c):
	case isInterpreter(c.name):
		j.program(c)
	default:
		if into := j.intoFolder(c); into != "" {
			j.object(c.source, into)
		}
		whole := removesFolders(c.name)
		for _, a := range changedWords(c) {
			text := a
			if _, value, ok := strings.Cut(a.text, "="); ok && (strings.HasPrefix(a.text, "-") || strings.HasPrefix(a.text, "of=")) {
				text.text = value
			}
			if !strings.HasPrefix(text.text, "-") {
				j.path(c, c.dir, text, whole)
			}
		}
		j.gathered(c)
	}
}

// path judges a path as c has it among its words.
func (j *selfJudge) path(c *shellCommand, dir, name shellWord, whole bool) {
	if whole || speaksOfViber(name.text) || speaksOfViber(dir.text) {
		j.learn()
		j.writes(c.source, pathFrom(dir, name), whole)
	}
}

// gitCommand judges the calls of git that write files of the work tree by their names.
func (j *selfJudge) gitCommand(c *shellCommand) {
	switch c.git.sub {
	case "rm", "mv", "checkout", "restore", "clean":
		for _, a := range c.git.args {
			if !strings.HasPrefix(a.text, "-") {
				j.path(c, c.git.dir, a, true)
			}
		}
	}
}

// program looks for names of viber's files in the text of a program (`python -c`, a script on stdin).
func (j *selfJudge) program(c *shellCommand) {
	text := joinWords(c.args, "\n").text
	if c.input != nil {
		text += "\n" + c.input.text
	}
	for _, name := range []string{".claude/viber.yml", ".claude/viber-allow.yml", `.claude\viber`, ".claude/settings", `.claude\settings`} {
		if strings.Contains(text, name) {
			j.object(c.source, name)
			return
		}
	}
	if strings.Contains(text, ".claude") && (strings.Contains(text, "settings.") || strings.Contains(text, "viber.yml") || strings.Contains(text, "viber-allow.yml")) {
		j.object(c.source, "a file in .claude")
	}
}

// writes objects when the file, or with whole a folder that holds it, is viber's.
func (j *selfJudge) writes(source string, file shellWord, whole bool) {
	if speaksOfViber(file.text) {
		if what := j.own(file); what != "" {
			j.object(source, what)
			return
		}
	}
	if !whole || file.open {
		return
	}
	name := filepath.Clean(file.text)
	if filepath.Base(name) == ".claude" || j.config != "" && name == j.config {
		j.object(source, "the folder with settings and viber.yml")
		return
	}
	for _, list := range [][]string{j.folders, j.files} {
		for _, f := range list {
			if below(name, f) {
				j.object(source, f)
				return
			}
		}
	}
}

func (j *selfJudge) object(source, what string) {
	o := objection{code: "VG-701", decision: Ask,
		text:    "`" + clipped(source) + "` changes what guards this session (" + printable(what) + ")" + j.reading.note() + ".",
		instead: "Settings of viber change by `viber config set`, which a person confirms."}
	if !slices.Contains(j.found, o) {
		j.found = append(j.found, o)
	}
}

// own names what of viber's the file is, empty when it is not viber's.
func (j *selfJudge) own(file shellWord) string {
	for _, name := range []string{file.text, j.resolved(file.text)} {
		slashed := strings.ToLower(strings.ReplaceAll(name, `\`, "/"))
		folder, base := path.Split(slashed)
		inConfig := path.Base(folder) == ".claude" || j.config != "" && !file.open && samePath(filepath.Dir(name), j.config)
		if inConfig && guardsSettings(base, file.glob) {
			return path.Base(folder) + "/" + base
		}
		if file.open || !filepath.IsAbs(name) {
			continue
		}
		for _, f := range j.folders {
			if below(f, filepath.Clean(name)) {
				return f
			}
		}
		for _, f := range j.files {
			if samePath(name, f) {
				return f
			}
		}
	}
	return ""
}

// below reports whether name is folder or lies below it; both are clean.
func below(folder, name string) bool {
	rest, ok := strings.CutPrefix(name, folder)
	return ok && (rest == "" || os.IsPathSeparator(rest[0]) || os.IsPathSeparator(folder[len(folder)-1]))
}

// guardsSettings reports whether a file of this name in a configuration directory is one the guards depend on.
func guardsSettings(base string, glob bool) bool {
	for _, name := range []string{"settings.json", "settings.local.json", "viber.yml", "viber-allow.yml"} {
		if base == name || glob && matches(base, name) {
			return true
		}
	}
	return strings.HasPrefix(base, "settings") && strings.HasSuffix(base, ".json")
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

func samePath(a, b string) bool { return strings.EqualFold(filepath.Clean(a), filepath.Clean(b)) }

// resolved is the path with the links of its folder followed; a folder is followed once.
func (j *selfJudge) resolved(name string) string {
	if !filepath.IsAbs(name) {
		return name
	}
	if real, err := os.Readlink(name); err == nil {
		name = pathFrom(plainWord(filepath.Dir(name)), plainWord(real)).text
	}
	dir, base := filepath.Split(name)
	if j.links == nil {
		j.links = map[string]string{}
	}
	if _, ok := j.links[dir]; !ok {
		j.links[dir] = resolved(dir)
	}
	return filepath.Join(j.links[dir], base)
}

// resolved follows the links of a path whose last parts may not exist yet.
func resolved(name string) string {
	if !filepath.IsAbs(name) {
		return name
	}
	rest := ""
	for dir := filepath.Clean(name); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil { // the walk below looks at every part of dir, so it is worth one look before
			if real, err := filepath.EvalSymlinks(dir); err == nil {
				return filepath.Join(real, rest)
			}
		}
		if parent := filepath.Dir(dir); parent == dir {
			return name
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}
