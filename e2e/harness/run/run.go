// Package run plays a scenario: it lays out a throw-away home and project,
// starts the fake API, runs the real client (and other commands) in them with a
// clean environment, and checks what the hooks saw, what the API got, what the
// client printed and what is on disk.
package run

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"time"

	"viber/e2e/harness/fakeapi"
	"viber/e2e/harness/hookrec"
)

// Scenario is the file format. Strings may hold {{WORK}}, {{HOME}}, {{PROJECT}},
// {{DIR}} (the scenario's own folder), {{API}}, {{CLAUDE}}, {{HOOK}} (a shell
// command line for the recorder), {{HOOKBIN}} and {{HOOKCFG}} (for exec form),
// and any -var given.
type Scenario struct {
	Name    string            `json:"name"`
	Doc     string            `json:"doc,omitempty"`
	Home    map[string]any    `json:"home,omitempty"`    // files under $HOME: string = text, other = JSON, null = folder
	Project map[string]any    `json:"project,omitempty"` // files under the project
	Modes   map[string]string `json:"modes,omitempty"`   // octal modes by absolute path
	Git     bool              `json:"git,omitempty"`     // git init the project
	Env     map[string]string `json:"env,omitempty"`     // extra variables for every step
	Lanes   []fakeapi.Lane    `json:"lanes,omitempty"`
	Rules   []hookrec.Rule    `json:"rules,omitempty"`
	Record  []string          `json:"record,omitempty"` // events to register the recorder for, in user settings
	Steps   []Step            `json:"steps"`
	Checks  []Check           `json:"checks,omitempty"`
}

// Step is one command. With Prompt (or Input) it is `claude -p`; with Cmd it is
// that command (argv), run in the project with the same environment.
type Step struct {
	Name     string            `json:"name,omitempty"`
	Prompt   string            `json:"prompt,omitempty"`
	Input    []any             `json:"input,omitempty"` // stream-json input lines instead of Prompt; strings are wrapped as user messages
	Host     string            `json:"host,omitempty"`  // answer the client's permission requests over stdio: "allow" or "deny"; inputs are then sent one by one, each after the last result
	TTY      []TTYAct          `json:"tty,omitempty"`   // run the client interactively on a pseudo-terminal (linux) and play these
	Args     []string          `json:"args,omitempty"`
	Cmd      []string          `json:"cmd,omitempty"`
	Stdin    string            `json:"stdin,omitempty"`
	Dir      string            `json:"dir,omitempty"`
	Env      map[string]string `json:"env,omitempty"`
	TimeoutS int               `json:"timeout_s,omitempty"`
	Exit     *int              `json:"exit,omitempty"` // expected exit code, default 0; -1 = any
}

// TTYAct is one thing done at the terminal: wait for a text (blanks are not
// compared), sleep, then send keys ("\r" is Enter, "\u001b[B" is Down,
// "\u001b[Z" is Shift+Tab, "\u0003" is Ctrl+C).
type TTYAct struct {
	WaitFor  string `json:"wait_for,omitempty"`
	SleepMS  int    `json:"sleep_ms,omitempty"`
	Send     string `json:"send,omitempty"`
	TimeoutS int    `json:"timeout_s,omitempty"`
}

type ttyError struct{ error }

// Check is one assertion; exactly one of the pointers is set.
type Check struct {
	Doc        string     `json:"doc,omitempty"`
	Hook       *HookCheck `json:"hook,omitempty"`       // recorder calls
	Request    *ReqCheck  `json:"request,omitempty"`    // API requests
	Stream     *ObjCheck  `json:"stream,omitempty"`     // client output lines (stream-json)
	Transcript *ObjCheck  `json:"transcript,omitempty"` // transcript lines (main and subagents)
	Output     *OutCheck  `json:"output,omitempty"`     // raw stdout+stderr of a step
	File       *FileCheck `json:"file,omitempty"`
}

type Count struct {
	Count *int `json:"count,omitempty"`
	Min   *int `json:"min,omitempty"`
	Max   *int `json:"max,omitempty"`
}

type HookCheck struct {
	Count
	Event string         `json:"event,omitempty"`
	Tag   string         `json:"tag,omitempty"`
	Where map[string]any `json:"where,omitempty"` // on the whole record: stdin.tool_name, env.X, exit, stdout, ...
}

