package cli

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"viber/internal/exit"
	"viber/run"
)

func runAnswerCommand(env Env) *cli.Command { return answerCommand(env) }

func answerCommand(env Env) *cli.Command {
	return tableCommand(env, "answer", "answer the question a run waits on",
		`viber answer RUN --answer ship
viber answer RUN --answer lint,tests                 several, where the question takes several
viber answer RUN --answer ship --question q1         only if it still waits on q1`,
		"Only ids of the question's options are taken. Ends 5 when the run moved since it asked. A coding agent needs the id of\n"+
			"--dry-run: viber answer RUN --answer ship --confirm ID.",
		[]string{"answer=", "question=", "confirm=", "dry-run", "yes"},
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(0, 1, "RUN"); err != nil {
				return err
			}
			if !a.set["answer"] {
				return usagef("--answer ID is missing")
			}
			f, err := findRun(env, a.words)
			if err != nil {
				return err
			}
			reply := run.Reply{Question: a.value("question"), Answer: a.value("answer")}
			return giveAnswer(env, a, f, reply)
		})
}

// giveAnswer shows or records a reply: an agent may only give the one a person has seen.
func giveAnswer(env Env, a rawArgs, f run.Stored, reply run.Reply) error {
	s, _, err := f.Load()
	if err != nil {
		return stateExit(err)
	}
	id, err := s.ReplyID(f.Key, reply)
	if err != nil {
		return stateExit(err)
	}
	if a.set["dry-run"] {
		return show(env, a, map[string]any{"id": id, "question": s.PendingQuestion, "answer": reply.Answer}, fmt.Sprintf("would answer %q to: %s\nplan: %s", reply.Answer, s.PendingQuestion.Text, id))
	}
	if confirm := a.value("confirm"); confirm != id && (confirm != "" || installEnv(env).Agent()) {
		return exit.With(exit.Refused, fmt.Errorf("an answer is a person's word; show it with --dry-run and pass its id with --confirm"))
	}
	s, err = f.File.Answer(s, reply)
	return wroteState(env, a, s, err)
}
