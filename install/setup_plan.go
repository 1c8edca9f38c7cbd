package install

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"viber/install/host"
	"viber/install/settings"
	"viber/internal/exit"
	"viber/internal/fsx"
	"viber/templates"
)

// The scopes of settings that setup can write hooks and permission rules to.
const (
	ScopeUser    = "user"
	ScopeProject = "project"
	ScopeLocal   = "local"
)

// The ways the plugin reaches the client.
const (
	ChannelSkillsDir   = "skills-dir"
	ChannelMarketplace = "marketplace"
)

// Wanted is what the user asked setup for.
type Wanted struct {
	Hosts    []string // HostClaude, HostCodex; none: HostClaude
	Scope    string   // ScopeUser, ScopeProject or ScopeLocal
	NoHooks  bool
	NoPlugin bool
	// StatusLine asks for the task panel in the client's status line; once there it stays until uninstall.
	StatusLine bool
	Answers    map[string]string // to the questions of a viber.yml migration, by id
}

// claude reports whether Claude Code is among the hosts asked for.
func (w Wanted) claude() bool { return len(w.Hosts) == 0 || slices.Contains(w.Hosts, HostClaude) }

// setupPlan is a plan in the making.
type setupPlan struct {
	*Plan
	w    *World
	want Wanted
	next *Record
}

// PlanSetup decides what has to change so that w becomes a world in which viber is set up as wanted. It refuses (exit
// code 3) when one file may not be changed; then nothing is.
func PlanSetup(w *World, want Wanted) (*Plan, error) {
	s := &setupPlan{Plan: &Plan{Command: "setup", Project: w.Project.Root}, w: w, want: want, next: w.Record.clone()}
	if want.Scope != ScopeUser && w.Project.Root == "" {
		return nil, exit.With(exit.Usage, fmt.Errorf("%s; --scope %s needs a project", w.Project.NoPart, want.Scope))
	}
	s.Notes = append(s.Notes, w.Notes...)
	parts := []func() error{s.binary, s.projectFiles, s.codex, s.record}
	if want.claude() {
		s.describeWorld()
		parts = []func() error{s.binary, s.plugin, s.projectFiles, s.settings, s.codex, s.record}
	}
	for _, part := range parts {
		if err := part(); err != nil {
			return nil, refuse(err)
		}
	}
	return s.Plan, s.check()
}

// refuse gives err the exit code "refused" unless it has one.
func refuse(err error) error {
	if err == nil || exit.Code(err) != exit.Failed {
		return err
	}
	return exit.With(exit.Refused, err)
}

// check asks of every file whether it could be written, before any is.
func (p *Plan) check() error {
	for _, c := range p.Changes {
		if err := fsx.Check(c.Path); err != nil {
			return refuse(withSnippet(err, c))
		}
	}
	return nil
}

// withSnippet adds the new text to the refusal of a file that another tool owns.
func withSnippet(err error, c Change) error {
	var readOnly *fsx.ReadOnlyStoreError
	if !errors.As(err, &readOnly) {
		return err
	}
	return fmt.Errorf("%w\n%s", err, addedText(c))
}

func (s *setupPlan) describeWorld() {
	w := s.w
	switch {
	case w.Project.NoPart != "":
		s.note(w.Project.NoPart + ": only your own settings are set up")
	case w.Project.Moved:
		s.note("the project is " + show(w.Project.Root))
	}
	switch {
	case w.Client.Path == "":
		s.note("Claude Code was not found on PATH; hooks are written in the form of 2.1.139 and newer")
	case !w.Client.Version.Known():
		s.note("Claude Code did not say its version; hooks are written in the form of 2.1.139 and newer")
	}
	for _, id := range w.foreignPlugins() {
		s.note(fmt.Sprintf("another plugin called viber is enabled (%s): it takes the place of this one and its hooks run beside ours; disable it with: claude plugin disable %s", id, id))
	}
	if w.Managed.HooksDisabled {
		s.note("managed settings switch all hooks off (disableAllHooks)")
	}
}

