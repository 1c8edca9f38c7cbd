package run_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// superseded maps a case that was turned around to what did it: a newer case, or a test of this package.
func superseded() map[string]string {
	return map[string]string{
		"ok-files-parent":            "dec-files-parent",
		"ok-contract-file-empty":     "dec-contract-file-empty",
		"orphan-absolute-plan-path":  "TestAbsolutePlanPathExcludesItsRun",
		"bad-contract-fence-heading": "dec-fenced-contract-shape",
		"bad-fenced-marker":          "dec-fenced-contract-shape",
		"split-roadmap-stale":        "dec-roadmap-deletion-committed",
		"co-tag-kept":                "dec-tag-kept",
		"br-tag-kept":                "TestRequiredKnowsTheBaseDespiteATagOfItsName",
	}
}

type planVector struct {
	Name, About, Basis string
	Git                bool
	Setup              []planOp
	Steps              []planStep
}

type planOp struct {
	Write, Text, Fixture, Mkdir, Remove, Symlink, To, Mtime, UTC, Commit, Many *string
	Lines                                                                      *[]string
	Replace                                                                    [][2]string
	CRLF, Exec                                                                 bool
	Count                                                                      int
	Git                                                                        []string
	GH                                                                         *planGH
}

type planGH struct {
	Type     string
	APIExit  int `json:"api_exit"`
	ViewExit int `json:"view_exit"`
}

type planStep struct {
	Do   []planOp
	Run  []string
	Cwd  string
	Env  map[string]string
	Want planWant
}

type planWant struct {
	Exit        int
	Stdout      *[]string
	StdoutHas   []string          `json:"stdout_has"`
	StdoutSeq   []string          `json:"stdout_seq"`
	StdoutLacks []string          `json:"stdout_lacks"`
	Stderr      [][]string        `json:"stderr"`
	StderrLacks []string          `json:"stderr_lacks"`
	StderrEmpty bool              `json:"stderr_empty"`
	Errors      *int              `json:"errors"`
	Files       map[string]any    `json:"files"`
	List        map[string]names  `json:"list"`
	Head        *string           `json:"head"`
	Same        []string          `json:"same"`
	SameCommit  map[string]string `json:"same_commit"`
	NoBranch    []string          `json:"no_branch"`
	Subjects    *[]string         `json:"subjects"`
	Body        *string           `json:"body"`
	Committed   *[]string         `json:"committed"`
	Status      *[]string         `json:"status"`
	GHCalls     *[][]string       `json:"gh_calls"`
	Capture     map[string]string `json:"capture"`
}

type names []string

func TestPlanIndexVectors(t *testing.T) { playVectors(t, "plan-index.json") }
func TestPlanPathVectors(t *testing.T)  { playVectors(t, "plan-path.json") }
func TestRunBranchVectors(t *testing.T) { playVectors(t, "run-branch.json") }

func playVectors(t *testing.T, file string) {
	data, err := os.ReadFile(filepath.Join("testdata", "vectors", file))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Fixtures map[string]any
		Vectors  []planVector
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, v := range doc.Vectors {
		seen[v.Name] = true
	}
	for _, v := range doc.Vectors {
		if twin, ok := superseded()[v.Name]; ok {
			if strings.HasPrefix(twin, "dec-") && !seen[twin] {
				t.Errorf("%s is given up for %s, which is not there", v.Name, twin)
			}
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			newWorld(t, v).play()
		})
	}
}

// world is one throw-away machine of a vector.
type world struct {
	t                    *testing.T
	v                    planVector
	base, root, out, bin string
	vars                 map[string]string
	env                  []string
	ghLog                string
}

func newWorld(t *testing.T, v planVector) *world {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, v: v, base: base, root: filepath.Join(base, "repo"), out: filepath.Join(base, "out"), bin: filepath.Join(base, "bin")}
	for _, d := range []string{w.root, w.out, w.bin, filepath.Join(base, "home")} {
		w.must(os.MkdirAll(d, 0o755))
	}
	w.vars = map[string]string{"ROOT": w.root, "OUT": w.out}
	w.ghLog = filepath.Join(base, "gh.log")
	w.env = append(cleanEnv(base), "PATH="+w.bin+string(os.PathListSeparator)+os.Getenv("PATH"), "VEC_GH_LOG="+w.ghLog,
		"VEC_GH_SPEC="+filepath.Join(base, "gh.json"))
	exe, err := os.Executable()
	w.must(err)
	w.must(os.Symlink(exe, filepath.Join(w.bin, "gh")))
	w.writeGH(planGH{APIExit: 1, ViewExit: 1})
	if v.Git {
		w.git("init", "-q", "-b", "main", "--template=")
	}
	return w
}

