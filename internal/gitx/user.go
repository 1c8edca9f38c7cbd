package gitx

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"strings"
	"time"
)

// UserEnv returns environ without the variables that tie git to one repository or index (GIT_DIR, GIT_INDEX_FILE, ...), as
// git itself drops them for a child that works elsewhere. What is left is the user's own world.
func UserEnv(environ []string) []string {
	env := make([]string, 0, len(environ))
	for _, kv := range environ {
		key, _, _ := strings.Cut(kv, "=")
		if !tiesToRepository(key) {
			env = append(env, kv)
		}
	}
	return env
}

func tiesToRepository(key string) bool {
	switch key {
	case "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_DIR", "GIT_GRAFT_FILE", "GIT_IMPLICIT_WORK_TREE",
		"GIT_INDEX_FILE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_NAMESPACE", "GIT_NO_REPLACE_OBJECTS", "GIT_OBJECT_DIRECTORY",
		"GIT_PREFIX", "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE", "GIT_WORK_TREE",
		"GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS":
		return true
	}
	return false
}

// AsUser runs git as the user would from a shell, for the commands that start the user's hooks, signing program or
// credential helper: the environment is g.Env with extra on top and nothing else. Limit bounds the whole call.
func (g Git) AsUser(ctx context.Context, limit time.Duration, extra []string, args ...string) (Result, error) {
	if g.Calls != nil {
		*g.Calls++
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	path, err := g.program()
	if err != nil {
		return Result{Code: -1}, err
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = g.Dir
	cmd.Env = append(append([]string{}, g.Env...), extra...)
	cmd.Cancel = func() error { return askToEnd(cmd.Process) } // git then lets go of its locks
	cmd.WaitDelay = 2 * time.Second
	var out, errb bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errb
	defer dieWithUs(cmd)()
	err = cmd.Start()
	if err == nil {
		if g.Started != nil {
			g.Started(cmd.Process.Pid)
		}
		err = cmd.Wait()
	}
	res := Result{Stdout: out.Bytes(), Stderr: errb.Bytes(), Code: exitCode(cmd)}
	var exitErr *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return res, stopped(ctx, args, limit)
	case errors.As(err, &exitErr), errors.Is(err, exec.ErrWaitDelay):
		return res, nil
	}
	return res, err
}
