// Package ledger is what a repository has learned: facts, lessons, rejected preferences, debt and earlier findings, in one
// append-only file a repository under the user's state directory. Repositories never see each other's entries.
package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"viber/internal/secrets"
)

// Kind says what an entry is.
type Kind string

// The kinds of entries. Feedback, forget and resolved speak of another entry.
const (
	Fact     Kind = "fact"
	Lesson   Kind = "lesson"
	Rejected Kind = "rejected-preference"
	Debt     Kind = "debt"
	Prior    Kind = "finding"
	Feedback Kind = "feedback"
	Forget   Kind = "forget"
	Resolved Kind = "resolved"
)

// Entry is one line of the store. ID is made of what the entry says, so that writing it twice writes it once.
type Entry struct {
	ID          string `json:"id"`
	Kind        Kind   `json:"kind"`
	Statement   string `json:"statement,omitempty"`
	Scope       string `json:"scope,omitempty"` // glob of the project's files
	File        string `json:"file,omitempty"`
	Line        int    `json:"line,omitempty"`
	Severity    string `json:"severity,omitempty"`
	Outcome     string `json:"outcome,omitempty"` // of a finding: accepted, deferred, rejected; of feedback: useful, dead_end, corrected
	Reason      string `json:"reason,omitempty"`
	Fingerprint string `json:"fingerprint,omitempty"`
	Task        string `json:"task,omitempty"`
	Of          string `json:"of,omitempty"` // the entry that feedback, forget or resolved speak of
	At          string `json:"at"`
}

// identified returns the entry with its id: a hash of what it says. Time and task do not count.
func (e Entry) identified() Entry {
	key := strings.Join([]string{string(e.Kind), folded(e.Statement), e.Scope, e.File, e.Fingerprint, e.Outcome, e.Of}, "\x00")
	if e.Kind == Feedback { // every task may tell its experience once
		key += "\x00" + e.Task
	}
	sum := sha256.Sum256([]byte(key))
	e.ID = hex.EncodeToString(sum[:6])
	return e
}

func folded(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

// SecretError says that an entry holds a credential. It names the rule, never the value.
type SecretError struct{ Rule string }

// Error names the rule.
func (e *SecretError) Error() string {
	return fmt.Sprintf("the entry holds a credential (%s); nothing was written. Say it without the value", e.Rule)
}

// line is the entry as the store keeps it.
func (e Entry) line(now time.Time) ([]byte, error) {
	if e.At == "" {
		e.At = now.UTC().Format(time.RFC3339)
	}
	const longest = 2000
	for _, text := range []*string{&e.Statement, &e.Reason} {
		*text = strings.Join(strings.Fields(*text), " ")
		if r := []rune(*text); len(r) > longest {
			*text = string(r[:longest])
		}
	}
	data, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	for _, text := range []string{e.Statement, e.Reason, e.Scope, e.File, e.Task, string(data)} {
		if found := secrets.Find([]byte(text)); len(found) > 0 {
			return nil, &SecretError{found[0].Rule}
		}
	}
	return append(data, '\n'), nil
}

// subject says whether the entry says something itself rather than about another.
func (k Kind) subject() bool { return k != Feedback && k != Forget && k != Resolved }

// Summary is the entry on one line for a list: its id, kind, where it holds, what it says.
func (e Entry) Summary() string {
	where := e.Scope
	if e.File != "" {
		where = fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	if where == "" {
		where = "**"
	}
	return fmt.Sprintf("[L:%s] %s %s: %s", e.ID, e.Kind, where, e.Statement)
}
