package run_test

import (
	"bytes"
	"os/exec"
)

func execLookPath(name string) (string, error) { return exec.LookPath(name) }

// runGit starts git in dir with exactly env.
func runGit(dir string, env []string, args ...string) (out, errs string, code int) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, env
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		return "", err.Error(), -1
	}
	return o.String(), e.String(), cmd.ProcessState.ExitCode()
}
