package install

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"viber/install/host"
	"viber/install/settings"
	"viber/internal/fsx"
)

// Further places hooks come from, beside the scopes of setup.
const (
	scopeManaged = "managed"
	scopePlugin  = "plugin"
)

// examined is one file that registers hooks.
type examined struct {
	scope string
	path  string
	text  []byte
	file  *settings.File // nil when it could not be read
}

// registered is one hook handler in one of the files.
type registered struct {
	examined
	settings.Handler
	own bool
}

func (r registered) where() string { return fmt.Sprintf("%s:%d:%d", r.path, r.Line, r.Column) }

// settings reads the settings of all scopes as the client would.
func (x *exam) settings() {
	for _, f := range x.scopeFiles() {
		text, err := fsx.Read(f.path)
		if err != nil {
			x.note(LevelError, "unreadable", f.path, "cannot be read: "+err.Error(), "make it a file that you may read")
			continue
		}
		if text == nil {
			x.stripped(f)
			continue
		}
		f.text = text
		f.file = x.readAsClient(f)
		x.files = append(x.files, f)
		x.stripped(f)
	}
}

// scopeFiles lists the files the client merges, from the user's to the administrator's.
func (x *exam) scopeFiles() []examined {
	w := x.w
	files := []examined{{scope: ScopeUser, path: scopePath(w, ScopeUser)}}
	if w.Project.Root != "" {
		files = append(files, examined{scope: ScopeProject, path: scopePath(w, ScopeProject)}, examined{scope: ScopeLocal, path: scopePath(w, ScopeLocal)})
	}
	for _, path := range w.Managed.Files {
		files = append(files, examined{scope: scopeManaged, path: path})
	}
	if root := w.pluginRoot(); root != "" {
		files = append(files, examined{scope: scopePlugin, path: filepath.Join(root, "hooks", "hooks.json")})
	}
	return files
}

// pluginRoot is the folder the client loads the plugin from; empty when there is none.
func (w *World) pluginRoot() string {
	if w.Record.Plugin != nil && w.Record.Plugin.Link != "" {
		return w.Record.Plugin.Link
	}
	if _, err := os.Stat(w.skillsLink()); err == nil {
		return w.skillsLink()
	}
	return ""
}

// readAsClient parses one file and notes what the client would silently ignore in it.
func (x *exam) readAsClient(f examined) *settings.File {
	file, err := settings.Parse(f.path, f.text)
	var refusal *settings.Refusal
	switch {
	case errors.As(err, &refusal):
		wayOut := refusal.WayOut
		if refusal.Lenient {
			wayOut = "run 'viber doctor --fix' to see the repair"
		}
		x.note(LevelError, "settings-ignored", fmt.Sprintf("%s:%d:%d", f.path, refusal.Line, refusal.Column), refusal.Cause, wayOut)
		return nil
	case err != nil:
		x.note(LevelError, "settings-ignored", f.path, err.Error(), "")
		return nil
	}
	for _, bad := range x.w.Client.Findings(file) {
		x.clientFinding(bad)
	}
	return file
}

func (x *exam) clientFinding(bad host.Finding) {
	where := fmt.Sprintf("%s:%d:%d", bad.Path, bad.Line, bad.Column)
	switch {
	case bad.WholeFile:
		x.note(LevelError, "settings-ignored", where, bad.Problem, bad.WayOut)
	case bad.HooksOff:
		x.note(LevelError, "hooks-off", where, bad.Problem, bad.WayOut)
	default:
		x.note(LevelWarning, "entry-dropped", where, bad.Problem, bad.WayOut)
	}
}

// stripped compares what setup wrote into a file with what is there.
func (x *exam) stripped(f examined) {
	was := x.w.Record.Settings[f.path]
	if was == nil || f.text != nil && f.file == nil {
		return
	}
	hooks, rules := 0, 0
	if f.file != nil {
		hooks, rules = len(x.w.ownHandlers(f.file)), missingRules(f.file, was.Footprint)
	} else if was.Footprint != nil {
		rules = len(was.Footprint.Rules[settings.Allow]) + len(was.Footprint.Rules[settings.Ask])
	}
	if hooks < was.Hooks {
		x.note(LevelError, "hooks-missing", f.path,
			fmt.Sprintf("%d of %d hook entries that setup wrote are gone%s", was.Hooks-hooks, was.Hooks, since(f.path)),
			"close running Claude Code sessions (one may have written its old copy back), then run 'viber setup'")
	}
	if rules > 0 {
		x.note(LevelWarning, "rules-missing", f.path, fmt.Sprintf("%s that setup wrote gone%s", plural(rules, "permission rule"), since(f.path)),
			"run 'viber setup' to add them again")
	}
}

func missingRules(file *settings.File, fp *settings.Footprint) int {
	if fp == nil {
		return 0
	}
	missing := 0
	for list, rules := range fp.Rules {
		for _, rule := range rules {
			if !file.Covered(settings.Rule{List: list, Text: rule}) {
				missing++
			}
		}
	}
	return missing
}

// since says when the file was last written, which is the latest time at which entries can have gone.
func since(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return " (the file was last written " + info.ModTime().Format(time.DateTime) + ")"
}

// lines lists every hook handler of all files, ours and foreign.
func (x *exam) lines() {
	own := x.w.recogniser()
	for _, f := range x.files {
		if f.file == nil {
			continue
		}
		for _, h := range f.file.Handlers() {
			x.found = append(x.found, registered{f, h, own.Own(h)})
		}
	}
	if len(x.w.Record.Settings)+len(x.w.Record.Hosts) == 0 && !x.anyOwn() {
		x.note(LevelWarning, "not-set-up", "", "viber is not set up for this user and project", "run 'viber setup'")
	}
}

func (x *exam) anyOwn() bool {
	for _, r := range x.found {
		if r.own {
			return true
		}
	}
	return false
}

// doubled looks for calls that more than one entry of ours answers.
func (x *exam) doubled() {
	first := map[string]registered{}
	for _, r := range x.found {
		if !r.own || r.Dead || standsBack(r) {
			continue
		}
		key := r.Event + "\x00" + r.Matcher + "\x00" + r.If
		other, twice := first[key]
		switch {
		case !twice:
			first[key] = r
		case r.scope != scopePlugin && sameCall(r, other):
			x.note(LevelNote, "doubled", r.where(), fmt.Sprintf("%s is registered here and at %s; the client runs the two as one", r.Event, other.where()), "run 'viber doctor --fix' to remove one")
		default:
			x.note(LevelWarning, "doubled", r.where(), fmt.Sprintf("%s is registered here and at %s: viber runs twice for each call", r.Event, other.where()), "run 'viber doctor --fix' to remove one")
		}
	}
}

// sameCall reports whether the client takes the two handlers for one.
func sameCall(a, b registered) bool {
	return a.Command == b.Command && fmt.Sprint(a.Args, a.HasArgs) == fmt.Sprint(b.Args, b.HasArgs)
}

// standsBack reports whether the entry is one that a project shares: it ends silently where the user has wired viber.
func standsBack(r registered) bool {
	for i, arg := range r.Args {
		if arg == "--scope" && i+1 < len(r.Args) && r.Args[i+1] == ScopeProject {
			return true
		}
	}
	return false
}
