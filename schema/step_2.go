package schema

import "strings"

// nameBaseline is the step to schema 2: build.baseline-tests says which tests run instead of whether they do.
//
//	build:                       build:
//	  baseline-tests: true  ->     baseline-tests: full
//
// The reader takes the old words too, so nothing changes for who reads the file; false becomes off.
func nameBaseline(d *draft) {
	d.nameMovedBaseline()
	if d.from < 2 {
		d.nameGroupedBaseline(2)
	}
}

func (d *draft) nameMovedBaseline() {
	for i, m := range d.moved {
		if m.name != "build.baseline-tests" {
			continue
		}
		if value, was := d.baselineWord(m.value); was != "" {
			d.moved[i].value = value
			if _, grouped := d.document().get(m.name); !grouped {
				d.tellBaseline(2, was)
			}
		}
		return
	}
}

// nameGroupedBaseline changes the line in the build group; number is the schema that asks for it.
func (d *draft) nameGroupedBaseline(number int) {
	a, ok := d.document().get("build.baseline-tests")
	if !ok {
		return
	}
	i := a.line - 1
	value, was := d.baselineWord(a.value)
	if was == "" {
		return
	}
	line := strings.TrimSuffix(d.lines[i], "\r")
	d.replace(i, line[:len(line)-len(a.value)]+value)
	d.tellBaseline(number, was)
}

func (d *draft) tellBaseline(number int, was string) {
	d.converted = was
	d.step(number, "build.baseline-tests", was, "a viber of schema 1 reads `full` and `fast` as off: everybody on the project needs a newer one")
}

// baselineWord turns true and false at the start of value into full (or fast, when so answered) and off, and keeps what
// follows; was is empty when the value is another.
func (d *draft) baselineWord(value string) (converted, was string) {
	old := word(value)
	next := "off"
	switch lower(old) {
	case "true":
		next = d.ask(Question{
			ID: "baseline-tests", Text: "build.baseline-tests is true, which is now two choices. Which tests should run before the first task?",
			Options: []Option{{"full", "the whole suite, as before"}, {"fast", "the fast command only"}}, Default: "full",
		})
	case "false":
	default:
		return value, ""
	}
	return next + value[len(old):], lower(old) + " -> " + next
}
