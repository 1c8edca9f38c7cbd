package plugin

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/Masterminds/semver/v3"

	"viber/install"
	"viber/install/settings"
	"viber/install/upgrade"
	"viber/internal/exit"
	"viber/internal/fsx"
	"viber/internal/gitx"
	"viber/internal/term"
)

// Add fetches the plugin that source names, shows what it may run, pins it and wires it. Without a source it brings
// everything the lock file pins, byte for byte, or fails.
func Add(ctx context.Context, o Options, source, ref string) error {
	return fetching(o, func(r *room) error {
		if source == "" {
			return r.reproduce(ctx)
		}
		return r.add(ctx, source, ref)
	})
}

func (r *room) add(ctx context.Context, source, ref string) error {
	asked, err := ParseSource(source, ref, r.Env.Dir)
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	in, err := r.receive(ctx, asked)
	if err != nil {
		return err
	}
	return r.job("plugin add", r.lock.With(in.entry), []incoming{in}, func() {
		fmt.Fprintf(r.out(), "\n%s %s is added; start a new Claude Code session to load it.\n", in.entry.Name, in.entry.short())
	}).Run()
}

// reproduce fetches what the store lacks of the lock file, exactly as pinned.
func (r *room) reproduce(ctx context.Context) error {
	var arrivals []incoming
	for _, e := range r.lock.Plugins {
		if len(r.stored(e).verify(e)) == 0 {
			continue
		}
		in, err := r.receive(ctx, r.located(e.Pinned()))
		if err != nil {
			return err
		}
		if in.entry.Tree != e.Tree {
			return exit.With(exit.Refused, fmt.Errorf("%s: %s gives other bytes than %s pins (tree %s, not %s); nothing was added", e.Name, e.Pinned(), r.lockPath, cut(in.entry.Tree), cut(e.Tree)))
		}
		in.entry = e
		arrivals = append(arrivals, in)
	}
	return r.job("plugin add", r.lock, arrivals, func() {
		fmt.Fprintf(r.out(), "\n%d plugins stand as %s pins them; start a new Claude Code session to load them.\n", len(r.lock.Plugins), LockName)
	}).Run()
}

// Update fetches the newest version that each entry's source and constraint allow; names choose among the entries.
func Update(ctx context.Context, o Options, names []string) error {
	return fetching(o, func(r *room) error { return r.update(ctx, names) })
}

func (r *room) update(ctx context.Context, names []string) error {
	if err := r.known(names); err != nil {
		return err
	}
	lock, arrivals := r.lock, []incoming{}
	for _, e := range r.lock.Plugins {
		if len(names) > 0 && !slices.Contains(names, e.Name) {
			continue
		}
		in, err := r.receive(ctx, r.located(e.Asked()))
		if err != nil {
			return err
		}
		if in.entry.Name != e.Name {
			return exit.With(exit.Refused, fmt.Errorf("%s: its source gives a plugin called %s now; remove it and add that one", e.Name, in.entry.Name))
		}
		if in.entry.Tree != e.Tree {
			arrivals = append(arrivals, in)
		}
		lock = lock.With(in.entry)
	}
	return r.job("plugin update", lock, arrivals, func() {
		fmt.Fprintf(r.out(), "\n%d plugins updated; close running Claude Code sessions and start new ones.\n", len(arrivals))
	}).Run()
}

// Remove takes plugins out of the lock file and the client's settings. Their files stay in the store, where another
// project may use them.
func Remove(o Options, names []string) error {
	r, err := open(o)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return exit.With(exit.Usage, fmt.Errorf("name the plugin to remove: viber plugin remove NAME"))
	}
	if err := r.known(names); err != nil {
		return err
	}
	lock := r.lock
	for _, name := range names {
		lock = lock.Without(name)
	}
	return r.job("plugin remove", lock, nil, func() {
		fmt.Fprintln(r.out(), "\nremoved; close running Claude Code sessions and start new ones.")
	}).Run()
}

func (r *room) known(names []string) error {
	for _, name := range names {
		if _, ok := r.lock.Find(name); !ok {
			return exit.With(exit.Refused, fmt.Errorf("%s: pins no plugin %q; see viber plugin list", r.lockPath, name))
		}
	}
	return nil
}

// Row is one plugin as list, outdated and verify show it.
type Row struct {
	Entry
	Scope  string   `json:"scope"` // project or user
	Wired  bool     `json:"wired"`
	Faults []string `json:"faults,omitempty"`
	Newest string   `json:"newest,omitempty"` // of outdated: the newest version its source has
}

// Rows lists the plugins of the lock file with what is not as pinned.
func (r *room) rows() []Row {
	var rows []Row
	for _, e := range r.lock.Plugins {
		rows = append(rows, Row{Entry: e, Scope: r.scope(), Wired: r.wired(e), Faults: r.stored(e).verify(e)})
	}
	return rows
}

func (r *room) wired(e Entry) bool {
	if r.User {
		p := &install.Plan{}
		r.links(p, Lock{Plugins: []Entry{e}})
		return !slices.ContainsFunc(p.Actions, func(a install.Action) bool { return a.Kind == install.DirLink })
	}
	text, err := fsx.Read(r.project.LocalSettings())
	if err != nil {
		return false
	}
	file, err := settings.Parse(r.project.LocalSettings(), text)
	if err != nil {
		return false
	}
	value, _ := file.Has("enabledPlugins", e.Name+"@"+marketName(e))
	return value == "true"
}

