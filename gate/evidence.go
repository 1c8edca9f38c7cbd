package gate

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// EvidenceOptions say what to judge: the log of a command and what is claimed of it. ChangedAt is when the youngest file of
// the diff was written; zero when that is not known.
type EvidenceOptions struct {
	Log       string
	Stdin     io.Reader
	Claim     string // green or red
	ChangedAt time.Time
	ChangedBy string // the youngest file's path
	tweak
}

// CheckEvidence judges a claim about a build or test run by its log: the log names the command, in a
// line "$ <command>", and its end, in a line "exit: <status>"; it is not older than the change.
func CheckEvidence(o EvidenceOptions) Result {
	const name = "evidence"
	r := &report{}
	data, err := readBounded(o.Log, o.Stdin)
	if err != nil {
		return unreadable(name, o.Log, err)
	}
	in := readLog(string(data))
	in.claim, in.changedAt, in.changedBy = o.Claim, o.ChangedAt, o.ChangedBy
	if info, err := os.Stat(o.Log); err == nil {
		in.writtenAt = info.ModTime()
	}
	apply(evidenceRules(), in, r, o.without)
	res := r.result(name, o.Log)
	res.Summary = fmt.Sprintf(", %s: %s ended %d", in.claim, in.command, in.status)
	return res
}

type runLog struct {
	claim                string
	command              string
	status               int
	hasStatus            bool
	output               int // lines beside the command and the status
	writtenAt, changedAt time.Time
	changedBy            string
}

// readLog takes the last command and the last status: a log may hold several tries.
func readLog(text string) runLog {
	var l runLog
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if command, ok := commandLine(line); ok {
			l.command, l.hasStatus = command, false
		} else if status, ok := statusLine(line); ok {
			l.status, l.hasStatus = status, true
		} else if line != "" {
			l.output++
		}
	}
	return l
}

func commandLine(line string) (string, bool) {
	for _, head := range []string{"$ ", "command: ", "Command: "} {
		if rest, ok := strings.CutPrefix(line, head); ok && strings.TrimSpace(rest) != "" {
			return strings.TrimSpace(rest), true
		}
	}
	return "", false
}

func statusLine(line string) (int, bool) {
	low := strings.ToLower(line)
	for _, head := range []string{"exit: ", "exit status: ", "exit status ", "exit code: ", "exit code ", "exit="} {
		if rest, ok := strings.CutPrefix(low, head); ok {
			n, err := strconv.Atoi(strings.TrimSpace(rest))
			return n, err == nil
		}
	}
	return 0, false
}

func evidenceRules() []rule[runLog] {
	return []rule[runLog]{
		{"known-claim", func(l runLog, r *report) {
			if l.claim != "green" && l.claim != "red" {
				r.wrong("/claim", short(l.claim)+" is no claim", "green or red")
			}
		}},
		{"names-command", func(l runLog, r *report) {
			if l.command == "" {
				r.wrong("/command", "the log does not name the command", "a line '$ <command>' before its output")
			}
		}},
		{"names-status", func(l runLog, r *report) {
			if !l.hasStatus {
				r.wrong("/exit", "the log does not say how the command ended", "a line 'exit: <status>' after its output")
			}
		}},
		{"has-output", func(l runLog, r *report) {
			if l.output == 0 {
				r.wrong("", "the log holds no output of the command", "the command's own output")
			}
		}},
		{"not-older-than-change", func(l runLog, r *report) {
			if !l.changedAt.IsZero() && !l.writtenAt.IsZero() && l.writtenAt.Before(l.changedAt) {
				r.wrong("", fmt.Sprintf("the log is older than the change: %s was written %s later", l.changedBy, l.changedAt.Sub(l.writtenAt).Round(time.Second)), "a run after the last change")
			}
		}},
		{"claim-fits-status", func(l runLog, r *report) {
			if !l.hasStatus {
				return
			}
			if l.claim == "green" && l.status != 0 {
				r.correct("/claim", "red", fmt.Sprintf("the command ended %d", l.status))
			}
			if l.claim == "red" && l.status == 0 {
				r.correct("/claim", "green", "the command ended 0")
			}
		}},
	}
}
