package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"viber/forge"
	"viber/internal/exit"
	"viber/review"
	"viber/schema"
)

func reviewRoundCommand(env Env) *cli.Command {
	return groupCommand("round", "begin a round of reviews, wait for it, end it", "", reviewRoundStartCommand(env), reviewRoundWaitCommand(env), reviewRoundRebutCommand(env), reviewRoundEndCommand(env))
}

func reviewRoundStartCommand(env Env) *cli.Command {
	return plainCommand("start", "begin the next round: last round's reviews are deleted",
		"viber review round start .temp/viber/review/KEY\nviber review round start .temp/viber/review/KEY --parts correctness,tests",
		"--parts names what the reviewers of the round look for, one each ("+strings.Join(review.DefaultParts(), ", ")+"); each takes one with 'viber review claim'.",
		[]string{"parts="},
		func(_ *cli.Context, a rawArgs) error {
			if err := a.count(1, 1, "the review's DIR"); err != nil {
				return err
			}
			parts := review.DefaultParts()
			if a.set["parts"] {
				parts = strings.Split(a.value("parts"), ",")
			}
			if err := review.CheckParts(parts); err != nil {
				return usagef("%v", err)
			}
			round, err := review.Begin(env.Files, schema.Root(env.Dir), reviewDir(env, a.words[0]), parts, env.Now())
			if err != nil {
				return err
			}
			rebuttal := reviewConfig(env).Value("gates.rebuttal")
			return show(env, a, map[string]any{"round": round.Round, "startedAt": round.StartedAt, "parts": parts, "seconds": reviewSeconds(env), "rebuttal": rebuttal == "on"},
				fmt.Sprintf("round: %d\nparts: %s\nseconds: %d\nrebuttal: %s", round.Round, strings.Join(parts, ", "), reviewSeconds(env), rebuttal))
		})
}

func reviewConfig(env Env) *schema.Config {
	return schema.ReadFor(schema.Root(env.Dir), configDir(env))
}

// reviewSeconds is how long a reviewer may take here.
func reviewSeconds(env Env) int {
	n, err := strconv.Atoi(reviewConfig(env).Value("gates.reviewer-timeout"))
	if err != nil || n <= 0 {
		return 180
	}
	return n
}

func reviewRoundWaitCommand(env Env) *cli.Command {
	return plainCommand("wait", "wait until all reviews of the round are there, or their time is over",
		"viber review round wait .temp/viber/review/KEY",
		"The time is gates.reviewer-timeout, or --seconds. A part that is late is named and its review is not taken. Ends 1 when no review\n"+
			"came at all. --rebuttal waits for the answers of a rebuttal, and ends 0 whether they come or not. --triage waits for the triage after\n"+
			"that, and ends 1 when it does not come or does not pass its gate.",
		[]string{"seconds=", "triage", "rebuttal"},
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(1, 1, "the review's DIR"); err != nil {
				return err
			}
			seconds := reviewSeconds(env)
			if a.set["seconds"] {
				n, err := strconv.Atoi(a.value("seconds"))
				if err != nil || n < 0 {
					return usagef("--seconds %q is no number of seconds", a.value("seconds"))
				}
				seconds = n
			}
			ctx, stop := untilInterrupt(c)
			defer stop()
			o := review.WaitOptions{Dir: reviewDir(env, a.words[0]), Limit: time.Duration(seconds) * time.Second, Pause: moment(ctx)}
			if a.set["rebuttal"] {
				p, err := reviewWorld(env).WaitRebuttal(o)
				if err != nil {
					return err
				}
				return show(env, a, p, panelText(p, "rebuttal", review.RebuttalPart))
			}
			if a.set["triage"] {
				res, err := reviewWorld(env).WaitTriage(o)
				if err != nil {
					return err
				}
				return answer(env, a, res)
			}
			p, err := reviewWorld(env).Wait(o)
			if err != nil {
				return err
			}
			if err := show(env, a, p, panelText(p, "review", "reviewer")); err != nil {
				return err
			}
			if len(p.Returned) == 0 {
				return exit.With(exit.Failed, errors.New("no review came in time"))
			}
			return nil
		})
}

// moment returns a pause of a fifth of a second that says whether to go on.
func moment(ctx context.Context) func() bool {
	return func() bool {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(200 * time.Millisecond):
			return true
		}
	}
}

// panelText names the files that came, under a label, and who is late.
func panelText(p review.Panel, label, file string) string {
	text := fmt.Sprintf("returned: %d of %d", len(p.Returned), len(p.Parts))
	for _, part := range p.Returned {
		text += "\n" + label + ": " + file + "-" + part + ".json"
	}
	for _, part := range p.Late {
		text += "\nlate: " + part
		if why := p.Malformed[part]; why != "" {
			text += " | what it wrote does not pass the gate: " + forge.Line(why)
		}
	}
	return text
}