type ReqCheck struct {
	Count
	Lane        string         `json:"lane,omitempty"`
	N           *int           `json:"n,omitempty"` // only the n-th request of those that match Lane (0-based; -1 = last)
	Contains    []string       `json:"contains,omitempty"`
	NotContains []string       `json:"not_contains,omitempty"`
	Where       map[string]any `json:"where,omitempty"` // on {"header":...,"body":...,"path":...}
}

type ObjCheck struct {
	Count
	Step  *int           `json:"step,omitempty"`
	Where map[string]any `json:"where,omitempty"`
}

type OutCheck struct {
	Step        int      `json:"step"`
	Contains    []string `json:"contains,omitempty"`
	NotContains []string `json:"not_contains,omitempty"`
	Regex       string   `json:"regex,omitempty"`
}

type FileCheck struct {
	Path     string         `json:"path"` // may be a glob; at least one file must match
	Absent   bool           `json:"absent,omitempty"`
	Contains []string       `json:"contains,omitempty"`
	JSON     map[string]any `json:"json,omitempty"`
}

// Options say where things are.
type Options struct {
	Claude  string            // the real client
	HookBin string            // a program that calls hookrec.Main when its first argument is "hook"
	Work    string            // folder to use; made when missing
	Dir     string            // the scenario's folder
	Vars    map[string]string // extra placeholders
	Path    string            // PATH for the client; default /usr/bin:/bin
}

// StepResult is what one step did.
type StepResult struct {
	Name   string           `json:"name,omitempty"`
	Argv   []string         `json:"argv"`
	Exit   int              `json:"exit"`
	TookMS int64            `json:"took_ms"`
	Stdout string           `json:"stdout,omitempty"`
	Stderr string           `json:"stderr,omitempty"`
	Stream []map[string]any `json:"-"`
}

// Report is the outcome of a scenario.
type Report struct {
	Name       string            `json:"name"`
	OK         bool              `json:"ok"`
	Failures   []string          `json:"failures,omitempty"`
	Steps      []StepResult      `json:"steps"`
	Hooks      []hookrec.Record  `json:"hooks"`
	Requests   []fakeapi.Request `json:"-"`
	Transcript []map[string]any  `json:"-"`
}

// Load reads a scenario file.
func Load(path string) (*Scenario, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	var s Scenario
	if err := dec.Decode(&s); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &s, nil
}

