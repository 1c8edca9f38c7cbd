package hooksimpl

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"viber/internal/gitx"
)

// gitRepo is what the git guard knows of the repository a call works in; most of it is read when it is first needed.
type gitRepo struct {
	world  *World
	call   *gitCall
	layout gitx.Layout
	found  bool
	// branch is the current branch after the commands so far, nil while they left it as it was.
	branch *shellWord
	// tracked are branches that commands so far made the upstream of the current one.
	tracked []string

	settings   map[string][]string // the configuration that concerns pushing, keys in lower case
	configRead bool
	// template is the file of commit.template.
	template     string
	templateRead bool
	defaults     map[string]bool
}

// repo returns the repository of g; calls that work in the same directory share one.
func (j *gitJudge) repo(g *gitCall) *gitRepo {
	key := g.dir.text + "\x01" + g.gitDir.text
	if r, ok := j.repos[key]; ok {
		r.call = g
		return r
	}
	r := &gitRepo{world: j.world, call: g}
	switch {
	case g.gitDir.text != "" && !g.gitDir.open:
		r.layout, r.found = gitx.Find(g.gitDir.text)
	case !g.dir.open && g.gitDir.text == "" && j.world.IsDir(g.dir.text): // what an earlier command makes is not known yet
		r.layout, r.found = gitx.Find(g.dir.text)
	}
	j.repos[key] = r
	return r
}

// current returns the current branch, empty when HEAD is detached; known is false when it cannot be told.
func (r *gitRepo) current() (branch string, known bool) {
	if r.branch != nil {
		return r.branch.text, r.branch.sure()
	}
	if !r.found {
		return "", false
	}
	branch, _ = r.world.git(r.call.dir.text).Branch(context.Background(), r.layout)
	return branch, true
}

// destination is the branch the right side of a refspec names, empty when it is no branch.
func (r *gitRepo) destination(to string) (branch string, known bool) {
	switch to {
	case headWord, "@":
		return r.current()
	}
	for _, prefix := range []string{"refs/heads/", "heads/"} {
		if name, ok := strings.CutPrefix(to, prefix); ok {
			return name, true
		}
	}
	switch {
	case to == "refs/*", to == "refs/heads*", to == "*":
		return "*", true
	case strings.HasPrefix(to, "refs/"), strings.HasPrefix(to, "tags/"):
		return "", true
	}
	return to, true
}

func (r *gitRepo) hasBranch(name string) bool {
	if !r.found || strings.Contains(name, "..") {
		return false
	}
	path := filepath.Join(r.layout.CommonDir, "refs", "heads", filepath.FromSlash(name))
	if r.world.IsFile(path) {
		return true
	}
	packed, err := r.world.Read(filepath.Join(r.layout.CommonDir, "packed-refs"), textLimit)
	return err == nil && strings.Contains(string(packed), " refs/heads/"+name+"\n")
}

// defaultBranches are the default branches of the remotes, as the last fetch or clone found them.
func (r *gitRepo) defaultBranches() map[string]bool {
	if r.defaults != nil || !r.found {
		return r.defaults
	}
	r.defaults = map[string]bool{}
	remotes := filepath.Join(r.layout.CommonDir, "refs", "remotes")
	entries, _ := fs.ReadDir(os.DirFS(remotes), ".")
	for _, e := range entries {
		text, err := r.world.Read(filepath.Join(remotes, e.Name(), "HEAD"), 4<<10)
		if err != nil {
			continue
		}
		if name, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "ref: refs/remotes/"+e.Name()+"/"); ok {
			r.defaults[name] = true
		}
	}
	return r.defaults
}

// setting is the last value of a key, in lower case but for its middle part: of the call itself, else of the repository.
func (r *gitRepo) setting(key string) string {
	if value, ok := r.call.configured(strings.ToLower(key)); ok {
		return value
	}
	values := r.config()[key]
	if len(values) == 0 {
		return ""
	}
	return values[len(values)-1]
}

func (r *gitRepo) config() map[string][]string {
	if r.configRead || !r.found {
		return r.settings
	}
	r.configRead = true
	r.settings = map[string][]string{}
	out, _ := r.world.askGit(r.call, "config", "-z", "--get-regexp", `^(remote\..*\.(push|mirror)|branch\..*\.(merge|remote|pushremote)|push\.default|remote\.pushdefault)$`)
	for entry := range strings.SplitSeq(out, "\x00") {
		key, value, _ := strings.Cut(entry, "\n")
		r.settings[key] = append(r.settings[key], value)
	}
	return r.settings
}

// remoteName is the remote a push without one goes to.
func (r *gitRepo) remoteName(given string) string {
	if given != "" {
		return given
	}
	branch, _ := r.current()
	for _, key := range []string{"branch." + branch + ".pushremote", "remote.pushdefault", "branch." + branch + ".remote"} {
		if name := r.setting(key); name != "" {
			return name
		}
	}
	return "origin"
}

func (r *gitRepo) remoteConfig(remote, leaf string) string {
	return r.setting("remote." + r.remoteName(remote) + "." + leaf)
}

// configuredSpecs are the refspecs that remote.<name>.push gives to a push without any.
func (r *gitRepo) configuredSpecs(remote string) []string {
	key := "remote." + r.remoteName(remote) + ".push"
	specs := append([]string{}, r.config()[key]...)
	for _, pair := range r.call.config {
		if value, ok := strings.CutPrefix(pair, strings.ToLower(key)+"="); ok {
			specs = append(specs, value)
		}
	}
	return specs
}

// upstreams are the branches a push without refspecs goes to because the branch follows them: only `push.default=upstream`
// sends it there, `simple` refuses where the names differ.
func (r *gitRepo) upstreams(branch string) []string {
	if mode := r.setting("push.default"); mode != "upstream" && mode != "tracking" {
		return nil
	}
	return append([]string{strings.TrimPrefix(r.setting("branch."+branch+".merge"), "refs/heads/")}, r.tracked...)
}
