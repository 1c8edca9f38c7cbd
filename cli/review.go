package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"

	"viber/forge"
	"viber/internal/exit"
	"viber/review"
	"viber/schema"
)

func reviewCommand(env Env) *cli.Command {
	return groupCommand("review", "review pull requests and branches",
		"A REF is #12, owner/repo#12, the address of a pull request on GitHub or on a registered Bitbucket Server, or a branch.\n"+
			"`viber ref parse REF` says how it is read. What a review needs lies in a directory of its own below .temp/viber/review.",
		reviewListCommand(env), reviewDiffCommand(env), reviewGuidesCommand(env), reviewCriteriaCommand(env), reviewRoundCommand(env),
		reviewPrefixCommand(env), reviewClaimCommand(env), reviewPostCommand(env))
}

// plainCommand is a command that takes its arguments raw and whose wrong command line ends 2, as everywhere.
func plainCommand(name, usage, usageText, description string, options []string, call func(c *cli.Context, a rawArgs) error) *cli.Command {
	return rawCommand(name, usage, usageText, description, options, call, func(name string, err error, _ bool) error {
		return exit.With(exit.Usage, fmt.Errorf("%s: %w; see --help", name, err))
	})
}

// reviewWorld is where reviews happen for this call.
func reviewWorld(env Env) review.World {
	return review.World{
		Root: schema.Root(env.Dir), Git: env.gitIn(env.Dir), Places: places(env), Files: env.Files, Now: env.Now, Progress: progressLine(env),
	}
}

// collectRarely lets the memory of a long diff grow for some time: it is read once, and the process ends.
func collectRarely() { debug.SetGCPercent(400) }

// progressLine shows what is waited for, on a terminal only; the line is taken away again by the next one.
func progressLine(env Env) func(string) {
	if !env.Streams.Progress() {
		return nil
	}
	return func(text string) { fmt.Fprintf(env.Streams.Err, "\r\x1b[K%s\r", forge.Line(text)) }
}

func clearProgress(env Env) {
	if env.Streams.Progress() {
		fmt.Fprint(env.Streams.Err, "\r\x1b[K")
	}
}

// untilInterrupt ends the context at Ctrl-C, so that what is under way can come to a good end.
func untilInterrupt(c *cli.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(c.Context, os.Interrupt)
}

// orCancelled is err, or that the user stopped the call.
func orCancelled(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return exit.With(exit.Cancelled, errors.New("cancelled"))
	}
	return err
}

// reviewRef reads the reference of a review: a pull request, or a branch; nothing is the branch one is on.
func reviewRef(ctx context.Context, w review.World, text string) (forge.Reference, error) {
	ref := forge.Parse(text, w.Places.Surroundings(ctx, text))
	switch ref.Kind {
	case forge.KindNone:
		return forge.Reference{Kind: forge.KindBranch, Branch: currentBranch(ctx, w)}, nil
	case forge.KindPull, forge.KindNumber, forge.KindBranch:
		return ref, nil
	case forge.KindAmbiguous:
		var all []string
		for _, c := range ref.Candidates {
			all = append(all, strings.TrimSpace(c.URL+" "+c.Branch+" "+c.Key))
		}
		return ref, exit.With(exit.Usage, fmt.Errorf("%q may be: %s; name one of them", text, strings.Join(all, ", ")))
	}
	return ref, exit.With(exit.Usage, fmt.Errorf("%q is neither a pull request nor a branch here", forge.Printable(text)))
}

func currentBranch(ctx context.Context, w review.World) string {
	name, err := w.Git.Out(ctx, "symbolic-ref", "--quiet", "--short", "HEAD")
	if err != nil || name == "" {
		return "HEAD"
	}
	return name
}

// reviewDir is the directory a word names: of a review, or a file in it.
func reviewDir(env Env, word string) string {
	path := env.path(word)
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return filepath.Dir(path)
	}
	return path
}
