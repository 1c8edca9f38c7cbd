package commit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"viber/internal/exit"
	"viber/run"
)

// untilKilled is the program of killed: it runs one command and kills itself, as kill -9 would, before its n-th git process
// or file operation.
func untilKilled() int {
	at, _ := strconv.Atoi(os.Getenv("VIBER_TEST_KILL_AT"))
	var env []string
	if err := json.Unmarshal([]byte(os.Getenv("VIBER_TEST_ENV")), &env); err != nil {
		return 99
	}
	dir, _ := os.Getwd()
	steps := 0
	c := run.Call{Args: os.Args[2:], Dir: dir, Environ: env, Out: os.Stdout, Err: os.Stderr, Now: fixedNow}
	c.Files.Step = func(op, target string) error {
		if steps++; steps == at {
			self, _ := os.FindProcess(os.Getpid())
			_ = self.Kill()
			select {}
		}
		return nil
	}
	return exit.Code(commandNamed(os.Args[1])(context.Background(), c))
}

// killed runs a command in a process that dies before its n-th step; done says that it came to its end first.
func killed(w world, n int, line ...string) (done bool) {
	exe, err := os.Executable()
	if err != nil {
		w.Fatal(err)
	}
	env, err := json.Marshal(w.env)
	if err != nil {
		w.Fatal(err)
	}
	cmd := exec.Command(exe, line...)
	cmd.Dir = w.dir
	cmd.Env = append(append([]string{}, w.env...), fmt.Sprintf("VIBER_TEST_KILL_AT=%d", n), "VIBER_TEST_ENV="+string(env))
	if err := cmd.Run(); cmd.ProcessState == nil {
		w.Fatal(err)
	}
	return cmd.ProcessState.ExitCode() >= 0 && !wasKilled(cmd.ProcessState)
}

// wasKilled: Windows knows no signals, a killed process ends with 1 there.
func wasKilled(s *os.ProcessState) bool {
	return s.ExitCode() < 0 || runtime.GOOS == "windows" && s.ExitCode() == 1
}

// TestKilledAtEveryStep kills a call before each of its git processes and file operations. The same call then succeeds and
// leaves what it would have left undisturbed.
func TestKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		scene  func(w world)
		line   []string
		stride int // from one step killed to the next
	}{
		"task": {func(w world) {
			w.write("other.txt", "mine\n")
			w.git("add", "other.txt")
			w.write("lib/store.py", "1\n")
			w.write(runDir+"/work/T1-coder.md", "notes\n")
		}, []string{"commit-task", planPath, "T1", "--unreviewed"}, 1},
		"first commit": {func(w world) {
			w.git("update-ref", "-d", "HEAD")
			w.git("rm", "-q", "-r", "--cached", ".")
			w.write("lib/store.py", "1\n")
			if err := os.Remove(w.path(runDir + "/status.md")); err != nil {
				w.Fatal(err)
			}
		}, []string{"commit-task", planPath, "T1"}, 6},
		"skip": {func(w world) {}, []string{"commit-task", "--skip", planPath, "T2"}, 1},
		"archive": {func(w world) {
			w.write(runDir+"/status.md", strings.Replace(fresh, "done: none", "done: T1 T2", 1))
			w.write(runDir+"/spec.md", "spec\n")
			w.write(runDir+"/tasks/T1.md", "t\n")
			w.commitAll("done")
			w.write(runDir+"/outcome.md", "outcome\n")
		}, []string{"archive-run", runDir}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			scene := withRun(t)
			c.scene(scene)
			golden := scene.copied(t)
			if testing.Short() {
				c.stride = max(c.stride, 5)
			}
			want := golden.must(c.line...)
			steps := 0
			for done := false; !done; steps += c.stride {
				w := scene.copied(t)
				done = killed(w, steps+1, c.line...)
				if done {
					break
				}
				s := w.call(c.line...)
				if s.code != 0 || s.out != want.out {
					t.Fatalf("killed before step %d, the same call then ended with %d: %s%s", steps+1, s.code, s.out, s.err)
				}
				if got, want := result(w), result(golden); got != want {
					t.Fatalf("killed before step %d:\n%s\nwant:\n%s", steps+1, got, want)
				}
				noLeftovers(w)
			}
			if steps == 0 {
				t.Error("no step was counted")
			}
			t.Logf("%d steps", steps)
		})
	}
}

// result is what a call leaves: history, index, tree, status.md.
func result(w world) string {
	status, _ := os.ReadFile(w.path(runDir + "/status.md"))
	return w.history() + w.picture() + string(status)
}
