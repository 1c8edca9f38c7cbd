package install

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"viber/install/settings"
	"viber/internal/exit"
	"viber/internal/fsx"
	"viber/internal/term"
	"viber/run"
	"viber/schema"
)

// StatusOptions say what `viber status` was asked for.
type StatusOptions struct {
	Env   Env
	Dir   string
	JSON  bool
	Check bool // exit 5 when something drifted
}

// Status is what `viber status --json` prints.
type Status struct {
	Version  string        `json:"version"`
	Binary   string        `json:"binary"` // the path hooks call
	Client   string        `json:"client"` // version of Claude Code, or "unknown", or "not found"
	Plugin   PluginStatus  `json:"plugin"`
	Scopes   []ScopeStatus `json:"scopes"`
	Config   ConfigStatus  `json:"config"`
	HooksOff string        `json:"hooks_off,omitempty"` // until when
	Hosts    []HostStatus  `json:"hosts,omitempty"`     // of hooks, beside Claude Code
	OpenRuns []run.Summary `json:"open_runs"`           // of this project, the one touched last first
	Drift    []string      `json:"drift"`               // what 'viber setup' would change
	Problems []string      `json:"problems"`
	Notes    []string      `json:"notes"`
}

// PluginStatus is the state of the plugin.
type PluginStatus struct {
	State   string `json:"state"` // current, outdated, missing, disabled
	Version string `json:"version,omitempty"`
	Folder  string `json:"folder,omitempty"`
	Link    string `json:"link,omitempty"`
	Channel string `json:"channel,omitempty"`
}

// ScopeStatus is the state of one settings file.
type ScopeStatus struct {
	Scope    string `json:"scope"`
	Path     string `json:"path"`
	Hooks    int    `json:"hooks"`
	Expected int    `json:"hooks_expected"` // 0: viber is not wired here
	Rules    int    `json:"rules"`
}

// ConfigStatus is the state of the project's viber.yml.
type ConfigStatus struct {
	Path   string `json:"path,omitempty"` // empty: no project here
	Exists bool   `json:"exists"`
	Schema int    `json:"schema"`
	Newest int    `json:"newest"`
}

// ReadStatus reads the state of viber for the user and the project that holds dir. It changes nothing.
func ReadStatus(env Env, dir string) (*Status, error) {
	w, err := ReadWorld(env, dir)
	if err != nil {
		return nil, err
	}
	s := &Status{Version: env.Version, Binary: w.Binary.Path, Drift: []string{}, Problems: []string{}, Notes: []string{},
		OpenRuns: []run.Summary{}}
	s.client(w)
	s.plugin(w)
	s.scopes(w)
	s.config(w)
	s.hosts(w)
	s.runs(w)
	s.stopped(w)
	s.HooksOff = hooksOffUntil(env, w.Places)
	s.drift(w)
	return s, nil
}

func (s *Status) client(w *World) {
	s.Client = w.Client.Version.String()
	if w.Client.Path == "" {
		s.Client = "not found"
	}
}

func (s *Status) plugin(w *World) {
	rec := w.Record.Plugin
	s.Plugin.State = "missing"
	if rec == nil {
		return
	}
	s.Plugin = PluginStatus{State: "current", Version: rec.Version, Folder: rec.Folder, Link: rec.Link, Channel: rec.Channel}
	state := compareFolder(rec.Folder, w.files, w.Env.Version)
	for _, name := range state.changed {
		s.Notes = append(s.Notes, filepath.Join(rec.Folder, filepath.FromSlash(name))+": changed by you")
	}
	target, isLink := fsx.DirLink(rec.Link)
	switch {
	case isLink && target != rec.Folder, !isLink && readManifest(rec.Link) == nil:
		s.Plugin.State = "missing"
	case rec.Version != w.Env.Version:
		s.Plugin.State = "outdated"
		s.Problems = append(s.Problems, fmt.Sprintf("the plugin is of version %s, this viber is %s; run 'viber upgrade' to bring them together", rec.Version, w.Env.Version))
	}
	for _, scope := range w.scopeNames() {
		if on, set := enabledPlugins(scopePath(w, scope))[skillsDirID]; set && !on {
			s.Plugin.State = "disabled"
			s.Notes = append(s.Notes, fmt.Sprintf("the plugin is disabled in %s; that is respected", scopePath(w, scope)))
		}
	}
}

