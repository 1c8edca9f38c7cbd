package cli

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"viber/review"
)

func reviewGuidesCommand(env Env) *cli.Command {
	return plainCommand("guides", "find the guides that govern the changed files",
		"viber review guides --diff .temp/viber/review/KEY\nviber review guides --diff changes.patch --json",
		"CLAUDE.md, *-CLAUDE.md and AGENTS.md up the folders of every changed file, the root's own left out; at most 5, the others are named.",
		[]string{"diff="},
		func(c *cli.Context, a rawArgs) error {
			d, err := diffOf(env, a)
			if err != nil {
				return err
			}
			g, err := reviewWorld(env).Guides(c.Context, d)
			clearProgress(env)
			if err != nil {
				return err
			}
			if a.set["json"] {
				return printJSON(env, g)
			}
			printGuides(env, g)
			return nil
		})
}

func printGuides(env Env, g review.Guides) {
	for _, one := range g.Guides {
		note := ""
		if one.Changed {
			note = " (changed by the diff)"
		}
		fmt.Fprintf(env.Streams.Out, "%s%s\n", one.Path, note)
	}
	for _, path := range g.Dropped {
		fmt.Fprintf(env.Streams.Out, "dropped: %s\n", path)
	}
}

// diffOf reads what --diff names.
func diffOf(env Env, a rawArgs) (review.Diff, error) {
	if err := a.count(0, 0, "no argument but --diff"); err != nil {
		return review.Diff{}, err
	}
	collectRarely()
	if a.value("diff") == "" {
		return review.Diff{}, usagef("--diff FILE is missing: a patch, or the directory 'viber review diff' printed")
	}
	return review.ReadDiff(env.path(a.value("diff")))
}

func reviewCriteriaCommand(env Env) *cli.Command {
	return plainCommand("criteria", "build what reviewers must answer: rules, guides, and the files they read",
		"viber review criteria --diff .temp/viber/review/KEY",
		"Writes criteria-manifest.json beside the diff, for `viber gate reviewer --criteria`. A rule of .claude/rules is selected when its globs\n"+
			"match a changed file. Binary, generated and lock files are not reviewed, and are named.",
		[]string{"diff="},
		func(c *cli.Context, a rawArgs) error {
			d, err := diffOf(env, a)
			if err != nil {
				return err
			}
			found, err := reviewWorld(env).Criteria(c.Context, d)
			clearProgress(env)
			if err != nil {
				return err
			}
			if a.set["json"] {
				return printJSON(env, found)
			}
			printCriteria(env, found)
			return nil
		})
}

func printCriteria(env Env, c review.Criteria) {
	out := env.Streams.Out
	fmt.Fprintf(out, "manifest: %s\n", c.Manifest)
	for _, s := range c.Selected {
		fmt.Fprintf(out, "rule: %s\n", s.ID)
	}
	for _, g := range c.Guides.Guides {
		fmt.Fprintf(out, "guide: %s\n", g.Path)
	}
	for _, path := range c.Guides.Dropped {
		fmt.Fprintf(out, "dropped guide: %s\n", path)
	}
	fmt.Fprintf(out, "reviewed: %d files\n", len(c.Reviewed))
	for _, s := range c.Skipped {
		fmt.Fprintf(out, "not reviewed: %s | %s\n", s.Path, s.Why)
	}
}