// Run plays the scenario. An error means the harness itself failed; a failed
// check is in the report.
func Run(sc *Scenario, o Options) (*Report, error) {
	work, err := filepath.Abs(o.Work)
	if err != nil {
		return nil, err
	}
	home, proj, hooklog := filepath.Join(work, "home"), filepath.Join(work, "project"), filepath.Join(work, "hooks")
	for _, d := range []string{home, proj, hooklog} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return nil, err
		}
	}
	if proj, err = filepath.EvalSymlinks(proj); err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(work, "api.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()

	cfgPath := filepath.Join(work, "hookrec.json")
	vars := map[string]string{"WORK": work, "HOME": home, "PROJECT": proj, "DIR": o.Dir, "CLAUDE": o.Claude,
		"HOOKBIN": o.HookBin, "HOOKCFG": cfgPath, "HOOK": shq(o.HookBin) + " hook -config " + shq(cfgPath)}
	for k, v := range o.Vars {
		vars[k] = v
	}
	// Substitute in everything except lanes before the server exists, then lanes.
	api, err := fakeapi.New(0, nil, log)
	if err != nil {
		return nil, err
	}
	defer api.Close()
	vars["API"] = api.URL
	var s Scenario
	if err := subst(sc, vars, &s); err != nil {
		return nil, err
	}
	api.SetLanes(s.Lanes)

	if len(s.Record) > 0 {
		if s.Home == nil {
			s.Home = map[string]any{}
		}
		set, _ := s.Home[".claude/settings.json"].(map[string]any)
		if set == nil {
			set = map[string]any{}
		}
		hooks, _ := set["hooks"].(map[string]any)
		if hooks == nil {
			hooks = map[string]any{}
		}
		for _, ev := range s.Record {
			groups, _ := hooks[ev].([]any)
			hooks[ev] = append(groups, map[string]any{"hooks": []any{map[string]any{"type": "command", "command": o.HookBin, "args": []any{"hook", "-config", cfgPath, "-tag", "record"}}}})
		}
		set["hooks"] = hooks
		s.Home[".claude/settings.json"] = set
	}
	cfg, _ := json.MarshalIndent(hookrec.Config{Log: hooklog, Rules: s.Rules}, "", " ")
	if err := os.WriteFile(cfgPath, cfg, 0o644); err != nil {
		return nil, err
	}
	if err := layout(home, s.Home); err != nil {
		return nil, err
	}
	if err := layout(proj, s.Project); err != nil {
		return nil, err
	}
	for p, m := range s.Modes {
		var mode uint32
		fmt.Sscanf(m, "%o", &mode)
		if err := os.Chmod(p, os.FileMode(mode)); err != nil {
			return nil, err
		}
	}
	path := o.Path
	if path == "" {
		path = "/usr/bin:/bin"
	}
	if s.Git {
		c := exec.Command("git", "init", "-q", proj)
		c.Env = []string{"PATH=" + path, "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1"}
		if b, err := c.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("git init: %v: %s", err, b)
		}
	}

	rep := &Report{Name: s.Name, OK: true}
	fail := func(f string, a ...any) { rep.OK = false; rep.Failures = append(rep.Failures, fmt.Sprintf(f, a...)) }
	// The environment is built from nothing: no variable of the caller leaks in.
	base := map[string]string{"PATH": path, "HOME": home, "LANG": "C.UTF-8", "TERM": "dumb", "TMPDIR": filepath.Join(work, "tmp"),
		"DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL": "1",
		"ANTHROPIC_BASE_URL": api.URL, "ANTHROPIC_API_KEY": "dummy-key",
		// Anything that tries to leave the machine fails at once instead of hanging.
		"HTTPS_PROXY": "http://127.0.0.1:9", "NO_PROXY": "127.0.0.1,localhost"}
	os.MkdirAll(base["TMPDIR"], 0o755)
	for i, st := range s.Steps {
		r, err := runStep(i, st, &s, o, base, proj, work)
		if err != nil {
			return nil, err
		}
		rep.Steps = append(rep.Steps, *r)
		want := 0
		if st.Exit != nil {
			want = *st.Exit
		}
		if want != -1 && r.Exit != want {
			fail("step %d %q: exit code %d, want %d\nstderr: %s", i, st.Name, r.Exit, want, clip(r.Stderr, 600))
		}
	}
	rep.Requests = api.Requests()
	if rep.Hooks, err = hookrec.ReadLog(hooklog); err != nil {
		return nil, err
	}
	rep.Transcript = transcripts(home)
	for i, c := range s.Checks {
		if msg := c.eval(rep); msg != "" {
			fail("check %d %s: %s", i, c.Doc, msg)
		}
	}
	return rep, save(rep, work)
}