// binary plans the copy of the executable that hooks call, where its own path will not last.
func (s *setupPlan) binary() error {
	b := s.w.Binary
	if !b.Copy {
		return nil
	}
	s.next.Copy = b.Path
	if sameFile(b.Exe, b.Path) {
		return nil
	}
	sum, err := fileHash(b.Exe)
	if err != nil {
		return err
	}
	s.Actions = append(s.Actions, Action{
		Kind: CopyBinary, Path: b.Path, Target: b.Exe, Hash: sum, Before: fileHashOr(b.Path),
		Why: "the path hooks call; the running one does not last: " + b.Why,
	})
	return nil
}

// hookChannel says how hooks reach the client: in settings, in the plugin, or not at all.
func (s *setupPlan) hookChannel() (inSettings, inPlugin bool) {
	m := s.w.Managed
	switch {
	case s.want.NoHooks:
		return false, false
	case m.NoHooks:
		s.note("managed settings let only managed hooks run (allowManagedHooksOnly): no hooks are installed")
		return false, false
	case m.PluginHooks && s.pluginChannel() == "":
		s.note("managed settings let only plugins bring hooks, and no plugin is installed: no hooks are installed")
		return false, false
	case m.PluginHooks:
		return false, true
	}
	return true, false
}

// pluginChannel says how the plugin reaches the client; empty when it does not.
func (s *setupPlan) pluginChannel() string {
	switch {
	case s.want.NoPlugin:
		return ""
	case s.w.Client.SkillsDir() && !s.w.Managed.NoSkillsDir:
		return ChannelSkillsDir
	case !s.w.Managed.NoMarketplaces:
		return ChannelMarketplace
	}
	return ""
}

// settings plans the hook entries, the permission rules and the marketplace keys. What the other scopes hold stays.
func (s *setupPlan) settings() error {
	inSettings, _ := s.hookChannel()
	paths := []string{scopePath(s.w, s.want.Scope)}
	if user := scopePath(s.w, ScopeUser); s.want.Scope != ScopeUser && s.pluginChannel() == ChannelMarketplace {
		paths = append(paths, user)
	}
	for i, path := range paths {
		if err := s.settingsFile(path, i == 0, inSettings); err != nil {
			return err
		}
	}
	return s.added(inSettings)
}

func (s *setupPlan) settingsFile(path string, chosen, hooks bool) error {
	scope := ScopeUser
	if chosen {
		scope = s.want.Scope
	}
	was := s.w.Record.Settings[path]
	edit := settings.Change{Own: s.w.recogniser().Own}
	if was != nil {
		edit.Footprint = was.Footprint
	}
	if chosen && hooks {
		entries, err := s.w.hookEntries(scope)
		if err != nil {
			return err
		}
		edit.Hooks = entries
	}
	if chosen && !s.w.Managed.NoRules {
		edit.Rules = s.w.permissionRules()
	}
	if scope == ScopeUser {
		edit.Keys = append(s.marketplaceKeys(), s.statusLine(edit.Footprint)...)
	}
	return s.editSettings(path, scope, edit)
}

// statusLine is the key of the status line, when the user asked for it now or before.
func (s *setupPlan) statusLine(made *settings.Footprint) []settings.Key {
	key := host.StatusLine(host.Wiring{Program: s.w.Binary.Path, Windows: runtime.GOOS == "windows"})
	before := made != nil && slices.ContainsFunc(made.Keys, func(path []string) bool { return slices.Equal(path, key.Path) })
	if !s.want.StatusLine && !before {
		return nil
	}
	return []settings.Key{key}
}

func (s *setupPlan) editSettings(path, scope string, edit settings.Change) error {
	before, err := readSettings(path)
	if err != nil {
		return err
	}
	file, ignored, err := s.w.Client.Read(path, before)
	if err != nil {
		return err
	}
	for _, finding := range ignored {
		s.note(finding.String())
	}
	result, err := file.Apply(edit)
	if err != nil {
		return err
	}
	for _, d := range result.Done {
		if d.Op == "keep" {
			s.note(path + ": the " + d.What + " is yours and stays")
		}
	}
	wiring := &Wiring{Scope: scope, Hooks: len(edit.Hooks), NoHooks: s.want.NoHooks, Footprint: result.Footprint, Made: before == nil}
	if was := s.w.Record.Settings[path]; was != nil {
		wiring.Made = was.Made
	}
	s.next.Settings[path] = wiring
	if !result.Changed() {
		return nil
	}
	s.add(Change{
		Path: path, Before: before, After: result.Text, Mode: 0o600, Scope: journalScope(scope),
		Why: summary(result.Done), edit: &edit,
	})
	return nil
}

