package hooksimpl

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func bigWorld(t *testing.T, value string) *guardWorld {
	w := newGuardWorld(t, "  read-size: "+value+"\n  read-size-limit: 60000\n  read-size-lines: 1000\n")
	w.write("lines.txt", strings.Repeat("x\n", 1500))
	w.write("bytes.min.js", strings.Repeat("y", 70000))
	w.write("small.txt", "x\n")
	w.write("sub/deep.log", strings.Repeat("x\n", 1500))
	w.write("sub/x/deep.log", strings.Repeat("x\n", 1500))
	w.write("picture.png", strings.Repeat("y", 70000))
	return w
}

func (w *guardWorld) shell(command string) Verdict {
	return w.ask(w.payload(EventPreToolUse, ToolBash, map[string]any{"command": command}))
}

func TestReadSizeOfTheReadTool(t *testing.T) {
	t.Parallel()
	w := bigWorld(t, "enforce")
	for _, c := range []struct {
		input  map[string]any
		denied bool
	}{
		{map[string]any{"file_path": w.path("lines.txt")}, true},
		{map[string]any{"file_path": w.path("bytes.min.js")}, true},
		{map[string]any{"file_path": w.path("lines.txt"), "offset": 3}, true},
		{map[string]any{"file_path": w.path("lines.txt"), "limit": nil}, true},
		{map[string]any{"file_path": "lines.txt"}, true},
		{map[string]any{"file_path": w.path("lines.txt"), "limit": 100}, false},
		{map[string]any{"file_path": w.path("small.txt")}, false},
		{map[string]any{"file_path": w.path("picture.png")}, false},
		{map[string]any{"file_path": w.path("absent")}, false},
		{map[string]any{"file_path": w.path("sub")}, false},
		{map[string]any{}, false},
	} {
		v := w.ask(w.payload(EventPreToolUse, ToolRead, c.input))
		if (v.Decision == Deny) != c.denied || c.denied && (!strings.Contains(v.Reason, "VG-101") || !strings.Contains(v.Reason, "offset and limit")) {
			t.Errorf("%v: %+v", c.input, v)
		}
	}
}

func TestReadSizeOfShellCommands(t *testing.T) {
	t.Parallel()
	w := bigWorld(t, "enforce")
	for _, command := range []string{
		"cat lines.txt", "cat small.txt lines.txt", "cat -n lines.txt", "cat < lines.txt", "less lines.txt", "more lines.txt", "nl lines.txt", "tac lines.txt",
		"cd sub && cat deep.log", "cat sub/*.log", "cat ./lines.txt; ls", "if true; then cat lines.txt; fi", "sudo cat lines.txt", "/bin/cat lines.txt", "bash -c 'cat lines.txt'",
		"head -n 5000 lines.txt", "head -5000 lines.txt", "head --lines=5000 lines.txt", "head -n -1 lines.txt", "tail -n +1 lines.txt", "tail -n 2000 lines.txt",
		"sed -n '1,$p' lines.txt", "sed -n 1,1400p lines.txt", "sed -n p lines.txt", "sed 's/x/y/' lines.txt", "sed -e 's/x/y/' lines.txt", "sed -ne '1,$p' lines.txt",
		"cat lines.txt 2>/dev/null", "cat lines.txt 2>/dev/null || true", "cat lines.txt 2>&1", "cat s*/*.log",
		"ls | cat lines.txt", "cat bytes.min.js", "echo $(date) && cat lines.txt",
	} {
		v := w.shell(command)
		if v.Decision != Deny || !strings.Contains(v.Reason, "VG-102") || !strings.Contains(v.Reason, "sed -n") {
			t.Errorf("%s: %+v", command, v)
		}
	}
	for _, command := range []string{
		"cat small.txt", "cat lines.txt | grep y", "cat lines.txt > copy.txt", "cat lines.txt >> copy.txt", "X=$(cat lines.txt)", "cat lines.txt | head", "(cat lines.txt) | wc -l",
		"cat lines.txt 2>err >copy.txt", "cat lines.txt &> copy.txt", "cat s*/x*/*.log" /* patterns of folders cost too much time */, "head -0 lines.txt",
		"head lines.txt", "head -n 100 lines.txt", "head -100 lines.txt", "tail -50 lines.txt", "tail -f lines.txt", "head -c 100 lines.txt",
		"sed -n '1,200p' lines.txt", "sed -n '/x/p' lines.txt", "sed -i 's/x/y/' lines.txt", "sed 10q lines.txt", "sed -n 5p lines.txt",
		"grep -n x lines.txt", "wc -l lines.txt", "cp lines.txt copy.txt", "echo 'cat lines.txt'", "# cat lines.txt", "cat <<'EOF'\ncat lines.txt\nEOF", "git commit -m 'cat lines.txt'",
		"cat $FILE", "cat", "cat absent", "cat 'unclosed lines.txt", "for f in lines.txt; do wc $f; done", "diff <(cat lines.txt) small.txt", "cat -", "type lines.txt",
	} {
		if v := w.shell(command); v.Decision != None {
			t.Errorf("%s: %+v", command, v)
		}
	}
}

