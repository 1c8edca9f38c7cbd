package hooksimpl

import "strings"

// grammar says how a program reads its options.
type grammar struct {
	flags        string // short options without a value
	values       string // short options with a value, in the same word or the next
	glued        string // short options whose value, if any, is the rest of the same word
	long         string // long options without a value, separated by blanks
	valued       string // long options with a value, likewise
	interspersed bool   // options may stand behind operands
	assigns      bool   // NAME=value words stand before the operands
}

// option is one option as it was given; short ones have one letter.
type option struct {
	name  string
	value shellWord
	has   bool // a value was given
}

// arguments are the words of a command, told apart by a grammar.
type arguments struct {
	options  []option
	operands []shellWord
	tail     []shellWord // words behind `--`; they are operands too
	assigns  []shellWord
	doubt    string // an option the grammar does not know, or one that is only known at run time
}

// all returns the operands, those behind `--` included.
func (a arguments) all() []shellWord {
	return append(append([]shellWord{}, a.operands...), a.tail...)
}

// last returns the last of the options named so.
func (a arguments) last(names ...string) (option, bool) {
	for i := len(a.options) - 1; i >= 0; i-- {
		for _, n := range names {
			if a.options[i].name == n {
				return a.options[i], true
			}
		}
	}
	return option{}, false
}

func (a arguments) has(names ...string) bool {
	_, ok := a.last(names...)
	return ok
}

// read tells words apart. Without interspersed, the first operand and all behind it are operands.
func (g grammar) read(words []shellWord) arguments {
	var a arguments
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case w.text == "--" && !w.open:
			a.tail = words[i+1:]
			return a
		case strings.HasPrefix(w.text, "--"):
			i += g.longOption(&a, w, words[i+1:])
		case len(w.text) > 1 && w.text[0] == '-':
			i += g.cluster(&a, w, words[i+1:])
		case g.assigns && len(a.operands) == 0 && isAssignment(w.text):
			a.assigns = append(a.assigns, w)
		case !g.interspersed:
			a.operands = append(a.operands, words[i:]...)
			return a
		default:
			a.operands = append(a.operands, w)
		}
	}
	return a
}

// longOption reads w and returns how many of the words behind it belong to it.
func (g grammar) longOption(a *arguments, w shellWord, behind []shellWord) int {
	name, value, has := strings.Cut(w.text[2:], "=")
	known, valued := g.find(name)
	if known == "" {
		if a.doubt == "" {
			a.doubt = "--" + strings.ReplaceAll(name, openPart, "...")
		}
		known = name
	}
	o := option{name: known, has: has, value: w}
	o.value.text = value
	used := 0
	if valued && !has && len(behind) > 0 {
		o.value, o.has, used = behind[0], true, 1
	}
	a.options = append(a.options, o)
	return used
}

// find returns the long option that name, which may be shortened, stands for.
func (g grammar) find(name string) (known string, valued bool) {
	if name == "" {
		return "", false
	}
	for _, exact := range []bool{true, false} {
		for i, list := range []string{g.long, g.valued} {
			for o := range strings.FieldsSeq(list) {
				if o == name || !exact && strings.HasPrefix(o, name) {
					return o, i == 1
				}
			}
		}
	}
	return "", false
}

// cluster reads short options in one word and returns how many of the words behind it belong to it.
func (g grammar) cluster(a *arguments, w shellWord, behind []shellWord) int {
	for i := 1; i < len(w.text); i++ {
		o := option{name: w.text[i : i+1]}
		rest := w
		rest.text = w.text[i+1:]
		switch {
		case strings.IndexByte(g.values, w.text[i]) >= 0:
			o.value, o.has = rest, true
			used := 0
			if rest.text == "" && len(behind) > 0 {
				o.value, used = behind[0], 1
			}
			a.options = append(a.options, o)
			return used
		case strings.IndexByte(g.glued, w.text[i]) >= 0:
			o.value, o.has = rest, rest.text != ""
			a.options = append(a.options, o)
			return 0
		case strings.IndexByte(g.flags, w.text[i]) < 0:
			if a.doubt == "" {
				a.doubt = strings.ReplaceAll(w.text, openPart, "...")
			}
			a.options = append(a.options, o)
			return 0
		}
		a.options = append(a.options, o)
	}
	return 0
}

// listed reports whether name is one of the words of a list, in which a blank stands before and behind each. It takes less
// room than a switch and more time: for what is not asked about every command.
func listed(name, list string) bool {
	return name != "" && strings.IndexByte(name, ' ') < 0 && strings.Contains(list, " "+name+" ")
}

func isAssignment(text string) bool {
	name, _, ok := strings.Cut(text, "=")
	if !ok || name == "" || name[0] >= '0' && name[0] <= '9' {
		return false
	}
	for i := 0; i < len(name); i++ {
		if !wordByte(name[i]) {
			return false
		}
	}
	return true
}
