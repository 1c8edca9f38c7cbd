package plugin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"viber/install"
	"viber/install/settings"
	"viber/install/upgrade"
	"viber/internal/exit"
	"viber/internal/fsx"
	"viber/internal/gitx"
)

// Options are what every `viber plugin` command works with.
type Options struct {
	Env     install.Env
	Consent install.Consent
	Dir     string // the project, or a directory in it
	User    bool   // for the user in all projects instead of this project
}

// room is one run: where the lock is, and where things go.
type room struct {
	Options
	places   install.Places
	project  install.Project
	lockPath string
	lockText []byte
	lock     Lock
	waiting  string // the folder for what is being fetched; see fetching
}

func open(o Options) (*room, error) {
	r := &room{Options: o}
	var err error
	if r.places, err = install.FindPlaces(o.Env); err != nil {
		return nil, err
	}
	if r.project, err = install.FindProject(o.Dir, r.places); err != nil {
		return nil, err
	}
	if !o.User && r.project.Root == "" {
		return nil, exit.With(exit.Usage, fmt.Errorf("%s; add the plugin to a project, or for yourself with --user", r.project.NoPart))
	}
	r.lockPath = filepath.Join(r.places.Data, LockName)
	if !o.User {
		r.lockPath = filepath.Join(r.project.Root, ".claude", LockName)
	}
	return r, r.readLock()
}

func (r *room) readLock() (err error) {
	if r.lockText, err = fsx.Read(r.lockPath); err != nil {
		return exit.With(exit.Refused, err)
	}
	r.lock, err = ParseLock(r.lockPath, r.lockText)
	return err
}

func (r *room) stored(e Entry) stored {
	return stored{filepath.Join(r.places.Data, "plugins", e.Name, e.Tree)}
}

// fetcher fetches into temp with the user's own git and a bounded HTTP client.
func (r *room) fetcher(temp string) Fetcher {
	return Fetcher{
		Git: gitx.Git{Env: gitx.UserEnv(r.Env.Environ)}, Temp: temp,
		Download: func(ctx context.Context, address, dst string, limit int64) error {
			return upgrade.Fetcher{Client: upgrade.NewClient(address)}.Get(ctx, address, dst, limit)
		},
	}
}

// incoming is a fetched plugin in a folder of the store that nothing refers to yet.
type incoming struct {
	entry    Entry
	contents Contents
	place    stored // where it was written
}

// receive fetches s, checks it, and writes it into the waiting room.
func (r *room) receive(ctx context.Context, asked Source) (incoming, error) {
	temp, err := os.MkdirTemp(r.waiting, "fetch-") //nolint:forbidigo // inside the waiting room, removed with it
	if err != nil {
		return incoming{}, err
	}
	got, err := r.fetcher(temp).Fetch(ctx, asked)
	if err != nil {
		return incoming{}, err
	}
	contents, faults := Check(got.Tree)
	if len(faults) > 0 {
		return incoming{}, exit.With(exit.Refused, fmt.Errorf("%s: not a plugin that the client would load whole:\n  %w", asked, errors.Join(faults...)))
	}
	if contents.Name == "viber" {
		return incoming{}, exit.With(exit.Refused, fmt.Errorf("%s: calls itself viber and would take the place of viber's own plugin", asked))
	}
	in := incoming{entry: NewEntry(r.portable(asked), got, contents), contents: contents}
	in.place = stored{filepath.Join(r.waiting, in.entry.Name)}
	return in, in.place.fill(r.Env.Files, in.entry, got.Tree)
}

// fetching opens the room with a waiting room beside the store for what is being fetched, calls do, and empties it again.
func fetching(o Options, do func(r *room) error) error {
	r, err := open(o)
	if err != nil {
		return err
	}
	parent := filepath.Join(r.places.Data, "plugins")
	if err := r.Env.Files.MkdirAll(parent, 0o700); err != nil {
		return err
	}
	if r.waiting, err = os.MkdirTemp(parent, ".incoming-"); err != nil { //nolint:forbidigo // removed below
		return err
	}
	defer func() { _ = r.Env.Files.RemoveAll(r.waiting) }()
	return do(r)
}

// portable writes a folder of the project as a path relative to it, so that the lock file means the same to everybody.
func (r *room) portable(s Source) Source {
	if r.User || s.Kind != Folder && s.Kind != Marketplace && !filepath.IsAbs(s.Address) {
		return s
	}
	if rel, err := filepath.Rel(r.project.Root, s.Address); err == nil && filepath.IsLocal(rel) {
		s.Address = "./" + filepath.ToSlash(rel)
	}
	return s
}

// located is the inverse of portable.
func (r *room) located(s Source) Source {
	if strings.HasPrefix(s.Address, "./") {
		s.Address = filepath.Join(r.project.Root, filepath.FromSlash(s.Address))
	}
	return s
}

// job is the install.Job that makes lock the lock file, with arrivals moved into the store and everything wired.
func (r *room) job(command string, lock Lock, arrivals []incoming, after func()) install.Job {
	return install.Job{
		Env: r.Env, Consent: r.Consent, Places: r.places, Project: r.project,
		Plan:    func() (*install.Plan, error) { return r.plan(command, lock, arrivals) },
		Nothing: "nothing to do",
		After: func() error {
			if !r.Consent.JSON {
				after()
			}
			return nil
		},
	}
}

