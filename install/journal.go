package install

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"viber/install/host"
	"viber/internal/fsx"
)

// The states of a journal entry; they are part of its file name, so that one rename moves it on.
const (
	stateOpen   = "open"   // being applied, or stopped half way
	stateDone   = "done"   // applied
	stateUndone = "undone" // taken back
)

// keptEntries is how many entries a journal keeps.
const keptEntries = 20

// Entry is what the journal keeps of one applied plan: enough to finish it or to take it back.
type Entry struct {
	ID      string    `json:"id"`   // time and plan
	Plan    string    `json:"plan"` // the plan's id
	Command string    `json:"command"`
	Version string    `json:"version"`
	Time    time.Time `json:"time"`
	Project string    `json:"project,omitempty"`
	Scope   string    `json:"scope"` // whose files: "user" or "project"
	Actions []Action  `json:"actions,omitempty"`
	Changes []Change  `json:"changes,omitempty"`
	MAC     string    `json:"mac,omitempty"`

	path  string
	state string
}

// journals are the places where the entries of a user and of one project lie.
type journals struct {
	files   fsx.Door
	now     func() time.Time
	places  Places
	project Project
	key     []byte
	history bool // closed entries of others are worth a note
}

func newJournals(env Env, p Places, pr Project) *journals {
	return &journals{files: env.Files, now: env.Now, places: p, project: pr}
}

func (j *journals) dir(scope string) string {
	if scope == ScopeProject {
		return filepath.Join(j.project.journalDir(), "journal")
	}
	return filepath.Join(j.places.State, "journal")
}

// macKey returns the key that marks entries as our own, and makes it when there is none.
func (j *journals) macKey(create bool) ([]byte, error) {
	if j.key != nil {
		return j.key, nil
	}
	path := filepath.Join(j.places.State, "key")
	key, err := fsx.Read(path)
	if err != nil {
		return nil, err
	}
	if len(key) != sha256.Size && create {
		key = make([]byte, sha256.Size)
		if _, err := rand.Read(key); err != nil {
			return nil, err
		}
		if err := j.files.Write(path, key, fsx.Options{Mode: 0o600, DirMode: 0o700}); err != nil {
			return nil, err
		}
	}
	j.key = key
	return key, nil
}

func (e *Entry) sum(key []byte) string {
	unsigned := *e
	unsigned.MAC = ""
	data, _ := json.Marshal(unsigned)
	h := hmac.New(sha256.New, key)
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// write stores the entry as open, or again after one of its changes had to be made anew.
func (j *journals) write(e *Entry) error {
	key, err := j.macKey(true)
	if err != nil {
		return err
	}
	e.MAC = e.sum(key)
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if e.path == "" {
		e.state = stateOpen
		e.path = filepath.Join(j.dir(e.Scope), e.ID+"."+stateOpen+".json")
	}
	return j.files.Write(e.path, data, fsx.Options{Mode: 0o600, DirMode: 0o700})
}

// move gives the entry its next state.
func (j *journals) move(e *Entry, state string) error {
	to := filepath.Join(filepath.Dir(e.path), e.ID+"."+state+".json")
	if err := j.files.Rename(e.path, to); err != nil {
		return err
	}
	e.path, e.state = to, state
	return nil
}

// errForeignEntry marks an entry that was signed with another key, or not at all.
var errForeignEntry = errors.New("this viber did not write it")

// read lists the entries of both journals, the oldest first. An entry that this installation did not sign is left out
// and named in notes: somebody else put it there. Closed ones that nobody acts on are counted, and only where the history
// is asked for.
func (j *journals) read() (entries []*Entry, notes []string) {
	for _, scope := range []string{ScopeUser, ScopeProject} {
		if scope == ScopeProject && j.project.Root == "" {
			continue
		}
		names, _ := filepath.Glob(filepath.Join(globEscape(j.dir(scope)), "*.json"))
		old := 0
		for _, name := range names {
			e, err := j.readEntry(name, scope)
			switch {
			case err == nil:
				entries = append(entries, e)
			case errors.Is(err, errForeignEntry) && !strings.HasSuffix(name, "."+stateOpen+".json"):
				old++
			default:
				notes = append(notes, fmt.Sprintf("%s: %v; it is left alone", show(name), err))
			}
		}
		if old > 0 && j.history {
			notes = append(notes, fmt.Sprintf("%s: %s of another viber or of before its state folder was removed; they cannot be taken back here", show(j.dir(scope)), plural(old, "closed write")))
		}
	}
	sort.SliceStable(entries, func(i, j int) bool { return entries[i].ID < entries[j].ID })
	return entries, notes
}

func globEscape(dir string) string {
	return strings.NewReplacer(`[`, `[[]`, `*`, `[*]`, `?`, `[?]`).Replace(dir)
}

func (j *journals) readEntry(path, scope string) (*Entry, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	e := &Entry{}
	if err := json.Unmarshal(data, e); err != nil {
		return nil, fmt.Errorf("not a journal entry: %w", err)
	}
	name := strings.TrimSuffix(filepath.Base(path), ".json")
	id, state, _ := strings.Cut(name, ".")
	key, err := j.macKey(false)
	if err != nil {
		return nil, err
	}
	if len(key) == 0 || e.ID != id || e.Scope != scope || !hmac.Equal([]byte(e.MAC), []byte(e.sum(key))) {
		return nil, errForeignEntry
	}
	e.path, e.state = path, state
	return e, nil
}

// sweepOwn removes what a stopped command left beside the journal's own files. Only the holder of the lock writes there.
func (j *journals) sweepOwn() error {
	scopes := []string{ScopeUser}
	if j.project.Root != "" {
		scopes = append(scopes, ScopeProject)
	}
	for _, scope := range scopes {
		if err := j.files.SweepDir(j.dir(scope), 0, j.now()); err != nil {
			return err
		}
	}
	return j.files.Sweep(filepath.Join(j.places.State, "key"), 0, j.now())
}

// prune removes the oldest entries that are not open.
func (j *journals) prune(scope string) error {
	var paths []string
	for _, state := range []string{stateDone, stateUndone} {
		found, _ := filepath.Glob(filepath.Join(globEscape(j.dir(scope)), "*."+state+".json"))
		paths = append(paths, found...)
	}
	slices.Sort(paths)
	for len(paths) > keptEntries {
		if err := j.files.Remove(paths[0]); err != nil {
			return err
		}
		paths = paths[1:]
	}
	return nil
}

// mayTouch reports whether a plan of this user and project may name path: recovery and undo touch nothing else.
func (j *journals) mayTouch(scope, path string) bool {
	if scope == ScopeProject {
		for _, name := range []string{".claude/viber.yml", ".claude/viber.local.yml", ".claude/viber.schema.json", ".claude/settings.json", ".claude/settings.local.json", ".claude/viber.lock", ".gitignore"} {
			if path == filepath.Join(j.project.Root, filepath.FromSlash(name)) {
				return true
			}
		}
		return false
	}
	if path == filepath.Join(j.places.Codex, host.CodexHooksFile) || path == filepath.Join(j.places.Codex, host.CodexConfigFile) {
		return true
	}
	for _, dir := range []string{j.places.Config, j.places.State, j.places.Data} {
		if path != dir && holds(dir, path) {
			return true
		}
	}
	return false
}