func runStep(i int, st Step, s *Scenario, o Options, base map[string]string, proj, work string) (*StepResult, error) {
	env := map[string]string{}
	for _, m := range []map[string]string{base, s.Env, st.Env} {
		for k, v := range m {
			if v == "" { // an empty value removes the variable
				delete(env, k)
				continue
			}
			env[k] = v
		}
	}
	argv := st.Cmd
	stdin := st.Stdin
	var inputs []string
	if len(st.TTY) > 0 {
		argv = append([]string{o.Claude, "--debug-file", filepath.Join(work, fmt.Sprintf("debug-%d.log", i))}, st.Args...)
		env["TERM"], env["CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN"] = "xterm-256color", "1"
	}
	if len(argv) == 0 {
		argv = []string{o.Claude, "-p"}
		in := st.Input
		if st.Host != "" && len(in) == 0 {
			in = []any{st.Prompt}
		}
		if len(in) > 0 {
			argv = append(argv, "--input-format", "stream-json")
			for _, l := range in {
				if t, ok := l.(string); ok {
					l = map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": t}}
				}
				inputs = append(inputs, js(l)+"\n")
			}
			stdin = strings.Join(inputs, "")
		} else {
			argv = append(argv, st.Prompt)
		}
		if st.Host != "" {
			argv = append(argv, "--permission-prompt-tool", "stdio")
		}
		argv = append(argv, "--output-format", "stream-json", "--verbose", "--include-hook-events", "--debug-file", filepath.Join(work, fmt.Sprintf("debug-%d.log", i)))
		argv = append(argv, st.Args...)
	}
	to := time.Duration(st.TimeoutS) * time.Second
	if to == 0 {
		to = 2 * time.Minute
	}
	ctx, cancel := context.WithTimeout(context.Background(), to)
	defer cancel()
	c := exec.CommandContext(ctx, argv[0], argv[1:]...)
	c.Dir = proj
	if st.Dir != "" {
		c.Dir = st.Dir
	}
	for k, v := range env {
		c.Env = append(c.Env, k+"="+v)
	}
	sort.Strings(c.Env)
	var out, errb bytes.Buffer
	if len(st.TTY) == 0 {
		c.Stderr = &errb
	}
	c.WaitDelay = 2 * time.Second
	t0 := time.Now()
	var err error
	if len(st.TTY) > 0 {
		err = interactive(ctx, c, st.TTY, &out)
	} else if st.Host != "" {
		err = hosted(c, inputs, st.Host, &out)
	} else {
		c.Stdin, c.Stdout = strings.NewReader(stdin), &out
		err = c.Run()
	}
	r := &StepResult{Name: st.Name, Argv: argv, TookMS: time.Since(t0).Milliseconds(), Stdout: out.String(), Stderr: errb.String()}
	var ee *exec.ExitError
	var te ttyError
	switch {
	case err == nil:
	case errors.As(err, &te):
		r.Exit, r.Stderr = 125, "harness: "+te.Error()
	case errors.As(err, &ee):
		r.Exit = ee.ExitCode()
	case errors.Is(err, exec.ErrWaitDelay):
	default:
		return nil, fmt.Errorf("step %d: %w", i, err)
	}
	if ctx.Err() != nil {
		r.Exit = 124
		r.Stderr += "\nharness: timed out"
	}
	os.WriteFile(filepath.Join(work, fmt.Sprintf("stdout-%d.txt", i)), out.Bytes(), 0o644)
	os.WriteFile(filepath.Join(work, fmt.Sprintf("stderr-%d.txt", i)), errb.Bytes(), 0o644)
	r.Stream = jsonl(out.Bytes())
	return r, nil
}

// hosted plays the part of a program that embeds the client: it sends one input
// at a time and answers every request for permission.
func hosted(c *exec.Cmd, inputs []string, answer string, out *bytes.Buffer) error {
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	send := func(v any) { fmt.Fprintln(in, js(v)) }
	send(map[string]any{"type": "control_request", "request_id": "init", "request": map[string]any{"subtype": "initialize"}})
	next := func() {
		if len(inputs) == 0 {
			in.Close()
			return
		}
		fmt.Fprint(in, inputs[0])
		inputs = inputs[1:]
	}
	next()
	sc := bufio.NewScanner(stdout)
	sc.Buffer(nil, 64<<20)
	for sc.Scan() {
		out.Write(append(sc.Bytes(), '\n'))
		var m struct {
			Type string `json:"type"`
			ID   string `json:"request_id"`
			Req  struct {
				Subtype string          `json:"subtype"`
				Input   json.RawMessage `json:"input"`
			} `json:"request"`
		}
		if json.Unmarshal(sc.Bytes(), &m) != nil {
			continue
		}
		switch {
		case m.Type == "result":
			next()
		case m.Type == "control_request" && m.Req.Subtype == "can_use_tool":
			resp := map[string]any{"behavior": "deny", "message": "the host says no"}
			if answer == "allow" {
				resp = map[string]any{"behavior": "allow", "updatedInput": m.Req.Input}
			}
			send(map[string]any{"type": "control_response", "response": map[string]any{"subtype": "success", "request_id": m.ID, "response": resp}})
		}
	}
	return c.Wait()
}

func (c Count) bad(n int) string {
	switch {
	case c.Count != nil && n != *c.Count:
		return fmt.Sprintf("%d found, want %d", n, *c.Count)
	case c.Min != nil && n < *c.Min:
		return fmt.Sprintf("%d found, want at least %d", n, *c.Min)
	case c.Max != nil && n > *c.Max:
		return fmt.Sprintf("%d found, want at most %d", n, *c.Max)
	case c.Count == nil && c.Min == nil && c.Max == nil && n == 0:
		return "none found"
	}
	return ""
}

