package commit

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"viber/run"
)

// job is one commit to make: what is in it, what it says, and what is recorded with it.
type job struct {
	form form
	plan *planFile

	paths    []named // asked for; at least one must hold a change
	ride     []string
	words    []statusWord
	carries  bool   // status.md rides even when no word of it is new
	subject  string // a whole message in the free form
	what     string // the footer's last words; "" = no footer
	nothing  string // the refusal when the paths hold no change
	unmarked string // what the refusal of the commit says about status.md; "" = it does not ride

	// filled in by land
	head      string // before the commit, "" on an unborn branch
	known     []named
	dirty     []string // to be staged from the work tree
	unstaged  []string // of them, what git could not read
	index     string   // the commit's own index
	ours      []change // of the paths asked for
	others    []change // staged by the user for other paths
	status    string   // status.md relative to the root, "" when it does not ride
	before    []byte   // its bytes before, nil = absent
	after     []byte
	said      []byte   // what git commit said
	short     string   // of the commit
	committed []change // what the commit changed, hooks included
	unsettled bool     // the user's index could not follow the commit
}

// statusWord is a word to add to a line of status.md.
type statusWord struct{ key, value string }

// newJob turns a form into its commit.
func newJob(ctx context.Context, r *repo, p *planFile, f form) (*job, error) {
	j := &job{form: f, plan: p, nothing: "the named files produced no changes to commit"}
	switch f.kind {
	case taskForm, landedForm:
		return j, j.task(ctx, r)
	case fixForm:
		t := p.claim(f.id)
		j.subject, j.what = t.id+"("+f.round+") - "+t.title, "task "+f.id+" fix "+f.round
		j.nothing = fmt.Sprintf("the fix for task %s produced no changes to commit", f.id)
		j.trail(p, "tests-"+f.round+".md", "repair-"+f.round+"-coder.md")
	case repairForm:
		j.subject, j.what = "fix(viber): post-test repair (round "+f.round+")", "post-test fix "+f.round
		j.trail(p, "tests-"+f.round+".md", "repair-"+f.round+"-coder.md")
	case choreForm:
		j.closes() // subject and words follow from the paths git knows
	case qaForm:
		j.subject = "docs(viber): qa scenarios"
		j.closes("qa")
	case reviewForm:
		j.subject = "fix(viber): final review"
		j.closes("final-review")
		j.what = "final review"
		j.trail(p, "final-review-*.md", "final-fix-coder-*.md")
	case outsideForm:
		j.subject, j.what = "chore(viber): commit changes made outside the plan", "outside the plan"
	case extensionForm:
		j.subject = "chore(viber): extension " + f.name
		j.closes("extension:" + f.name)
	case e2eForm:
		j.subject = "test(viber): e2e specs"
	}
	j.paths = r.name(f.files)
	if f.kind != e2eForm {
		j.register(p)
	}
	return j, nil
}

func (j *job) closes(words ...string) {
	j.what, j.carries, j.unmarked = "close", true, "status rolled back, the close is NOT recorded"
	for _, w := range words {
		j.words = append(j.words, statusWord{"closed", w})
	}
}

// task fills in a task's own commit or, with --landed, the record of one.
func (j *job) task(ctx context.Context, r *repo) error {
	p, f := j.plan, j.form
	t := p.claim(f.id)
	j.subject, j.what = t.heading, "task "+f.id
	j.nothing = fmt.Sprintf("task %s produced no changes to commit - if its work already landed in another commit, "+
		"record it with --landed <sha>", f.id)
	j.carries, j.unmarked = true, fmt.Sprintf("status rolled back, task %s is NOT marked done", f.id)
	j.words = append(j.words, statusWord{"done", f.id})
	if f.unreviewed {
		j.words = append(j.words, statusWord{"unreviewed", f.id})
	}
	j.words = append(j.words, j.deferrals(r)...)
	if f.kind == landedForm {
		if err := j.landed(ctx, r, t); err != nil {
			return err
		}
	} else {
		extras, err := j.extras()
		if err != nil {
			return refused(err)
		}
		j.paths = r.name(append(slices.Clone(t.files), j.admitted(r, t, append(slices.Clone(f.with), extras...))...))
	}
	j.taskTrail(p)
	j.register(p)
	return nil
}

func (j *job) deferrals(r *repo) []statusWord {
	var list []statusWord
	for _, d := range j.form.defers {
		id, file, _ := strings.Cut(d, ":")
		file = strings.TrimPrefix(file, "./")
		switch {
		case id == "" || file == "":
			r.call.Warn("refused %s - a --defer entry is <task-id>:<path>", d)
		case strings.ContainsAny(file, " \t"):
			r.call.Warn("refused %s - a deferred path with blanks could not be read back", d)
		case j.plan.claim(id) == nil:
			r.call.Warn("refused %s:%s - no task %s in the plan", id, file, id)
		default:
			list = append(list, statusWord{"deferred", id + ":" + file})
		}
	}
	return list
}

