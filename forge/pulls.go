package forge

import (
	"context"
	"encoding/json"
	"io"
	"time"
)

// Pulls is what viber asks of a host about pull requests. A host is one file: a type with these calls, and a line in
// Places.Pulls. Reading calls change nothing; Send is the only one that writes. Errors are of type *Failure.
type Pulls interface {
	// Name is the host's name, for people.
	Name() string
	// List returns the open pull requests that may concern the user.
	List(ctx context.Context) ([]Pull, error)
	// Pull reads one pull request.
	Pull(ctx context.Context, ref Reference) (Pull, error)
	// Patch writes the whole unified diff of a pull request to w, as it comes.
	Patch(ctx context.Context, ref Reference, w io.Writer) error
	// Guides returns the paths of the files called names in dir at a commit; a name may begin with "*".
	Guides(ctx context.Context, ref Reference, commit, dir string, names []string) ([]string, error)
	// File reads a file at a commit.
	File(ctx context.Context, ref Reference, commit, path string) ([]byte, error)
	// Said returns what the user's own account has put on the pull request so far.
	Said(ctx context.Context, pull Pull) (Said, error)
	// Outbox turns an outcome of the user who spoke into the requests that bring it to the host, in their order.
	Outbox(pull Pull, said Said, o Outcome) []Request
	// Send makes one request and returns the one that takes it back; Method is empty when nothing does.
	Send(ctx context.Context, pull Pull, r Request) (undo Request, err error)
}

// Pull is a pull request as a host tells it.
type Pull struct {
	Reference
	Title     string    `json:"title"`
	Author    string    `json:"author"`
	Open      bool      `json:"open"`
	Source    string    `json:"source"` // branch
	Target    string    `json:"target"` // branch
	Head      string    `json:"head"`   // commit the pull request stands at
	Base      string    `json:"base,omitempty"`
	Updated   time.Time `json:"updated"`
	Reviewers []string  `json:"reviewers,omitempty"`
	// Why says why it is listed: here, review-requested, authored.
	Why []string `json:"why,omitempty"`

	slugs map[string]string // of the people on it, by name
}

// Said is what one account has said on a pull request: its texts, and its last verdict.
type Said struct {
	User    string
	slug    string // how a path names the user, where that is another name
	Texts   []string
	Verdict Verdict
	// At is the commit the verdict was given on; empty when the host does not tell.
	At string
}

// Verdict is what a review comes to.
type Verdict string

// The verdicts.
const (
	NoVerdict Verdict = ""
	Approve   Verdict = "approve"
	NeedsWork Verdict = "needs-work"
)

// Outcome is what to put on a pull request: notes at lines, notes for the whole, the verdict.
type Outcome struct {
	Notes   []Note
	General []string
	Verdict Verdict
	// Text goes with the verdict where a host wants one.
	Text string
}

// Note is a comment at a line.
type Note struct {
	Text   string
	Anchor Anchor
}

// LineKind is what a line of a diff is.
type LineKind string

// The lines of a diff.
const (
	Added   LineKind = "added"
	Removed LineKind = "removed"
	Context LineKind = "context"
)

// Anchor is a line of a diff: of the new file, and of the old one when it was removed. OldPath is set for a renamed file.
type Anchor struct {
	Path    string   `json:"path"`
	OldPath string   `json:"oldPath,omitempty"`
	Line    int      `json:"line"`
	Kind    LineKind `json:"kind"`
}

// Request is one call that changes something on a host: what --dry-run prints is what Send sends.
type Request struct {
	Method string          `json:"method"`
	Path   string          `json:"path"`
	Body   json.RawMessage `json:"body,omitempty"`
}

// bodyOf is a request's body; the values are our own structs, which always encode.
func bodyOf(v any) json.RawMessage {
	text, _ := json.Marshal(v)
	return text
}
