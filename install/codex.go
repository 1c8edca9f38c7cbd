package install

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"viber/install/host"
	"viber/install/settings"
	"viber/internal/fsx"
)

// The hosts of hooks that setup knows.
const (
	HostClaude  = "claude"
	HostCodex   = "codex"
	hostCopilot = "copilot"
)

// HostRecord is what viber wrote into the hooks file of a host beside Claude Code.
type HostRecord struct {
	Path      string              `json:"path"`
	Made      bool                `json:"made,omitempty"` // there was no file before
	Hooks     int                 `json:"hooks"`
	Footprint *settings.Footprint `json:"footprint,omitempty"`
}

// codex is the Codex of this machine.
type codex struct {
	host.Codex
	program string // empty when not found
	dir     string // its home
	config  host.CodexConfig
	fault   error // config.toml cannot be read
}

// findCodex looks for Codex and reads its configuration; its version is asked once, bounded in time.
func (w *World) findCodex() codex {
	c := codex{dir: w.Places.Codex, program: findProgram(w.Env, HostCodex, w.Project.Root)}
	if c.program != "" {
		c.Version = askVersion(w.Env, w.Places, c.program, w.Project.Root)
	}
	text, err := fsx.Read(filepath.Join(c.dir, host.CodexConfigFile))
	if err == nil {
		c.config, err = host.ReadCodexConfig(text)
	}
	c.fault = err
	return c
}

func (c codex) hooksPath() string { return filepath.Join(c.dir, host.CodexHooksFile) }

// there reports whether anything of Codex is on this machine.
func (c codex) there() bool {
	_, err := os.Stat(c.dir)
	return c.program != "" || err == nil
}

// codex plans the entry in Codex's hooks.json: asked for now, or kept current where it was asked for before. Nothing else
// of Codex is touched, and config.toml never.
func (s *setupPlan) codex() error {
	was := s.next.Hosts[HostCodex]
	asked := slices.Contains(s.want.Hosts, HostCodex)
	if !asked && was == nil {
		return nil
	}
	c := s.w.findCodex()
	if c.fault != nil {
		return fmt.Errorf("%s: %w; repair it first", c.dir, c.fault)
	}
	for _, note := range c.notes(s.w) {
		s.note(note)
	}
	if !c.HooksEdits() {
		s.note(fmt.Sprintf("Codex %s calls no hook for its edits: nothing is registered; 0.123.0 and newer do", c.Version))
		return nil
	}
	if c.inConfig(s.w) {
		s.note(host.CodexConfigFile + " calls viber already: no second entry is written to " + host.CodexHooksFile)
		return nil
	}
	return s.codexHooks(c, was)
}

// parseHooks reads hooks.json for a change. Doctor repairs the settings of Claude Code only, so it is no way out here.
func (c codex) parseHooks(text []byte) (*settings.File, error) {
	file, err := settings.Parse(c.hooksPath(), text)
	var refusal *settings.Refusal
	if errors.As(err, &refusal) && refusal.Lenient {
		refusal.WayOut = "remove it and run the command again"
	}
	return file, err
}

// codexHooks plans the change of hooks.json; entries go to the end, so that what Codex trusts keeps its place.
func (s *setupPlan) codexHooks(c codex, was *HostRecord) error {
	before, err := readSettings(c.hooksPath())
	if err != nil {
		return err
	}
	file, err := c.parseHooks(before)
	if err != nil {
		return err
	}
	entries, err := c.Entries(host.Wiring{Program: s.w.Binary.Path, Windows: runtime.GOOS == "windows"})
	if err != nil {
		return err
	}
	edit := settings.Change{Own: s.w.recogniser().Own, Hooks: entries}
	rec := &HostRecord{Path: c.hooksPath(), Made: before == nil, Hooks: len(entries)}
	if was != nil {
		edit.Footprint, rec.Made = was.Footprint, was.Made
	}
	result, err := file.Apply(edit)
	if err != nil {
		return err
	}
	rec.Footprint = result.Footprint
	s.next.Hosts[HostCodex] = rec
	if !result.Changed() {
		return nil
	}
	s.note("Codex runs the entry once you have trusted it: type /hooks in Codex")
	s.add(Change{Path: c.hooksPath(), Before: before, After: result.Text, Mode: 0o600, Scope: ScopeUser, Why: summary(result.Done), edit: &edit})
	return nil
}

