package cli

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"viber/run"
)

func runWorktreeCommand(env Env) *cli.Command {
	return groupCommand("worktree", "a run's own work tree", "finalize never forces: what it would lose makes it end 3 with the reason.",
		worktreeAddCommand(env), worktreeFinalizeCommand(env))
}

func worktreeAddCommand(env Env) *cli.Command {
	return tableCommand(env, "add", "make a work tree for a run and print its path",
		"viber run worktree add RUN --branch feature/retry --base main", "", []string{"branch=", "base=", "dir="},
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(1, 1, "RUN"); err != nil {
				return err
			}
			if a.value("branch") == "" {
				return usagef("--branch NAME is missing")
			}
			f, err := findRun(env, a.words)
			if err != nil {
				return err
			}
			dir, err := env.stateCall().AddWorktree(c.Context, f, a.value("branch"), a.value("base"), env.path(a.value("dir")))
			if err != nil {
				return stateExit(err)
			}
			return show(env, a, map[string]string{"worktreePath": dir}, dir)
		})
}

func worktreeFinalizeCommand(env Env) *cli.Command {
	return tableCommand(env, "finalize", "salvage a run's files and remove its work tree; the branch stays",
		"viber run worktree finalize RUN\nviber run worktree finalize RUN --dir ../shop.worktrees/KEY",
		"Skips, with 3 and the reason: uncommitted changes, commits that are not pushed, a detached HEAD, a working directory inside,\nsubmodules, --local, --keep.",
		[]string{"dir=", "local", "keep"},
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(0, 1, "RUN"); err != nil {
				return err
			}
			f, err := findRun(env, a.words)
			if err != nil {
				return err
			}
			done, err := env.stateCall().Finalize(c.Context, f, run.FinalizeOptions{Dir: env.path(a.value("dir")), Local: a.set["local"], Keep: a.set["keep"]})
			if err != nil {
				return stateExit(err)
			}
			return show(env, a, done, fmt.Sprintf("artifacts: %s\nbranch: %s (kept)\nremoved: %s", done.ArtifactsPath, done.Branch, done.Removed))
		})
}