// scopeNames are the scopes that have a settings file here.
func (w *World) scopeNames() []string {
	if w.Project.Root == "" {
		return []string{ScopeUser}
	}
	return []string{ScopeUser, ScopeProject, ScopeLocal}
}

func (s *Status) scopes(w *World) {
	for _, scope := range w.scopeNames() {
		row := ScopeStatus{Scope: scope, Path: scopePath(w, scope)}
		was := w.Record.Settings[row.Path]
		if was != nil {
			row.Expected = was.Hooks
		}
		data, err := readSettings(row.Path)
		var file *settings.File
		if err == nil {
			file, err = settings.Parse(row.Path, data)
		}
		if err != nil {
			s.Problems = append(s.Problems, err.Error())
			s.Scopes = append(s.Scopes, row)
			continue
		}
		row.Hooks = len(w.ownHandlers(file))
		row.Rules = countRules(w, file)
		if row.Hooks < row.Expected {
			s.Problems = append(s.Problems, fmt.Sprintf("%s: %d of %d hook entries are gone since %s; run 'viber setup' to put them back", row.Path, row.Expected-row.Hooks, row.Expected, w.goneSince(row.Path)))
		}
		if raw, ok := file.Has("disableAllHooks"); ok && raw == "true" {
			s.Problems = append(s.Problems, row.Path+": disableAllHooks is true, so that no hook runs; remove the key")
		}
		s.Scopes = append(s.Scopes, row)
	}
}

// goneSince is when the file was written last: the earliest moment known at which entries can have gone.
func (w *World) goneSince(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return "the file went"
	}
	return info.ModTime().Local().Format(time.DateTime)
}

func countRules(w *World, file *settings.File) int {
	n := 0
	for _, rule := range w.permissionRules() {
		if slices.Contains(file.Rules(rule.List), rule.Text) {
			n++
		}
	}
	return n
}

func (s *Status) config(w *World) {
	s.Config.Newest = schema.Newest
	if w.Project.Root == "" {
		return
	}
	s.Config.Path = schema.Path(w.Project.Root)
	data, err := fsx.Read(s.Config.Path)
	if err != nil {
		s.Problems = append(s.Problems, err.Error())
		return
	}
	if s.Config.Exists = data != nil; s.Config.Exists {
		s.Config.Schema = schema.NumberIn(string(data))
		if sentence := schema.Parse(w.Project.Root, string(data)).CheckRequires(w.Env.Version); sentence != "" {
			s.Problems = append(s.Problems, sentence)
		}
	}
}

// runs names the open runs of the project.
func (s *Status) runs(w *World) {
	if w.Project.Root == "" {
		return
	}
	open, err := run.OpenRuns(w.Project.Root)
	if err != nil {
		s.Problems = append(s.Problems, err.Error())
	}
	s.OpenRuns = append(s.OpenRuns, open...)
	if cut, ok := run.FindCutOff(w.Project.Root); ok {
		s.Problems = append(s.Problems, cut.String())
	}
}

// stopped names commands that were stopped half way, unless one is at work right now.
func (s *Status) stopped(w *World) {
	js := newJournals(w.Env, w.Places, w.Project)
	open, notes := js.openWrites()
	s.Notes = append(s.Notes, notes...)
	if len(open) == 0 {
		return
	}
	unlock, err := fsx.Lock(filepath.Join(w.Places.State, "lock"), 0)
	if err != nil {
		s.Notes = append(s.Notes, "another viber is writing right now")
		return
	}
	defer unlock()
	open, _ = js.openWrites()
	for _, write := range open {
		s.Problems = append(s.Problems, fmt.Sprintf("an earlier %s (%s) was stopped half way; run 'viber undo' to take it back", write.first().Command, write.ID))
	}
}

