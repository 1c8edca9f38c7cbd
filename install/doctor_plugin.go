package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"

	"viber/internal/fsx"
)

// plugin compares the installed plugin with the one in this binary.
func (x *exam) plugin() {
	w := x.w
	for _, id := range w.foreignPlugins() {
		x.note(LevelWarning, "plugin-foreign", id, "another plugin called viber is enabled; it takes the place of ours and its hooks run beside ours", "disable it: claude plugin disable "+id)
	}
	rec := w.Record.Plugin
	if rec == nil {
		if len(w.Record.Settings) > 0 {
			x.note(LevelNote, "plugin-missing", "", "the plugin is not installed", "run 'viber setup'")
		}
		return
	}
	x.pluginFolder(rec)
	for _, f := range x.files {
		if f.file == nil {
			continue
		}
		if raw, ok := f.file.Has("enabledPlugins", skillsDirID); ok && raw == "false" {
			x.note(LevelNote, "plugin-disabled", f.path, "you switched the plugin off here; setup leaves it so", "claude plugin enable "+skillsDirID)
		}
	}
}

func (x *exam) pluginFolder(rec *PluginRecord) {
	target, isLink := fsx.DirLink(rec.Link)
	if rec.Link != "" && !isLink && readManifest(rec.Link) == nil {
		x.note(LevelError, "plugin-missing", rec.Link, "the plugin is gone: the client loads none", "run 'viber setup'")
		return
	}
	if isLink && target != rec.Folder {
		level := LevelWarning
		if readManifest(rec.Link) == nil {
			level = LevelError // the client loads something else, or nothing
		}
		x.note(level, "plugin-version", rec.Link, "leads to "+target+", not to the folder setup made", "run 'viber setup'")
	}
	m := readManifest(rec.Folder)
	switch {
	case m == nil:
		x.note(LevelError, "plugin-missing", rec.Folder, "the plugin's folder or its manifest is gone", "run 'viber setup'")
		return
	case m.Version != x.w.Env.Version:
		x.note(LevelWarning, "plugin-version", rec.Folder, fmt.Sprintf("the plugin is of version %s, this viber is %s", m.Version, x.w.Env.Version), "run 'viber setup'")
	}
	for name, sum := range m.Files {
		path := filepath.Join(rec.Folder, filepath.FromSlash(name))
		data, err := fsx.Read(path)
		switch {
		case err != nil || data == nil:
			x.note(LevelError, "plugin-changed", path, "this file of the plugin is gone", "run 'viber setup'")
		case hash(data) != sum:
			x.note(LevelNote, "plugin-changed", path, "you changed this file of the plugin; upgrades keep it", "")
		}
	}
}

// faults counts what went wrong inside hooks, by check.
func (x *exam) faults() {
	path := filepath.Join(x.w.Places.State, "faults.jsonl")
	data, err := fsx.Read(path)
	if err != nil || len(data) == 0 {
		return
	}
	count := map[string]int{}
	for line := range bytes.Lines(data) {
		var fault struct {
			Check string `json:"check"`
		}
		if json.Unmarshal(line, &fault) == nil {
			count[fault.Check]++
		}
	}
	for _, check := range sortedKeys(count) {
		x.note(LevelWarning, "hook-fault", path, fmt.Sprintf("%s of the check %q", plural(count[check], "fault"), check), "look at the file; its lines hold no payloads")
	}
}
