package commit

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"viber/run"
)

// claim is one task as the commits see it: a heading inside a task block and the Files lines below it.
type claim struct {
	id, heading, title string
	files              []string
}

// planFile is the plan a call works on.
type planFile struct {
	typed  string // as on the command line; the commit's footer carries it so
	path   string // absolute
	dir    string // run directory relative to the root, with "/", "" for the root itself; set by place
	plan   *run.Plan
	claims []claim
}

// loadPlanOf reads the plan of f and refuses, in the contract's order, what can be judged by the plan and the arguments
// alone. The e2e form has no plan.
func loadPlanOf(c run.Call, f form) (*planFile, error) {
	if f.kind == e2eForm {
		return &planFile{plan: &run.Plan{}}, nil
	}
	p, err := loadPlan(c, f.plan)
	if err != nil {
		return nil, err
	}
	switch f.kind {
	case taskForm, landedForm, fixForm:
		t := p.claim(f.id)
		if t == nil {
			return nil, p.noTask(f.id)
		}
		if f.kind != fixForm && len(t.files) == 0 {
			return nil, faultf(codeUnknown, "no task '%s' with a Files list in %s", f.id, f.plan)
		}
	case repairForm:
		if !isDigits(f.round) {
			return nil, errUsage
		}
	case extensionForm:
		if !isExtensionName(f.name) {
			return nil, faultf(codeUsage,
				"an extension name is letters, digits, '-' and '_', opening with a letter or digit: '%s'", f.name)
		}
	}
	if f.kind >= repairForm && len(f.files) == 0 {
		return nil, errUsage
	}
	return p, nil
}

// loadPlan finds the plan from the working directory, else from the top of the repository.
func loadPlan(c run.Call, typed string) (*planFile, error) {
	for _, base := range []string{c.Dir, rootOf(c.Dir)} {
		for _, name := range []string{typed, strings.ReplaceAll(typed, `\`, "/")} {
			full := filepath.FromSlash(name)
			if !filepath.IsAbs(full) {
				full = filepath.Join(base, full)
			}
			if info, err := os.Stat(full); err == nil && info.Mode().IsRegular() {
				return readPlan(typed, full)
			}
		}
	}
	return nil, faultf(codeUsage, "plan file not found: %s", typed)
}

func readPlan(typed, full string) (*planFile, error) {
	text, err := os.ReadFile(full)
	if err != nil {
		return nil, faultf(codeUsage, "%v", err)
	}
	p := &planFile{typed: typed, path: full, plan: run.ParsePlan(typed, string(text))}
	for _, t := range p.plan.Tasks {
		p.claims = append(p.claims, claimsIn(p.plan, t)...)
	}
	return p, nil
}

// claimsIn cuts a block at its headings: each is a task of its own here, with the Files lines up to the next.
func claimsIn(p *run.Plan, t *run.Task) []claim {
	var claims []claim
	for i, h := range t.Headings {
		end := t.To
		if i+1 < len(t.Headings) {
			end = t.Headings[i+1].Line
		}
		cl := claim{id: h.ID, heading: h.Text, title: h.Title}
		if !h.Dash {
			cl.id, cl.title = h.Text, h.Text
		} else {
			_, title, _ := strings.Cut(h.Text, " - ")
			cl.title = title
		}
		for _, line := range p.Text(h.Line+1, end) {
			cl.files = append(cl.files, filesOf(line)...)
		}
		claims = append(claims, cl)
	}
	return claims
}

func filesOf(line string) []string {
	rest, ok := strings.CutPrefix(line, "-")
	if !ok {
		return nil
	}
	list, ok := strings.CutPrefix(strings.TrimLeft(rest, " \t"), "Files:")
	if !ok {
		return nil
	}
	var files []string
	for entry := range strings.SplitSeq(list, ",") {
		if entry = strings.TrimPrefix(strings.TrimSpace(entry), "./"); entry != "" {
			files = append(files, entry)
		}
	}
	return files
}

func (p *planFile) claim(id string) *claim {
	for i := range p.claims {
		if p.claims[i].id == id {
			return &p.claims[i]
		}
	}
	return nil
}

// total is the N of every progress line: task blocks, not ids.
func (p *planFile) total() int { return len(p.plan.Tasks) }

func (p *planFile) noTask(id string) error {
	return faultf(codeUnknown, "no task '%s' in %s", id, p.typed)
}

// statusPath and registerPath are absolute.
func (p *planFile) statusPath() string   { return filepath.Join(filepath.Dir(p.path), "status.md") }
func (p *planFile) registerPath() string { return filepath.Join(filepath.Dir(p.path), "rulings.md") }

// place finds where in the repository the run directory is.
func (p *planFile) place(r *repo) error {
	if p.path == "" {
		return nil
	}
	dir, ok := r.rel(filepath.Dir(p.path))
	if !ok {
		return faultf(codeRefused, "%s is outside the repository at %s: its progress could not be committed", p.typed, r.root)
	}
	p.dir = dir
	return nil
}

// in is a path of the run directory, relative to the root.
func (p *planFile) in(name string) string { return path.Join(p.dir, name) }

// inRun reports whether a root-relative path is in the run directory.
func (p *planFile) inRun(name string) bool {
	return p.path != "" && p.dir != "" && strings.HasPrefix(name, p.dir+"/")
}