func TestReadSizeInPowerShell(t *testing.T) {
	t.Parallel()
	w := bigWorld(t, "enforce")
	for command, denied := range map[string]bool{
		"Get-Content lines.txt":                        true,
		"gc lines.txt":                                 true,
		"type lines.txt":                               true,
		"Get-Content -Path lines.txt":                  true,
		"Get-Content lines.txt -TotalCount 100":        false,
		"Get-Content lines.txt -Tail 5":                false,
		"Get-Content lines.txt | Select-Object -First": false,
		"Get-Content small.txt":                        false,
		"Get-ChildItem":                                false,
	} {
		v := w.ask(w.payload(EventPreToolUse, ToolPowerShell, map[string]any{"command": command}))
		if (v.Decision == Deny) != denied || denied && !strings.Contains(v.Reason, "Get-Content -TotalCount") {
			t.Errorf("%s: %+v", command, v)
		}
	}
}

func (w *guardWorld) readLog() []string {
	text, err := os.ReadFile(w.path(readSizeLog))
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

func TestReadSizeObservesOnly(t *testing.T) {
	t.Parallel()
	w := bigWorld(t, "observe")
	call := func(id, file string) {
		if v := w.ask(w.payload(EventPreToolUse, ToolRead, map[string]any{"file_path": w.path(file)}, "tool_use_id", id)); !v.silent() {
			t.Errorf("%s: %+v", file, v)
		}
	}
	call("toolu_1", "lines.txt")
	call("toolu_1", "lines.txt") // the client asked twice for one call
	call("toolu_2", "small.txt")
	call("toolu_3", "bytes.min.js")
	lines := w.readLog()
	if len(lines) != 2 || !strings.Contains(lines[0], `"file":"lines.txt","bytes":3000,"lines":1500,"verdict":"observed"`) || !strings.Contains(lines[1], `"bytes":70000`) {
		t.Errorf("%v", lines)
	}
}

func TestReadSizeLogIsBounded(t *testing.T) {
	t.Parallel()
	w := bigWorld(t, "enforce")
	w.write(readSizeLog, strings.Repeat(`{"call":"old","file":"`+strings.Repeat("x", 1000)+`"}`+"\n", 1030))
	w.shell("cat lines.txt")
	info, err := os.Stat(w.path(readSizeLog))
	if err != nil || info.Size() > 700<<10 {
		t.Errorf("%v %v", info, err)
	}
	lines := w.readLog()
	if last := lines[len(lines)-1]; !strings.Contains(last, `"verdict":"denied"`) || !strings.HasPrefix(lines[0], `{"call"`) {
		t.Errorf("%s", last)
	}
	together(16, func(i int) {
		w.ask(w.payload(EventPreToolUse, ToolRead, map[string]any{"file_path": w.path("lines.txt")}, "tool_use_id", fmt.Sprint("p", i)))
	})
	if now := len(w.readLog()); now != len(lines)+16 {
		t.Errorf("%d lines, then %d", len(lines), now)
	}
}

func TestReadSizeLogFollowsNoLinkOfTheProject(t *testing.T) {
	t.Parallel()
	w := bigWorld(t, "observe")
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	mkdir(t, w.path(".temp/viber"))
	if err := os.Symlink(victim, w.path(readSizeLog)); err != nil {
		t.Fatal(err)
	}
	w.shell("cat lines.txt")
	if text, _ := os.ReadFile(victim); string(text) != "mine\n" {
		t.Errorf("%s", text)
	}
}