// writeGH says what the vector's gh answers: an issue whose text poses as a type, and the real type.
func (w *world) writeGH(g planGH) {
	issue, err := json.Marshal(map[string]any{"number": 1, "url": "u", "title": "t", "state": "OPEN", "body": "TYPE=decoy\n"})
	w.must(err)
	spec, err := json.Marshal(ghSpec{Rules: []ghRule{
		{Match: []string{"issue", "view"}, JSON: issue, Exit: g.ViewExit},
		{Match: []string{"api"}, Stdout: g.Type + "\n", Exit: g.APIExit},
	}})
	w.must(err)
	w.must(os.WriteFile(filepath.Join(w.base, "gh.json"), spec, 0o644))
}

// cleanEnv is an environment with nothing of the developer's world but PATH.
func cleanEnv(base string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(base, "home"), "LC_ALL=C.UTF-8", "TZ=UTC",
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES=" + base,
		"GIT_AUTHOR_NAME=V", "GIT_AUTHOR_EMAIL=v@example.invalid", "GIT_COMMITTER_NAME=V", "GIT_COMMITTER_EMAIL=v@example.invalid"}
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) tryGit(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = w.root, w.env
	var out, errb bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errb
	err := cmd.Run()
	if err != nil {
		err = fmt.Errorf("git %v: %w: %s", args, err, errb.String())
	}
	return out.String(), err
}

func (w *world) git(args ...string) string {
	w.t.Helper()
	out, err := w.tryGit(args...)
	w.must(err)
	return out
}

func (w *world) quiet(args ...string) string {
	out, _ := w.tryGit(args...)
	return out
}

func (w *world) sub(s string) string {
	for k, v := range w.vars {
		s = strings.ReplaceAll(s, "<<"+k+">>", v)
	}
	return s
}

func (w *world) path(p string) string {
	if p = w.sub(p); filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(w.root, p)
}

func (w *world) do(o planOp) {
	w.t.Helper()
	switch {
	case o.Write != nil:
		w.write(o)
	case o.Many != nil:
		for i := range o.Count {
			w.put(w.path(strings.ReplaceAll(*o.Many, "%d", fmt.Sprint(i))), "")
		}
	case o.Mkdir != nil:
		w.must(os.MkdirAll(w.path(*o.Mkdir), 0o755))
	case o.Remove != nil:
		w.must(os.RemoveAll(w.path(*o.Remove)))
	case o.Symlink != nil:
		w.must(os.Symlink(w.sub(*o.To), w.path(*o.Symlink)))
	case o.Mtime != nil:
		at, err := time.Parse(time.RFC3339, *o.UTC)
		w.must(err)
		w.must(os.Chtimes(w.path(*o.Mtime), at, at))
	case o.Commit != nil:
		w.git("add", "-A")
		w.git("commit", "-q", "--allow-empty", "-m", *o.Commit)
	case o.Git != nil:
		args := make([]string, len(o.Git))
		for i, a := range o.Git {
			args[i] = w.sub(a)
		}
		w.git(args...)
	case o.GH != nil:
		w.writeGH(*o.GH)
	default:
		w.t.Fatalf("unknown op %+v", o)
	}
}

