package run_test

import (
	"bytes"
	"os/exec"
	"strings"
	"time"

	"viber/cli"
	"viber/internal/term"
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

// viber runs one command line in process.
func viber(dir string, env []string, args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	world := cli.Env{
		Streams: term.Streams{In: strings.NewReader(""), Out: &o, Err: &e},
		Getenv:  func(key string) string { return lookup(env, key) },
		Environ: env, Dir: dir, Exe: "/usr/bin/viber", Now: time.Now,
	}
	code = cli.Main(world, append([]string{"viber"}, args...))
	return code, o.String(), e.String()
}

func lookup(env []string, key string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(env[i], key+"="); ok {
			return v
		}
	}
	return ""
}