// notes say what keeps Codex from calling hooks, or makes it call them otherwise than meant.
func (c codex) notes(w *World) []string {
	var notes []string
	switch {
	case c.config.Off && !c.config.On:
		notes = append(notes, "hooks are switched off in Codex's "+host.CodexConfigFile+" ([features]); nothing is called until that is changed")
	case c.NeedsFlag() && !c.config.On:
		notes = append(notes, fmt.Sprintf("Codex %s calls hooks only with codex_hooks = true under [features] in its %s", c.Version, host.CodexConfigFile))
	}
	switch c.config.Hooks {
	case host.CodexEvents:
		notes = append(notes, host.CodexConfigFile+" holds hooks as well: Codex runs both and warns; keep them in one of the two files")
	case host.CodexList:
		notes = append(notes, "the hooks in "+host.CodexConfigFile+" have the form of before 0.124.0, with which a newer Codex does not start; 'viber doctor --fix' moves them to "+host.CodexHooksFile)
	}
	if config := w.syntaxSwitch(); config == "off" {
		notes = append(notes, "guards.syntax is off here, and it is what Codex calls viber for; set it to on in .claude/viber.yml")
	}
	return notes
}

// inConfig reports whether config.toml itself holds an entry of ours.
func (c codex) inConfig(w *World) bool {
	own := w.recogniser()
	return slices.ContainsFunc(c.config.Commands, func(command string) bool {
		return own.Own(settings.Handler{Type: "command", Command: command})
	})
}

// HostStatus is the state of one host of hooks beside Claude Code.
type HostStatus struct {
	Host    string `json:"host"`
	State   string `json:"state"` // installed, not trusted, changed since it was trusted, disabled, off, stale, missing, not set up, none
	Version string `json:"version,omitempty"`
	Path    string `json:"path,omitempty"`
	Why     string `json:"why,omitempty"`
}

// hosts describes the hosts that are on this machine or in the record.
func (s *Status) hosts(w *World) {
	if c := w.findCodex(); c.there() || w.Record.Hosts[HostCodex] != nil {
		s.Hosts = append(s.Hosts, w.codexStatus(c))
	}
	_, err := os.Stat(filepath.Join(w.Places.Home, ".copilot"))
	if err == nil || findProgram(w.Env, hostCopilot, w.Project.Root) != "" {
		s.Hosts = append(s.Hosts, HostStatus{Host: hostCopilot, State: "none", Why: host.CopilotReason})
	}
}

func (w *World) codexStatus(c codex) HostStatus {
	st := HostStatus{Host: HostCodex, Path: c.hooksPath()}
	if c.Version.Known() {
		st.Version = c.Version.String()
	}
	if c.fault != nil {
		st.State, st.Why = "off", c.fault.Error()
		return st
	}
	entry, found, err := w.codexEntry(c)
	switch {
	case err != nil:
		st.State, st.Why = "off", err.Error()
	case !found && c.inConfig(w):
		st.State, st.Why = "installed", "the entry stands in "+host.CodexConfigFile
	case !found && w.Record.Hosts[HostCodex] != nil:
		st.State, st.Why = "missing", "the entry is gone; run 'viber setup --host codex'"
	case !found:
		st.State = "not set up"
	default:
		st.State, st.Why = w.codexState(c, entry)
	}
	return st
}

func (w *World) codexState(c codex, entry host.CodexEntry) (state, why string) {
	if _, err := os.Stat(programIn(entry.Command)); err != nil {
		return "stale", "the entry calls a program that is gone; run 'viber setup --host codex'"
	}
	if c.config.Off && !c.config.On || c.NeedsFlag() && !c.config.On {
		return "off", "hooks are switched off in " + host.CodexConfigFile
	}
	paths := []string{c.hooksPath(), resolved(c.hooksPath()), filepath.Join(resolved(c.dir), host.CodexHooksFile)}
	switch trust := c.config.Trust(paths, entry); trust {
	case host.CodexTrusted:
		return "installed", ""
	case host.CodexDisabled:
		return string(trust), "switched off in Codex; /hooks there switches it on"
	default:
		return string(trust), "type /hooks in Codex and trust the entry"
	}
}

