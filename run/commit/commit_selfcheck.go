package commit

import (
	"context"
	"fmt"
	"strings"

	"viber/internal/exit"
	"viber/run"
)

// Selfcheck is `viber commit-selfcheck <before sha>`: whether HEAD moved since (commit contract, 9.9).
func Selfcheck(ctx context.Context, c run.Call) error {
	if len(c.Args) == 0 || c.Args[0] == "" {
		fmt.Fprintln(c.Err, "error: missing required parameter 'before_sha'")
		return exit.Status(exit.Failed)
	}
	res, err := c.Git().Run(ctx, nil, "--no-optional-locks", "rev-parse", "-q", "--verify", "HEAD")
	verdict := "FAILED"
	if head := strings.TrimSpace(string(res.Stdout)); err == nil && res.Code == 0 && head != "" && head != c.Args[0] {
		verdict = "VERIFIED"
	}
	_, err = fmt.Fprintln(c.Out, verdict)
	return err
}
