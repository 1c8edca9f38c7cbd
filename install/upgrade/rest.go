package upgrade

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"

	"viber/internal/exit"
)

// restPlan is what another viber would change beside the binary.
type restPlan struct {
	ID   string `json:"id"` // empty when there is nothing to do
	text string
}

// restArgs is how one viber asks another to do everything of an upgrade but the binary. Every release keeps these words.
func (u *upgrader) restArgs(more ...string) []string {
	args := []string{"upgrade", "--only-files", "--as", u.Env.Exe, "--dir", u.Dir}
	for id, value := range u.Answers {
		args = append(args, "--answer", id+"="+value)
	}
	return append(args, more...)
}

// restPlan asks the binary next for its plan, as if it stood in the target's place.
func (u *upgrader) restPlan(ctx context.Context, next string) (restPlan, error) {
	var plan restPlan
	out, err := u.ask(ctx, next, u.restArgs("--dry-run", "--json")...)
	if err != nil {
		return plan, err
	}
	if len(bytes.TrimSpace(out)) > 0 {
		var shown struct {
			ID      string            `json:"id"`
			Actions []json.RawMessage `json:"actions"`
			Changes []json.RawMessage `json:"changes"`
		}
		if err := json.Unmarshal(out, &shown); err != nil {
			return plan, fmt.Errorf("the new viber's plan: %w", err)
		}
		if len(shown.Actions)+len(shown.Changes) > 0 {
			plan.ID = shown.ID
		}
	}
	text, err := u.ask(ctx, next, u.restArgs("--dry-run")...)
	plan.text = string(text)
	return plan, err
}

func (u *upgrader) applyRest(ctx context.Context, id string) error {
	out, err := u.ask(ctx, u.Env.Exe, u.restArgs("--confirm", id)...)
	u.say("%s", strings.TrimRight(string(out), "\n"))
	if err != nil {
		return fmt.Errorf("the binary was replaced, but %w; run `viber upgrade` again", err)
	}
	return nil
}

// restWith lets the binary at path bring up the rest, with the consent this run has.
func (u *upgrader) restWith(ctx context.Context, path string) error {
	plan, err := u.restPlan(ctx, path)
	if err != nil || plan.ID == "" {
		return err
	}
	u.say("%s", plan.text)
	if err := u.consent(""); err != nil {
		return err
	}
	return u.applyRest(ctx, plan.ID)
}

func (u *upgrader) ask(ctx context.Context, binary string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env, cmd.Dir = u.Env.Environ, u.Env.Dir
	var out, errb bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errb
	err := cmd.Run()
	if err == nil {
		return out.Bytes(), nil
	}
	message := strings.TrimPrefix(strings.TrimSpace(errb.String()), "viber: ")
	if message == "" {
		message = err.Error()
	}
	code := exit.Failed
	if cmd.ProcessState != nil && cmd.ProcessState.ExitCode() > 0 {
		code = cmd.ProcessState.ExitCode()
	}
	return out.Bytes(), exit.With(code, fmt.Errorf("the other viber: %s", message))
}

// childEnv is the environment a binary gets that has not proven itself yet.
func (u *upgrader) childEnv() []string {
	var env []string
	for _, kv := range u.Env.Environ {
		key, _, _ := strings.Cut(kv, "=")
		switch strings.ToUpper(key) {
		case "PATH", "HOME", "USERPROFILE", "LOCALAPPDATA", "APPDATA", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "LANG":
			env = append(env, kv)
		}
	}
	return env
}

func versionOf(ctx context.Context, binary string, env []string) (string, error) {
	out, err := answer(ctx, binary, "", env, "version", "--json")
	if err != nil {
		return "", fmt.Errorf("%s does not start: %w", binary, err)
	}
	var info struct {
		Version string `json:"version"`
	}
	err = json.Unmarshal(out, &info)
	return info.Version, err
}
