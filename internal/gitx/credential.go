package gitx

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// Credential asks git's credential helpers for the login of an https host. Nobody is asked: a helper that would open a
// window or the terminal answers nothing. g.Dir should lie outside of projects, whose configuration may name helpers. The
// secret goes through pipes only.
func (g Git) Credential(ctx context.Context, host string) (user, secret string, err error) {
	if strings.ContainsAny(host, "\r\n\x00") {
		return "", "", fmt.Errorf("%q is no host", host)
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	path, err := g.program()
	if err != nil {
		return "", "", err
	}
	cmd := exec.CommandContext(ctx, path, "-c", "core.askPass=", "-c", "credential.interactive=false", "credential", "fill")
	cmd.Dir = g.Dir
	cmd.Env = append(append([]string{}, g.Env...), "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "GCM_INTERACTIVE=never")
	cmd.Stdin = strings.NewReader("protocol=https\nhost=" + host + "\n\n")
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		return "", "", fmt.Errorf("git credential fill: no login for %s", host)
	}
	for line := range strings.Lines(out.String()) {
		key, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "=")
		switch key {
		case "username":
			user = value
		case "password":
			secret = value
		}
	}
	return user, secret, nil
}
