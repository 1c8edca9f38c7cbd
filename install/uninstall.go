package install

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"viber/install/settings"
	"viber/internal/fsx"
	"viber/schema"
	"viber/templates"
)

// UninstallOptions say what `viber uninstall` was asked for.
type UninstallOptions struct {
	Env     Env
	Consent Consent
	Dir     string
	All     bool // every recorded project, not only this one
	Purge   bool // .claude/viber.yml too
}

// Uninstall removes exactly what viber put in place: hooks, rules, plugin, the lines of .gitignore. What the user changed
// stays and is listed.
func Uninstall(o UninstallOptions) error {
	w, err := ReadWorld(o.Env, o.Dir)
	if err != nil {
		return err
	}
	return Job{
		Env: o.Env, Consent: o.Consent, Places: w.Places, Project: w.Project,
		Plan: func() (*Plan, error) {
			if err := w.reread(); err != nil {
				return nil, err
			}
			return PlanUninstall(w, o.All, o.Purge)
		},
		Nothing: "viber is not set up; nothing to remove",
		After: func() error {
			if o.Consent.JSON {
				return nil
			}
			fmt.Fprintf(o.Env.news(), "\nviber is removed. Running Claude Code sessions keep the plugin's skills until they end. The journal in %s stays, so that 'viber undo' can take this back; remove the folder when you are sure.\n", w.Places.short(w.Places.State))
			return nil
		},
	}.Run()
}

// uninstallPlan is a plan of removal in the making.
type uninstallPlan struct {
	*Plan
	w     *World
	purge bool
	next  *Record
}

// PlanUninstall decides what has to go: what is ours in the user's scope and in this project, with all in every recorded one.
func PlanUninstall(w *World, all, purge bool) (*Plan, error) {
	u := &uninstallPlan{Plan: &Plan{Command: "uninstall", Project: w.Project.Root, FilesFirst: true}, w: w, purge: purge, next: w.Record.clone()}
	roots := []string{}
	if w.Project.Root != "" {
		roots = append(roots, w.Project.Root)
	}
	if all {
		roots = append(roots, slices.Sorted(maps.Keys(w.Record.Projects))...)
	}
	slices.Sort(roots)
	roots = slices.Compact(roots)
	steps := []func() error{u.plugin, u.copy, func() error { return u.settingsOf(scopePath(w, ScopeUser), ScopeUser) }, u.codex}
	for _, root := range roots {
		steps = append(steps, func() error { return u.project(root) })
	}
	for _, step := range append(steps, u.record) {
		if err := step(); err != nil {
			return nil, refuse(err)
		}
	}
	return u.Plan, u.check()
}

// plugin removes the link the client finds the plugin by, and every plugin folder.
func (u *uninstallPlan) plugin() error {
	links := []string{u.w.skillsLink(), u.w.marketplaceLink()}
	for _, link := range links {
		target, isLink := fsx.DirLink(link)
		switch {
		case isLink && holds(filepath.Join(u.w.Places.State, "plugin"), target):
			u.Actions = append(u.Actions, Action{Kind: Unlink, Path: link, Before: target, Why: "the client finds the plugin here"})
		case !isLink && readManifest(link) != nil:
			u.folder(link)
		}
	}
	entries, _ := os.ReadDir(filepath.Join(u.w.Places.State, "plugin"))
	for _, e := range entries {
		if path := filepath.Join(u.w.Places.State, "plugin", e.Name()); e.IsDir() && readManifest(path) != nil {
			u.folder(path)
		}
	}
	u.next.Plugin = nil
	return nil
}

func (u *uninstallPlan) folder(path string) {
	m := readManifest(path)
	for _, name := range changedFiles(path, m) {
		u.Kept = append(u.Kept, filepath.Join(path, filepath.FromSlash(name))+" (changed by you)")
	}
	u.Actions = append(u.Actions, Action{
		Kind: RemoveFolder, Path: path, Target: u.w.Binary.Path, Hash: hash(m.encode()), Before: existing(true),
		Why: "skills, agents and texts of the plugin", Detail: fmt.Sprintf("%d files", len(m.Files)),
	})
}

// copy removes the copy of the binary that setup made, unless it is the one that runs and cannot be removed.
func (u *uninstallPlan) copy() error {
	path := u.w.Record.Copy
	if path == "" {
		return nil
	}
	u.next.Copy = ""
	if !holds(u.w.Places.Data, path) || fileHashOr(path) == "" {
		return nil
	}
	if runningCannotGo() && sameFile(path, u.w.Binary.Exe) {
		u.Kept = append(u.Kept, path+" (it is running; remove it by hand)")
		return nil
	}
	u.Actions = append(u.Actions, Action{Kind: RemoveBinary, Path: path, Before: fileHashOr(path), Why: "the copy of viber that hooks called"})
	return nil
}

