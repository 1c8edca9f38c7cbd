package forge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"viber/internal/exit"
	"viber/internal/gitx"
)

// PRCreate is `viber pr-create <body> <title> --base <branch> [--draft]`: it pushes the current branch and opens one pull
// request for it (commit contract, 9.5).
func PRCreate(ctx context.Context, c Call) error {
	const name = "pr-create"
	p, err := pullArgs(c.Args)
	if err == nil && !c.isFile(p.BodyFile) {
		err = fmt.Errorf("body file not found: %s", p.BodyFile)
	}
	if err == nil {
		err = pullFlags(&p, c.Args[2:])
	}
	if err != nil {
		return c.Refuse(name, exit.Usage, "%v", err)
	}
	host, ok := c.Host()
	if !ok {
		return c.Refuse(name, exit.Usage, noGH)
	}
	git := gitx.Git{Dir: c.Dir, Env: gitx.UserEnv(c.Environ)}
	branch, ok := branchAt(ctx, git)
	if !ok {
		return c.Refuse(name, exit.Usage, "detached HEAD, no branch to publish")
	}
	remote := remoteOf(ctx, git, branch)
	if err := push(ctx, git, remote, branch); err != nil {
		return c.Refuse(name, exit.Failed, "git push failed: %v", err)
	}
	p.Head = headName(ctx, git, remote, branch)
	link, err := host.CreatePull(ctx, p)
	if err != nil {
		return c.Refuse(name, exit.Failed, "gh pr create failed, branch %s/%s is pushed: %s", remote, branch, reason(err))
	}
	_, err = fmt.Fprintf(c.Out, "PR_URL=%s\nPR_NUMBER=%s\nPUSHED=%s/%s\n", link.URL, link.Number, remote, branch)
	return err
}

func pullArgs(args []string) (NewPull, error) {
	if len(args) < 2 || args[0] == "" || args[1] == "" {
		return NewPull{}, errors.New("need <body file> <title> --base <branch> [--draft]")
	}
	return NewPull{BodyFile: args[0], Title: args[1]}, nil
}

func pullFlags(p *NewPull, args []string) error {
	for len(args) > 0 {
		switch {
		case args[0] == "--draft":
			p.Draft = true
			args = args[1:]
		case args[0] != "--base":
			return fmt.Errorf("unknown flag %s", args[0])
		case len(args) < 2 || args[1] == "":
			return errors.New("--base needs a value")
		default:
			p.Base = args[1]
			args = args[2:]
		}
	}
	if p.Base == "" {
		return errors.New("--base is required")
	}
	return nil
}

func branchAt(ctx context.Context, git gitx.Git) (string, bool) {
	l, ok := gitx.Find(git.Dir)
	if !ok {
		return "", false
	}
	return git.Branch(ctx, l)
}

func remoteOf(ctx context.Context, git gitx.Git, branch string) string {
	if remote, err := git.Out(ctx, "config", "branch."+branch+".remote"); err == nil && remote != "" {
		return remote
	}
	return "origin"
}

// push publishes the branch under its full name: a tag of the same name must not come along instead.
func push(ctx context.Context, git gitx.Git, remote, branch string) error {
	ref := "refs/heads/" + branch
	res, err := git.AsUser(ctx, 10*time.Minute, []string{"GIT_TERMINAL_PROMPT=0"}, "push", "-u", remote, ref+":"+ref)
	if err != nil {
		return err
	}
	if res.Code != 0 {
		return errors.New(Flatten(res.Stdout, res.Stderr))
	}
	return nil
}

func reason(err error) string {
	var f *Failure
	if errors.As(err, &f) {
		return f.Reason()
	}
	return err.Error()
}

// headName is how the host finds the pushed branch: its name, with the owner in front when it went to a fork.
func headName(ctx context.Context, git gitx.Git, remote, branch string) string {
	text, err := git.Out(ctx, "config", "--get-regexp", `^remote\..*\.(url|gh-resolved)$`)
	if err != nil {
		return branch
	}
	remotes := readRemotes(text)
	pushed, base := remotes[remote], remotes[baseRemote(remotes)]
	if pushed.owner == "" || base.owner == "" || strings.EqualFold(pushed.owner, base.owner) {
		return branch
	}
	return pushed.owner + ":" + branch
}

type remoteInfo struct {
	owner    string
	resolved bool // chosen with `gh repo set-default`
}

func readRemotes(config string) map[string]remoteInfo {
	remotes := map[string]remoteInfo{}
	for line := range strings.SplitSeq(config, "\n") {
		key, value, _ := strings.Cut(line, " ")
		name, isURL := strings.CutSuffix(strings.TrimPrefix(key, "remote."), ".url")
		if isURL {
			r := remotes[name]
			r.owner = ownerOf(value)
			remotes[name] = r
		} else if name, ok := strings.CutSuffix(name, ".gh-resolved"); ok && value == "base" {
			r := remotes[name]
			r.resolved = true
			remotes[name] = r
		}
	}
	return remotes
}

// baseRemote is the remote gh opens pull requests on.
func baseRemote(remotes map[string]remoteInfo) string {
	for name, r := range remotes {
		if r.resolved {
			return name
		}
	}
	for _, name := range []string{"upstream", "github", "origin"} {
		if _, ok := remotes[name]; ok {
			return name
		}
	}
	return ""
}

// ownerOf reads the owner out of https://host/owner/repo, ssh://git@host/owner/repo and git@host:owner/repo; a path has none.
func ownerOf(url string) string {
	var rest string
	if _, after, ok := strings.Cut(url, "://"); ok {
		_, rest, _ = strings.Cut(after, "/")
	} else if host, after, ok := strings.Cut(url, ":"); ok && !strings.Contains(host, "/") && !isDir(url) {
		rest = after
	} else {
		return ""
	}
	owner, repo, ok := strings.Cut(strings.Trim(rest, "/"), "/")
	if !ok || strings.Contains(repo, "/") || strings.HasPrefix(url, "file:") {
		return ""
	}
	return owner
}

func isDir(path string) bool {
	info, err := os.Stat(filepath.FromSlash(path))
	return err == nil && info.IsDir()
}