// extras are the paths the coder and the reviewer of the task wrote down beyond its own Files.
func (j *job) extras() ([]string, error) {
	var paths []string
	for _, name := range []string{j.form.id + "-extra.md", j.form.id + "-extra-review.md"} {
		text, err := readIfThere(filepath.Join(filepath.Dir(j.plan.path), "work", name))
		if err != nil {
			return nil, err
		}
		paths = append(paths, run.ParseExtras(string(text))...)
	}
	return paths, nil
}

// admitted leaves out what another task still has to do.
func (j *job) admitted(r *repo, own *claim, asked []string) []string {
	text, _ := readIfThere(j.plan.statusPath())
	done := run.StatusWords(string(text), "done")
	var list []string
	for _, a := range asked {
		p := strings.TrimPrefix(a, "./")
		if p == "" || slices.Contains(own.files, p) || slices.Contains(list, p) {
			continue
		}
		var owners []string
		open := ""
		for _, cl := range j.plan.claims {
			if cl.id == own.id || !slices.Contains(cl.files, p) {
				continue
			}
			owners = append(owners, cl.id)
			if open == "" && !slices.Contains(done, cl.id) {
				open = cl.id
			}
		}
		if open != "" {
			r.call.Warn("refused %s - claimed by task %s", p, open)
			continue
		}
		if len(owners) > 0 {
			r.call.Warn("took %s - claimed by committed task %s", p, strings.Join(owners, " "))
		}
		list = append(list, p)
	}
	return list
}

// taskTrail is what the work on a task left behind. The options a coder offered are part of it once they were ruled on.
func (j *job) taskTrail(p *planFile) {
	id := j.form.id
	j.trail(p, id+"-coder.md", id+"-extra.md", id+"-extra-review.md", "ruling-"+id+".md")
	if slices.Contains(j.ride, p.in("work/ruling-"+id+".md")) {
		j.trail(p, id+"-options.md")
	}
	for _, name := range workFiles(p) {
		rest, ok := strings.CutPrefix(name, "review-"+id+"-")
		if ok && strings.HasSuffix(rest, ".md") && rest[0] >= '0' && rest[0] <= '9' {
			j.ride = append(j.ride, p.in("work/"+name))
		}
	}
}

// trail adds the regular files of the run's work directory that fit one of the patterns.
func (j *job) trail(p *planFile, patterns ...string) {
	for _, name := range workFiles(p) {
		for _, pattern := range patterns {
			before, after, wild := strings.Cut(pattern, "*")
			if name == pattern || wild && len(name) >= len(before)+len(after) &&
				strings.HasPrefix(name, before) && strings.HasSuffix(name, after) {
				j.ride = append(j.ride, p.in("work/"+name))
			}
		}
	}
}

func workFiles(p *planFile) []string {
	entries, _ := os.ReadDir(filepath.Join(filepath.Dir(p.path), "work"))
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names
}

// register adds the rulings, and the arbiter's own files of rulings that belong to no task.
func (j *job) register(p *planFile) {
	if info, err := os.Lstat(p.registerPath()); err == nil && info.Mode().IsRegular() {
		j.ride = append(j.ride, p.in("rulings.md"))
	}
	j.trail(p, "ruling-baseline.md", "ruling-tests.md", "ruling-final-review.md", "ruling-commit.md")
}

// message is the commit message: subject, blank line, footer.
func (j *job) message() []string {
	if j.what == "" {
		return []string{j.subject}
	}
	footer := "Refs: " + j.plan.typed + " " + j.what
	if n := j.plan.plan.Front.Issue.Number; n != "" {
		footer += "\nRefs: #" + n
	}
	return []string{j.subject, footer}
}

// chore decides what a chore commit closes, from the paths git knows.
func (j *job) chore() {
	memory, rules := false, false
	for _, n := range j.known {
		switch {
		case path.Base(n.path) == "CLAUDE.md":
			memory = true
		case strings.HasPrefix(n.path, ".claude/rules/") || strings.Contains(n.path, "/.claude/rules/"):
			rules = true
		}
	}
	what := "knowledge"
	switch {
	case memory && rules:
		what = "memory and rules"
	case memory:
		what = "memory"
	case rules:
		what = "rules"
	default:
		memory, rules = true, true
	}
	j.subject = "chore(viber): update project " + what
	if memory {
		j.words = append(j.words, statusWord{"closed", "memory"})
	}
	if rules {
		j.words = append(j.words, statusWord{"closed", "rules"})
	}
}
