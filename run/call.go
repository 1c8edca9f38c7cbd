package run

import (
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"
	"time"

	"viber/internal/fsx"
	"viber/internal/gitx"
)

// Call is one call of a command of the run's life: arguments as typed, and the world it works in.
type Call struct {
	Args      []string
	Dir       string   // working directory, absolute
	ConfigDir string   // where the client keeps the user's configuration; "" = none
	Environ   []string // KEY=value
	Out, Err  io.Writer
	Now       func() time.Time
	Files     fsx.Door
	GitCalls  *int // when set, counts the git processes started
	// ScanSecrets refuses commits that would add a credential even where guards.secrets is off.
	ScanSecrets bool
}

// Git is the user's git at the working directory.
func (c Call) Git() gitx.Git {
	return gitx.Git{Dir: c.Dir, Env: gitx.UserEnv(c.Environ), Calls: c.GitCalls}
}

func (c Call) git() gitx.Git { return c.Git() }

// Abs is the absolute path of a file the caller named relative to the working directory.
func (c Call) Abs(name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(c.Dir, name)
}

// Warn prints one warning line.
func (c Call) Warn(format string, args ...any) { c.warn(format, args...) }

func (c Call) warn(format string, args ...any) {
	fmt.Fprintf(c.Err, "warning: %s\n", oneLine(fmt.Sprintf(format, args...)))
}

// ClaimPlan notes that the caller's session owns the run whose plan file this is; a plan elsewhere is nobody's.
func (c Call) ClaimPlan(plan string) {
	p := c.place()
	if rel, ok := p.rel(plan); ok && path.Base(rel) == "plan.md" && path.Dir(path.Dir(rel)) == p.runsDir() {
		c.claim(p.Root, path.Base(path.Dir(rel)))
	}
}

// claim notes that the caller's session owns the run key now; not being able to is no failure of the command.
func (c Call) claim(root, key string) {
	for _, kv := range c.Environ {
		if id, ok := strings.CutPrefix(kv, "CLAUDE_CODE_SESSION_ID="); ok {
			_ = Claim(c.Files, root, key, id, c.Now())
		}
	}
}