// drift is what setup, asked again for what it was asked for before, would change.
func (s *Status) drift(w *World) {
	wanted, wired := w.recordedWish()
	if !wired {
		s.Problems = append(s.Problems, "viber is not set up; run 'viber setup'")
		if w.Project.NoPart != "" {
			s.Notes = append(s.Notes, w.Project.NoPart)
		}
		return
	}
	plan, err := PlanSetup(w, wanted)
	if err != nil {
		if !slices.Contains(s.Problems, err.Error()) {
			s.Problems = append(s.Problems, err.Error())
		}
		return
	}
	for _, a := range plan.Actions {
		s.Drift = append(s.Drift, fmt.Sprintf("%s: %s (%s)", a.Path, a.what(), a.Why))
	}
	for _, c := range plan.Changes {
		s.Drift = append(s.Drift, fmt.Sprintf("%s: %s", c.Path, c.Why))
	}
	for _, note := range plan.Notes {
		if !strings.Contains(note, ": disableAllHooks is true") { // a problem already
			s.Notes = append(s.Notes, note)
		}
	}
}

// recordedWish is what setup was asked for, as far as the record tells; wired is false when it never ran.
func (w *World) recordedWish() (wanted Wanted, wired bool) {
	for _, scope := range w.scopeNames() {
		if was := w.Record.Settings[scopePath(w, scope)]; was != nil && !was.Added {
			return Wanted{Scope: scope, NoHooks: was.NoHooks, NoPlugin: w.Record.Plugin == nil}, true
		}
	}
	if w.Record.Plugin == nil && w.Record.Hosts[HostCodex] != nil {
		return Wanted{Scope: ScopeUser, Hosts: []string{HostCodex}}, true
	}
	return Wanted{Scope: ScopeUser}, w.Record.Plugin != nil
}

// ShowStatus prints the state of viber; with o.Check something that drifted is the exit code 5.
func ShowStatus(o StatusOptions) error {
	s, err := ReadStatus(o.Env, o.Dir)
	if err != nil {
		return err
	}
	if o.JSON {
		enc := json.NewEncoder(o.Env.Streams.Out)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		err = enc.Encode(s)
	} else {
		places, _ := FindPlaces(o.Env)
		s.print(o.Env.Streams.Out, places)
	}
	if err == nil && o.Check && len(s.Drift)+len(s.Problems) > 0 {
		return exit.Status(exit.WouldChange)
	}
	return err
}

func (s *Status) print(out io.Writer, p Places) {
	t := term.NewTable(out)
	row := func(what, state, where string) { fmt.Fprintf(t, "%s\t%s\t%s\n", what, state, whereShown(p, where)) }
	row("viber", s.Version, s.Binary)
	row("client", s.Client, "")
	row("plugin", strings.TrimSpace(s.Plugin.State+" "+s.Plugin.Version), s.Plugin.Link)
	for _, sc := range s.Scopes {
		row("hooks, "+sc.Scope, sc.state(), sc.Path)
	}
	row("viber.yml", s.Config.state(), s.Config.Path)
	for _, h := range s.Hosts {
		row(h.Host, strings.TrimSpace(h.State+" "+h.Version), h.Path)
	}
	for _, r := range s.OpenRuns {
		row("open run", fmt.Sprintf("%d/%d", r.Done, r.Total), r.Plan)
	}
	_ = t.Flush()
	if s.HooksOff != "" {
		fmt.Fprintf(out, "hooks are switched off %s; 'viber hooks on' switches them on\n", s.HooksOff)
	}
	printLines(out, p, "problem", s.Problems)
	printLines(out, p, "drift", s.Drift)
	for _, h := range s.Hosts {
		if h.Why != "" {
			printLines(out, p, h.Host, []string{h.Why})
		}
	}
	printLines(out, p, "note", s.Notes)
	if len(s.Drift) > 0 {
		fmt.Fprintln(out, "run 'viber setup' to bring it up to date")
	}
}

func whereShown(p Places, where string) string {
	if where == "" {
		return ""
	}
	return p.short(where)
}

func printLines(out io.Writer, p Places, kind string, lines []string) {
	for _, line := range lines {
		fmt.Fprintf(out, "%s: %s\n", kind, p.tilde(printable(line)))
	}
}

func (s ScopeStatus) state() string {
	if s.Expected == 0 && s.Hooks == 0 && s.Rules == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d, %d rules", s.Hooks, max(s.Expected, s.Hooks), s.Rules)
}

func (c ConfigStatus) state() string {
	switch {
	case c.Path == "":
		return "-"
	case !c.Exists:
		return "missing"
	}
	return fmt.Sprintf("schema %d of %d", c.Schema, c.Newest)
}