func (c Check) eval(r *Report) string {
	switch {
	case c.Hook != nil:
		n := 0
		for _, h := range r.Hooks {
			v := toMap(h)
			ev, _ := hookrec.Lookup(v, "stdin.hook_event_name")
			if (c.Hook.Event == "" || ev == c.Hook.Event) && (c.Hook.Tag == "" || h.Tag == c.Hook.Tag) && hookrec.Holds(v, c.Hook.Where) {
				n++
			}
		}
		if m := c.Hook.bad(n); m != "" {
			return "hook calls " + js(c.Hook) + ": " + m
		}
	case c.Request != nil:
		q := c.Request
		var pick []fakeapi.Request
		for _, x := range r.Requests {
			if q.Lane == "" || x.Lane == q.Lane {
				pick = append(pick, x)
			}
		}
		if q.N != nil {
			i := *q.N
			if i < 0 {
				i += len(pick)
			}
			if i < 0 || i >= len(pick) {
				return fmt.Sprintf("request %s: only %d requests", js(q), len(pick))
			}
			pick = pick[i : i+1]
		}
		n := 0
		for _, x := range pick {
			// Compare with the text as the model would see it, not with its JSON escapes.
			var body any
			json.Unmarshal(x.Body, &body)
			txt := fakeapi.Flat(body)
			ok := hookrec.Holds(map[string]any{"header": toAny(x.Header), "body": body, "path": x.Path, "method": x.Method}, q.Where)
			for _, w := range q.Contains {
				ok = ok && strings.Contains(txt, w)
			}
			for _, w := range q.NotContains {
				ok = ok && !strings.Contains(txt, w)
			}
			if ok {
				n++
			}
		}
		if m := q.bad(n); m != "" {
			return "requests " + js(q) + ": " + m
		}
	case c.Stream != nil:
		n := 0
		for i, st := range r.Steps {
			if c.Stream.Step != nil && *c.Stream.Step != i {
				continue
			}
			for _, l := range st.Stream {
				if hookrec.Holds(l, c.Stream.Where) {
					n++
				}
			}
		}
		if m := c.Stream.bad(n); m != "" {
			return "stream lines " + js(c.Stream) + ": " + m
		}
	case c.Transcript != nil:
		n := 0
		for _, l := range r.Transcript {
			if hookrec.Holds(l, c.Transcript.Where) {
				n++
			}
		}
		if m := c.Transcript.bad(n); m != "" {
			return "transcript lines " + js(c.Transcript) + ": " + m
		}
	case c.Output != nil:
		if c.Output.Step >= len(r.Steps) {
			return "no such step"
		}
		t := r.Steps[c.Output.Step].Stdout + "\n" + r.Steps[c.Output.Step].Stderr
		for _, w := range c.Output.Contains {
			if !strings.Contains(t, w) {
				return fmt.Sprintf("output of step %d lacks %q: %s", c.Output.Step, w, clip(t, 800))
			}
		}
		for _, w := range c.Output.NotContains {
			if strings.Contains(t, w) {
				return fmt.Sprintf("output of step %d has %q", c.Output.Step, w)
			}
		}
		if c.Output.Regex != "" {
			re, err := regexp.Compile(c.Output.Regex)
			if err != nil {
				return err.Error()
			}
			if !re.MatchString(t) {
				return fmt.Sprintf("output of step %d does not match %q: %s", c.Output.Step, c.Output.Regex, clip(t, 800))
			}
		}
	case c.File != nil:
		names, _ := filepath.Glob(c.File.Path)
		if c.File.Absent {
			if len(names) > 0 {
				return fmt.Sprintf("there is a file %v", names)
			}
			return ""
		}
		if len(names) == 0 {
			return "no file " + c.File.Path
		}
		var why string
		for _, n := range names {
			if why = fileBad(n, c.File); why == "" {
				return ""
			}
		}
		return why
	default:
		return "empty check"
	}
	return ""
}

