package hooksimpl

import (
	"strings"
	"time"
)

// The client queues its records and writes them a moment after it showed them, later still on a busy machine. Records keep
// their order: once the record of the call that is judged is in the transcript, everything before it is.
const (
	lagLimit = time.Second
	lagStep  = 20 * time.Millisecond
)

// judgeCall judges the plan as the transcript tells it once the record of the call p is there. It waits for that record at
// most for lagLimit, since some calls are never written before their hooks ran; then what is there counts.
func judgeCall(w *World, p *Payload) planJudgement {
	id := p.text("tool_use_id")
	j := judgePlanUpTo(w, p, id)
	if w.Sleep == nil || w.past != nil || !strings.HasPrefix(id, "toolu_") {
		return j
	}
	size := transcriptSize(w, p)
	for waited := time.Duration(0); j.lags() && waited < lagLimit; waited += lagStep {
		w.Sleep(lagStep)
		if now := transcriptSize(w, p); now != size {
			size = now
			j = judgePlanUpTo(w, p, id)
		}
	}
	return j
}

// lags reports whether the transcript was read and does not hold the judged call yet.
func (j planJudgement) lags() bool { return j.episode != nil && !j.episode.called }

func transcriptSize(w *World, p *Payload) int64 {
	info, err := w.Stat(p.Transcript)
	if err != nil {
		return 0
	}
	return info.Size()
}