func (u *uninstallPlan) project(root string) error {
	w := *u.w
	w.Project.Root = root
	for _, scope := range []string{ScopeProject, ScopeLocal} {
		if err := u.settingsOf(scopePath(&w, scope), scope); err != nil {
			return err
		}
	}
	rec := u.w.Record.Projects[root]
	if rec == nil {
		rec = &ProjectRecord{}
	}
	if err := u.ignore(root, rec); err != nil {
		return err
	}
	delete(u.next.Projects, root)
	return u.config(root, rec)
}

// settingsOf takes our entries out of one settings file; a file that setup made and that holds nothing else goes.
func (u *uninstallPlan) settingsOf(path, scope string) error {
	before, err := readSettings(path)
	if err != nil {
		return err
	}
	was := u.w.Record.Settings[path]
	delete(u.next.Settings, path)
	if before == nil {
		return nil
	}
	file, err := settings.Parse(path, before)
	if err != nil {
		return err
	}
	edit := settings.Change{Own: u.w.recogniser().Own, Unrecorded: was == nil}
	if was != nil {
		edit.Footprint = was.Footprint
	}
	result, err := file.Apply(edit)
	if err != nil {
		return err
	}
	if !result.Changed() {
		return nil
	}
	after := result.Text
	if was != nil && was.Made && isEmptyObject(after) {
		after = nil
	}
	u.add(Change{Path: path, Before: before, After: after, Scope: journalScope(scope), Why: summary(result.Done), edit: &edit})
	return nil
}

// isEmptyObject reports whether text is {} or blank.
func isEmptyObject(text []byte) bool {
	rest := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n\ufeff", r) {
			return -1
		}
		return r
	}, string(text))
	return rest == "" || rest == "{}"
}

// ignore takes our lines out of .gitignore; a file that setup made and nobody changed goes.
func (u *uninstallPlan) ignore(root string, rec *ProjectRecord) error {
	path := filepath.Join(root, ".gitignore")
	before, err := fsx.Read(path)
	if err != nil || before == nil {
		return err
	}
	if rec.MadeIgnore {
		if !bytes.Equal(before, []byte(templates.Gitignore())) {
			u.Kept = append(u.Kept, path+" (changed since setup made it)")
			return nil
		}
		u.add(Change{Path: path, Before: before, Scope: ScopeProject, Why: "setup made it"})
		return nil
	}
	if len(rec.IgnoreLines) > 0 {
		u.add(Change{
			Path: path, Before: before, After: removeLines(before, rec.IgnoreLines, rec.IgnoreNewline), Scope: ScopeProject,
			Why: "take our lines out",
		})
	}
	return nil
}

// removeLines takes each of lines out once, the last one that is there; newline says that the line end before them was
// added with them.
func removeLines(text []byte, lines []string, newline bool) []byte {
	all := strings.SplitAfter(string(text), "\n")
	for _, line := range lines {
		for i := len(all) - 1; i >= 0; i-- {
			if strings.TrimRight(all[i], "\r\n") == line {
				last := i == len(all)-1 || strings.Join(all[i+1:], "") == ""
				all = slices.Delete(all, i, i+1)
				newline = newline && last
				break
			}
		}
	}
	out := strings.Join(all, "")
	if newline {
		out = strings.TrimSuffix(strings.TrimSuffix(out, "\n"), "\r")
	}
	return []byte(out)
}

// config removes .claude/viber.yml when that was asked for.
func (u *uninstallPlan) config(root string, rec *ProjectRecord) error {
	path := schema.Path(root)
	before, err := fsx.Read(path)
	if err != nil || before == nil {
		return err
	}
	if !u.purge {
		u.Kept = append(u.Kept, path+" (the project's switches; --purge removes it)")
		return nil
	}
	u.add(Change{Path: path, Before: before, Scope: ScopeProject, Why: "--purge"})
	editors := schema.EditorPath(root)
	if text, err := fsx.Read(editors); err == nil && string(text) == schema.JSONSchema() {
		u.add(Change{Path: editors, Before: text, Scope: ScopeProject, Why: "--purge"})
	}
	return nil
}

// record writes what is left to remember; it goes last, when nothing of ours stands anywhere any more.
func (u *uninstallPlan) record() error {
	if u.Empty() && u.w.recordBytes == nil {
		u.Kept = nil
		return nil
	}
	after, err := u.next.encode()
	if err != nil {
		return err
	}
	if after != nil && bytes.Equal(after, u.w.recordBytes) {
		return nil
	}
	u.add(Change{
		Path: RecordPath(u.w.Places), Before: u.w.recordBytes, After: after, Mode: 0o600, Scope: ScopeUser, Record: true,
		Why: "remember what is left",
	})
	return nil
}
