package run

import (
	"fmt"
	"io"
	"path/filepath"
	"time"

	"viber/internal/fsx"
	"viber/internal/gitx"
)

// Call is one call of a command of the run's life: arguments as typed, and the world it works in.
type Call struct {
	Args     []string
	Dir      string   // working directory, absolute
	Environ  []string // KEY=value
	Out, Err io.Writer
	Now      func() time.Time
	Files    fsx.Door
	GitCalls *int // when set, counts the git processes started
}

func (c Call) git() gitx.Git {
	return gitx.Git{Dir: c.Dir, Env: gitx.UserEnv(c.Environ), Calls: c.GitCalls}
}

// abs is the absolute path of a file the caller named relative to the working directory.
func (c Call) abs(name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(c.Dir, name)
}

func (c Call) warn(format string, args ...any) {
	fmt.Fprintf(c.Err, "warning: %s\n", oneLine(fmt.Sprintf(format, args...)))
}
