package install

import (
	"errors"
	"fmt"
	"strings"

	"viber/internal/exit"
	"viber/internal/fsx"
	"viber/internal/term"
	"viber/schema"
)

// migrate plans the way of an existing viber.yml to the newest schema. A file that is newer than this program is left
// alone and said so; a question whose default would lose something has to be answered.
func (s *setupPlan) migrate(path string, before []byte) error {
	cfg := schema.Parse(s.w.Project.Root, string(before))
	if sentence := cfg.CheckRequires(s.w.Env.Version); sentence != "" {
		s.note(sentence)
	}
	m, err := schema.PlanMigration(string(before), schema.MigrationOptions{Answers: s.want.Answers})
	var newer *schema.NewerError
	if errors.As(err, &newer) {
		s.note(err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	if open := m.Undecided(); len(open) > 0 {
		return exit.With(exit.Refused, undecided(path, open))
	}
	s.add(Change{Path: path, Before: before, After: []byte(m.After), Scope: ScopeProject, Why: migrationWhy(m)})
	return nil
}

func migrationWhy(m schema.Migration) string {
	if m.From == m.To {
		return "add what is missing"
	}
	return fmt.Sprintf("schema %d to %d", m.From, m.To)
}

func undecided(path string, open []schema.Question) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: cannot be brought up to date without an answer:", show(path))
	for _, q := range open {
		values := make([]string, len(q.Options))
		for i, o := range q.Options {
			values[i] = o.Value
		}
		fmt.Fprintf(&b, "\n  %s: answer with --answer %s=%s", q.Text, q.ID, strings.Join(values, "|"))
	}
	return errors.New(b.String())
}

// askMigration asks on a terminal what a migration of the project's viber.yml cannot derive, and returns the answers.
func askMigration(env Env, root string, o schema.MigrationOptions) (map[string]string, error) {
	text, err := fsx.Read(schema.Path(root))
	if err != nil || text == nil {
		return o.Answers, nil // the plan itself says what is wrong with the file
	}
	all := map[string]string{}
	for id, value := range o.Answers {
		all[id] = value
	}
	for {
		m, err := schema.PlanMigration(string(text), schema.MigrationOptions{To: o.To, Answers: all})
		if err != nil || len(m.Questions) == 0 {
			return all, nil
		}
		q := m.Questions[0]
		if all[q.ID], err = askQuestion(env.Streams, q); err != nil {
			return nil, err
		}
	}
}

func askQuestion(s term.Streams, q schema.Question) (string, error) {
	if q.Free {
		return term.Input(s, q.Text, q.Default)
	}
	choices, otherwise := make([]string, len(q.Options)), 0
	for i, o := range q.Options {
		choices[i] = o.Value
		if o.Text != "" {
			choices[i] += ": " + o.Text
		}
		if o.Value == q.Default {
			otherwise = i
		}
	}
	i, err := term.Select(s, q.Text, choices, otherwise)
	if err != nil {
		return "", err
	}
	return q.Options[i].Value, nil
}
