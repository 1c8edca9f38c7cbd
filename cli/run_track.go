package cli

import (
	"strconv"

	"github.com/urfave/cli/v2"

	"viber/run"
)

func runTrackCommand(env Env) *cli.Command {
	return groupCommand("track", "the table of a run's phases, their time and cost",
		"A status is pending, in_progress, completed, failed or skipped.",
		trackCommand(env, "update", "set a phase's status", "viber run track update RUN build in_progress", 3, 3, "RUN, PHASE and STATUS",
			func(f run.Stored, w []string) (run.RunState, error) {
				return f.File.TrackPhase(w[1], run.PhaseStatus(w[2]))
			}),
		trackCommand(env, "meta", "note a fact about a phase", "viber run track meta RUN build Result '12 tasks'", 4, 4, "RUN, PHASE, KEY and VALUE",
			func(f run.Stored, w []string) (run.RunState, error) { return f.File.TrackMeta(w[1], w[2], w[3]) }),
		trackCommand(env, "sub", "set a step of a phase", "viber run track sub RUN build T1 'Add the parser' completed", 5, 5, "RUN, PHASE, ID, TITLE and STATUS",
			func(f run.Stored, w []string) (run.RunState, error) {
				return f.File.TrackSub(w[1], run.Subphase{ID: w[2], Title: w[3], Status: run.PhaseStatus(w[4])})
			}),
		trackRenderCommand(env), trackCostCommand(env))
}

func trackCommand(env Env, name, usage, text string, least, most int, what string, change func(run.Stored, []string) (run.RunState, error)) *cli.Command {
	return tableCommand(env, name, usage, text, "", nil, func(c *cli.Context, a rawArgs) error {
		if err := a.count(least, most, what); err != nil {
			return err
		}
		f, err := findRun(env, a.words[:1])
		if err != nil {
			return err
		}
		s, err := change(f, a.words)
		return wroteState(env, a, s, err)
	})
}

func trackRenderCommand(env Env) *cli.Command {
	return tableCommand(env, "render", "print the table of phases", "viber run track render RUN", "", nil,
		func(c *cli.Context, a rawArgs) error {
			s, err := loadRun(env, a)
			if err != nil {
				return err
			}
			if a.set["json"] {
				return show(env, a, map[string]any{"phases": s.Phases, "order": s.PhaseOrder, "cost": s.Cost}, "")
			}
			prices, err := run.ReadPrices(configDir(env))
			if err != nil {
				return err
			}
			return s.Render(env.Streams.Out, env.Now(), prices)
		})
}

func loadRun(env Env, a rawArgs) (run.RunState, error) {
	if err := a.count(0, 1, "RUN"); err != nil {
		return run.RunState{}, err
	}
	f, err := findRun(env, a.words)
	if err != nil {
		return run.RunState{}, err
	}
	s, _, err := f.Load()
	return s, stateExit(err)
}

func trackCostCommand(env Env) *cli.Command {
	return tableCommand(env, "cost", "add the tokens of a model's call, or print what a run has cost",
		"viber run track cost RUN --model claude-sonnet-4-5 --in 12000 --out 900 --cached 80000\nviber run track cost RUN",
		"--in counts the tokens that were not read from the cache. What is shown is an estimate, at list prices of the day it names;\n"+
			"prices of your own go into viber-prices.json of the client's configuration folder.", []string{"model=", "in=", "out=", "cached="},
		func(c *cli.Context, a rawArgs) error {
			if a.value("model") == "" {
				return showCost(env, a)
			}
			used, err := usage(a)
			if err != nil {
				return err
			}
			f, err := findRun(env, a.words)
			if err != nil {
				return err
			}
			s, err := f.File.TrackCost(a.value("model"), used)
			return wroteState(env, a, s, err)
		})
}

func showCost(env Env, a rawArgs) error {
	s, err := loadRun(env, a)
	if err != nil {
		return err
	}
	prices, err := run.ReadPrices(configDir(env))
	if err != nil {
		return err
	}
	if a.set["json"] {
		return show(env, a, s.CostReport(prices), "")
	}
	return s.RenderCost(env.Streams.Out, prices)
}

func usage(a rawArgs) (u run.Usage, err error) {
	for name, to := range map[string]*int{"in": &u.In, "out": &u.Out, "cached": &u.Cached} {
		if text := a.value(name); text != "" {
			if *to, err = strconv.Atoi(text); err != nil || *to < 0 {
				return u, usagef("--%s %q is no count of tokens", name, text)
			}
		}
	}
	return u, nil
}