// List prints the plugins of the project, or with --user those of the user.
func List(o Options) error {
	r, err := open(o)
	if err != nil {
		return err
	}
	return r.print(r.rows(), func(row Row) string {
		switch {
		case len(row.Faults) > 0:
			return "NOT AS PINNED: " + row.Faults[0]
		case !row.Wired:
			return "not wired here: run viber plugin add"
		}
		return "ok"
	})
}

// Verify compares every stored plugin with its pin and ends with exit code 1 when a byte differs, naming the files.
func Verify(o Options) error {
	r, err := open(o)
	if err != nil {
		return err
	}
	rows, bad := r.rows(), 0
	err = r.print(rows, func(row Row) string {
		if len(row.Faults) == 0 {
			return "as pinned"
		}
		return row.Faults[0]
	})
	for _, row := range rows {
		if len(row.Faults) > 0 {
			bad++
		}
		if !o.Consent.JSON && len(row.Faults) > 1 {
			for _, fault := range row.Faults[1:] {
				fmt.Fprintf(r.out(), "  %s: %s\n", row.Name, fault)
			}
		}
	}
	if err == nil && bad > 0 {
		err = exit.With(exit.Failed, fmt.Errorf("%d of %d plugins are not as pinned; `viber plugin add` brings the pinned bytes back", bad, len(rows)))
	}
	return err
}

// Outdated asks each plugin's source for its newest version and ends with exit code 5 when there is a newer one.
func Outdated(ctx context.Context, o Options) error {
	r, err := open(o)
	if err != nil {
		return err
	}
	rows, newer := r.rows(), false
	for i, row := range rows {
		if row.Kind != Git {
			continue
		}
		f := Fetcher{Git: gitx.Git{Env: gitx.UserEnv(r.Env.Environ)}, Temp: r.places.Home}
		tags, err := f.Tags(ctx, r.located(row.Asked()))
		if err != nil {
			return err
		}
		newest, err := upgrade.Newest(tags, "")
		if err != nil {
			continue
		}
		rows[i].Newest = newest.Original()
		if at, err := semver.NewVersion(row.Tag); err == nil && newest.GreaterThan(at) {
			newer = true
		}
	}
	err = r.print(rows, func(row Row) string {
		if row.Newest == "" {
			return "its source has no versions to compare"
		}
		return "newest " + row.Newest
	})
	if err == nil && newer {
		err = exit.Status(exit.WouldChange)
	}
	return err
}

// Info shows what the plugin called name, or the source, holds and may run.
func Info(ctx context.Context, o Options, what string) error {
	r, err := open(o)
	if err != nil {
		return err
	}
	if e, ok := r.lock.Find(what); ok {
		tree, err := ReadFolder(r.stored(e).plugin())
		if err != nil {
			return err
		}
		c, _ := Check(tree)
		return r.printContents(incoming{entry: e, contents: c})
	}
	return fetching(o, func(r *room) error {
		asked, err := ParseSource(what, "", r.Env.Dir)
		if err != nil {
			return exit.With(exit.Usage, err)
		}
		in, err := r.receive(ctx, asked)
		if err != nil {
			return err
		}
		return r.printContents(in)
	})
}

func (r *room) printContents(in incoming) error {
	if r.Consent.JSON {
		return r.printJSON(struct {
			Entry    Entry    `json:"entry"`
			Contents Contents `json:"contents"`
		}{in.entry, in.contents})
	}
	for _, note := range in.notes() {
		fmt.Fprintln(r.out(), note)
	}
	fmt.Fprintln(r.out(), "from", in.entry.Asked())
	return nil
}

func (r *room) print(rows []Row, state func(Row) string) error {
	if r.Consent.JSON {
		if rows == nil {
			rows = []Row{}
		}
		return r.printJSON(rows)
	}
	if len(rows) == 0 {
		fmt.Fprintln(r.out(), "no plugins from elsewhere; add one with viber plugin add SOURCE")
		return nil
	}
	t := term.NewTable(r.out())
	fmt.Fprintln(t, "NAME\tVERSION\tSOURCE\tSTATE")
	for _, row := range rows {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", row.Name, oneLine(row.short()), row.Asked(), state(row))
	}
	return t.Flush()
}

func (r *room) printJSON(v any) error {
	enc := json.NewEncoder(r.out())
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// Findings are what doctor reports of the plugins of a project and of the user.
func Findings(env install.Env, dir string) []install.Finding {
	var all []install.Finding
	for _, user := range []bool{false, true} {
		r, err := open(Options{Env: env, Dir: dir, User: user})
		if exit.Code(err) == exit.Usage {
			continue // no project here
		}
		if err != nil {
			all = append(all, install.Finding{Code: "plugin-lock", Level: install.LevelError, Problem: err.Error(), WayOut: "mend or remove the lock file"})
			continue
		}
		for _, row := range r.rows() {
			for _, fault := range row.Faults {
				all = append(all, install.Finding{Code: "plugin-changed", Level: install.LevelError, Where: row.Name, Problem: "not as pinned: " + fault, WayOut: "run 'viber plugin add' to bring the pinned bytes back"})
			}
		}
	}
	return all
}
