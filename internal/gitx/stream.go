package gitx

import (
	"context"
	"os"
	"time"

	"viber/internal/program"
)

// Into starts a reading git command that prints to f. A non-zero exit is no error here.
func (g Git) Into(ctx context.Context, f *os.File, args ...string) (Result, error) {
	path, err := g.program()
	if err != nil {
		return Result{Code: -1}, err
	}
	limit := g.Timeout
	if limit == 0 {
		limit = 5 * time.Minute
	}
	args = append([]string{"--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "safe.bareRepository=explicit"}, args...)
	env := append(append([]string{}, g.Env...), "LC_ALL=C", "GIT_LITERAL_PATHSPECS=1", "GIT_TERMINAL_PROMPT=0")
	res, err := program.Into(ctx, program.Call{Path: path, Args: args, Dir: g.Dir, Env: env, Limit: limit}, f)
	return Result{Stderr: res.Stderr, Code: res.Code}, err
}
