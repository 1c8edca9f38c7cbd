package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestGuideIsReal plays docs/guide.md: what a console block of it shows is what the commands really print.
func TestGuideIsReal(t *testing.T) {
	data, err := os.ReadFile("docs/guide.md")
	if err != nil {
		t.Fatal(err)
	}
	script := guideScript(strings.ReplaceAll(string(data), "\r\n", "\n"))
	if strings.Count(script, "\nshows ") < 8 {
		t.Fatalf("only %d commands found in the guide", strings.Count(script, "\nshows "))
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "guide.txtar"), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	commands := storyCommands()
	commands["shows"] = shows
	testscript.Run(t, testscript.Params{Dir: dir, Setup: throwAwayWorld, Cmds: commands})
}

var (
	guideHidden  = regexp.MustCompile(`(?s)<!-- (run|write) ([^\n]*?)(?:\n(.*?))?-->`)
	guideConsole = regexp.MustCompile("(?s)```console\n(.*?)```")
	guideBlocks  = regexp.MustCompile(guideHidden.String() + "|" + guideConsole.String())
	stamp        = regexp.MustCompile(`\d{4}(?:-\d\d){5}_`)
	commitHash   = regexp.MustCompile(`(?m)^(committed: |COMMIT=)[0-9a-f]+`)
	columnGaps   = regexp.MustCompile(`(?m)  +`)
)

// fakeGitHub is gh as the guide needs it: the repository it is about, no pull request yet, then the one that was opened.
const fakeGitHub = `#!/bin/sh
case "$1 $2" in
"repo view") echo '{"url":"https://github.com/acme/parcels","defaultBranchRef":{"name":"main"}}' ;;
"pr list") echo '[]' ;;
"pr create") echo https://github.com/acme/parcels/pull/12 ;;
*) exit 1 ;;
esac
`

// guideScript turns the page into a story: hidden blocks prepare, console blocks are commands with what they print.
func guideScript(page string) string {
	var script, archive strings.Builder
	script.WriteString("exec git init -q\nmkdir ../bin\ncp $WORK/gh ../bin/gh\nchmod 755 ../bin/gh\nenv PATH=$WORK/bin${:}$PATH\n")
	archive.WriteString("-- gh --\n" + fakeGitHub)
	archive.WriteString("-- project/parcels.csv --\nP-1,2026-03-01,on the way\nP-2,2026-03-01,delivered\n-- project/help.txt --\nhelp\n")
	files := 0
	file := func(text string) string {
		files++
		name := "file" + string(rune('a'+files/26)) + string(rune('a'+files%26))
		archive.WriteString("-- " + name + " --\n" + text)
		return "$WORK/" + name
	}
	for _, m := range guideBlocks.FindAllStringSubmatch(page, -1) {
		switch m[1] {
		case "run":
			script.WriteString("exec " + keyVariable(strings.TrimSpace(strings.TrimSuffix(m[2], "-->"))) + "\n")
		case "write":
			text := strings.NewReplacer("<TASK>", "<!-- TASK -->", "</TASK>", "<!-- /TASK -->").Replace(m[3])
			script.WriteString("mkdir " + filepath.ToSlash(filepath.Dir(keyVariable(m[2]))) + "\ncp " + file(text) + " " + keyVariable(m[2]) + "\n")
		default:
			script.WriteString(consoleScript(m[4], file))
		}
	}
	return script.String() + archive.String()
}

// consoleScript is the part of the story for one console block.
func consoleScript(block string, file func(string) string) string {
	var script strings.Builder
	for _, part := range strings.Split("\n"+block, "\n$ ")[1:] {
		command, output, _ := strings.Cut(part, "\n")
		if !strings.HasSuffix(output, "\n") && output != "" {
			output += "\n"
		}
		script.WriteString("\nexec " + keyVariable(command) + "\nshows " + file(output) + "\n")
	}
	return script.String()
}

func keyVariable(s string) string { return strings.ReplaceAll(s, "KEY_", "${KEY}_") }

// shows compares what the last command printed with what the guide says, and learns the run's key from it.
func shows(ts *testscript.TestScript, neg bool, args []string) {
	out := ts.ReadFile("stdout")
	if m := stamp.FindString(out); m != "" {
		ts.Setenv("KEY", strings.TrimSuffix(m, "_"))
	}
	got := columnGaps.ReplaceAllString(commitHash.ReplaceAllString(stamp.ReplaceAllString(out, "KEY_"), "${1}COMMIT"), "  ")
	want := columnGaps.ReplaceAllString(ts.ReadFile(args[0]), "  ")
	if strings.TrimSpace(got) != strings.TrimSpace(want) {
		ts.Fatalf("the command prints\n%s\nthe guide says\n%s", got, want)
	}
}
