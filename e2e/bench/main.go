// Command bench measures viber as whole processes and holds it to its budgets: each figure is the ratio of medians of
// alternating runs of viber and of a reference on the same work, in one run on one machine.
//
//	go run ./e2e/bench            all cases; exit 1 when a budget does not hold
//	go run ./e2e/bench -only hook cases whose name contains "hook"
//	go run ./e2e/bench -linked    with the files the linker made
//
// The programs are measured as install.sh and viber upgrade leave them, as copies: such a file stands in the page cache in
// larger pieces than one the linker made, or one that is read anew after a restart, and viber starts 1 ms sooner.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	only := flag.String("only", "", "run the cases whose name contains this text")
	tries := flag.Int("tries", 5, "measurements of a case before it counts as over its budget")
	linked := flag.Bool("linked", false, "measure the files the linker made, not copies of them")
	flag.Parse()
	if err := benchmark(*only, *tries, *linked); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func benchmark(only string, tries int, linked bool) error {
	dir, err := os.MkdirTemp("", "viber-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	w, err := newWorld(dir)
	if err == nil && !linked {
		err = errors.Join(copyAnew(w.viber), copyAnew(w.empty))
	}
	if err != nil {
		return err
	}
	fmt.Printf("%-44s %9s %9s %7s %7s\n", "case", "viber", "reference", "ratio", "limit")
	over := 0
	for _, c := range cases() {
		if !strings.Contains(c.name, only) {
			continue
		}
		ok, err := w.measure(c, tries)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if !ok {
			over++
		}
	}
	if err := w.size(14 << 20); err != nil {
		return err
	}
	if over > 0 {
		return fmt.Errorf("%d budgets do not hold", over)
	}
	return nil
}

// world is where the cases run: a built viber, the empty program, a throw-away home and an empty project.
type world struct {
	dir, viber, empty string
	env               []string
	last              *os.ProcessState // of the process timed last
}

func newWorld(dir string) (*world, error) {
	w := &world{dir: dir, viber: filepath.Join(dir, "bin", "viber"), empty: filepath.Join(dir, "bin", "empty")}
	w.env = []string{"HOME=" + filepath.Join(dir, "home"), "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "TZ=UTC",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "TMPDIR=" + filepath.Join(dir, "tmp"),
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com"}
	for _, d := range []string{"bin", "home", "tmp", "project", "empty"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o755); err != nil {
			return nil, err
		}
	}
	source := "package main\n\nfunc main() {}\n"
	if err := os.WriteFile(filepath.Join(dir, "empty", "main.go"), []byte(source), 0o644); err != nil {
		return nil, err
	}
	if err := build(w.empty, filepath.Join(dir, "empty", "main.go")); err != nil {
		return nil, err
	}
	return w, build(w.viber, "viber")
}

// build makes a program with the flags of goreleaser.yaml.
func build(out, what string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-tags", "urfave_cli_no_docs,nethttpomithttp2,purego,noasm", "-gcflags=all=-l", "-gcflags=runtime/...=",
		"-gcflags=internal/...=", "-gcflags=regexp/...=", "-gcflags=unicode/...=", "-ldflags", "-s -w -funcalign=1", "-o", out, what)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", what, err, text)
	}
	return nil
}

// copyAnew replaces a program with a copy of itself, as install.sh does. It is no copy of ours: a process that is started
// counts the memory of the one that started it.
func copyAnew(program string) error {
	fresh := program + ".new"
	if text, err := exec.Command("cp", program, fresh).CombinedOutput(); err != nil {
		return fmt.Errorf("cp %s: %w: %s", program, err, text)
	}
	return os.Rename(fresh, program)
}

func (w *world) size(limit int64) error {
	info, err := os.Stat(w.viber)
	if err != nil {
		return err
	}
	fmt.Printf("%-44s %6.1f MB %25d MB\n", "size of the binary", float64(info.Size())/(1<<20), limit>>20)
	if info.Size() > limit {
		return fmt.Errorf("the binary has %d bytes, the limit is %d", info.Size(), limit)
	}
	return nil
}
