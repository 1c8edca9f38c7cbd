package install

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"viber/internal/exit"
	"viber/internal/fsx"
	"viber/schema"
)

// DoctorOptions say what `viber doctor` was asked for.
type DoctorOptions struct {
	Env     Env
	Consent Consent // of --fix
	Dir     string  // the project, or a directory in it
	Fix     bool
	Report  bool // write a redacted report into the working directory
	// More, when set, adds what other rooms found in this project.
	More func(Places, Project) []Finding
}

// Levels of what doctor finds.
const (
	LevelError   = "error"   // something does not work
	LevelWarning = "warning" // something may not work, or does too much
	LevelNote    = "note"    // worth knowing
)

// Finding is one thing doctor found. Code is stable and documented in docs/doctor.md.
type Finding struct {
	Code    string `json:"code"`
	Level   string `json:"level"`
	Where   string `json:"where,omitempty"` // path, path:line:column or a name
	Problem string `json:"problem"`
	WayOut  string `json:"way_out,omitempty"`
}

// HookLine is one registered hook and what became of it.
type HookLine struct {
	Where   string   `json:"where"`
	Scope   string   `json:"scope"`
	Event   string   `json:"event"`
	Matcher string   `json:"matcher,omitempty"`
	If      string   `json:"if,omitempty"`
	Program string   `json:"program"`
	Ours    bool     `json:"ours"`
	NotRun  string   `json:"not_run,omitempty"` // why it was not run
	Samples []Sample `json:"samples,omitempty"`
}

// Sample is one payload a hook line was given.
type Sample struct {
	Name   string  `json:"name"`
	Want   string  `json:"want"`
	Got    string  `json:"got"`
	OK     bool    `json:"ok"`
	Millis float64 `json:"ms"`
}

// Diagnosis is everything doctor saw; its JSON form is documented in docs/doctor.md.
type Diagnosis struct {
	Version  string     `json:"version"`
	Binary   string     `json:"binary"` // by which hooks call viber
	Exe      string     `json:"exe"`    // the running one
	Client   string     `json:"client,omitempty"`
	ClientAt string     `json:"client_path,omitempty"`
	Form     string     `json:"hook_form"`   // exec or shell
	Filter   string     `json:"hook_filter"` // if or matcher
	Project  string     `json:"project,omitempty"`
	Hooks    []HookLine `json:"hooks"`
	Findings []Finding  `json:"findings"`
}

// Errors counts the findings of level error.
func (d *Diagnosis) Errors() int { return d.count(LevelError) }

func (d *Diagnosis) count(level string) int {
	n := 0
	for _, f := range d.Findings {
		if f.Level == level {
			n++
		}
	}
	return n
}

func (d *Diagnosis) add(f Finding) { d.Findings = append(d.Findings, f) }

// Doctor examines the installation, prints what it found, and with o.Fix offers the repairs as a plan. It ends with exit
// code 1 while an error is left.
func Doctor(o DoctorOptions) error {
	if o.Fix {
		return fix(o)
	}
	if c := o.Consent; c.Yes || c.DryRun || c.Confirm != "" {
		return exit.With(exit.Usage, errors.New("--yes, --dry-run and --confirm go with --fix"))
	}
	d, err := Examine(o.Env, o.Dir)
	if err != nil {
		return err
	}
	if err := d.addMore(o); err != nil {
		return err
	}
	if o.Report {
		return writeReport(o.Env, d)
	}
	if err := d.print(o); err != nil {
		return err
	}
	if d.Errors() > 0 {
		return exit.Status(exit.Failed)
	}
	return nil
}

func (d *Diagnosis) addMore(o DoctorOptions) error {
	if o.More == nil {
		return nil
	}
	places, err := FindPlaces(o.Env)
	if err != nil {
		return err
	}
	project, err := FindProject(o.Dir, places)
	if err != nil {
		return err
	}
	d.Findings = append(d.Findings, o.More(places, project)...)
	d.worstFirst()
	return nil
}

func (d *Diagnosis) print(o DoctorOptions) error {
	if o.Consent.JSON {
		return d.writeJSON(o.Env.Streams.Out)
	}
	places, err := FindPlaces(o.Env)
	if err != nil {
		return err
	}
	d.show(o.Env.Streams.Out, places)
	return nil
}

// Examine reads the world as setup does and judges it. It runs only hook lines that lead to this very executable, with
// state, transcript and project of its own that are thrown away; it changes nothing else.
func Examine(env Env, dir string) (*Diagnosis, error) {
	w, err := ReadWorld(env, dir)
	if err != nil {
		return nil, err
	}
	x := &exam{w: w, d: &Diagnosis{
		Version: env.Version, Binary: w.Binary.Path, Exe: w.Binary.Exe, Project: w.Project.Root,
		Form: "exec", Filter: "if", ClientAt: w.Client.Path, Hooks: []HookLine{}, Findings: []Finding{},
	}}
	x.client()
	x.switched()
	x.settings()
	x.lines()
	x.doubled()
	x.paths()
	x.plugin()
	x.codex()
	x.places()
	x.faults()
	x.profile()
	if err := x.run(); err != nil {
		return nil, err
	}
	x.d.worstFirst()
	return x.d, nil
}

