package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// command is one process: argv with its standard input, directory (default: the empty project) and more environment.
type command struct {
	argv  []string
	stdin string
	dir   string
	env   []string
	code  int    // the exit code it must have
	says  string // a text its output must hold, so that a call which does nothing is no measurement
	// before prepares each run; its time does not count.
	before func() error
}

// benchCase compares viber with a reference. limit is the highest ratio of medians that passes. Where the ratio that was
// promised is not reached yet, or only at its edge, goal is that ratio: it is printed with every run that misses it, and
// limit keeps it from getting worse.
type benchCase struct {
	name  string
	limit float64
	goal  float64
	runs  int // of each side; 0 = 200
	// memory is the most viber may hold at any time, in MiB; 0 = no limit.
	memory int
	// prepare lays the case out and returns viber's command and the reference's; a reference without argv is the
	// empty Go program.
	prepare func(w *world) (viber, reference command, err error)
}

func (w *world) measure(c benchCase, tries int) (ok bool, err error) {
	viber, reference, err := c.prepare(w)
	if err != nil {
		return false, err
	}
	if len(reference.argv) == 0 {
		reference.argv = []string{w.empty}
	}
	runs := c.runs
	if runs == 0 {
		runs = 200
	}
	for try := 1; ; try++ {
		a, b, err := w.alternate(viber, reference, runs)
		if err != nil {
			return false, err
		}
		ratio := float64(a) / float64(b)
		ok = ratio <= c.limit
		verdict := ""
		switch {
		case !ok:
			verdict = "  over"
		case c.goal > 0 && ratio > c.goal:
			verdict = fmt.Sprintf("  goal %.2f missed", c.goal)
		}
		fmt.Printf("%-44s %6.2f ms %6.2f ms %7.2f %7.2f%s\n", c.name, ms(a), ms(b), ratio, c.limit, verdict)
		if ok || try == tries {
			return ok && w.holdsMemory(c, viber), nil
		}
	}
}

// holdsMemory runs viber once more and holds the most memory it had to the limit of the case.
func (w *world) holdsMemory(c benchCase, viber command) bool {
	if c.memory == 0 {
		return true
	}
	if _, err := w.time(viber); err != nil {
		return false
	}
	mib, known := peakMemory(w.last)
	if !known {
		return true // this system does not say
	}
	verdict := ""
	if mib > float64(c.memory) {
		verdict = "  over"
	}
	fmt.Printf("%-44s %6.1f MiB %25d MiB%s\n", "  its memory", mib, c.memory, verdict)
	return verdict == ""
}

// alternate runs both sides in turn and returns the medians.
func (w *world) alternate(a, b command, runs int) (ta, tb time.Duration, err error) {
	var as, bs []time.Duration
	for i := range runs + 3 {
		x, err := w.time(a)
		if err != nil {
			return 0, 0, err
		}
		y, err := w.time(b)
		if err != nil {
			return 0, 0, err
		}
		if i >= 3 { // the first ones warm the caches
			as, bs = append(as, x), append(bs, y)
		}
	}
	return median(as), median(bs), nil
}

func (w *world) time(c command) (time.Duration, error) {
	if c.before != nil {
		if err := c.before(); err != nil {
			return 0, err
		}
	}
	cmd := exec.Command(c.argv[0], c.argv[1:]...)
	cmd.Dir = c.dir
	if cmd.Dir == "" {
		cmd.Dir = filepath.Join(w.dir, "project")
	}
	cmd.Env = append(append([]string{}, w.env...), c.env...)
	cmd.Stdin = strings.NewReader(c.stdin)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start)
	w.last = cmd.ProcessState
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != c.code {
		return 0, fmt.Errorf("%s: %v\n%s", strings.Join(c.argv, " "), err, out.String())
	}
	if !strings.Contains(out.String(), c.says) {
		return 0, fmt.Errorf("%s: says %q, not %q", strings.Join(c.argv, " "), out.String(), c.says)
	}
	return took, nil
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
