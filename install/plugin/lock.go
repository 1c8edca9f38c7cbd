package plugin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"

	"viber/internal/exit"
)

// LockName is the project's lock file, below .claude/.
const LockName = "viber.lock"

// Lock is a lock file: the plugins of a project (or of the user) with the exact bytes each stands for.
type Lock struct {
	Version int     `json:"version"`
	Plugins []Entry `json:"plugins"`
}

// Entry pins one plugin.
type Entry struct {
	Name       string `json:"name"`
	Kind       string `json:"kind"`
	Source     string `json:"source"`
	Sub        string `json:"sub,omitempty"`
	Ref        string `json:"ref,omitempty"`
	Constraint string `json:"constraint,omitempty"`
	// Version is the plugin's own; Tag, Commit and Archive (sha256) are what the source resolved to.
	Version string `json:"version,omitempty"`
	Tag     string `json:"tag,omitempty"`
	Commit  string `json:"commit,omitempty"`
	Archive string `json:"archive,omitempty"`
	// Tree is Tree.Hash of the files.
	Tree string `json:"tree"`
}

// ParseLock reads the lock file at path from text; no text is an empty lock. A file of a later version, with unknown
// fields or twice the same plugin is refused.
func ParseLock(path string, text []byte) (Lock, error) {
	lock := Lock{Version: 1}
	if len(bytes.TrimSpace(text)) == 0 {
		return lock, nil
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&lock); err != nil {
		return Lock{}, refused(path, "not a lock file of viber: %w", err)
	}
	if bytes.TrimSpace(text)[0] != '{' || dec.More() {
		return Lock{}, refused(path, "not a lock file of viber: one JSON object is needed")
	}
	if lock.Version != 1 {
		return Lock{}, refused(path, "version %d; this viber reads version 1, upgrade viber", lock.Version)
	}
	seen := map[string]bool{}
	for _, e := range lock.Plugins {
		if !validName(e.Name) || len(e.Tree) != 64 || strings.Trim(e.Tree, "0123456789abcdef") != "" {
			return Lock{}, refused(path, "plugin %q: not a whole entry", e.Name)
		}
		if err := e.valid(); err != nil {
			return Lock{}, refused(path, "plugin %s: %w", e.Name, err)
		}
		if seen[e.Name] {
			return Lock{}, refused(path, "plugin %q stands there twice; keep one entry", e.Name)
		}
		seen[e.Name] = true
	}
	return lock, nil
}

// valid refuses what `viber plugin add` would not have written.
func (e Entry) valid() error {
	for _, text := range []string{e.Source, e.Sub, e.Ref, e.Constraint, e.Version, e.Tag, e.Commit, e.Archive} {
		if strings.ContainsFunc(text, unicode.IsControl) {
			return fmt.Errorf("%q: holds a control character", text)
		}
	}
	switch e.Kind {
	case Folder, Git, Archive, Marketplace:
	default:
		return fmt.Errorf("kind %q is none that this viber knows", e.Kind)
	}
	if e.Commit != "" && strings.Trim(e.Commit, "0123456789abcdef") != "" {
		return fmt.Errorf("commit %q is no commit", e.Commit)
	}
	s := e.Asked()
	if s.Address == "" || e.Kind == Marketplace && s.Entry == "" {
		return errors.New("names no source")
	}
	if strings.Contains(s.Address, "::") {
		return fmt.Errorf("source %q is not taken", s.Address)
	}
	return s.check()
}

func refused(path, format string, args ...any) error {
	return exit.With(exit.Refused, fmt.Errorf("%s: %w", path, fmt.Errorf(format, args...)))
}

// Text is the lock file, sorted by name so that two people's additions merge.
func (l Lock) Text() ([]byte, error) {
	l.Plugins = slices.Clone(l.Plugins)
	sort.Slice(l.Plugins, func(i, j int) bool { return l.Plugins[i].Name < l.Plugins[j].Name })
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(l)
	return b.Bytes(), err
}

// Find returns the entry named name.
func (l Lock) Find(name string) (Entry, bool) {
	i := slices.IndexFunc(l.Plugins, func(e Entry) bool { return e.Name == name })
	if i < 0 {
		return Entry{}, false
	}
	return l.Plugins[i], true
}

// With returns the lock with e in place of an entry of the same name, or added.
func (l Lock) With(e Entry) Lock {
	l = l.Without(e.Name)
	l.Plugins = append(l.Plugins, e)
	return l
}

// Without returns the lock without the entry named name.
func (l Lock) Without(name string) Lock {
	l.Plugins = slices.DeleteFunc(slices.Clone(l.Plugins), func(e Entry) bool { return e.Name == name })
	return l
}

// NewEntry pins what was fetched. asked is the source as the user gave it.
func NewEntry(asked Source, got Fetched, c Contents) Entry {
	return Entry{
		Name: c.Name, Kind: asked.Kind, Source: address(asked), Sub: asked.Sub, Ref: asked.Ref, Constraint: asked.Constraint,
		Version: c.Version, Tag: got.Tag, Commit: got.Commit, Archive: got.SHA256, Tree: got.Tree.Hash(),
	}
}

func address(s Source) string {
	if s.Entry != "" {
		return s.Address + "#" + s.Entry
	}
	return s.Address
}

// Pinned is the source that gives exactly the entry's bytes again.
func (e Entry) Pinned() Source {
	s := e.Asked()
	if e.Commit != "" {
		s.Ref, s.Constraint = e.Commit, ""
	}
	return s
}

// Asked is the source as the user gave it, for an update.
func (e Entry) Asked() Source {
	s := Source{Kind: e.Kind, Address: e.Source, Sub: e.Sub, Ref: e.Ref, Constraint: e.Constraint}
	if e.Kind == Marketplace {
		s.Address, s.Entry, _ = strings.Cut(e.Source, "#")
	}
	return s
}
