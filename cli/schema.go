package cli

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"viber/gate"
	"viber/internal/exit"
	"viber/run"
)

func schemaCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:        "schema",
		Usage:       "print the JSON Schema of a file that models or runs write",
		UsageText:   "viber schema [NAME]",
		Description: "Without NAME the names are listed. The schemas are draft 2020-12.\n\nExamples:\n   viber schema\n   viber schema reviewer",
		Action: func(c *cli.Context) error {
			names := append(gate.SchemaNames(), run.StateSchemaName)
			if c.Args().Len() > 1 {
				return exit.With(exit.Usage, fmt.Errorf("schema takes one name; there are %s", strings.Join(names, ", ")))
			}
			name := c.Args().First()
			if name == "" {
				_, err := fmt.Fprintln(env.Streams.Out, strings.Join(names, "\n"))
				return err
			}
			text, err := schemaText(name)
			if err != nil {
				return exit.With(exit.Usage, err)
			}
			_, err = fmt.Fprintf(env.Streams.Out, "%s\n", text)
			return err
		},
	}
}

func schemaText(name string) ([]byte, error) {
	if name == run.StateSchemaName {
		return run.StateSchema()
	}
	return gate.Schema(name)
}
