package cli

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"viber/install/plugin"
	"viber/internal/exit"
)

func pluginCommand(env Env) *cli.Command {
	options := func(c *cli.Context) plugin.Options {
		return plugin.Options{Env: installEnv(loudness(env, c)), Consent: consent(c), Dir: directory(env, c), User: c.Bool("user")}
	}
	where := []cli.Flag{dirFlag(), &cli.BoolFlag{Name: "user", Usage: "for you in every project, instead of for this project"}}
	reads := append([]cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print as JSON"}}, where...)
	writes := append(consentFlags(), where...)
	return &cli.Command{
		Name:  "plugin",
		Usage: "add plugins from elsewhere, pinned to their exact bytes",
		Description: "SOURCE is a folder, a git repository, an https archive (each with //folder for a plugin inside), or MARKETPLACE#NAME.\n" +
			"Nothing of a plugin is run while it is added; what it may run later is shown first. .claude/viber.lock pins its bytes;\n" +
			"add without SOURCE takes what it pins.\n\n" +
			"Examples:\n   viber plugin add github.com/owner/repo//plugins/x@~1.2\n   viber plugin add ./tools/x\n   viber plugin add\n   viber plugin verify",
		Subcommands: []*cli.Command{
			{
				Name: "add", Usage: "add a plugin, or without SOURCE all that the lock file pins", UsageText: "viber plugin add [SOURCE[@CONSTRAINT]] [--ref REF] [--user]",
				Description: "Examples:\n   viber plugin add github.com/owner/repo//plugins/x@~1.2\n   viber plugin add ./tools/x --user\n   viber plugin add",
				Flags:       append([]cli.Flag{&cli.StringFlag{Name: "ref", Usage: "a `REF`: branch, tag or commit"}}, writes...),
				Action: func(c *cli.Context) error {
					if err := atMostOne(c); err != nil {
						return err
					}
					return plugin.Add(c.Context, options(c), c.Args().First(), c.String("ref"))
				},
			},
			{Name: "list", Usage: "list the plugins that are pinned here", Description: "Example:\n   viber plugin list", Flags: reads, Action: func(c *cli.Context) error { return plugin.List(options(c)) }},
			{
				Name: "outdated", Usage: "say which have a newer version; exit 5 when one does", Description: "Example:\n   viber plugin outdated", Flags: reads,
				Action: func(c *cli.Context) error { return plugin.Outdated(c.Context, options(c)) },
			},
			{
				Name: "update", Usage: "take the newest version that source and constraint allow", UsageText: "viber plugin update [NAME...]", Description: "Examples:\n   viber plugin update\n   viber plugin update x --dry-run", Flags: writes,
				Action: func(c *cli.Context) error { return plugin.Update(c.Context, options(c), c.Args().Slice()) },
			},
			{
				Name: "remove", Usage: "take plugins out again", UsageText: "viber plugin remove NAME...", Description: "Example:\n   viber plugin remove x", Flags: writes,
				Action: func(c *cli.Context) error { return plugin.Remove(options(c), c.Args().Slice()) },
			},
			{Name: "verify", Usage: "compare every byte with the pin; exit 1 when one differs", Description: "Example:\n   viber plugin verify", Flags: reads, Action: func(c *cli.Context) error { return plugin.Verify(options(c)) }},
			{
				Name: "info", Usage: "show what a plugin holds and may run", UsageText: "viber plugin info NAME|SOURCE", Description: "Examples:\n   viber plugin info x\n   viber plugin info ./tools/x", Flags: reads,
				Action: func(c *cli.Context) error {
					if c.NArg() != 1 {
						return exit.With(exit.Usage, fmt.Errorf("name one plugin or source: viber plugin info NAME|SOURCE"))
					}
					return plugin.Info(c.Context, options(c), c.Args().First())
				},
			},
		},
	}
}

func atMostOne(c *cli.Context) error {
	if c.NArg() > 1 {
		return exit.With(exit.Usage, fmt.Errorf("one source at a time; %q is too much", c.Args().Get(1)))
	}
	return nil
}