func programIn(command string) string {
	argv, ok := host.Command(settings.Handler{Type: "command", Command: command})
	if !ok || len(argv) == 0 {
		return ""
	}
	return argv[0]
}

// codexEntry finds the entry of ours in hooks.json.
func (w *World) codexEntry(c codex) (e host.CodexEntry, found bool, err error) {
	text, err := readSettings(c.hooksPath())
	if err != nil || text == nil {
		return e, false, err
	}
	all, err := host.CodexEntries(text)
	own := w.recogniser()
	for _, e := range all {
		if own.Own(settings.Handler{Type: "command", Command: e.Command}) {
			return e, true, nil
		}
	}
	return e, false, err
}

// codex takes the entry out of Codex's hooks.json; a file that setup made and that holds nothing else goes.
func (u *uninstallPlan) codex() error {
	c := codex{dir: u.w.Places.Codex}
	was := u.w.Record.Hosts[HostCodex]
	delete(u.next.Hosts, HostCodex)
	before, err := readSettings(c.hooksPath())
	if err != nil || before == nil {
		return err
	}
	file, err := c.parseHooks(before)
	if err != nil {
		var refusal *settings.Refusal
		if was == nil && errors.As(err, &refusal) {
			return nil // nothing of ours was ever written there
		}
		return err
	}
	if entry, found, err := u.w.codexEntry(c); err == nil && found && !entry.Last {
		u.note("the hooks of Codex behind viber's move up by one: Codex asks you to trust them again in /hooks")
	}
	edit := settings.Change{Own: u.w.recogniser().Own, Unrecorded: was == nil}
	if was != nil {
		edit.Footprint = was.Footprint
	}
	result, err := file.Apply(edit)
	if err != nil || !result.Changed() {
		return err
	}
	after := result.Text
	if was != nil && was.Made && isEmptyObject(after) {
		after = nil
	}
	u.add(Change{Path: c.hooksPath(), Before: before, After: after, Scope: ScopeUser, Why: summary(result.Done), edit: &edit})
	return nil
}

// moveCodexList plans the move of hooks that have the form of before 0.124.0 from config.toml, with which a newer Codex does
// not start, to hooks.json.
func (w *World) moveCodexList(plan *Plan) error {
	c := codex{dir: w.Places.Codex}
	path := filepath.Join(c.dir, host.CodexConfigFile)
	config, err := fsx.Read(path)
	if err != nil || config == nil {
		return err
	}
	if read, err := host.ReadCodexConfig(config); err != nil || read.Hooks != host.CodexList {
		return nil // doctor names a file that cannot be read
	}
	hooks, err := readSettings(c.hooksPath())
	if err != nil {
		return err
	}
	newConfig, newHooks, err := host.MoveCodexList(config, hooks)
	if err != nil {
		return refuse(fmt.Errorf("%s: %w", path, err))
	}
	const why = "the form of hooks that Codex 0.124.0 and newer read"
	plan.add(Change{Path: c.hooksPath(), Before: hooks, After: newHooks, Mode: 0o600, Scope: ScopeUser, Why: why})
	plan.add(Change{Path: path, Before: config, After: newConfig, Scope: ScopeUser, Why: why})
	return nil
}

// codex adds what keeps Codex from running the entry.
func (x *exam) codex() {
	c := x.w.findCodex()
	if x.w.Record.Hosts[HostCodex] == nil && c.config.Hooks != host.CodexList {
		return
	}
	config := filepath.Join(c.dir, host.CodexConfigFile)
	if c.fault != nil {
		x.note(LevelError, "codex-config", config, c.fault.Error(), "repair it; Codex does not start with it")
		return
	}
	if c.config.Hooks == host.CodexList {
		x.note(LevelError, "codex-old-hooks", config, "hooks in the form of before 0.124.0: a newer Codex does not start with them",
			"run 'viber doctor --fix' to see them moved to "+c.hooksPath())
	}
	if x.w.Record.Hosts[HostCodex] == nil {
		return
	}
	for _, note := range c.notes(x.w) {
		if c.config.Hooks != host.CodexList {
			x.note(LevelWarning, "codex", config, note, "see docs/hosts.md")
		}
	}
	if st := x.w.codexStatus(c); st.State != "installed" {
		x.note(LevelWarning, "codex-entry", st.Path, "the entry in Codex is "+st.State, st.Why)
	}
}
