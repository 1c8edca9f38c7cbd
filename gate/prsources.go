package gate

import (
	"encoding/json"
	"fmt"
	"io"

	"viber/internal/patch"
)

// PRSources are the files from which the text of a pull request is judged; each but Body may be empty.
type PRSources struct {
	Body, Scope, Triage, State, Patch string
	Risks, Advisories                 []string
}

// CheckPR reads the sources and judges the text, see CheckPRBody.
func CheckPR(s PRSources, stdin io.Reader) Result { return checkPR(s, stdin, tweak{}) }

func checkPR(s PRSources, stdin io.Reader, off tweak) Result {
	body, err := readBounded(s.Body, stdin)
	if err != nil {
		return unreadable("pr-body", s.Body, err)
	}
	o := PRBodyOptions{Body: string(body), Risks: s.Risks, Advisories: s.Advisories, tweak: off}
	for _, read := range []func(PRSources, *PRBodyOptions) error{readScope, readTriage, readState, readMarkers} {
		if err := read(s, &o); err != nil {
			return unreadable("pr-body", s.Body, err)
		}
	}
	return CheckPRBody(s.Body, o)
}

func readScope(s PRSources, o *PRBodyOptions) error {
	if s.Scope == "" {
		return nil
	}
	o.Scope = &Scope{}
	return readJSON(s.Scope, o.Scope)
}

func readTriage(s PRSources, o *PRBodyOptions) error {
	if s.Triage == "" {
		return nil
	}
	var t Triage
	err := readJSON(s.Triage, &t)
	o.Deferred = t.Deferred
	return err
}

// readState takes from a run's state what the text must carry: parked findings, the plan's advisories, the diff's risk.
func readState(s PRSources, o *PRBodyOptions) error {
	if s.State == "" {
		return nil
	}
	var state struct {
		ReviewIterations []struct {
			Rulings []struct {
				Ruling string
				Issue  string
			}
		}
		PlanCritique struct{ Advisory []string }
		DiffRisk     struct{ Signals []string }
	}
	if err := readJSON(s.State, &state); err != nil {
		return err
	}
	if n := len(state.ReviewIterations); n > 0 {
		for _, r := range state.ReviewIterations[n-1].Rulings {
			if r.Ruling == "parked" {
				o.Parked = append(o.Parked, r.Issue)
			}
		}
	}
	o.Advisories = append(o.Advisories, state.PlanCritique.Advisory...)
	o.Risks = append(o.Risks, state.DiffRisk.Signals...)
	return nil
}

func readMarkers(s PRSources, o *PRBodyOptions) error {
	if s.Patch == "" {
		return nil
	}
	text, err := readBounded(s.Patch, nil)
	for _, m := range patch.Markers(text) {
		o.Debt = append(o.Debt, m.Text)
	}
	return err
}

func readJSON(path string, v any) error {
	data, err := readBounded(path, nil)
	if err != nil {
		return err
	}
	if _, err := parse(data); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
