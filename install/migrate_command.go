package install

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"viber/internal/exit"
	"viber/internal/fsx"
	"viber/schema"
)

// MigrateOptions say what `viber migrate` was asked for.
type MigrateOptions struct {
	Env     Env
	Consent Consent
	Dir     string            // the project, or a directory in it
	To      int               // target schema; 0 is the newest
	Answers map[string]string // to questions, by id
	Undo    bool              // take the last migration of this project back instead
}

// Migrate brings the viber.yml of the project that holds o.Dir to another schema: it asks what cannot be derived, shows
// the diff, gets consent, and applies it so that `viber undo` takes it back.
func Migrate(o MigrateOptions) error {
	places, project, err := findHome(o.Env, o.Dir)
	if err != nil {
		return err
	}
	if o.Undo {
		return undoMigration(o, places, project)
	}
	job := Job{
		Env: o.Env, Consent: o.Consent, Places: places, Project: project,
		Plan:    func() (*Plan, error) { return planMigrate(o, project.Root) },
		Nothing: "viber.yml is at the newest schema and complete; nothing to do",
		After: func() error {
			if !o.Consent.JSON {
				fmt.Fprintln(o.Env.news(), "\nviber.yml is migrated. 'viber migrate --undo' takes it back, 'viber config validate' looks for the rest.")
			}
			return nil
		},
	}
	if job.asks() {
		if o.Answers, err = askMigration(o.Env, project.Root, schema.MigrationOptions{To: o.To, Answers: o.Answers}); err != nil {
			return err
		}
	}
	return job.Run()
}

// planMigrate plans the new text of viber.yml; its notes are the steps.
func planMigrate(o MigrateOptions, root string) (*Plan, error) {
	path := schema.Path(root)
	before, err := fsx.Read(path)
	if err != nil {
		return nil, refuse(err)
	}
	if before == nil {
		return nil, exit.With(exit.Refused, fmt.Errorf("there is no %s to migrate; 'viber setup' creates it", show(path)))
	}
	m, err := schema.PlanMigration(string(before), schema.MigrationOptions{To: o.To, Answers: o.Answers})
	if err != nil {
		return nil, refuse(err)
	}
	if len(m.Stray) > 0 {
		return nil, exit.With(exit.Usage, fmt.Errorf("--answer %s answers no question of this file; --dry-run shows them", strings.Join(m.Stray, ", --answer ")))
	}
	if open := m.Undecided(); len(open) > 0 && !o.Consent.DryRun {
		return nil, exit.With(exit.Refused, undecided(path, open))
	}
	p := &Plan{Command: "migrate", Project: root}
	p.add(Change{Path: path, Before: before, After: []byte(m.After), Scope: ScopeProject, Why: migrationWhy(m)})
	p.Notes = migrationNotes(m)
	return p, nil
}

// migrationNotes are the steps, what was not asked, and what teammates will notice.
func migrationNotes(m schema.Migration) []string {
	var notes []string
	for _, s := range m.Steps {
		notes = append(notes, fmt.Sprintf("%s: %s", s.Key, s.Text))
	}
	for _, q := range m.Questions {
		notes = append(notes, fmt.Sprintf("%s (%s, unless --answer %s=%s)", q.Text, q.Default, q.ID, others(q)))
	}
	for _, s := range m.Steps {
		if s.Team != "" && !slices.Contains(notes, s.Team) {
			notes = append(notes, s.Team)
		}
	}
	return notes
}

func others(q schema.Question) string {
	var values []string
	for _, o := range q.Options {
		if o.Value != q.Default {
			values = append(values, o.Value)
		}
	}
	if q.Free {
		values = append(values, "...")
	}
	return strings.Join(values, "|")
}

// undoMigration takes back the last migration of this project.
func undoMigration(o MigrateOptions, places Places, project Project) error {
	entries, _ := newJournals(o.Env, places, project).read()
	for _, w := range slices.Backward(group(entries)) {
		if first := w.first(); w.state() == stateDone && first.Command == "migrate" && first.Project == project.Root {
			return Undo(UndoOptions{Env: o.Env, Consent: o.Consent, Dir: o.Dir, ID: w.ID})
		}
	}
	return exit.With(exit.Refused, errors.New("no migration of this project to take back; one that was part of a setup goes with 'viber undo'"))
}

// findHome finds the user's places and the project that holds dir. Where the home directory cannot be used, the places
// stay empty: project files can still be changed, without a journal.
func findHome(env Env, dir string) (Places, Project, error) {
	places, homeErr := FindPlaces(env)
	project, err := FindProject(dir, places)
	switch {
	case err != nil:
		return Places{}, Project{}, err
	case project.Root == "":
		return Places{}, Project{}, exit.With(exit.Refused, errors.New(project.NoPart))
	case homeErr != nil:
		fmt.Fprintf(env.Streams.Err, "viber: %v; nothing is journaled, so 'viber undo' will not know this change\n", homeErr)
	}
	return places, project, nil
}

// ConfigSetOptions say what `viber config set` was asked for.
type ConfigSetOptions struct {
	Env        Env
	Consent    Consent
	Dir        string
	Key, Value string
	Target     schema.Target
}

// ConfigSet sets one key in one of the three configuration files. A guard needs consent like a setup; any other key is
// written at once, since the command says all there is to show.
func ConfigSet(o ConfigSetOptions) error {
	k, _ := schema.Lookup(o.Key)
	return changeConfig(configChange{
		env: o.Env, consent: o.Consent, dir: o.Dir, target: o.Target, command: "config set", free: !k.Guard,
		text: func(before string) (string, error) {
			after, err := schema.PlanSet(before, o.Key, o.Value, o.Target)
			if err != nil {
				return "", exit.With(exit.Usage, err)
			}
			return after, nil
		},
	})
}

// configChange is a change of one configuration file's text.
type configChange struct {
	env     Env
	consent Consent
	dir     string
	target  schema.Target
	command string
	free    bool // needs no consent
	text    func(before string) (string, error)
}

func changeConfig(c configChange) error {
	places, project, err := findHome(c.env, c.dir)
	if err != nil {
		return err
	}
	path, scope, err := targetPath(c.target, places, project.Root)
	if err != nil {
		return err
	}
	return Job{
		Env: c.env, Consent: c.consent, Places: places, Project: project, Free: c.free,
		Plan: func() (*Plan, error) {
			before, err := fsx.Read(path)
			if err != nil {
				return nil, refuse(err)
			}
			if before == nil && c.target == schema.SharedFile {
				return nil, exit.With(exit.Refused, fmt.Errorf("there is no %s; 'viber setup' creates it", show(path)))
			}
			after, err := c.text(string(before))
			if err != nil {
				return nil, err
			}
			p := &Plan{Command: c.command, Project: project.Root}
			p.add(Change{Path: path, Before: before, After: []byte(after), Scope: scope, Why: c.command})
			return p, nil
		},
		Nothing: "nothing to do: it reads so already",
	}.Run()
}

func targetPath(t schema.Target, p Places, root string) (path, scope string, err error) {
	switch t {
	case schema.LocalFile:
		return schema.LocalPath(root), ScopeProject, nil
	case schema.UserFile:
		if p.Config == "" {
			return "", "", exit.With(exit.Refused, errors.New("without a home directory there is no file of the user's own"))
		}
		return schema.UserPath(p.Config), ScopeUser, nil
	}
	return filepath.Clean(schema.Path(root)), ScopeProject, nil
}