func (r *room) plan(command string, lock Lock, arrivals []incoming) (*install.Plan, error) {
	if err := r.readLock(); err != nil {
		return nil, err
	}
	p := &install.Plan{Command: command, Project: r.project.Root}
	for _, in := range arrivals {
		p.Notes = append(p.Notes, in.notes()...)
		to := r.stored(in.entry)
		if len(to.verify(in.entry)) == 0 {
			continue
		}
		before := ""
		if _, err := os.Stat(to.dir); err == nil {
			before = "changed"
		}
		p.Actions = append(p.Actions, install.Action{
			Kind: install.MoveFolder, Path: to.dir, Target: in.place.dir, Hash: in.entry.Tree, Before: before,
			Why: "the files of " + in.entry.Name, Detail: in.entry.short(),
		})
	}
	text, err := lock.Text()
	if err != nil {
		return nil, err
	}
	why := "pin the exact bytes"
	if len(lock.Plugins) == 0 {
		text, why = nil, "it pins nothing any more"
	}
	r.change(p, install.Change{Path: r.lockPath, Before: r.lockText, After: text, Why: why, Scope: r.scope()})
	if r.User {
		r.links(p, lock)
		return p, nil
	}
	return p, r.wire(p, lock)
}

func (r *room) scope() string {
	if r.User {
		return install.ScopeUser
	}
	return install.ScopeProject
}

func (r *room) change(p *install.Plan, c install.Change) {
	if (c.Before == nil) != (c.After == nil) || string(c.Before) != string(c.After) {
		p.Changes = append(p.Changes, c)
	}
}

// wire plans the keys of settings.local.json that give the client each plugin of the lock.
func (r *room) wire(p *install.Plan, lock Lock) error {
	path := r.project.LocalSettings()
	text, err := fsx.Read(path)
	if err != nil {
		return exit.With(exit.Refused, err)
	}
	file, err := settings.Parse(path, text)
	if err != nil {
		return err
	}
	record, _, err := install.ReadRecord(r.places)
	if err != nil {
		return err
	}
	res, err := file.Apply(settings.Change{Keys: r.keys(lock), Footprint: record.Foreign[path]})
	if err != nil || !res.Changed() {
		return err
	}
	after := res.Text
	if len(after) == 0 {
		after = nil // it was made for the plugins
	}
	r.change(p, install.Change{Path: path, Before: text, After: after, Why: "the client loads the plugins from the store", Scope: install.ScopeProject})
	note, err := install.RecordForeign(r.places, r.Env.Version, path, res.Footprint)
	r.change(p, note)
	return err
}

func (r *room) keys(lock Lock) []settings.Key {
	var keys []settings.Key
	for _, e := range lock.Plugins {
		source := []settings.Field{{Key: "source", Value: []settings.Field{
			{Key: "source", Value: "directory"}, {Key: "path", Value: r.stored(e).dir},
		}}}
		keys = append(keys,
			settings.Key{Path: []string{"extraKnownMarketplaces", marketName(e)}, Value: source},
			settings.Key{Path: []string{"enabledPlugins", e.Name + "@" + marketName(e)}, Value: true})
	}
	return keys
}

// links plans the links in the user's skills folder, which the client loads without a registry.
func (r *room) links(p *install.Plan, lock Lock) {
	want := map[string]bool{}
	for _, e := range lock.Plugins {
		link, folder := filepath.Join(r.places.Config, "skills", e.Name), r.stored(e).plugin()
		want[link] = true
		if was, _ := fsx.DirLink(link); was != folder {
			p.Actions = append(p.Actions, install.Action{Kind: install.DirLink, Path: link, Target: folder, Before: was, Why: "the client finds the plugin here"})
		}
	}
	for _, e := range r.lock.Plugins {
		link := filepath.Join(r.places.Config, "skills", e.Name)
		if target, ok := fsx.DirLink(link); ok && !want[link] && target == r.stored(e).plugin() {
			p.Actions = append(p.Actions, install.Action{Kind: install.Unlink, Path: link, Before: target, Why: "the plugin is removed"})
		}
	}
}

func (r *room) out() io.Writer { return r.Env.Streams.Out }

// short is the version of an entry for people.
func (e Entry) short() string {
	parts := []string{}
	for _, part := range []string{e.Version, e.Tag, cut(e.Commit), "tree " + cut(e.Tree)} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

func cut(id string) string {
	if len(id) > 12 {
		return id[:12]
	}
	return id
}

// notes say what the plugin brings and may run.
func (in incoming) notes() []string {
	c := in.contents
	notes := []string{fmt.Sprintf("%s (%s): %s", c.Name, in.entry.short(), c.Description)}
	for _, part := range []struct {
		what string
		list []string
	}{
		{"skills", c.Skills}, {"agents", c.Agents}, {"commands", c.Commands},
		{"RUNS hooks", c.Hooks}, {"RUNS servers", c.Servers}, {"puts on the shell tool's PATH", c.Bin}, {"loads modules", c.Modules},
	} {
		if len(part.list) > 0 {
			notes = append(notes, fmt.Sprintf("%s %s: %s", c.Name, part.what, strings.Join(part.list, "; ")))
		}
	}
	for i, note := range notes {
		notes[i] = oneLine(note)
	}
	return notes
}

// oneLine makes visible what in a stranger's text could hide or turn what is shown: control characters, line ends, and marks
// that change the direction of writing.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}
