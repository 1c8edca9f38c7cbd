package cli

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"viber/internal/term"
	"viber/run"
)

func runResumeCommand(env Env) *cli.Command { return resumeCommand(env) }

func resumeCommand(env Env) *cli.Command {
	return tableCommand(env, "resume", "list what can be taken up again, or say how to go on with one run",
		`viber resume                      the runs that are not done, and this branch's own changes
viber resume --all                finished runs too
viber resume RUN                  how to go on
viber resume RUN --answer ship    answer its question first`,
		"", []string{"all", "runs", "answer=", "confirm=", "dry-run", "yes", "question="},
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(0, 1, "RUN"); err != nil {
				return err
			}
			if len(a.words) == 0 {
				return offerResume(env, c, a)
			}
			f, err := findRun(env, a.words)
			if err != nil {
				return err
			}
			if a.set["answer"] {
				reply := run.Reply{Question: a.value("question"), Answer: a.value("answer")}
				if err := giveAnswer(env, rawArgs{values: a.values, set: map[string]bool{"dry-run": a.set["dry-run"]}}, f, reply); err != nil || a.set["dry-run"] {
					return err
				}
			}
			return resumeOne(env, a, f)
		})
}

func resumeOne(env Env, a rawArgs, f run.Stored) error {
	cand, err := env.stateCall().Candidate(f)
	if err != nil {
		return stateExit(err)
	}
	return show(env, a, cand, cand.Text())
}

func offerResume(env Env, c *cli.Context, a rawArgs) error {
	offer, err := env.stateCall().Resumable(c.Context, run.ResumeOptions{All: a.set["all"], RunsOnly: a.set["runs"]})
	if err != nil {
		return stateExit(err)
	}
	if a.set["json"] || !env.Streams.CanPrompt() || len(offer.Candidates) == 0 {
		return show(env, a, offer, offer.Text())
	}
	choices := offer.Choices()
	i, err := term.Select(env.Streams, "Resume", choices, 0)
	if err != nil {
		return err
	}
	if i >= len(offer.Candidates) {
		return offerResume(env, c, rawArgs{set: map[string]bool{"all": true, "runs": true}})
	}
	_, err = fmt.Fprintln(env.Streams.Out, offer.Candidates[i].Text())
	return err
}
