package install

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"viber/install/host"
	"viber/internal/fsx"
	"viber/internal/program"
)

// What a hook can answer to a sample.
const (
	saysDeny    = "deny"
	saysAsk     = "ask"
	saysAllow   = "allow"
	saysContext = "context" // text for the model or the user
	saysNothing = "nothing" // no opinion
)

// run tries every registered line that leads to this very executable; the others are only listed.
func (x *exam) run() error {
	b, err := newBench(x.w)
	if err != nil {
		return err
	}
	defer b.remove()
	for _, r := range x.found {
		x.d.Hooks = append(x.d.Hooks, x.try(b, r))
	}
	return nil
}

func (x *exam) try(b *bench, r registered) HookLine {
	line := HookLine{Where: r.where(), Scope: r.scope, Event: r.Event, Matcher: r.Matcher, If: r.If, Ours: r.own, Program: firstWord(r)}
	if !r.own {
		line.NotRun = "not viber's"
		return line
	}
	path, problem := x.programOf(r)
	line.Program = path
	switch {
	case r.Dead:
		line.NotRun = "the client does not read it: the key above it is doubled"
		x.note(LevelWarning, "doubled-key", line.Where, "this entry stands under a key that comes twice; the client reads the last one", "remove one of the keys")
	case problem != "":
		line.NotRun = problem
		x.note(LevelError, "stale-path", line.Where, fmt.Sprintf("%s %s: the hook does not run", path, problem), "run 'viber setup'")
	case !x.isThis(path):
		line.NotRun = "another viber than this one"
		x.note(LevelWarning, "other-viber", line.Where, "the hook calls "+path+", not the running viber "+x.w.Env.Exe, "run 'viber setup' with the one you mean to use")
	default:
		x.samples(b, r, path, &line)
	}
	return line
}

// firstWord names a foreign program without its arguments, which may hold what is nobody's business.
func firstWord(r registered) string {
	if r.Command == "" {
		return r.Type
	}
	if r.HasArgs {
		return r.Command
	}
	word, _, _ := strings.Cut(strings.TrimSpace(r.Command), " ")
	return word
}

func (x *exam) samples(b *bench, r registered, path string, line *HookLine) {
	silent := standsBack(r) && x.wiredByUser()
	for _, s := range b.samplesFor(r) {
		if silent {
			s.want = saysNothing
		}
		got, took, err := b.call(r, path, s.payload)
		sample := Sample{Name: s.name, Want: s.want, Got: got, Millis: math.Round(float64(took.Microseconds())/100) / 10}
		sample.OK = err == nil && got == s.want
		line.Samples = append(line.Samples, sample)
		switch {
		case err != nil:
			x.note(LevelError, "hook-broken", line.Where, fmt.Sprintf("%s: %v", s.name, err), "run the line by hand: "+r.Command)
		case got != s.want:
			x.note(LevelError, "hook-wrong", line.Where, fmt.Sprintf("%s: expected %s, got %s", s.name, s.want, got), "look with 'viber explain', and check what switches the hook off")
		}
	}
}

func (x *exam) wiredByUser() bool {
	for _, r := range x.found {
		if r.own && r.scope == ScopeUser && !r.Dead {
			return true
		}
	}
	return false
}

// leavingPlanMode is the record of the call the samples ask about; without it the gate waits for the client to write it.
const leavingPlanMode = `{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_9","name":"ExitPlanMode","input":{}}]}}` + "\n"

// bench is the throw-away world hook lines are tried in: a project, a transcript, state and config of their own.
type bench struct {
	w       *World
	dir     string
	remove  func()
	project string
	plain   string // transcript of a session without a plan
	planned string // transcript of a session with a plan that nobody reviewed
}

func newBench(w *World) (*bench, error) {
	dir, remove, err := fsx.TempDir("viber-doctor")
	if err != nil {
		return nil, err
	}
	b := &bench{w: w, dir: dir, remove: remove, project: filepath.Join(dir, "project")}
	b.plain, b.planned = filepath.Join(dir, "plain.jsonl"), filepath.Join(dir, "planned.jsonl")
	plan := filepath.Join(b.project, "plans", "sample.md")
	files := map[string]string{
		filepath.Join(b.project, ".git", "HEAD"):              "ref: refs/heads/main\n",
		filepath.Join(b.project, ".git", "objects", "README"): "",
		filepath.Join(b.project, ".git", "refs", "README"):    "",
		plan:      "---\nsource: a sample\n---\n# Sample plan\n",
		b.plain:   `{"type":"user","message":{"role":"user","content":"hello"}}` + "\n" + leavingPlanMode,
		b.planned: unreviewedPlan(plan) + leavingPlanMode,
	}
	if len(w.recordBytes) > 0 { // shared entries look there whether the user is wired
		files[filepath.Join(dir, "state", "viber", "record.json")] = string(w.recordBytes)
	}
	for path, text := range files {
		if err := w.Env.Files.Write(path, []byte(text), fsx.Options{Mode: 0o600}); err != nil {
			remove()
			return nil, err
		}
	}
	return b, nil
}

