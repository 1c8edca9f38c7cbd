package cli

import (
	"errors"

	"github.com/urfave/cli/v2"

	"viber/internal/fsx"
	"viber/schema"
)

func extensionCommand(env Env) *cli.Command {
	return contractCommand("extension", "list the agents that extend a build, or add one to viber.yml",
		"viber extension\nviber extension --add NAME",
		"Prints CONFIG=, LISTED=, MISSING= and one AGENT= line an agent; with --add the one line STATUS=added, present, stale,\n"+
			"no-config or invalid-name.\n\nExamples:\n   viber extension\n   viber extension --add docs",
		func(_ *cli.Context, args []string) error {
			project := projectConfig(env)
			if len(args) == 0 || args[0] != "--add" {
				return say(env, project.ExtensionReport())
			}
			status, err := addExtension(env, project, append(args, "")[1])
			if err != nil {
				return err
			}
			return say(env, "STATUS="+status+"\n")
		})
}

// addExtension writes the planned text; when another program changed the file meanwhile it plans once more.
func addExtension(env Env, project *schema.Config, name string) (status string, err error) {
	for range 5 {
		var before, after string
		status, before, after = project.AddExtension(name)
		if status != schema.Added {
			return status, nil
		}
		read := []byte(before)
		err = env.Files.Write(schema.Path(project.Root), []byte(after), fsx.Options{Before: &read})
		if !errors.Is(err, fsx.ErrChanged) {
			return status, err
		}
	}
	return status, err
}
