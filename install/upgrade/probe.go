package upgrade

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"viber/internal/program"
)

// probeLimit is how long a new binary may take to answer.
const probeLimit = 20 * time.Second

// probePayload is a call that every viber refuses.
const probePayload = `{"hook_event_name":"PreToolUse","agent_type":"viber:task-coder","tool_name":"Bash","tool_input":{"command":"killall node"}}`

// Probe runs the new binary before it takes the old one's place: it must name the version that was asked for, and refuse a
// sample tool call. env is its whole environment.
func Probe(ctx context.Context, binary, version string, env []string) error {
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	out, err := answer(ctx, binary, "", env, "version", "--json")
	if err != nil {
		return fmt.Errorf("the new viber does not start: %w", err)
	}
	var info struct {
		Version string `json:"version"`
	}
	if err := json.Unmarshal(out, &info); err != nil || info.Version != version {
		return fmt.Errorf("the new viber calls itself %q, not %s", info.Version, version)
	}
	out, err = answer(ctx, binary, probePayload, env, "hook", "PreToolUse")
	if err != nil {
		return fmt.Errorf("the new viber does not answer a hook call: %w", err)
	}
	if !bytes.Contains(out, []byte(`"permissionDecision":"deny"`)) {
		return fmt.Errorf("the new viber does not refuse a sample call (it said %q)", out)
	}
	return nil
}

func answer(ctx context.Context, binary, stdin string, env []string, args ...string) ([]byte, error) {
	res, err := program.Run(ctx, program.Call{Path: binary, Args: args, Env: env, Stdin: strings.NewReader(stdin)})
	for tries := 0; errors.Is(err, syscall.ETXTBSY) && tries < 20; tries++ {
		time.Sleep(25 * time.Millisecond) // some process still holds the new file open for writing
		res, err = program.Run(ctx, program.Call{Path: binary, Args: args, Env: env, Stdin: strings.NewReader(stdin)})
	}
	if err == nil && res.Code != 0 {
		err = fmt.Errorf("exit status %d", res.Code)
	}
	if err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(string(res.Stderr)), "\n")
		return nil, fmt.Errorf("%w %s", err, line)
	}
	return res.Stdout, nil
}
