package cli

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"viber/forge"
	"viber/install"
	"viber/internal/exit"
	"viber/internal/term"
	"viber/schema"
)

// configPeople are the forms of `viber config` for people; anything else prints the block.
func configPeople(env Env) []*cli.Command {
	return []*cli.Command{
		configListCommand(env), configGetCommand(env), configSetCommand(env), configExplainCommand(env),
		configEditCommand(env), configValidateCommand(env), configSchemaCommand(env),
	}
}

func configListCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "list",
		Usage:     "all keys, their values and where these come from",
		UsageText: "viber config list [--json] [--dir D]\n\n   viber config list\n   viber config list --json --dir ~/code/shop",
		Flags:     []cli.Flag{jsonFlag(), dirFlag()},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			all := explainAll(configAt(env, c))
			if c.Bool("json") {
				return printJSON(env, all)
			}
			t := term.NewTable(env.Streams.Out)
			fmt.Fprintln(t, "KEY\tVALUE\tFROM")
			for _, e := range all {
				fmt.Fprintf(t, "%s\t%s\t%s\n", e.Key, e.Value, e.From())
			}
			return t.Flush()
		},
	}
}

func configGetCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "get",
		Usage:     "the value of one key",
		UsageText: "viber config get [--dir D] KEY\n\n   viber config get tiers.max",
		Flags:     []cli.Flag{dirFlag()},
		Action: func(c *cli.Context) error {
			e, err := explainOne(env, c)
			if err != nil {
				return err
			}
			return say(env, e.Value+"\n")
		},
	}
}

func configExplainCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "explain",
		Usage:     "what a key does, its value here, and which line says so",
		UsageText: "viber config explain [KEY] [--json] [--dir D]\n\n   viber config explain build.qa",
		Flags:     []cli.Flag{jsonFlag(), dirFlag()},
		Action: func(c *cli.Context) error {
			if !c.Args().Present() {
				return explain(env, c, explainAll(configAt(env, c)))
			}
			e, err := explainOne(env, c)
			if err != nil {
				return err
			}
			if c.Bool("json") {
				return printJSON(env, e)
			}
			return say(env, e.Paragraph())
		},
	}
}

func explain(env Env, c *cli.Context, all []schema.Explanation) error {
	if c.Bool("json") {
		return printJSON(env, all)
	}
	for i, e := range all {
		if i > 0 {
			fmt.Fprintln(env.Streams.Out)
		}
		if err := say(env, e.Paragraph()); err != nil {
			return err
		}
	}
	return nil
}

func configSetCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "set",
		Usage:     "set one key; comments and all other lines stay",
		UsageText: "viber config set [--local | --user] [--dry-run] [--json] [--dir D] KEY VALUE\n\n   viber config set build.qa true\n   viber config set --local tiers.max sonnet",
		Flags:     append([]cli.Flag{dirFlag()}, append(targetFlags(), consentFlags()...)...),
		Action: func(c *cli.Context) error {
			if c.NArg() != 2 {
				return exit.With(exit.Usage, errors.New("config set takes KEY VALUE; see 'viber config set --help'"))
			}
			target, err := target(c)
			if err != nil {
				return err
			}
			if err := rightValue(c.Args().Get(0), c.Args().Get(1)); err != nil {
				return err
			}
			return install.ConfigSet(install.ConfigSetOptions{
				Env: installEnv(loudness(env, c)), Consent: consent(c), Dir: directory(env, c), Key: c.Args().Get(0), Value: c.Args().Get(1), Target: target,
			})
		},
	}
}

// rightValue refuses what a list would take and its readers would not.
func rightValue(key, value string) error {
	if key != "forge.hosts" {
		return nil
	}
	for _, host := range install.HostList(value) {
		if _, err := forge.CheckHost(host); err != nil {
			return exit.With(exit.Refused, fmt.Errorf("forge.hosts: %w", err))
		}
	}
	return nil
}

func configEditCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "edit",
		Usage:     "open the file in your editor and check it before it is saved",
		UsageText: "viber config edit [--local | --user] [--dir D]\n\n   viber config edit\n   viber config edit --user",
		Flags:     append([]cli.Flag{dirFlag()}, targetFlags()...),
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			target, err := target(c)
			if err != nil {
				return err
			}
			return install.ConfigEdit(install.ConfigEditOptions{Env: installEnv(env), Dir: directory(env, c), Target: target})
		},
	}
}

func configValidateCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "validate",
		Usage:     "find what silently reads as off: near misses, unknown keys, odd lines (exit 1 when there is something)",
		UsageText: "viber config validate [--json] [--dir D]\n\n   viber config validate",
		Flags:     []cli.Flag{jsonFlag(), dirFlag()},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			found := schema.Validate(schema.Root(directory(env, c)), configDir(env))
			if c.Bool("json") {
				if err := printJSON(env, append([]schema.Finding{}, found...)); err != nil {
					return err
				}
			} else {
				for _, f := range found {
					fmt.Fprintln(env.Streams.Out, f)
				}
			}
			if len(found) > 0 {
				return exit.Status(exit.Failed)
			}
			return nil
		},
	}
}

func configSchemaCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "schema",
		Usage:     "print the JSON Schema of viber.yml, for editors",
		UsageText: "viber config schema\n\n   viber config schema > .claude/viber.schema.json",
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			return say(env, schema.JSONSchema())
		},
	}
}

func targetFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "local", Usage: "the project's personal overlay, .claude/viber.local.yml"},
		&cli.BoolFlag{Name: "user", Usage: "your own viber.yml in the client's configuration directory"},
	}
}

func target(c *cli.Context) (schema.Target, error) {
	switch local, user := c.Bool("local"), c.Bool("user"); {
	case local && user:
		return 0, exit.With(exit.Usage, errors.New("--local and --user name two files; use one of them"))
	case local:
		return schema.LocalFile, nil
	case user:
		return schema.UserFile, nil
	}
	return schema.SharedFile, nil
}

func configAt(env Env, c *cli.Context) *schema.Config {
	return schema.ReadFor(schema.Root(directory(env, c)), configDir(env))
}

func explainAll(config *schema.Config) []schema.Explanation {
	var all []schema.Explanation
	for _, k := range schema.Keys() {
		e, _ := config.Explain(k.Name)
		all = append(all, e)
	}
	return all
}

func explainOne(env Env, c *cli.Context) (schema.Explanation, error) {
	if c.NArg() != 1 {
		return schema.Explanation{}, exit.With(exit.Usage, fmt.Errorf("config %s takes one KEY; 'viber config list' shows them", c.Command.Name))
	}
	e, err := configAt(env, c).Explain(c.Args().First())
	if err != nil {
		return e, exit.With(exit.Usage, err)
	}
	return e, nil
}
