package run

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"viber/gate"
)

// phaseNames lists the phases in the order they were first named.
func (s RunState) phaseNames() []string {
	names := slices.Clone(s.PhaseOrder)
	var rest []string
	for name := range s.Phases {
		if !slices.Contains(names, name) {
			rest = append(rest, name)
		}
	}
	slices.Sort(rest)
	return append(names, rest...)
}

// TrackPhase sets a phase's status and keeps its times: started when work begins, elapsed when it ends. A phase that
// begins again counts a retry and goes on counting time.
func (f StateFile) TrackPhase(name string, status PhaseStatus) (RunState, error) {
	return f.Swap(-1, func(s RunState, tree Tree) error {
		ph := s.Phases[name]
		now := f.stamp()
		switch status {
		case "in_progress":
			if ph.Started != "" && ph.Status != "in_progress" && ph.Status != "pending" {
				ph.RetryCount++
			}
			if ph.Status != "in_progress" {
				ph.Started, ph.Ended = now, ""
			}
			tree["phase"] = name
		case "completed", "failed", "skipped":
			if ph.Status == "in_progress" {
				ph.Elapsed += secondsBetween(ph.Started, now)
			}
			ph.Ended = now
		}
		ph.Status = status
		return tree.putPhase(s, name, ph)
	})
}

func (t Tree) putPhase(s RunState, name string, ph Phase) error {
	if !slices.Contains(s.phaseNames(), name) {
		if err := t.put("phaseOrder", append(s.PhaseOrder, name)); err != nil {
			return err
		}
	}
	if ph.Ended == "" {
		if old, is := t["phases"].(map[string]any); is {
			if one, is := old[name].(map[string]any); is {
				delete(one, "ended")
			}
		}
	}
	return t.put("phases", map[string]Phase{name: ph})
}

func secondsBetween(from, to gate.Stamp) int {
	a, errA := time.Parse(time.RFC3339, string(from))
	b, errB := time.Parse(time.RFC3339, string(to))
	if errA != nil || errB != nil {
		return 0
	}
	return max(0, int(b.Sub(a).Seconds()))
}

// TrackMeta notes one fact about a phase.
func (f StateFile) TrackMeta(name, key, value string) (RunState, error) {
	return f.Swap(-1, func(s RunState, tree Tree) error {
		ph, known := s.Phases[name]
		if !known {
			return fmt.Errorf("there is no phase %q", name)
		}
		ph.Meta = map[string]string{key: value}
		return tree.put("phases", map[string]Phase{name: ph})
	})
}

// TrackSub sets a step of a phase.
func (f StateFile) TrackSub(name string, sub Subphase) (RunState, error) {
	return f.Swap(-1, func(s RunState, tree Tree) error {
		ph, known := s.Phases[name]
		if !known {
			return fmt.Errorf("there is no phase %q", name)
		}
		i := slices.IndexFunc(ph.Subphases, func(x Subphase) bool { return x.ID == sub.ID })
		if i < 0 {
			ph.Subphases = append(ph.Subphases, sub)
		} else {
			ph.Subphases[i] = sub
		}
		return tree.put("phases", map[string]Phase{name: ph})
	})
}

// TrackCost adds the tokens of one call of a model.
func (f StateFile) TrackCost(model string, used Usage) (RunState, error) {
	if model == "" || used.In < 0 || used.Out < 0 || used.Cached < 0 {
		return RunState{}, fmt.Errorf("a cost needs a model and counts that are not negative")
	}
	return f.Swap(-1, func(s RunState, tree Tree) error {
		old := s.Cost[model]
		return tree.put("cost", map[string]Usage{model: {In: old.In + used.In, Out: old.Out + used.Out, Cached: old.Cached + used.Cached}})
	})
}

// Render writes the table of phases with their time, and the cost by model.
func (s RunState) Render(out io.Writer, now time.Time, t Prices) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "PHASE\tSTATUS\tELAPSED\tRETRIES\tSTEPS")
	for _, name := range s.phaseNames() {
		ph := s.Phases[name]
		seconds := ph.Elapsed
		if ph.Status == "in_progress" {
			seconds += secondsBetween(ph.Started, gate.Stamp(now.UTC().Format(time.RFC3339)))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\n", name, ph.Status, elapsed(seconds), ph.RetryCount, ph.steps())
	}
	if err := w.Flush(); err != nil || len(s.Cost) == 0 {
		return err
	}
	fmt.Fprintln(out)
	return s.RenderCost(out, t)
}

func (p Phase) steps() string {
	if len(p.Subphases) == 0 {
		return "-"
	}
	done := 0
	for _, x := range p.Subphases {
		if x.Status == "completed" || x.Status == "skipped" {
			done++
		}
	}
	return fmt.Sprintf("%d/%d", done, len(p.Subphases))
}

func sortedModels(m map[string]Usage) []string {
	var all []string
	for k := range m {
		all = append(all, k)
	}
	slices.Sort(all)
	return all
}
