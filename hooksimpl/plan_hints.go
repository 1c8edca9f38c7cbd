package hooksimpl

import "bytes"

// planHints adds the rules of plain plan mode to every prompt in it. A planning skill brings its own rules: once one was
// called in the episode, this check is silent.
func planHints() check {
	return check{
		name:    "plan-hints",
		events:  []string{EventUserPromptSubmit},
		run:     runPlanHints,
		fault:   silence,
		because: explainHints,
	}
}

func runPlanHints(w *World, p *Payload) Verdict {
	if p.Mode != "plan" {
		return Verdict{}
	}
	if e, err := readEpisode(w, p.Transcript); err == nil && e.hints.inEpisode(e.start) {
		return Verdict{}
	}
	text, err := w.pluginFile(ContentDir+"/"+HintsFile, false)
	if err != nil {
		return Verdict{}
	}
	return Verdict{Context: string(bytes.TrimRight(text, "\n"))}
}