// summary says in a few words what an edit of settings does.
func summary(done []settings.Done) string {
	count := map[string]int{}
	var order []string
	for _, d := range done {
		if d.Op == "keep" {
			continue
		}
		kind, _, _ := strings.Cut(d.What, " ")
		key := d.Op + " " + entryKind(kind)
		if count[key]++; count[key] == 1 {
			order = append(order, key)
		}
	}
	for i, key := range order {
		if count[key] > 1 {
			order[i] = fmt.Sprintf("%s (%d)", key, count[key])
		}
	}
	return strings.Join(order, ", ")
}

func entryKind(word string) string {
	switch word {
	case settings.Allow, settings.Ask:
		return word + " rules"
	case "hook":
		return "hooks"
	}
	return word
}

func journalScope(scope string) string {
	if scope == ScopeUser {
		return ScopeUser
	}
	return ScopeProject
}

// scopePath is the settings file of one scope.
func scopePath(w *World, scope string) string {
	switch scope {
	case ScopeProject:
		return filepath.Join(w.Project.Root, ".claude", "settings.json")
	case ScopeLocal:
		return filepath.Join(w.Project.Root, ".claude", "settings.local.json")
	}
	return filepath.Join(w.Places.Config, "settings.json")
}

func (w *World) recogniser() host.Recogniser {
	programs := []string{w.Binary.Path, w.Binary.Exe, w.Env.Exe}
	if w.Record.Binary != "" {
		programs = append(programs, w.Record.Binary)
	}
	return host.Recogniser{Programs: programs}
}

// permissionRules are the rules of this system's shell tools, and those that let agents read the plugin's own texts.
func (w *World) permissionRules() []settings.Rule {
	tools := []string{"Bash"}
	if runtime.GOOS == "windows" {
		tools = append(tools, "PowerShell")
	}
	var rules []settings.Rule
	for _, tool := range tools {
		for _, text := range templates.AllowRules(tool) {
			rules = append(rules, settings.Rule{List: settings.Allow, Text: text})
		}
		for _, text := range templates.AskRules(tool) {
			rules = append(rules, settings.Rule{List: settings.Ask, Text: text})
		}
	}
	for _, text := range templates.ReadRules(w.Places.Home, w.skillsLink(), filepath.Join(w.Places.State, "plugin")) {
		rules = append(rules, settings.Rule{List: settings.Allow, Text: text})
	}
	return rules
}

func (s *setupPlan) marketplaceKeys() []settings.Key {
	if s.pluginChannel() != ChannelMarketplace {
		return nil
	}
	return []settings.Key{
		{Path: []string{"extraKnownMarketplaces", marketplaceName}, Value: []settings.Field{
			{Key: "source", Value: []settings.Field{{Key: "source", Value: "directory"}, {Key: "path", Value: s.w.marketplaceLink()}}},
		}},
		{Path: []string{"enabledPlugins", marketplaceID}, Value: true},
	}
}

// record plans the new record. It is written before the settings, so that what stands in a file is always known.
func (s *setupPlan) record() error {
	s.next.Schema, s.next.Version, s.next.Binary = recordSchema, s.w.Env.Version, s.w.Binary.Path
	s.next.Git = s.w.Git
	if s.w.Client.Version.Known() {
		s.next.Client = s.w.Client.Version.String()
	}
	after, err := s.next.encode()
	if err != nil {
		return err
	}
	c := Change{
		Path: RecordPath(s.w.Places), Before: s.w.recordBytes, After: after, Mode: 0o600,
		Why: "remember what was written where", Scope: ScopeUser, Record: true,
	}
	rest := s.Changes
	s.Changes = nil
	s.add(c)
	s.Changes = append(s.Changes, rest...)
	return nil
}
