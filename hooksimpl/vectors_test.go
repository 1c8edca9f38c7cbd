package hooksimpl

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// vector is one case of testdata/*.json: a sandbox, a payload, and the answer.
type vector struct {
	Name           string
	Hook           string
	Files          map[string]vectorFile
	Dirs           []string
	GitInit        []string `json:"git_init"`
	Install        string
	Env            map[string]string
	Payload        json.RawMessage
	PayloadRaw     *string  `json:"payload_raw"`
	ReasonContains []string `json:"reason_contains"`
	Want           json.RawMessage
	WantDocumented json.RawMessage `json:"want_documented"`
	Tags           []string
}

// want is the expected answer of every hook but kill-guard, which says only "deny" or "silent".
type want struct {
	Exit        int
	Stdout      string
	StdoutJSON  map[string]any `json:"stdout_json"`
	Outcome     string
	Absent      []string
	Contains    []string
	NotContains []string `json:"not_contains"`
}

type vectorFile struct {
	content []byte
	mtime   *float64
}

func (f *vectorFile) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		f.content = []byte(text)
		return nil
	}
	var spec struct {
		Text       string
		Mtime      *float64
		Lines      []vectorLine
		EOL        *string
		NoFinalEOL bool `json:"no_final_eol"`
	}
	if err := json.Unmarshal(raw, &spec); err != nil {
		return err
	}
	f.mtime, f.content = spec.Mtime, []byte(spec.Text)
	if spec.Lines == nil {
		return nil
	}
	eol := "\n"
	if spec.EOL != nil {
		eol = *spec.EOL
	}
	var lines []string
	for _, l := range spec.Lines {
		for range l.repeat {
			lines = append(lines, l.text)
		}
	}
	f.content = []byte(strings.Join(lines, eol))
	if !spec.NoFinalEOL {
		f.content = append(f.content, eol...)
	}
	return nil
}

type vectorLine struct {
	text   string
	repeat int
}

func (l *vectorLine) UnmarshalJSON(raw []byte) error {
	l.repeat = 1
	if json.Unmarshal(raw, &l.text) == nil {
		return nil
	}
	spec := struct {
		Line        string
		Repeat, Pad int
	}{Repeat: 1}
	if err := json.Unmarshal(raw, &spec); err != nil {
		return err
	}
	l.repeat = spec.Repeat
	l.text = strings.ReplaceAll(spec.Line, "@PAD@", strings.Repeat("x", spec.Pad))
	return nil
}

