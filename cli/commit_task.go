package cli

import (
	"github.com/urfave/cli/v2"

	"viber/run/commit"
)

func commitTaskCommand(env Env) *cli.Command {
	return contractCommand("commit-task",
		"commit a task of a run, a repair or what the build taught, or record a decision",
		`viber commit-task PLAN TASK [--unreviewed] [--defer TASK:PATH...] [--landed COMMIT]
viber commit-task PLAN TASK FIX-NUMBER FILE...
viber commit-task --repair PLAN ROUND FILE...
viber commit-task --chore | --qa | --review | --outside PLAN FILE...
viber commit-task --extension PLAN NAME FILE...
viber commit-task --e2e FILE...
viber commit-task --skip PLAN TASK
viber commit-task --decide PLAN TASK TEXT
viber commit-task --decide PLAN TASK --from FILE | --first-of FILE
viber commit-task --rule PLAN SUBJECT RULING WHY COST
viber commit-task --rule PLAN SUBJECT --from FILE`,
		"Commits the files of the task and its progress in one commit; what else is staged stays staged.\n\n"+
			"Exit: 2 usage, 3 no such task, 4 nothing to commit, 5 the commit could not be made.\n\n"+
			"Example:\n   viber commit-task docs/_specs/2026-03-04-05-06-07_parcels/plan.md T1",
		func(c *cli.Context, args []string) error {
			return interruptible(c.Context, commit.Task, env.runCall(args))
		})
}
