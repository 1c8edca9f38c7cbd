package hooksimpl

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"viber/internal/gitx"
)

// setupRecord is what the guards need of what setup wrote down; a project's settings cannot reach it.
type setupRecord struct {
	Git    string // absolute path of the user's git
	Binary string // by which path the hooks call viber
}

func (w *World) setupRecord() setupRecord {
	var rec setupRecord
	if w.State == nil {
		return rec
	}
	if state := w.State(); state != "" {
		if text, err := w.Read(filepath.Join(state, "record.json"), textLimit); err == nil {
			_ = json.Unmarshal(text, &rec)
		}
	}
	return rec
}

func (w *World) home() string {
	if home := w.Getenv("HOME"); home != "" {
		return home
	}
	return w.Getenv("USERPROFILE")
}

// unattended reports whether no person can answer a question of the client that made the call p.
func (w *World) unattended(p *Payload) bool {
	if w.Getenv("VIBER_UNATTENDED") == "1" || w.Getenv("CLAUDE_CODE_SESSION_ATTENDED") == "0" {
		return true
	}
	_, value := w.guard(p, "unattended")
	return value == switchOn
}

// longCommand is the size in bytes of a call's input from which on a look at the configuration is cheaper than one at the command.
const longCommand = 8 << 10

// spared reports whether a guard that is off here can leave the call's long command unread.
func (w *World) spared(p *Payload, name string) bool {
	if len(p.input) < longCommand {
		return false
	}
	_, value := w.guard(p, name)
	return value != switchOn
}

// guardFault is the answer of a guard that broke: attended it lets the call through, unattended it refuses (the table in
// guards.md).
func guardFault(name, code string) func(*World, *Payload) Verdict {
	return func(w *World, p *Payload) Verdict {
		if p == nil || !w.unattended(p) {
			return Verdict{}
		}
		if _, value := w.guard(p, name); value != switchOn {
			return Verdict{}
		}
		return Verdict{Decision: Deny, Reason: code + ": guards." + name + " could not judge this call, and nobody is here to decide. " +
			"Leave it for the user and say so in your report; `viber doctor` shows what went wrong."}
	}
}

// objection is what a guard has against a call.
type objection struct {
	code     string   // VG-101
	decision Decision // Ask or Deny
	text     string   // what matched and why that is refused
	instead  string   // the safer command
}

// objectionVerdict merges objections: the strongest decide. Where nobody can answer, a question is a refusal.
func objectionVerdict(w *World, p *Payload, name string, all []objection) Verdict {
	var v Verdict
	for _, o := range all {
		v.Decision = max(v.Decision, o.decision)
	}
	var reasons []string
	for _, o := range all {
		if o.decision == v.Decision {
			reasons = append(reasons, strings.TrimSpace(o.code+": "+o.text)+gap(o.text)+o.instead)
		}
	}
	if len(reasons) == 0 {
		return v
	}
	if v.Decision == Ask && w.unattended(p) {
		v.Decision = Deny
		reasons = append(reasons, "Nobody is here to answer, so this counts as refused.")
	}
	if v.Decision == Deny {
		reasons = append(reasons, "Do not look for another spelling: if it must be done, ask the user, who can let it through once (docs/hooks/"+name+".md).")
	}
	v.Reason = strings.Join(reasons, "\n")
	return v
}

// gap is what stands between a text and the sentence behind it.
func gap(text string) string {
	if strings.HasSuffix(text, "\n") {
		return "\n"
	}
	return " "
}

// gitBudget is the time all git processes of one guard may take.
const gitBudget = 5 * time.Second

// git returns the user's git for work in dir: the program setup recorded, an environment a project cannot steer.
func (w *World) git(dir string) gitx.Git {
	limit := w.gitLimit
	if limit == 0 {
		limit = gitBudget
	}
	return gitx.Git{Path: w.setupRecord().Git, Dir: dir, Env: gitx.Env(w.Environ, dir), Timeout: limit}
}

// hardened are the options every git call of a guard starts with: nothing of the project runs.
func hardened(args ...string) []string {
	return append([]string{"--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "safe.bareRepository=explicit"}, args...)
}

// shellCall is the reading of a payload's command; it is made once, whoever asks first.
type shellCall struct {
	once    sync.Once
	reading *shellReading
}

// shell returns what the shell call p runs. It is empty for payloads without a command.
func (p *Payload) shell(w *World) *shellReading {
	p.call.once.Do(func() {
		p.call.reading = &shellReading{}
		if text, ok := p.Input("command"); ok {
			p.call.reading = readShell(p.Tool, text, w.shellContext(p.Cwd))
		}
	})
	return p.call.reading
}

func (w *World) shellContext(cwd string) shellContext {
	return shellContext{home: w.home(), cwd: cwd, top: topOf, alias: w.gitAlias}
}

func topOf(dir string) string {
	l, _ := gitx.Find(dir)
	return l.Top
}

// noteOfReading is added to a reason when a text was not parsed.
func (r *shellReading) note() string {
	if r.lexical == "" {
		return ""
	}
	return " (The text does not parse, so it was read word by word: " + r.lexical + ".)"
}
