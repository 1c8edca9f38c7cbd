package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"viber/install"
	"viber/install/host"
	"viber/internal/buildinfo"
	"viber/internal/exit"
)

func setupCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "setup",
		Usage:     "set viber up for you and this project, or bring it up to date",
		UsageText: "viber setup [--scope user|project|local] [--dir D] [--yes | --dry-run | --confirm ID] [--json] [--quiet | --verbose]",
		Description: "Shows what it will change, asks once, and changes exactly that. Run again, it does nothing.\n\n" +
			"Examples:\n   viber setup\n   viber setup --dry-run\n   viber setup --yes --scope local --dir ~/code/shop\n   viber setup --host codex",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "scope", Value: install.ScopeUser, Usage: "`SCOPE` of the settings that get the hooks and rules: user, project (shared) or local (yours, here)"},
			dirFlag(),
			&cli.BoolFlag{Name: "no-hooks", Usage: "leave the hooks out"},
			&cli.BoolFlag{Name: "no-plugin", Usage: "leave the plugin out"},
			&cli.BoolFlag{Name: "status-line", Usage: "show the task panel in your status line (one of your own is never replaced)"},
			&cli.StringSliceFlag{Name: "host", Usage: "the coding `AGENT` to set up for: claude or codex", DefaultText: "claude"},
			&cli.StringSliceFlag{Name: "answer", Usage: "answer a question of the viber.yml migration, as `ID=VALUE`"},
		}, consentFlags()...),
		Action: func(c *cli.Context) error {
			wanted := install.Wanted{Scope: c.String("scope"), NoHooks: c.Bool("no-hooks"), NoPlugin: c.Bool("no-plugin"), StatusLine: c.Bool("status-line"), Hosts: c.StringSlice("host")}
			if err := errors.Join(checkScope(wanted.Scope), checkHosts(c.StringSlice("host"))); err != nil {
				return err
			}
			var err error
			if wanted.Answers, err = answers(c.StringSlice("answer")); err != nil {
				return err
			}
			if err := noArguments(c); err != nil {
				return err
			}
			return install.Setup(install.SetupOptions{
				Env: installEnv(loudness(env, c)), Consent: consent(c), Wanted: wanted, Dir: directory(env, c),
			})
		},
	}
}

func checkScope(scope string) error {
	switch scope {
	case install.ScopeUser, install.ScopeProject, install.ScopeLocal:
		return nil
	}
	return exit.With(exit.Usage, fmt.Errorf("--scope is user, project or local, not %q", scope))
}

// checkHosts refuses the name of a coding agent that setup does not know.
func checkHosts(names []string) error {
	for _, name := range names {
		switch name {
		case install.HostClaude, install.HostCodex:
		case "copilot":
			return exit.With(exit.Refused, errors.New("--host copilot: "+host.CopilotReason))
		default:
			return exit.With(exit.Usage, fmt.Errorf("--host %q is not known; known are: claude, codex", name))
		}
	}
	return nil
}

// answers reads the values of --answer.
func answers(pairs []string) (map[string]string, error) {
	all := map[string]string{}
	for _, pair := range pairs {
		id, value, ok := strings.Cut(pair, "=")
		if !ok || id == "" {
			return nil, exit.With(exit.Usage, fmt.Errorf("--answer takes ID=VALUE, not %q", pair))
		}
		all[id] = value
	}
	return all, nil
}

// noArguments refuses words after the flags: a flag that was put behind one would be read as a word too.
func noArguments(c *cli.Context) error {
	if c.Args().Present() {
		return exit.With(exit.Usage, fmt.Errorf("%s takes no argument %q; see '%s --help'", c.Command.Name, c.Args().First(), c.Command.HelpName))
	}
	return nil
}

func dirFlag() cli.Flag {
	return &cli.StringFlag{Name: "dir", Aliases: []string{"C"}, Usage: "the project, or a `DIR` in it (default: the working directory)"}
}

// directory is the value of --dir as an absolute path.
func directory(env Env, c *cli.Context) string {
	dir := c.String("dir")
	if filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(env.Dir, dir)
}

// consentFlags are the flags of every command that changes files.
func consentFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "apply without a question (people and CI; refused for coding agents)"},
		&cli.BoolFlag{Name: "dry-run", Aliases: []string{"n"}, Usage: "show the plan and its id, change nothing"},
		&cli.StringFlag{Name: "confirm", Usage: "apply exactly the plan with this `ID`", DefaultText: "none"},
		&cli.BoolFlag{Name: "json", Usage: "print the plan as JSON; changes nothing without --yes or --confirm"},
		quietFlag(), verboseFlag(),
	}
}

func consent(c *cli.Context) install.Consent {
	return install.Consent{Yes: c.Bool("yes"), DryRun: c.Bool("dry-run"), Confirm: c.String("confirm"), JSON: c.Bool("json")}
}

func installEnv(env Env) install.Env {
	return install.Env{
		Streams: env.Streams, Getenv: env.Getenv, Environ: env.Environ, Dir: env.Dir, Exe: env.Exe,
		Version: buildinfo.Version, Now: env.Now, Files: env.Files, ManagedDir: env.ManagedDir, Quiet: env.Quiet, Verbose: env.Verbose,
	}
}