func fileBad(name string, c *FileCheck) string {
	b, err := os.ReadFile(name)
	if err != nil {
		if st, e := os.Stat(name); e == nil && st.IsDir() && len(c.Contains) == 0 && c.JSON == nil {
			return ""
		}
		return err.Error()
	}
	for _, w := range c.Contains {
		if !bytes.Contains(b, []byte(w)) {
			return fmt.Sprintf("%s lacks %q: %s", name, w, clip(string(b), 800))
		}
	}
	if c.JSON != nil {
		var v any
		if err := json.Unmarshal(b, &v); err != nil {
			return fmt.Sprintf("%s: %v", name, err)
		}
		if !hookrec.Holds(v, c.JSON) {
			return fmt.Sprintf("%s is not %s: %s", name, js(c.JSON), clip(string(b), 800))
		}
	}
	return ""
}

func transcripts(home string) []map[string]any {
	var all []map[string]any
	var names []string
	filepath.WalkDir(filepath.Join(home, ".claude", "projects"), func(p string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(p, ".jsonl") {
			names = append(names, p)
		}
		return nil
	})
	sort.Strings(names)
	for _, n := range names {
		b, _ := os.ReadFile(n)
		for _, l := range jsonl(b) {
			l["_file"] = n
			all = append(all, l)
		}
	}
	return all
}

func save(r *Report, work string) error {
	w := func(name string, vs any, lines bool) error {
		var b bytes.Buffer
		if lines {
			var list []json.RawMessage
			j, err := json.Marshal(vs)
			if err != nil {
				return err
			}
			json.Unmarshal(j, &list)
			for _, l := range list {
				b.Write(append(l, '\n'))
			}
		} else {
			j, err := json.MarshalIndent(vs, "", " ")
			if err != nil {
				return err
			}
			b.Write(j)
		}
		return os.WriteFile(filepath.Join(work, name), b.Bytes(), 0o644)
	}
	return errors.Join(w("requests.jsonl", r.Requests, true), w("hooks.jsonl", r.Hooks, true), w("report.json", r, false))
}

func jsonl(b []byte) []map[string]any {
	var out []map[string]any
	for _, l := range bytes.Split(b, []byte("\n")) {
		var m map[string]any
		if len(bytes.TrimSpace(l)) > 0 && json.Unmarshal(l, &m) == nil {
			out = append(out, m)
		}
	}
	return out
}

func layout(root string, files map[string]any) error {
	for name, v := range files {
		p := filepath.Join(root, filepath.FromSlash(name))
		if v == nil {
			if err := os.MkdirAll(p, 0o755); err != nil {
				return err
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			return err
		}
		var b []byte
		if t, ok := v.(string); ok {
			b = []byte(t)
		} else {
			b, _ = json.MarshalIndent(v, "", "  ")
			b = append(b, '\n')
		}
		mode := os.FileMode(0o644)
		if bytes.HasPrefix(b, []byte("#!")) {
			mode = 0o755
		}
		if err := os.WriteFile(p, b, mode); err != nil {
			return err
		}
	}
	return nil
}

// subst replaces {{NAME}} in every string (keys too) of the scenario.
func subst(in *Scenario, vars map[string]string, out *Scenario) error {
	b, err := json.Marshal(in)
	if err != nil {
		return err
	}
	var v any
	json.Unmarshal(b, &v)
	rep := func(s string) string {
		for k, x := range vars {
			s = strings.ReplaceAll(s, "{{"+k+"}}", x)
		}
		return s
	}
	var walk func(any) any
	walk = func(v any) any {
		switch t := v.(type) {
		case string:
			return rep(t)
		case []any:
			for i := range t {
				t[i] = walk(t[i])
			}
		case map[string]any:
			m := make(map[string]any, len(t))
			for k, x := range t {
				m[rep(k)] = walk(x)
			}
			return m
		}
		return v
	}
	b, _ = json.Marshal(walk(v))
	return json.Unmarshal(b, out)
}

func toMap(v any) map[string]any {
	b, _ := json.Marshal(v)
	var m map[string]any
	json.Unmarshal(b, &m)
	return m
}

func toAny(v any) any {
	b, _ := json.Marshal(v)
	var m any
	json.Unmarshal(b, &m)
	return m
}

func js(v any) string { b, _ := json.Marshal(v); return string(b) }

func clip(s string, n int) string {
	if len(s) > n {
		return s[:n] + "..."
	}
	return s
}

func shq(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