func (w *world) write(o planOp) {
	text := ""
	switch {
	case o.Lines != nil && len(*o.Lines) > 0:
		text = strings.Join(*o.Lines, "\n") + "\n"
	case o.Text != nil:
		text = *o.Text
	}
	for _, r := range o.Replace {
		if !strings.Contains(text, r[0]) {
			w.t.Fatalf("replace: %q not in text", r[0])
		}
		text = strings.Replace(text, r[0], r[1], 1)
	}
	if o.CRLF {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	p := w.path(*o.Write)
	w.put(p, w.sub(text))
	if o.Exec {
		w.must(os.Chmod(p, 0o755))
	}
}

func (w *world) put(p, text string) {
	w.t.Helper()
	w.must(os.MkdirAll(filepath.Dir(p), 0o755))
	w.must(os.WriteFile(p, []byte(text), 0o644))
}

func (w *world) play() {
	for _, o := range w.v.Setup {
		w.do(o)
	}
	for i, s := range w.v.Steps {
		for _, o := range s.Do {
			w.do(o)
		}
		if !w.step(s) {
			w.t.Logf("in step %d: %q", i+1, s.Run)
			return
		}
	}
}

func (w *world) snapshot(keys []string) map[string]string {
	snap := map[string]string{}
	for _, k := range keys {
		switch k {
		case "head":
			snap[k] = w.quiet("symbolic-ref", "-q", "HEAD")
		case "commit":
			snap[k] = w.quiet("rev-parse", "-q", "--verify", "HEAD")
		case "index":
			snap[k] = w.quiet("ls-files", "-s")
		case "tree":
			snap[k] = w.quiet("status", "--porcelain", "-uall")
		case "branches":
			snap[k] = w.quiet("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads")
		}
	}
	return snap
}

// run calls the command in this process.
func (w *world) run(s planStep) (stdout, stderr string, code int) {
	env := slices.Clone(w.env)
	for k, v := range s.Env {
		env = append(env, k+"="+v)
	}
	args := make([]string, len(s.Run))
	for i, a := range s.Run {
		args[i] = w.sub(a)
	}
	code, stdout, stderr = viber(w.path(orDot(s.Cwd)), env, args...)
	return stdout, stderr, code
}

func orDot(s string) string {
	if s == "" {
		return "."
	}
	return s
}

func (w *world) step(s planStep) bool {
	before := w.snapshot(s.Want.Same)
	_ = os.Remove(w.ghLog)
	stdout, stderr, code := w.run(s)
	var lines []string
	if stdout != "" {
		lines = strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	}
	problem := func(format string, args ...any) {
		w.t.Helper()
		w.t.Errorf("%s\nstdout %q\nstderr %q", fmt.Sprintf(format, args...), stdout, stderr)
	}
	if code != s.Want.Exit {
		problem("exit %d, want %d", code, s.Want.Exit)
	}
	if stdout != "" && !strings.HasSuffix(stdout, "\n") {
		problem("stdout does not end with a newline")
	}
	w.checkStdout(s.Want, lines, problem)
	w.checkStderr(s.Want, stderr, problem)
	w.capture(s.Want, lines, problem)
	w.checkFiles(s.Want, problem)
	if w.v.Git {
		w.checkGit(s.Want, before, problem)
	}
	w.checkGH(s.Want, problem)
	return !w.t.Failed()
}

type complain func(format string, args ...any)

func (w *world) matches(wantLine, got string) bool {
	pattern := regexp.QuoteMeta(w.sub(wantLine))
	pattern = strings.ReplaceAll(pattern, "<<STAMP>>", `\d{4}(?:-\d\d){5}`)
	return regexp.MustCompile("^" + pattern + "$").MatchString(got)
}

func (w *world) checkStdout(want planWant, lines []string, problem complain) {
	if want.Stdout != nil {
		ok := len(*want.Stdout) == len(lines)
		for i := 0; ok && i < len(lines); i++ {
			ok = w.matches((*want.Stdout)[i], lines[i])
		}
		if !ok {
			problem("stdout, want\n%s", strings.Join(*want.Stdout, "\n"))
		}
	}
	for _, l := range want.StdoutHas {
		if !slices.ContainsFunc(lines, func(got string) bool { return w.matches(l, got) }) {
			problem("stdout lacks %q", l)
		}
	}
	if len(want.StdoutSeq) > 0 && !w.hasSequence(lines, want.StdoutSeq) {
		problem("stdout lacks the sequence %q", want.StdoutSeq)
	}
	for _, p := range want.StdoutLacks {
		if slices.ContainsFunc(lines, func(got string) bool { return strings.HasPrefix(got, p) }) {
			problem("stdout has a line starting %q", p)
		}
	}
}

func (w *world) hasSequence(lines, seq []string) bool {
	for i := 0; i+len(seq) <= len(lines); i++ {
		ok := true
		for j, s := range seq {
			ok = ok && w.matches(s, lines[i+j])
		}
		if ok {
			return true
		}
	}
	return false
}

func (w *world) checkStderr(want planWant, stderr string, problem complain) {
	lines := strings.Split(stderr, "\n")
	for _, tokens := range want.Stderr {
		if !w.anyLineHas(lines, tokens) {
			problem("no stderr line carries %q", tokens)
		}
	}
	for _, t := range want.StderrLacks {
		if strings.Contains(stderr, t) {
			problem("stderr carries %q", t)
		}
	}
	if want.StderrEmpty && stderr != "" {
		problem("stderr is not empty")
	}
	if want.Errors != nil {
		n := 0
		for _, l := range lines {
			if strings.HasPrefix(l, "error:") {
				n++
			}
		}
		if n != *want.Errors {
			problem("%d error lines, want %d", n, *want.Errors)
		}
	}
}

func (w *world) anyLineHas(lines, tokens []string) bool {
	return slices.ContainsFunc(lines, func(l string) bool {
		return !slices.ContainsFunc(tokens, func(t string) bool { return !strings.Contains(l, w.sub(t)) })
	})
}

func (w *world) capture(want planWant, lines []string, problem complain) {
	for name, key := range want.Capture {
		at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, key+": ") })
		if at < 0 {
			problem("nothing to capture for %s", key)
			continue
		}
		w.vars[name] = strings.TrimPrefix(lines[at], key+": ")
	}
}

