package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"viber/run"
)

// interruptible calls a command that takes back or completes what it was doing when it is interrupted. A second interrupt
// ends the program at once.
func interruptible(ctx context.Context, call func(context.Context, run.Call) error, c run.Call) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return call(ctx, c)
}
