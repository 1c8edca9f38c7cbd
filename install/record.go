package install

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"viber/install/settings"
	"viber/internal/fsx"
)

// Record is what viber remembers of its installation, in <state dir>/record.json. It holds no times, so that the same
// world gives the same record.
type Record struct {
	Schema   int                       `json:"schema"`
	Version  string                    `json:"version"`          // of the binary that wrote it
	Binary   string                    `json:"binary"`           // by which path the hooks call viber
	Git      string                    `json:"git,omitempty"`    // absolute path of the user's git
	Client   string                    `json:"client,omitempty"` // version of the client the hooks were written for
	Plugin   *PluginRecord             `json:"plugin,omitempty"`
	Settings map[string]*Wiring        `json:"settings,omitempty"` // by path of the settings file
	Projects map[string]*ProjectRecord `json:"projects,omitempty"` // by root
	Hosts    map[string]*HostRecord    `json:"hosts,omitempty"`    // beside Claude Code, by name
	Copy     string                    `json:"copy,omitempty"`     // the copy of the binary that setup made
	// Foreign is what plugins from elsewhere made in each settings file, by its path.
	Foreign map[string]*settings.Footprint `json:"foreign,omitempty"`
}

// Wiring is what viber wrote into one settings file.
type Wiring struct {
	Scope   string `json:"scope"`
	Made    bool   `json:"made,omitempty"`     // there was no file before
	Hooks   int    `json:"hooks,omitempty"`    // entries
	NoHooks bool   `json:"no_hooks,omitempty"` // asked for without hooks
	// Added: the file holds only the entries this project's switches ask for beyond those of the user's own settings.
	Added     bool                `json:"added,omitempty"`
	Footprint *settings.Footprint `json:"footprint,omitempty"`
}

// PluginRecord says where the plugin is.
type PluginRecord struct {
	Version string `json:"version"`
	Folder  string `json:"folder"`
	Link    string `json:"link,omitempty"`
	Channel string `json:"channel"` // skills-dir or marketplace
}

// ProjectRecord is what viber wrote into one project's own files.
type ProjectRecord struct {
	MadeConfig    bool     `json:"made_config,omitempty"`    // .claude/viber.yml
	MadeIgnore    bool     `json:"made_gitignore,omitempty"` // .gitignore as a whole
	IgnoreLines   []string `json:"gitignore,omitempty"`      // lines added to it
	IgnoreNewline bool     `json:"gitignore_newline,omitempty"`
}

const recordSchema = 1

// RecordPath returns the path of the record.
func RecordPath(p Places) string { return filepath.Join(p.State, "record.json") }

// ReadRecord returns the record and its bytes; an empty record when there is none.
func ReadRecord(p Places) (*Record, []byte, error) {
	data, err := fsx.Read(RecordPath(p))
	if err != nil {
		return nil, nil, err
	}
	rec := &Record{Schema: recordSchema}
	if data != nil {
		if err := json.Unmarshal(data, rec); err != nil {
			return nil, nil, fmt.Errorf("%s: damaged (%s); remove it and run 'viber setup': it finds its own entries again", RecordPath(p), jsonFault(err))
		}
	}
	if rec.Schema > recordSchema {
		return nil, nil, fmt.Errorf("%s: was written by a newer viber; upgrade this one", RecordPath(p))
	}
	return rec, data, nil
}

// encode returns the record's bytes; nil when it holds nothing any more.
func (r *Record) encode() ([]byte, error) {
	if r.Plugin == nil && len(r.Settings) == 0 && len(r.Projects)+len(r.Foreign)+len(r.Hosts) == 0 && r.Copy == "" {
		return nil, nil
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(data, '\n'), nil
}

// clone returns a copy that can be changed.
func (r *Record) clone() *Record {
	data, _ := json.Marshal(r)
	c := &Record{}
	_ = json.Unmarshal(data, c)
	if c.Settings == nil {
		c.Settings = map[string]*Wiring{}
	}
	if c.Hosts == nil {
		c.Hosts = map[string]*HostRecord{}
	}
	if c.Projects == nil {
		c.Projects = map[string]*ProjectRecord{}
	}
	return c
}

// jsonFault says in the file's own terms what is wrong with it.
func jsonFault(err error) string {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Sprintf("%q is a %s", kind.Field, kind.Value)
	case errors.As(err, &kind):
		return "it is a JSON " + kind.Value + ", not an object"
	}
	return err.Error()
}
