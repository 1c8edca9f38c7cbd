package upgrade

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"viber/internal/exit"
	"viber/internal/program"
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
		if plan.ID, err = planOf(out); err != nil {
			return plan, fmt.Errorf("the new viber's plan: %w", err)
		}
	}
	text, err := u.ask(ctx, next, u.restArgs("--dry-run")...)
	plan.text = string(text)
	return plan, err
}

// planOf returns the id of a plan as setup prints it, empty when it changes nothing.
func planOf(text []byte) (id string, err error) {
	var shown struct {
		ID      string            `json:"id"`
		Actions []json.RawMessage `json:"actions"`
		Changes []json.RawMessage `json:"changes"`
	}
	if err := json.Unmarshal(text, &shown); err != nil || len(shown.Actions)+len(shown.Changes) == 0 {
		return "", err
	}
	return shown.ID, nil
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
	res, err := program.Run(ctx, program.Call{Path: binary, Args: args, Dir: u.Env.Dir, Env: u.Env.Environ, Limit: 10 * time.Minute})
	if err != nil {
		return res.Stdout, fmt.Errorf("the other viber: %w", err)
	}
	if res.Code == exit.OK {
		return res.Stdout, nil
	}
	message := strings.TrimPrefix(strings.TrimSpace(string(res.Stderr)), "viber: ")
	if message == "" {
		message = fmt.Sprintf("exit status %d", res.Code)
	}
	return res.Stdout, exit.With(max(res.Code, exit.Failed), fmt.Errorf("the other viber: %s", message))
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
