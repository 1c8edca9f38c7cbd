package cli

import (
	"io"

	"github.com/urfave/cli/v2"

	"viber/gate"
)

func gateScopeCommand(env Env) *cli.Command {
	return tableCommand(env, "scope",
		"check that every file of a diff has a reason",
		`git diff --name-only main...HEAD | viber gate scope --check scope.json --diff-files -
viber gate scope --check scope.json --repo . --patch-range main...HEAD`,
		"Ends 1 and lists unjustified files. Reasons for files that are not in the diff are a warning.",
		[]string{"check=", "diff-files=", "repo=", "patch-range="},
		func(c *cli.Context, a rawArgs) error {
			switch {
			case a.count(0, 0, "no other argument") != nil:
				return a.count(0, 0, "no other argument")
			case a.value("check") == "":
				return usagef("--check FILE is missing")
			case a.value("diff-files") == "" && a.value("patch-range") == "":
				return usagef("--diff-files FILE or --patch-range A...B is missing")
			case a.value("check") == "-" && a.value("diff-files") == "-":
				return usagef("standard input cannot be both the record and the list of files")
			}
			diff, err := diffFiles(env, c, a)
			if err != nil {
				return answer(env, a, gate.Failed("scope", a.value("check"), err))
			}
			return answer(env, a, gate.CheckScope(gate.ScopeOptions{File: env.path(a.value("check")), Stdin: env.Streams.In, Diff: diff}))
		})
}

// diffFiles reads --diff-files, --repo and --patch-range.
func diffFiles(env Env, c *cli.Context, a rawArgs) ([]gate.DiffFile, error) {
	list, err := listFile(env, a.value("diff-files"))
	if err != nil {
		return nil, err
	}
	if list != nil {
		defer list.Close()
	}
	var names io.Reader
	if list != nil {
		names = list
	}
	return gate.DiffFiles(c.Context, env.gitIn(repoDir(env, a)), names, a.value("patch-range"))
}

func repoDir(env Env, a rawArgs) string {
	if repo := a.value("repo"); repo != "" {
		return env.path(repo)
	}
	return env.Dir
}
