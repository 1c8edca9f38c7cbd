package run

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"viber/forge"
	"viber/internal/gitx"
	"viber/internal/program"
)

// CheckPlaywright is `viber check-playwright`: whether the project can be driven by playwright-cli and has @playwright/test
// (commit contract, 9.8). It never fails.
func CheckPlaywright(ctx context.Context, c Call) error {
	root := c.Dir
	if l, ok := gitx.Find(c.Dir); ok && l.Top != "" {
		root = l.Top
	}
	test := "not found"
	manifest, err := os.ReadFile(filepath.Join(root, "package.json"))
	if err == nil && bytes.Contains(manifest, []byte(`"@playwright/test"`)) {
		test = "found"
	}
	_, err = fmt.Fprintf(c.Out, "playwright-cli: %s\n@playwright/test: %s\n", c.playwrightCLI(ctx), test)
	return err
}

func (c Call) playwrightCLI(ctx context.Context) string {
	exe, ok := program.FindOutside(c.git().Project(), "playwright-cli", c.Environ)
	if !ok {
		if _, inside := program.Find("playwright-cli", c.Environ); inside {
			return "found (version unknown)" // the project's own, which is not started to find out
		}
		return "not found"
	}
	res, err := program.Run(ctx, program.Call{Path: exe, Args: []string{"--version"}, Dir: c.Dir, Env: c.Environ,
		Limit: 20 * time.Second, MaxOutput: 64 << 10})
	version, _, _ := bytes.Cut(res.Stdout, []byte("\n"))
	version = bytes.TrimSpace(version)
	if err != nil || res.Code != 0 || len(version) == 0 {
		return "found (version unknown)"
	}
	return "found " + forge.Line(string(version))
}
