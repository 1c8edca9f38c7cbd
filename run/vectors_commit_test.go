//go:build unix

package run_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestCommitVectors plays testdata/vectors/commit: the contract of the task commits and the GitHub commands as data. Every
// vector runs in process, in a repository of its own and with a gh that answers from the vector's rules.
func TestCommitVectors(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/vectors/commit/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	tools := toolDir(t)
	shared := &bases{dir: t.TempDir(), made: map[string]int64{}}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var vectors []vector
		if err := json.Unmarshal(text, &vectors); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, v := range vectors {
			t.Run(v.Name, func(t *testing.T) {
				t.Parallel()
				newScene(t, v, tools, shared).play()
			})
		}
	}
}

type vector struct {
	Name, Cmd string
	Git       *bool
	Setup     [][]any
	GH        *ghSpec
	Env       map[string]string
	Cwd       string
	Argv      []string
	Want      want
	Steps     []step
}

type step struct {
	Do       [][]any
	Argv     []string
	Want     want
	Cmd, Cwd string
	Env      map[string]string
}

type want struct {
	Exit        int
	Stdout      *string
	StdoutRE    *string  `json:"stdout_re"`
	StdoutHas   []string `json:"stdout_has"`
	StdoutLacks []string `json:"stdout_lacks"`
	Stderr      *string
	StderrHas   []string `json:"stderr_has"`
	StderrLacks []string `json:"stderr_lacks"`
	Commits     *[]wantCommit
	Files       map[string]*string
	Dirs        map[string][]string
	Staged      *[]string
	StagedHas   []string `json:"staged_has"`
	Status      *[]string
	HeadMode    map[string]string `json:"head_mode"`
	Parents     int
	GHCalls     *[][]string `json:"gh_calls"`
}

type wantCommit struct {
	Subject, Body string
	Changes       []string
}