func reviewRoundRebutCommand(env Env) *cli.Command {
	return plainCommand("rebut", "ask the reviewers of a round which findings of the others do not hold",
		"viber review round rebut .temp/viber/review/KEY",
		"For rounds that were waited for, before the triage; gates.rebuttal says whether a project wants it. Each reviewer whose review came\n"+
			"is asked about the blocking and important findings of the others. Prints who answers, or `rebuttal: none` with the reason.",
		nil,
		func(_ *cli.Context, a rawArgs) error {
			if err := a.count(1, 1, "the review's DIR"); err != nil {
				return err
			}
			parts, why, err := review.Rebut(env.Files, reviewDir(env, a.words[0]))
			if err != nil {
				return err
			}
			seconds := reviewSeconds(env)
			text := fmt.Sprintf("rebuttal: %s\nseconds: %d", strings.Join(parts, ", "), seconds)
			if len(parts) == 0 {
				text = "rebuttal: none | " + why
			}
			return show(env, a, map[string]any{"parts": append([]string{}, parts...), "why": why, "seconds": seconds}, text)
		})
}

func reviewRoundEndCommand(env Env) *cli.Command {
	return plainCommand("end", "judge the round's triage and keep it",
		"viber review round end .temp/viber/review/KEY --triage .temp/viber/review/KEY/triage.json",
		"Runs `viber gate triage` against the round's reviews, corrects a contradiction, gives the findings their fingerprints and writes\n"+
			"triage-round-<N>.json and triage-output.json. Ends 1 with the gate's errors when the triage does not hold.",
		[]string{"triage=", "repo="},
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(1, 1, "the review's DIR"); err != nil {
				return err
			}
			if a.value("triage") == "" {
				return usagef("--triage FILE is missing")
			}
			look, err := lookAt(env, c, a)
			if err != nil {
				return exit.With(exit.Refused, err)
			}
			res, err := review.EndRound(env.Files, reviewDir(env, a.words[0]), env.path(a.value("triage")), look)
			if err != nil {
				return err
			}
			if disputes, has := res.Facts["disputed"].([]review.Dispute); has && !a.set["json"] {
				for _, d := range disputes {
					fmt.Fprintf(env.Streams.Out, "disputed: %s:%d by %s | %s\n", forge.Line(string(d.File)), d.Line, d.By, forge.Line(string(d.Note)))
				}
			}
			return answer(env, a, res)
		})
}

// dirOrCurrent is the review a command line names, else the one that was begun last.
func dirOrCurrent(env Env, a rawArgs) (string, error) {
	if err := a.count(0, 1, "at most the review's DIR"); err != nil {
		return "", err
	}
	if len(a.words) == 1 {
		return reviewDir(env, a.words[0]), nil
	}
	return review.Current(schema.Root(env.Dir))
}

func reviewPrefixCommand(env Env) *cli.Command {
	return plainCommand("prefix", "print what stands in front of every reviewer's prompt, the same bytes for all of a round",
		"viber review prefix .temp/viber/review/KEY\nviber review prefix .temp/viber/review/KEY --summary summary.md --plan plan.md --scope scope.txt\nviber review prefix --part 1",
		"Diff, criteria, files, plan summary, plan, scope check and the round before's findings. What others wrote stands between tags\n"+
			"with a random id. The first call of a round makes it; later ones print the same. --make prints its size alone, --part prints a part that fits into a client's\n"+
			"answer. Without DIR: the review whose round was started last.",
		[]string{"summary=", "plan=", "scope=", "part=", "make"},
		func(_ *cli.Context, a rawArgs) error {
			dir, err := dirOrCurrent(env, a)
			if err != nil {
				return err
			}
			text, err := review.Prefix(env.Files, review.PrefixOptions{
				Dir: dir, Summary: env.path(a.value("summary")), Plan: env.path(a.value("plan")), Scope: env.path(a.value("scope")),
			})
			if err != nil {
				return err
			}
			if a.set["make"] {
				return show(env, a, map[string]int{"bytes": len(text)}, fmt.Sprintf("prefix: %d bytes", len(text)))
			}
			if a.set["part"] {
				n, err := strconv.Atoi(a.value("part"))
				if err != nil || n < 1 || n > review.PrefixParts {
					return usagef("--part is a number from 1 to %d", review.PrefixParts)
				}
				path, err := review.PrefixPath(dir)
				if err != nil {
					return err
				}
				text = review.Part(text, n, path)
			}
			if a.set["json"] {
				return printJSON(env, map[string]string{"prefix": text})
			}
			return say(env, text)
		})
}

func reviewClaimCommand(env Env) *cli.Command {
	return plainCommand("claim", "take the next free part of a round: what to look for, and where the review goes",
		"viber review claim\nviber review claim .temp/viber/review/KEY --json",
		"Reviewers are started with the same words, so that their prompts share every byte, and take a part each. When the round was waited\n"+
			"for, the part that is left is the triage, behind the rebuttal when there is one. Ends 3 when all are taken.",
		nil,
		func(_ *cli.Context, a rawArgs) error {
			dir, err := dirOrCurrent(env, a)
			if err != nil {
				return err
			}
			claim, err := review.Take(env.Files, dir)
			if err != nil {
				return err
			}
			text := fmt.Sprintf("part: %s\nreport: %s\ncriteria: %s", claim.Part, claim.Report, claim.Criteria)
			if claim.For != "" {
				text += "\nfor: " + claim.For + "\nfindings: " + claim.Findings
			}
			if claim.Reviews != "" {
				text += "\nreviews: " + claim.Reviews
			}
			return show(env, a, claim, text)
		})
}
