package schema

import (
	"fmt"
	"slices"
	"strings"
)

// groupFlatSwitches is the step to schema 1: switches that stood at column 0 move into their groups.
//
//	# Decision records.          planning:
//	adr: false             ->      # Offer decision records for the choices of a plan.
//	                               adr: false
//
// A value the group already has wins over the flat line. Flat lines are moved at every schema: no reader since schema 1
// reads them.
func groupFlatSwitches(d *draft) {
	flats := d.flatSwitches()
	if len(flats) == 0 {
		return
	}
	drop := map[int]bool{}
	var values []movedSwitch
	for _, f := range flats {
		drop[f.line] = true
		for i := f.line - 1; i >= 0 && strings.HasPrefix(d.lines[i], "#"); i-- {
			drop[i] = true
		}
		values = append(values, movedSwitch{f.name, f.value})
	}
	d.dropLines(drop)
	d.moved = values
	d.settleMoved()
}

type flatSwitch struct {
	line        int
	name, value string
}

// flatSwitches returns the switches at column 0 whose group is missing or may be extended.
func (d *draft) flatSwitches() []flatSwitch {
	var flats []flatSwitch
	d.column0(func(i int, key, value string) {
		name := flatName(key)
		if name == "" {
			return
		}
		group, _, _ := strings.Cut(name, ".")
		if all, open := d.headers(group); len(all) > 0 && open < 0 {
			return
		}
		flats = append(flats, flatSwitch{i, name, value})
	})
	return flats
}

// flatName is today's name of a switch that once stood at column 0.
func flatName(key string) string {
	switch key {
	case "adr", "plain-plan-review", "fast-path":
		return "planning." + key
	case "baseline-tests", "final-review", "memory", "rules", "qa", "cleanup":
		return "build." + key
	case "issues":
		return "github." + key
	}
	return ""
}

// dropLines takes lines out, and the blank lines behind them that would then start the file or follow another blank line.
func (d *draft) dropLines(drop map[int]bool) {
	var kept []string
	dropped := false
	for i, line := range d.lines {
		switch blank := trimRight(line) == ""; {
		case drop[i]:
			dropped = true
			continue
		case blank && dropped && (len(kept) == 0 || trimRight(kept[len(kept)-1]) == ""):
			continue
		case !blank:
			dropped = false
		}
		kept = append(kept, line)
	}
	if last := len(d.lines) - 1; drop[last] || len(kept) == 0 || kept[len(kept)-1] != d.lines[last] {
		d.noEnd = false
	}
	d.lines = kept
}

// settleMoved decides which value each moved switch gets and says so.
func (d *draft) settleMoved() {
	for i, m := range d.moved {
		twin, grouped := d.document().get(m.name)
		first := slices.IndexFunc(d.moved, func(o movedSwitch) bool { return o.name == m.name })
		switch {
		case grouped:
			d.settleTwin(m, twin)
		case first < i:
			d.settleDouble(m, first)
		default:
			d.step(1, m.name, fmt.Sprintf("%s moves from column 0 into its group", m.shown()),
				"a viber older than schema 1 reads these switches at column 0 only: everybody on the project needs a newer one")
		}
	}
}

// settleTwin is for a flat switch whose group has the key too: the group's value stays, unless a person takes the other.
func (d *draft) settleTwin(m movedSwitch, twin assignment) {
	if d.chosen(m, twin.value, Question{
		Text: fmt.Sprintf("%s stands at column 0, and %s: %s in its group, which is the one viber reads. Which counts?", m.shown(), m.name, twin.value),
	}) {
		d.setValue(twin, m.value)
		d.step(0, m.name, fmt.Sprintf("%s at column 0 replaces the group's %s", m.shown(), twin.value), "")
		return
	}
	d.step(1, m.name, fmt.Sprintf("%s at column 0 goes; the group's own %s stays", m.shown(), twin.value), "")
}

// settleDouble is for a second flat switch of one name.
func (d *draft) settleDouble(m movedSwitch, first int) {
	other := d.moved[first]
	if d.chosen(m, other.value, Question{
		Text:  fmt.Sprintf("%s stands at column 0 twice, as %s and as %s. Which counts?", m.leaf(), other.value, m.value),
		Loses: true,
	}) {
		d.moved[first].value = m.value
	}
	d.step(1, m.name, fmt.Sprintf("%s at column 0 goes: it stood there twice", m.shown()), "")
}

// chosen asks whether m's value counts instead of kept; the same value in other words is not worth a question.
func (d *draft) chosen(m movedSwitch, kept string, q Question) bool {
	k, _ := Lookup(m.name)
	old, _ := k.Read(kept)
	flat, ok := k.Read(m.value)
	if !ok || flat == old {
		return false
	}
	q.ID, q.Default = m.name, "keep"
	q.Options = []Option{{"keep", "keep " + orEmpty(kept)}, {flat, "take " + flat}}
	return d.ask(q) == flat
}

func (m movedSwitch) leaf() string  { return m.name[strings.IndexByte(m.name, '.')+1:] }
func (m movedSwitch) shown() string { return trimRight(m.leaf() + ": " + m.value) }

// movedValue returns the value a moved switch brings to name; ok is false when none was moved.
func (d *draft) movedValue(name string) (value string, ok bool) {
	for _, m := range d.moved {
		if m.name == name {
			return m.value, true
		}
	}
	return "", false
}