// unreviewedPlan is a session in which the planner wrote a plan and no reviewer was asked.
func unreviewedPlan(plan string) string {
	path, _ := json.Marshal(plan)
	return `{"type":"permission-mode","permissionMode":"plan","sessionId":"doctor"}` + "\n" +
		`{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Skill","input":{"skill":"viber:planner"}}]}}` + "\n" +
		`{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_2","name":"Write","input":{"file_path":` + string(path) + `,"content":"# Sample plan"}}]}}` + "\n"
}

// environment is the client's own as far as a hook needs it, with every place a hook could write moved to the bench.
func (b *bench) environment() []string {
	var env []string
	for _, kv := range b.w.Env.Environ {
		name, _, _ := strings.Cut(kv, "=")
		if !strings.HasPrefix(name, "VIBER_") && !strings.HasPrefix(name, "GIT_") && !strings.HasPrefix(name, "CLAUDE") {
			env = append(env, kv)
		}
	}
	state := filepath.Join(b.dir, "state")
	return append(env,
		"CLAUDECODE=1", "CLAUDE_PROJECT_DIR="+b.project, "CLAUDE_CONFIG_DIR="+filepath.Join(b.dir, "config"),
		"XDG_STATE_HOME="+state, "XDG_DATA_HOME="+state, "LOCALAPPDATA="+state, "CLAUDE_PLUGIN_ROOT="+b.w.pluginRoot())
}

// call starts the line as the client would, gives it the payload and reads its verdict. err says that it did not behave
// like a hook.
func (b *bench) call(r registered, path string, payload any) (verdict string, took time.Duration, err error) {
	limit := time.Duration(r.Timeout * float64(time.Second))
	if limit <= 0 || limit > 30*time.Second {
		limit = 30 * time.Second
	}
	text, err := json.Marshal(payload)
	if err != nil {
		return "", 0, err
	}
	call := b.command(r, path)
	call.Stdin, call.Limit = bytes.NewReader(append(text, '\n')), limit
	start := time.Now()
	res, err := program.Run(context.Background(), call)
	took = time.Since(start)
	switch {
	case errors.Is(err, program.ErrTimeout):
		return "", took, fmt.Errorf("no answer within %s", limit)
	case err != nil:
		return "", took, fmt.Errorf("%w%s", err, saying(string(res.Stderr)))
	case res.Code != 0:
		return "", took, fmt.Errorf("exit status %d%s", res.Code, saying(string(res.Stderr)))
	case len(res.Stderr) > 0:
		return "", took, fmt.Errorf("wrote to stderr%s", saying(string(res.Stderr)))
	}
	verdict, err = verdictOf(res.Stdout)
	return verdict, took, err
}

func saying(text string) string {
	if text = strings.TrimSpace(text); text == "" {
		return ""
	}
	line, _, _ := strings.Cut(text, "\n")
	return ": " + printable(line)
}

// command is the process of a hook line: the program itself in exec form, a shell around the line otherwise.
func (b *bench) command(r registered, path string) program.Call {
	argv, _ := host.Command(r.Handler)
	name, args := path, argv[1:]
	if !r.HasArgs && runtime.GOOS != "windows" {
		name, args = "/bin/sh", []string{"-c", r.Command}
	}
	return program.Call{Path: name, Args: args, Dir: b.project, Env: b.environment()}
}

// verdictOf reads the output of a hook: nothing, or one JSON object.
func verdictOf(out []byte) (string, error) {
	out = bytes.TrimSpace(out)
	if len(out) == 0 {
		return saysNothing, nil
	}
	var answer struct {
		Decision      string `json:"decision"`
		SystemMessage string `json:"systemMessage"`
		Specific      struct {
			Decision string `json:"permissionDecision"`
			Context  string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		return "", errors.New("printed something that is not one JSON object")
	}
	switch {
	case answer.Specific.Decision != "":
		return answer.Specific.Decision, nil
	case answer.Decision == "block":
		return saysDeny, nil
	case answer.Specific.Context != "" || answer.SystemMessage != "":
		return saysContext, nil
	}
	return saysNothing, nil
}