// toolDir holds links to the few programs a scene may find on PATH: nothing else of the machine is seen.
func toolDir(t *testing.T) string {
	dir := t.TempDir()
	for _, name := range []string{"git", "sh", "cat", "rm", "touch", "mkdir", "sed", "grep", "env", "basename", "dirname", "tr", "uname", "sleep", "head"} {
		if path, err := execLookPath(name); err == nil {
			if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

type scene struct {
	*testing.T
	vector
	tmp, work, bin, log string
	env                 []string
	vars                map[string]string
	clock               int64
	laid                int // operations of the setup that the base has
	bases               *bases
}

// bases are repositories many scenes start from: made once, then copied.
type bases struct {
	sync.Mutex
	dir  string
	made map[string]int64 // the scene's clock when it was done, by the operations
}

// base lays out the setup up to its last plain commit, from a copy when another scene had the same.
func (s *scene) base(setup [][]any) {
	s.Helper()
	for i, o := range setup {
		kind := fmt.Sprint(o[0])
		if kind == "commit" {
			s.laid = i + 1
		} else if kind != "write" || strings.Contains(fmt.Sprint(o...), "${") || strings.HasPrefix(fmt.Sprint(o[1]), "..") {
			break
		}
	}
	key, err := json.Marshal(setup[:s.laid])
	s.must(err)
	s.bases.Lock()
	defer s.bases.Unlock()
	clock, ok := s.bases.made[string(key)]
	from := filepath.Join(s.bases.dir, fmt.Sprintf("%x", sha256.Sum256(key)))
	if !ok {
		work := s.work
		s.work = from
		s.must(os.MkdirAll(from, 0o755))
		s.git("init", "-q", "-b", "main", "--template=")
		s.git("config", "core.autocrlf", "false")
		for _, o := range setup[:s.laid] {
			s.op(o)
		}
		s.work, clock = work, s.clock
		s.bases.made[string(key)] = clock
	}
	s.clock = clock
	s.must(os.CopyFS(s.work, os.DirFS(from)))
}

func newScene(t *testing.T, v vector, tools string, shared *bases) *scene {
	t.Helper()
	tmp, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &scene{T: t, vector: v, tmp: tmp, work: filepath.Join(tmp, "work"), bin: filepath.Join(tmp, "bin"),
		log: filepath.Join(tmp, "gh.log"), clock: 1700000000, bases: shared}
	s.vars = map[string]string{"repo": s.work, "tmp": tmp}
	for _, dir := range []string{s.work, s.bin, filepath.Join(tmp, "home")} {
		s.must(os.MkdirAll(dir, 0o755))
	}
	s.env = []string{"PATH=" + s.bin + ":" + tools, "HOME=" + filepath.Join(tmp, "home"),
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Vec Tor", "GIT_AUTHOR_EMAIL=vec@example.invalid",
		"GIT_COMMITTER_NAME=Vec Tor", "GIT_COMMITTER_EMAIL=vec@example.invalid",
		"GIT_TERMINAL_PROMPT=0", "LC_ALL=C.UTF-8", "TZ=UTC"}
	if s.isGit() {
		s.base(v.Setup)
	}
	if s.hasGH() {
		exe, err := os.Executable()
		s.must(err)
		s.must(os.Symlink(exe, filepath.Join(s.bin, "gh")))
	}
	for _, o := range v.Setup[s.laid:] {
		s.op(o)
	}
	if s.hasGH() {
		spec, err := json.Marshal(v.GH)
		s.must(err)
		s.must(os.WriteFile(filepath.Join(tmp, "gh.json"), []byte(s.sub(string(spec))), 0o644))
	}
	return s
}

func (s *scene) isGit() bool { return s.Git == nil || *s.Git }
func (s *scene) hasGH() bool { return s.GH != nil && !s.GH.Absent }

func (s *scene) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// sub puts captured names into a text: ${repo}, ${HEAD} and the rest.
func (s *scene) sub(text string) string {
	for name, value := range s.vars {
		text = strings.ReplaceAll(text, "${"+name+"}", value)
	}
	return text
}

func (s *scene) subAll(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = s.sub(t)
	}
	return out
}

func (s *scene) path(p string) string {
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(s.work, p)
}

func (s *scene) dated() []string {
	s.clock += 60
	date := fmt.Sprintf("%d +0000", s.clock)
	return append(slices.Clone(s.env), "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
}

func (s *scene) git(args ...string) string {
	s.Helper()
	out, errb, code := runGit(s.work, s.dated(), args...)
	if code != 0 {
		s.Fatalf("git %q: exit %d: %s", args, code, errb)
	}
	return out
}

func (s *scene) gitMay(args ...string) string {
	out, _, _ := runGit(s.work, s.dated(), args...)
	return out
}

func (s *scene) write(path, text string, flags int) {
	s.Helper()
	s.must(os.MkdirAll(filepath.Dir(path), 0o755))
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|flags, 0o644)
	s.must(err)
	defer f.Close()
	_, err = f.WriteString(text)
	s.must(err)
}

// op does one operation of a scene; the names are those of the vectors.
func (s *scene) op(o []any) {
	s.Helper()
	var a []string
	for _, x := range o {
		a = append(a, s.sub(fmt.Sprint(x)))
	}
	kind, a := a[0], a[1:]
	switch kind {
	case "write":
		s.write(s.path(a[0]), a[1], os.O_TRUNC)
	case "append":
		s.write(s.path(a[0]), a[1], os.O_APPEND)
	case "many":
		for i := range int(o[3].(float64)) {
			s.write(s.path(fmt.Sprintf("%s%03d%s", a[0], i, a[1])), a[3], os.O_TRUNC)
		}
	case "delete":
		s.must(os.RemoveAll(s.path(a[0])))
	case "mkdir":
		s.must(os.MkdirAll(s.path(a[0]), 0o755))
	case "chmod":
		var mode uint32
		fmt.Sscanf(a[1], "%o", &mode)
		s.must(os.Chmod(s.path(a[0]), os.FileMode(mode)))
	case "symlink":
		s.must(os.MkdirAll(filepath.Dir(s.path(a[1])), 0o755))
		s.must(os.Symlink(a[0], s.path(a[1])))
	default:
		s.gitOp(kind, a)
	}
}

func (s *scene) gitOp(kind string, a []string) {
	s.Helper()
	switch kind {
	case "git":
		s.git(a...)
	case "git?":
		s.gitMay(a...)
	case "commit":
		s.git("add", "-A")
		args := []string{"commit", "-q", "--allow-empty"}
		for _, p := range a {
			args = append(args, "-m", p)
		}
		s.git(args...)
	case "break-commit":
		s.git("config", "commit.gpgsign", "true")
		s.git("config", "gpg.program", "no-such-gpg-program")
	case "fix-commit":
		s.git("config", "commit.gpgsign", "false")
	case "hook":
		path := filepath.Join(s.work, ".git", "hooks", a[0])
		s.write(path, a[1], os.O_TRUNC)
		s.must(os.Chmod(path, 0o755))
	case "capture":
		s.vars[a[0]] = strings.TrimSpace(s.git(a[1:]...))
	case "bare-remote":
		dir := filepath.Join(s.tmp, a[0]+".git")
		s.git("init", "-q", "--bare", dir)
		s.git("remote", "add", a[0], dir)
	case "stub":
		path := filepath.Join(s.bin, a[0])
		s.write(path, "#!/bin/sh\n"+a[1], os.O_TRUNC)
		s.must(os.Chmod(path, 0o755))
	default:
		s.Fatalf("unknown operation %q", kind)
	}
}

func (s *scene) play() {
	steps := s.Steps
	if len(steps) == 0 {
		steps = []step{{Argv: s.Argv, Want: s.Want}}
	}
	for i, st := range steps {
		for _, o := range st.Do {
			s.op(o)
		}
		s.call(fmt.Sprintf("step %d: ", i+1), st)
	}
}

func (s *scene) call(where string, st step) {
	cmd, cwd := st.Cmd, st.Cwd
	if cmd == "" {
		cmd = s.Cmd
	}
	if cwd == "" {
		cwd = s.Cwd
	}
	env := s.dated()
	if s.hasGH() {
		env = append(env, "VEC_GH_SPEC="+filepath.Join(s.tmp, "gh.json"), "VEC_GH_LOG="+s.log)
	}
	for _, extra := range []map[string]string{s.Env, st.Env} {
		for k, v := range extra {
			env = append(env, k+"="+s.sub(v))
		}
	}
	s.must(os.WriteFile(s.log, nil, 0o644))
	before := s.head()
	got := outcome{where: where, before: before}
	got.code, got.out, got.err = viber(s.path(cwd), env, append([]string{cmd}, s.subAll(st.Argv)...)...)
	s.vars["HEAD"] = s.head()
	s.vars["short"] = s.vars["HEAD"][:min(7, len(s.vars["HEAD"]))]
	s.check(st.Want, got)
}

// head is the commit HEAD is at, "" without one.
func (s *scene) head() string {
	text, _ := os.ReadFile(filepath.Join(s.work, ".git", "HEAD"))
	ref, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "ref: ")
	if ok {
		text, _ = os.ReadFile(filepath.Join(s.work, ".git", filepath.FromSlash(ref)))
	}
	return strings.TrimSpace(string(text))
}

type outcome struct {
	where, before, out, err string
	code                    int
}

func (s *scene) check(w want, got outcome) {
	s.Helper()
	bad := func(format string, args ...any) {
		s.Helper()
		s.Errorf("%s%s\n    exit %d\n    stdout %q\n    stderr %q", got.where, fmt.Sprintf(format, args...), got.code, got.out, got.err)
	}
	if got.code != w.Exit {
		bad("exit %d, want %d", got.code, w.Exit)
	}
	if w.Stdout != nil && got.out != s.sub(*w.Stdout) {
		bad("stdout differs, want %q", s.sub(*w.Stdout))
	}
	if w.StdoutRE != nil && !regexp.MustCompile("(?s)^(?:"+s.sub(*w.StdoutRE)+")$").MatchString(got.out) {
		bad("stdout does not match %q", *w.StdoutRE)
	}
	if w.Stderr != nil && got.err != s.sub(*w.Stderr) {
		bad("stderr differs, want %q", s.sub(*w.Stderr))
	}
	substrings(bad, "stdout", got.out, s.subAll(w.StdoutHas), s.subAll(w.StdoutLacks))
	substrings(bad, "stderr", got.err, s.subAll(w.StderrHas), s.subAll(w.StderrLacks))
	s.checkCommits(bad, w, got)
	s.checkFiles(bad, w)
	s.checkIndex(bad, w)
	s.checkCalls(bad, w)
}

func substrings(bad func(string, ...any), name, text string, has, lacks []string) {
	for _, x := range has {
		if !strings.Contains(text, x) {
			bad("%s lacks %q", name, x)
		}
	}
	for _, x := range lacks {
		if strings.Contains(text, x) {
			bad("%s has %q", name, x)
		}
	}
}

func (s *scene) checkCommits(bad func(string, ...any), w want, got outcome) {
	if w.Commits == nil {
		return
	}
	span := "HEAD"
	if got.before != "" {
		span = got.before + "..HEAD"
	}
	var have []wantCommit
	if s.vars["HEAD"] != "" {
		for _, sha := range strings.Fields(s.git("rev-list", "--first-parent", span)) {
			text := strings.SplitN(s.git("log", "-1", "--format=%P%n%s%n%b", sha), "\n", 3)
			args := []string{"diff-tree", "--root", "-r", "--no-commit-id", "--name-status", "--no-renames", sha}
			if parent, _, _ := strings.Cut(text[0], " "); parent != "" {
				args = []string{"diff", "--name-status", "--no-renames", parent, sha}
			}
			changes := nameStatus(s.git(append([]string{"-c", "core.quotePath=false"}, args...)...))
			have = append(have, wantCommit{Subject: text[1], Body: strings.TrimRight(text[2], "\n"), Changes: changes})
		}
	}
	var wanted []wantCommit
	for _, c := range *w.Commits {
		changes := s.subAll(c.Changes)
		slices.Sort(changes)
		wanted = append(wanted, wantCommit{s.sub(c.Subject), s.sub(c.Body), changes})
	}
	if fmt.Sprintf("%q", have) != fmt.Sprintf("%q", wanted) {
		bad("commits differ\n    got  %q\n    want %q", have, wanted)
	}
}

func nameStatus(text string) []string {
	list := []string{}
	for line := range strings.Lines(text) {
		list = append(list, strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", " "))
	}
	slices.Sort(list)
	return list
}

func (s *scene) checkFiles(bad func(string, ...any), w want) {
	for p, content := range w.Files {
		text, err := os.ReadFile(s.path(s.sub(p)))
		_, lerr := os.Lstat(s.path(s.sub(p)))
		switch {
		case content == nil && lerr == nil:
			bad("%s exists, want absent", p)
		case content != nil && err != nil:
			bad("%s: %v", p, err)
		case content != nil && string(text) != s.sub(*content):
			bad("%s = %q, want %q", p, text, s.sub(*content))
		}
	}
	for p, names := range w.Dirs {
		entries, err := os.ReadDir(s.path(s.sub(p)))
		if err != nil {
			bad("%v", err)
		}
		var have []string
		for _, e := range entries {
			have = append(have, e.Name())
		}
		slices.Sort(names)
		if !slices.Equal(have, names) {
			bad("directory %s = %q, want %q", p, have, names)
		}
	}
}

func (s *scene) checkIndex(bad func(string, ...any), w want) {
	if w.Staged != nil || w.StagedHas != nil {
		have := nameStatus(s.git("-c", "core.quotePath=false", "diff", "--cached", "--name-status", "--no-renames"))
		if w.Staged != nil {
			wanted := s.subAll(*w.Staged)
			slices.Sort(wanted)
			if !slices.Equal(have, wanted) {
				bad("staged = %q, want %q", have, wanted)
			}
		}
		for _, x := range s.subAll(w.StagedHas) {
			if !slices.Contains(have, x) {
				bad("staged %q lacks %q", have, x)
			}
		}
	}
	if w.Status != nil {
		have := nameStatus(s.git("-c", "core.quotePath=false", "status", "--porcelain", "--untracked-files=all"))
		wanted := s.subAll(*w.Status)
		slices.Sort(wanted)
		if !slices.Equal(have, wanted) {
			bad("status = %q, want %q", have, wanted)
		}
	}
	for p, mode := range w.HeadMode {
		if have, _, _ := strings.Cut(s.git("ls-tree", "HEAD", "--", s.sub(p)), " "); have != mode {
			bad("mode of %s = %s, want %s", p, have, mode)
		}
	}
	if w.Parents > 0 {
		if n := len(strings.Fields(s.git("log", "-1", "--format=%P"))); n != w.Parents {
			bad("HEAD has %d parents, want %d", n, w.Parents)
		}
	}
}

func (s *scene) checkCalls(bad func(string, ...any), w want) {
	if w.GHCalls == nil {
		return
	}
	log, err := os.ReadFile(s.log)
	s.must(err)
	var calls [][]string
	for line := range strings.Lines(string(log)) {
		var args []string
		s.must(json.Unmarshal([]byte(line), &args))
		calls = append(calls, args)
	}
	same := len(calls) == len(*w.GHCalls)
	for i := 0; same && i < len(calls); i++ {
		same = callFits(calls[i], s.subAll((*w.GHCalls)[i]))
	}
	if !same {
		bad("gh calls %q, want %q", calls, *w.GHCalls)
	}
}

func callFits(call, want []string) bool {
	if n := len(want); n > 0 && want[n-1] == "..." {
		want = want[:n-1]
		call = call[:min(len(call), len(want))]
	}
	if len(call) != len(want) {
		return false
	}
	for i := range want {
		if want[i] != "*" && want[i] != call[i] {
			return false
		}
	}
	return true
}
