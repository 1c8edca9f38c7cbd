package install

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"path/filepath"
	"strings"

	"viber/install/settings"
)

// Plan is everything one command is going to do, decided before anything is written. The same value is shown, confirmed,
// applied, journaled and taken back.
type Plan struct {
	Command string
	Project string // root of the project, empty when only the user's part is touched
	Actions []Action
	Changes []Change
	Notes   []string // what the user should know beside the table
	Kept    []string // what stays although it could be expected to go, with the reason
	// FilesFirst: the files are changed before the actions (a removal: hooks go before what they call).
	FilesFirst bool
}

// Change is the new content of one file. A nil Before says that there is no file, a nil After that it is removed.
type Change struct {
	Path   string
	Before []byte
	After  []byte
	Mode   fs.FileMode // of a new file; 0 = 0o644
	Why    string
	Scope  string // "user" or "project": whose journal holds it
	Record bool   // viber's own bookkeeping: in the table, but without a diff

	edit *settings.Change // for a settings file: what was asked of its editor
}

// The kinds of Action.
const (
	PluginFolder = "plugin folder" // make or mend the folder Path with the plugin of this binary
	RemoveFolder = "remove folder" // remove the plugin folder Path; files the user changed stay
	DirLink      = "link"          // make Path a link to the folder Target
	Unlink       = "unlink"        // remove the link Path
	CopyBinary   = "copy"          // make Path a copy of the executable Target
	RemoveBinary = "remove"        // remove the copy Path
	MoveFolder   = "store"         // make Path the folder that was fetched to Target
)

// Action is a change that is not the content of one text file.
type Action struct {
	Kind   string
	Path   string
	Target string
	Before string // what the link led to, empty when there was none
	Hash   string // of the folder or binary that comes
	Why    string
	Detail string // for the table
	files  pluginFiles
}

// Empty reports whether there is nothing to do.
func (p *Plan) Empty() bool { return len(p.Actions) == 0 && len(p.Changes) == 0 }

// ID names exactly these changes: the same world gives the same id, on every run.
func (p *Plan) ID() string {
	h := sha256.New()
	enc := json.NewEncoder(h)
	_ = enc.Encode([]string{p.Command, p.Project})
	for _, a := range p.Actions {
		_ = enc.Encode([]string{a.Kind, a.Path, a.Target, a.Before, a.Hash})
	}
	for _, c := range p.Changes {
		_ = enc.Encode([]string{c.Path, hash(c.Before), hash(c.After), c.Scope})
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}

// hash is the sha256 of a file's bytes, "absent" for none.
func hash(data []byte) string {
	if data == nil {
		return "absent"
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// add puts a change into the plan unless it changes nothing.
func (p *Plan) add(c Change) {
	if (c.Before == nil) == (c.After == nil) && bytes.Equal(c.Before, c.After) {
		return
	}
	p.Changes = append(p.Changes, c)
}

func (p *Plan) note(format string) { p.Notes = append(p.Notes, format) }

// show is a path for people: control characters and quotes never reach the terminal.
func show(path string) string {
	for _, r := range path {
		if r < ' ' || r == 0x7f || r == 0x9b {
			quoted, _ := json.Marshal(path)
			return string(quoted)
		}
	}
	return path
}

// tilde writes the home directory as ~ in a message.
func (p Places) tilde(message string) string {
	if p.Home == "" || filepath.Dir(p.Home) == p.Home {
		return message
	}
	home := p.Home + string(filepath.Separator)
	var b strings.Builder
	for {
		before, after, found := strings.Cut(message, home)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if before == "" || strings.ContainsAny(before[len(before)-1:], " '\"(:") {
			b.WriteString("~" + string(filepath.Separator))
		} else {
			b.WriteString(home)
		}
		message = after
	}
}

// short is show with the home directory as ~ (in messages only, never in a file).
func (p Places) short(path string) string {
	if rel, err := filepath.Rel(p.Home, path); err == nil && rel != "." && filepath.IsLocal(rel) {
		return "~" + string(filepath.Separator) + strings.TrimPrefix(show(rel), "./")
	}
	return show(path)
}
