package forge

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"viber/internal/exit"
)

// Call is one call of a command of the plugin that speaks with a host: arguments as typed, working directory, environment
// and where to print. Each command prints its KEY=value block only after everything it needs succeeded and was parsed;
// otherwise one `ERROR <command>: ...` line and nothing on Out.
type Call struct {
	Args     []string
	Dir      string
	Environ  []string
	Out, Err io.Writer
}

// Host returns the host the working directory's project lives on.
func (c Call) Host() (Host, bool) { return c.HostOf(context.Background(), "") }

// HostOf is Host for an issue or pull request that may be named by its address.
func (c Call) HostOf(ctx context.Context, ref string) (Host, bool) {
	gh, ok := FindGitHub(c.Dir, c.Environ)
	if !ok {
		return nil, false
	}
	gh.Toward(ctx, ref)
	return gh, true
}

// Refuse prints the one error line of command and returns the exit code.
func (c Call) Refuse(command string, code int, format string, args ...any) error {
	fmt.Fprintf(c.Err, "ERROR %s: %s\n", command, fmt.Sprintf(format, args...))
	return exit.Status(code)
}

// isFile reports whether the file a caller named, relative to the working directory, is a regular file.
func (c Call) isFile(name string) bool {
	path := filepath.FromSlash(name)
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.Dir, path)
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

const noGH = "gh not found on PATH - install the GitHub CLI (https://cli.github.com) and log in with 'gh auth login'"