func (w *world) checkFiles(want planWant, problem complain) {
	for p, expected := range want.Files {
		full := w.path(p)
		if expected == nil {
			if _, err := os.Lstat(full); !errors.Is(err, fs.ErrNotExist) {
				problem("%s exists", p)
			}
			continue
		}
		got, err := os.ReadFile(full)
		if err != nil {
			problem("%v", err)
			continue
		}
		w.checkText(p, string(got), expected, problem)
	}
	for dir, expected := range want.List {
		var got []string
		entries, _ := os.ReadDir(w.path(dir))
		for _, e := range entries {
			got = append(got, e.Name())
		}
		var names []string
		for _, n := range expected {
			names = append(names, w.sub(n))
		}
		slices.Sort(names)
		if !slices.Equal(got, names) {
			problem("%s lists %q, want %q", dir, got, names)
		}
	}
}

func (w *world) checkText(p, got string, expected any, problem complain) {
	same := func(text string) {
		if got != w.sub(text) {
			problem("%s:\n--- want\n%s\n--- got\n%s", p, w.sub(text), got)
		}
	}
	switch e := expected.(type) {
	case string:
		same(e)
	case []any:
		same(strings.Join(texts(e), "\n") + "\n")
	case map[string]any:
		for _, t := range texts(e["has"]) {
			if !strings.Contains(got, w.sub(t)) {
				problem("%s lacks %q:\n%s", p, t, got)
			}
		}
		for _, t := range texts(e["lacks"]) {
			if strings.Contains(got, w.sub(t)) {
				problem("%s carries %q", p, t)
			}
		}
	default:
		problem("unknown expectation %v", e)
	}
}

func texts(v any) []string {
	list, _ := v.([]any)
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = e.(string)
	}
	return out
}

func (w *world) checkGit(want planWant, before map[string]string, problem complain) {
	if want.Head != nil {
		head := strings.TrimPrefix(strings.TrimSpace(w.quiet("symbolic-ref", "-q", "HEAD")), "refs/heads/")
		if head == "" {
			head = "(detached)"
		}
		if head != *want.Head {
			problem("HEAD is %s, want %s", head, *want.Head)
		}
	}
	w.compare("subjects", want.Subjects, func() []string { return split(strings.TrimSpace(w.quiet("log", "--format=%s"))) }, problem)
	w.compare("committed", want.Committed, func() []string { return sorted(split(w.quiet("show", "--name-only", "--format=", "HEAD"))) }, problem)
	w.compare("status", want.Status, func() []string { return sorted(split(w.quiet("status", "--porcelain", "-uall"))) }, problem)
	if want.Body != nil {
		if body := strings.TrimSpace(w.quiet("log", "-1", "--format=%b")); body != *want.Body {
			problem("body %q, want %q", body, *want.Body)
		}
	}
	for k, after := range w.snapshot(want.Same) {
		if before[k] != after {
			problem("%s changed: %q -> %q", k, before[k], after)
		}
	}
	for a, b := range want.SameCommit {
		if w.quiet("rev-parse", a) != w.quiet("rev-parse", b) {
			problem("%s is not at %s", a, b)
		}
	}
	for _, b := range want.NoBranch {
		if _, err := w.tryGit("show-ref", "--verify", "--quiet", "refs/heads/"+b); err == nil {
			problem("branch %s exists", b)
		}
	}
}

func (w *world) compare(what string, want *[]string, got func() []string, problem complain) {
	if want == nil {
		return
	}
	var expected []string
	for _, s := range *want {
		expected = append(expected, w.sub(s))
	}
	if what != "subjects" {
		expected = sorted(expected)
	}
	if g := got(); !slices.Equal(g, expected) {
		problem("%s %q, want %q", what, g, expected)
	}
}

func split(text string) []string {
	return slices.DeleteFunc(strings.Split(text, "\n"), func(l string) bool { return l == "" })
}

func sorted(list []string) []string {
	slices.Sort(list)
	return list
}

func (w *world) checkGH(want planWant, problem complain) {
	if want.GHCalls == nil {
		return
	}
	log, _ := os.ReadFile(w.ghLog)
	calls := split(string(log))
	ok := len(calls) == len(*want.GHCalls)
	for i := 0; ok && i < len(calls); i++ {
		var args []string
		w.must(json.Unmarshal([]byte(calls[i]), &args))
		ok = w.anyLineHas([]string{strings.Join(args, " ")}, (*want.GHCalls)[i])
	}
	if !ok {
		problem("gh was called with %q, want %q", calls, *want.GHCalls)
	}
}
