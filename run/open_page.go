package run

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"viber/internal/exit"
	"viber/internal/program"
)

// OpenPage is `viber open-page <file>`: it shows a file in the user's browser and says in one line what became of it
// (commit contract, 9.7).
func OpenPage(ctx context.Context, c Call) error {
	if len(c.Args) == 0 || c.Args[0] == "" {
		fmt.Fprintln(c.Err, "error: usage: open-page <file>")
		return exit.Status(exit.Usage)
	}
	path := c.Abs(c.Args[0])
	outcome := c.openPage(ctx, path)
	_, err := fmt.Fprintf(c.Out, "%s: %s\n", filepath.Base(path), outcome)
	return err
}

func (c Call) openPage(ctx context.Context, path string) string {
	shown := filepath.ToSlash(path)
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		return "missing at " + shown
	}
	opener, found := c.opener(path)
	if !found {
		return "no browser to open it - open " + shown + " by hand"
	}
	if !opener.start(ctx) {
		return "the browser did not open - open " + shown + " by hand"
	}
	return "opened in the browser"
}

// opener is a program that shows a page; one that stays in the foreground with the browser is not waited for.
type opener struct {
	call       program.Call
	background bool
}

func (o opener) start(ctx context.Context) bool {
	if o.background {
		return program.Start(o.call) == nil
	}
	res, err := program.Run(ctx, o.call)
	return err == nil && res.Code == 0
}

func (c Call) opener(path string) (opener, bool) {
	type candidate struct {
		name       string
		args       []string
		background bool
	}
	var candidates []candidate
	switch runtime.GOOS {
	case "darwin":
		candidates = []candidate{{"open", []string{path}, false}}
	case "windows":
		candidates = []candidate{{"rundll32", []string{"url.dll,FileProtocolHandler", path}, false}}
	default:
		candidates = []candidate{{"wslview", []string{path}, false}}
		if c.hasDisplay() {
			candidates = append(candidates, candidate{"xdg-open", []string{path}, true})
		}
	}
	for _, o := range candidates {
		if exe, ok := program.FindOutside(c.git().Project(), o.name, c.Environ); ok {
			call := program.Call{Path: exe, Args: o.args, Dir: c.Dir, Env: c.Environ, Limit: 20 * time.Second}
			return opener{call: call, background: o.background}, true
		}
	}
	return opener{}, false
}

func (c Call) hasDisplay() bool {
	for _, kv := range c.Environ {
		key, value, _ := strings.Cut(kv, "=")
		if (key == "DISPLAY" || key == "WAYLAND_DISPLAY") && value != "" {
			return true
		}
	}
	return false
}