func (d *Diagnosis) worstFirst() {
	sort.SliceStable(d.Findings, func(i, j int) bool { return rank(d.Findings[i].Level) < rank(d.Findings[j].Level) })
}

func rank(level string) int { return strings.Index("error warning note", level) }

// exam is one examination.
type exam struct {
	w     *World
	d     *Diagnosis
	files []examined
	found []registered
}

// client says what the found client makes of the hooks.
func (x *exam) client() {
	c := x.w.Client
	if !c.ExecForm() {
		x.d.Form = "shell"
	}
	if !c.IfRules() {
		x.d.Filter = "matcher"
	}
	switch {
	case c.Path == "":
		x.note(LevelWarning, "client-missing", "", "Claude Code was not found on PATH", "install it, or put its folder on PATH; hooks are judged as of 2.1.139")
		return
	case !c.Version.Known():
		x.note(LevelWarning, "client-unknown", c.Path, "Claude Code did not say its version", "run it once by hand with --version; hooks are judged as of 2.1.139")
		return
	}
	x.d.Client = c.Version.String()
	if !c.IfRules() {
		x.note(LevelWarning, "client-old", c.Path, "Claude Code "+x.d.Client+" does not filter hooks by `if`: viber starts at every shell command", "update Claude Code to 2.1.85 or newer")
	}
	if !c.ExecForm() {
		x.note(LevelWarning, "client-old", c.Path, "Claude Code "+x.d.Client+" starts hooks through a shell", "update Claude Code to 2.1.139 or newer")
	}
	if !c.SkillsDir() {
		x.note(LevelNote, "client-old", c.Path, "Claude Code "+x.d.Client+" does not load plugins from its skills folder: the plugin comes by a local marketplace", "update Claude Code to 2.1.157 or newer")
	}
}

func (x *exam) note(level, code, where, problem, wayOut string) {
	x.d.add(Finding{Code: code, Level: level, Where: where, Problem: problem, WayOut: wayOut})
}

// switched says whether the user switched the hooks off.
func (x *exam) switched() {
	if until := hooksOffUntil(x.w.Env, x.w.Places); until != "" {
		x.note(LevelWarning, "hooks-paused", HooksOffPath(x.w.Places), "the hooks are switched off "+until, "viber hooks on")
	}
}

// places looks for files that setup could not write.
func (x *exam) places() {
	paths := []string{RecordPath(x.w.Places)}
	for _, f := range x.files {
		if f.scope != scopeManaged && f.scope != scopePlugin {
			paths = append(paths, f.path)
		}
	}
	if root := x.w.Project.Root; root != "" {
		paths = append(paths, schema.Path(root))
	}
	for _, path := range paths {
		err := fsx.Check(path)
		if err == nil {
			continue
		}
		level := LevelWarning
		var store *fsx.ReadOnlyStoreError
		if errors.As(err, &store) {
			level = LevelNote
		}
		x.note(level, "read-only", path, "cannot be written: "+err.Error(), "setup and upgrade cannot change it as long as this is so")
	}
	for _, note := range x.w.Notes {
		x.note(LevelWarning, "managed", "", note, "ask your administrator")
	}
	x.managed()
}

func (x *exam) managed() {
	m := x.w.Managed
	if m.PluginHooks && x.ownInSettings() {
		x.note(LevelError, "managed", strings.Join(m.Files, ", "), "managed settings let only plugins bring hooks, and viber's are in settings: they do not run", "run 'viber setup': it moves them into the plugin")
	}
	if rec := x.w.Record.Plugin; m.NoSkillsDir && rec != nil && rec.Link != "" {
		x.note(LevelError, "managed", strings.Join(m.Files, ", "), "managed settings keep plugins of the skills folder from loading, and viber's is one", "run 'viber setup': it uses a local marketplace where that is allowed")
	}
	for _, rule := range []struct {
		set     bool
		level   string
		problem string
	}{
		{m.NoHooks, LevelError, "managed settings let only managed hooks run (allowManagedHooksOnly)"},
		{m.HooksDisabled, LevelError, "managed settings switch all hooks off (disableAllHooks)"},
		{m.PluginHooks, LevelNote, "managed settings let only plugins bring hooks (strictPluginOnlyCustomization)"},
		{m.NoSkillsDir, LevelNote, "managed settings keep plugins of the skills folder from loading"},
		{m.NoMarketplaces, LevelNote, "managed settings allow no local marketplace"},
		{m.NoRules, LevelNote, "managed settings let only managed permission rules count"},
	} {
		if rule.set {
			x.note(rule.level, "managed", strings.Join(m.Files, ", "), rule.problem, "ask your administrator")
		}
	}
}

// ownInSettings reports whether a settings file, not the plugin, registers a hook of viber.
func (x *exam) ownInSettings() bool {
	return slices.ContainsFunc(x.found, func(r registered) bool {
		return r.own && r.scope != scopePlugin && r.scope != scopeManaged
	})
}

// summaryLine counts what was found, for the last line of the report.
func (d *Diagnosis) summaryLine() string {
	e, w := d.Errors(), d.count(LevelWarning)
	if e+w == 0 {
		return "No problem found."
	}
	return fmt.Sprintf("%s, %s.", plural(e, "error"), plural(w, "warning"))
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
