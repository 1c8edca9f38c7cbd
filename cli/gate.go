package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"viber/gate"
	"viber/internal/exit"
	"viber/internal/gitx"
)

func gateCommand(env Env) *cli.Command {
	return groupCommand("gate", "check what a model wrote: plan, scope, review, triage and more",
		"A gate ends 0 when the file holds, 1 when its author must correct it once, 2 when it contradicts itself and the named\n"+
			"correction is to be applied, 3 when there is nothing to judge, 64 on a wrong command line. --json prints one object.",
		gatePlanningCommand(env), gateScopeCommand(env), gateReviewerCommand(env), gateTriageCommand(env), gateConsensusCommand(env), gateRebuttalCommand(env),
		gateFingerprintCommand(env), gateEvidenceCommand(env), gateIntentCommand(env), gateLearningsCommand(env), gateTDDCommand(env), gatePRBodyCommand(env))
}

// groupCommand is a command that only holds others.
func groupCommand(name, usage, description string, subcommands ...*cli.Command) *cli.Command {
	return &cli.Command{
		Name: name, Usage: usage, Description: description, Subcommands: subcommands,
		Action: onlyCommands(gate.UsageError),
	}
}

// tableCommand is a contract command whose wrong command line ends 64 with errors[] on stderr.
func tableCommand(env Env, name, usage, usageText, description string, options []string, call func(c *cli.Context, a rawArgs) error) *cli.Command {
	return rawCommand(name, usage, usageText, description, options, call, func(name string, err error, asJSON bool) error {
		return wrongCommandLine(env, name, err, asJSON)
	})
}

// usageProblem is a wrong command line.
type usageProblem struct{ cause string }

func (u *usageProblem) Error() string { return u.cause }

func usagef(format string, args ...any) error { return &usageProblem{fmt.Sprintf(format, args...)} }

func wrongCommandLine(env Env, name string, err error, asJSON bool) error {
	if !asJSON {
		return exit.With(gate.UsageError, fmt.Errorf("%s: %w; see --help", name, err))
	}
	problem := gate.Problem{Rule: "usage", Cause: err.Error(), Want: "see --help"}
	_ = json.NewEncoder(env.Streams.Err).Encode(map[string]any{"errors": []gate.Problem{problem}, "exit": gate.UsageError})
	return exit.Status(gate.UsageError)
}

// answer prints a gate's result and ends with its code.
func answer(env Env, a rawArgs, res gate.Result) error {
	res = asTyped(env, res)
	if a.set["json"] {
		text, err := res.JSON()
		if err != nil {
			return err
		}
		fmt.Fprintf(env.Streams.Out, "%s", text)
		return exit.Status(res.Exit)
	}
	fmt.Fprint(env.Streams.Out, res.Text())
	return exit.Status(res.Exit)
}

// asTyped names files as the command line did: relative to the working directory.
func asTyped(env Env, res gate.Result) gate.Result {
	here := env.Dir + string(filepath.Separator)
	res.File = strings.TrimPrefix(res.File, here)
	for i := range res.Problems {
		res.Problems[i].Cause = strings.ReplaceAll(res.Problems[i].Cause, here, "")
	}
	for i := range res.Warnings {
		res.Warnings[i] = strings.ReplaceAll(res.Warnings[i], here, "")
	}
	return res
}

// path is a file an argument names, absolute; "-" and "" stay.
func (e Env) path(name string) string {
	if name == "" || name == "-" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.Dir, filepath.FromSlash(name))
}

// gitIn runs git in the directory dir with a built environment.
func (e Env) gitIn(dir string) gitx.Git {
	return gitx.Git{Dir: dir, Env: gitx.Env(e.Environ, dir)}
}

// listFile opens a list of files: nil for none, standard input for "-".
func listFile(env Env, name string) (io.ReadCloser, error) {
	switch name {
	case "":
		return nil, nil
	case "-":
		return io.NopCloser(env.Streams.In), nil
	}
	return os.Open(env.path(name))
}
