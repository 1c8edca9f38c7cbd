package hooksimpl

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"viber/run"
)

// guardWorld is a project with a run of three tasks, of which the first is done, and a session that owns it.
type guardWorld struct {
	*World
	t       *testing.T
	root    string
	session string
}

const guardRun = "2026-01-02-03-04-05_shop"

func newGuardWorld(t *testing.T, config string) *guardWorld {
	t.Helper()
	root, state := t.TempDir(), t.TempDir()
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	w := &guardWorld{t: t, root: root, session: "00000001-0000-4000-8000-000000000001", World: &World{
		Getenv: func(string) string { return "" }, Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) },
		State: func() string { return state }, Environ: []string{"PATH=" + os.Getenv("PATH")},
	}}
	for _, dir := range []string{".git/objects", ".git/refs"} {
		mkdir(t, filepath.Join(root, filepath.FromSlash(dir)))
	}
	w.write(".git/HEAD", "ref: refs/heads/main\n")
	w.write(".claude/viber.yml", "schema: 4\nguards:\n"+config)
	w.write("docs/_specs/"+guardRun+"/plan.md", "# Shop\n\n## Tasks\n"+planTask("T1", "src/a.go")+planTask("T2", "src/b.go")+planTask("T3", "src/c.go"))
	w.progress("T1", "none")
	return w
}

func planTask(id, file string) string {
	return "\n<!-- TASK -->\n### " + id + " - Title of " + id + "\n- TDD: none\n- Depends-on: none\n- Files: " + file + "\n- Verification: make -> ok\n- DoD: works\n<!-- /TASK -->\n"
}

func (w *guardWorld) progress(done, skipped string) {
	w.write("docs/_specs/"+guardRun+"/status.md", "# status\n\nprogress: 1/3\ndone: "+done+"\nskipped: "+skipped+"\nunreviewed: none\ndeferred: none\nclosed: none\n")
}

func (w *guardWorld) path(name string) string { return filepath.Join(w.root, filepath.FromSlash(name)) }

func (w *guardWorld) write(name, text string) {
	w.t.Helper()
	mkdir(w.t, filepath.Dir(w.path(name)))
	if err := os.WriteFile(w.path(name), []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *guardWorld) own() *guardWorld {
	w.t.Helper()
	if err := run.Claim(w.Files, w.root, guardRun, w.session, w.Now()); err != nil {
		w.t.Fatal(err)
	}
	return w
}

// payload is what the client sends to a hook of this session.
func (w *guardWorld) payload(event, tool string, input map[string]any, more ...any) *Payload {
	fields := map[string]any{"hook_event_name": event, "session_id": w.session, "cwd": w.root, "tool_use_id": "toolu_1", "transcript_path": w.path(".git/t.jsonl")}
	if tool != "" {
		fields["tool_name"], fields["tool_input"] = tool, input
	}
	for i := 0; i+1 < len(more); i += 2 {
		fields[more[i].(string)] = more[i+1]
	}
	return buildPayload(fields)
}

// ask is the answer of all checks to the payload.
func (w *guardWorld) ask(p *Payload) Verdict {
	_, v := Answer(w.World, p.Event, p, Budget)
	return v
}

func (w *guardWorld) because(name string, p *Payload) string {
	for _, e := range Explain(w.World, p) {
		if e.Check == name {
			return strings.Join(e.Because, "; ")
		}
	}
	return ""
}

// files are all files below dir with their text, for asking that nothing was written.
func files(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			text, _ := os.ReadFile(path)
			all.WriteString(path + "\n" + string(text) + "\n")
		}
		return nil
	})
	return all.String()
}

// together calls do n times at once.
func together(n int, do func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Add(1)
		go func() {
			defer all.Done()
			do(i)
		}()
	}
	all.Wait()
}
