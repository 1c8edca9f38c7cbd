package commit

import (
	"context"
	"fmt"
	"strings"

	"viber/internal/gitx"
	"viber/run"
)

const maxDiffLines = 400

// Context is `viber commit-context [selector]`: what a model needs to know to word a commit (commit contract, 9.9). It
// never fails.
func Context(ctx context.Context, c run.Call) error {
	l, ok := gitx.Find(c.Dir)
	if !ok || l.Top == "" {
		_, err := fmt.Fprintln(c.Out, "## Selector: missing - this directory is not in a git repository; do NOT run commit.sh, "+
			"return: Nothing committed - not a git repository")
		return err
	}
	s, err := readSelector(ctx, c, c.Args)
	if err != nil {
		fmt.Fprintf(c.Err, "error: %v\n", err)
	}
	if len(s.missing) > 0 {
		t := strings.Join(s.missing, " ")
		_, err := fmt.Fprintf(c.Out, "## Selector: missing - none of the named paths exists (%s); do NOT run commit.sh, "+
			"return: Nothing committed - paths not found: %s\n", t, t)
		return err
	}
	w := contextWriter{ctx: ctx, git: c.Git(), paths: s.paths}
	w.git.Dir = l.Top
	w.head(s, branchName(ctx, w.git, l))
	w.changes()
	_, err = fmt.Fprint(c.Out, w.String())
	return err
}

type contextWriter struct {
	strings.Builder
	ctx   context.Context
	git   gitx.Git
	paths []string
}

func (w *contextWriter) head(s selector, branch string) {
	if s.all() {
		fmt.Fprint(w, "## Selector: all - run commit.sh with no 2nd arg\n\n")
	} else {
		fmt.Fprintf(w, "## Selector: paths - run commit.sh with 2nd arg \"%s\"\n\n", strings.Join(s.paths, " "))
	}
	if len(s.issues) > 0 {
		fmt.Fprintf(w, "## Issue footer (explicit, from a #N reference or GitHub issue link in the arguments - use verbatim, "+
			"ignore the branch)\nRefs: #%s\n\n", strings.Join(s.issues, ", #"))
	}
	fmt.Fprintf(w, "## Current branch (issue-footer source)\n%s\n\n", branch)
	fmt.Fprintf(w, "## Recent commit subjects (match this type/scope style)\n%s\n", w.read("log", "--oneline", "--no-color", "-n", "10"))
}

func (w *contextWriter) changes() {
	of := ""
	what := "all tracked changes vs HEAD; new untracked files are listed in git status above"
	status := "git status, all untracked files"
	if len(w.paths) > 0 {
		of = " for paths: " + strings.Join(w.paths, " ")
		what = "changes vs HEAD" + of + "; a new untracked file appears only in git status above"
		status = "git status" + of
	}
	base := w.base()
	diff := []string{"diff", "--no-color", "--no-ext-diff", "--no-textconv"}
	changed := w.read(w.limited("-c", "core.quotePath=false", "status", "--short", "--untracked-files=all")...)
	fmt.Fprintf(w, "## Changes (%s)\n%s\n", status, changed)
	fmt.Fprintf(w, "## Overview (git diff HEAD --stat%s)\n%s\n", of, w.read(w.limited(append(diff, "--stat", base)...)...))
	fmt.Fprintf(w, "## Diff (%s)\n%s", what, diffHead(w.read(w.limited(append(diff, base)...)...), changed != ""))
}

// base is HEAD, or the tree without entries on an unborn branch.
func (w *contextWriter) base() string {
	res, err := w.git.Run(w.ctx, nil, "--no-optional-locks", "rev-parse", "-q", "--verify", "HEAD")
	if err == nil && res.Code == 0 {
		return "HEAD"
	}
	return strings.TrimSpace(w.read("hash-object", "-t", "tree", "--stdin"))
}

func (w *contextWriter) limited(args ...string) []string {
	if len(w.paths) == 0 {
		return args
	}
	return append(append(args, "--"), w.paths...)
}

func (w *contextWriter) read(args ...string) string {
	res, err := w.git.Run(w.ctx, nil, append([]string{"--no-optional-locks"}, args...)...)
	if err != nil {
		return ""
	}
	return string(res.Stdout)
}

func diffHead(diff string, changed bool) string {
	switch lines := strings.SplitAfter(strings.TrimSuffix(diff, "\n"), "\n"); {
	case diff == "" && changed:
		return "(no textual diff, but git status above lists changes - they are still committed: run commit.sh)\n"
	case diff == "":
		return "(no textual diff for this mode)\n"
	case len(lines) > maxDiffLines:
		return strings.Join(lines[:maxDiffLines], "") + fmt.Sprintf(
			"... [diff truncated: showing first %d of %d lines - run git diff for the rest]\n", maxDiffLines, len(lines))
	}
	return diff
}