func loadVectors(t testing.TB, file string) []vector {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// play builds the vector's sandbox, asks its hook, and returns exit code and stdout.
func (v vector) play(t *testing.T) (int, string) {
	t.Helper()
	tmp := t.TempDir()
	install := v.Install
	if install == "" {
		install = "install"
	}
	mkdir(t, filepath.Join(tmp, install))
	for _, dir := range v.Dirs {
		mkdir(t, filepath.Join(tmp, dir))
	}
	for path, file := range v.Files {
		writeVectorFile(t, tmp, filepath.Join(tmp, path), file)
	}
	for _, dir := range v.GitInit {
		mkdir(t, filepath.Join(tmp, dir))
		if out, err := exec.Command("git", "init", "-q", filepath.Join(tmp, dir)).CombinedOutput(); err != nil {
			t.Fatalf("git init: %v %s", err, out)
		}
	}
	payload := string(v.Payload)
	if v.PayloadRaw != nil {
		payload = *v.PayloadRaw
	} else {
		payload = compactJSON(t, payload)
	}
	world := &World{
		Getenv: func(key string) string { return strings.ReplaceAll(v.Env[key], "{{TMP}}", tmp) },
		Now:    time.Now,
		Root:   filepath.Join(tmp, install),
	}
	var out bytes.Buffer
	code := Run(Options{
		Name: v.Hook, Stdin: strings.NewReader(strings.ReplaceAll(payload, "{{TMP}}", tmp)), Stdout: &out, World: world,
	})
	return code, out.String()
}

func compactJSON(t *testing.T, text string) string {
	t.Helper()
	if text == "" {
		return ""
	}
	var buf bytes.Buffer
	if err := json.Compact(&buf, []byte(text)); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

func mkdir(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
}

func writeVectorFile(t *testing.T, tmp, path string, file vectorFile) {
	t.Helper()
	mkdir(t, filepath.Dir(path))
	content := bytes.ReplaceAll(file.content, []byte("{{TMP}}"), []byte(tmp))
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	if file.mtime != nil {
		at := time.Unix(0, int64(*file.mtime*float64(time.Second)))
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
}

// outcomeLabels are the words by which a reason shows its outcome.
func outcomeLabel(outcome string) string {
	switch outcome {
	case "no-dispatch":
		return "Next step: review the plan."
	case "no-verdict":
		return "let the review finish"
	case "denied":
		return "grant the permission"
	case "fail":
		return "fix the findings"
	case "stale":
		return "re-review"
	}
	return ""
}

func (w want) check(t *testing.T, code int, out string) {
	t.Helper()
	if code != w.Exit {
		t.Errorf("exit %d, want %d", code, w.Exit)
	}
	if w.Stdout == "silent" {
		if out != "" {
			t.Errorf("want silence, got %s", out)
		}
		return
	}
	if strings.Count(out, "\n") != 1 || !strings.HasSuffix(out, "\n") {
		t.Errorf("want one line, got %q", out)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("stdout is not one JSON object: %q", out)
	}
	subset(t, "", w.StdoutJSON, got)
	for _, path := range w.Absent {
		if present(got, strings.Split(path, ".")) {
			t.Errorf("%s must be absent", path)
		}
	}
	w.checkReason(t, got)
}

func (w want) checkReason(t *testing.T, got map[string]any) {
	t.Helper()
	specific, _ := got["hookSpecificOutput"].(map[string]any)
	reason, _ := specific["permissionDecisionReason"].(string)
	if label := outcomeLabel(w.Outcome); !strings.Contains(reason, label) {
		t.Errorf("outcome %s is not in the reason %q", w.Outcome, reason)
	}
	if w.Outcome == "allow" && specific["permissionDecision"] != "allow" {
		t.Errorf("want allow, got %v", specific)
	}
	for _, s := range w.Contains {
		if !strings.Contains(reason, s) {
			t.Errorf("the reason lacks %q: %s", s, reason)
		}
	}
	for _, s := range w.NotContains {
		if strings.Contains(reason, s) {
			t.Errorf("the reason holds %q: %s", s, reason)
		}
	}
}

func subset(t *testing.T, path string, want, got map[string]any) {
	t.Helper()
	for key, w := range want {
		at := path + "." + key
		inner, isObject := w.(map[string]any)
		switch g, ok := got[key]; {
		case !ok:
			t.Errorf("%s is missing", at)
		case isObject:
			gotInner, _ := g.(map[string]any)
			subset(t, at, inner, gotInner)
		case g != w:
			t.Errorf("%s is %q, want %q", at, g, w)
		}
	}
}

func present(o map[string]any, path []string) bool {
	v, ok := o[path[0]]
	if !ok || len(path) == 1 {
		return ok
	}
	inner, _ := v.(map[string]any)
	return inner != nil && present(inner, path[1:])
}

func TestVectors(t *testing.T) {
	t.Parallel()
	departures := loadDepartures(t, "plan-gate")
	met := 0
	for _, file := range []string{"session-start.json", "plan-gate.json", "plan-hints.json"} {
		for _, v := range loadVectors(t, file) {
			var w want
			if err := json.Unmarshal(v.Want, &w); err != nil {
				t.Fatal(err)
			}
			if d, ok := departures[v.Name]; ok && v.Hook == "plan-gate" {
				met++
				w = want{Outcome: d.Want}
			}
			t.Run(v.Hook+"/"+v.Name, func(t *testing.T) {
				t.Parallel()
				code, out := v.play(t)
				w.check(t, code, out)
			})
		}
	}
	if met != len(departures) {
		t.Errorf("%d of %d departures name a vector", met, len(departures))
	}
}

func checkKill(t *testing.T, v vector, want string, code int, out string) {
	t.Helper()
	if code != 0 {
		t.Errorf("exit %d", code)
	}
	if want == `"silent"` {
		if out != "" {
			t.Errorf("want silence, got %s", out)
		}
		return
	}
	var got struct {
		Specific *struct {
			Event    string `json:"hookEventName"`
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	if json.Unmarshal([]byte(out), &got) != nil || got.Specific == nil {
		t.Fatalf("want a denial, got %q", out)
	}
	if got.Specific.Event != EventPreToolUse || got.Specific.Decision != "deny" {
		t.Errorf("want a denial, got %s", out)
	}
	for _, s := range v.ReasonContains {
		if !strings.Contains(got.Specific.Reason, s) {
			t.Errorf("the reason lacks %q: %s", s, got.Specific.Reason)
		}
	}
}
