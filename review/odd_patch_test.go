package review

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"viber/forge"
	"viber/internal/exit"
	"viber/internal/gitx"
)

// TestPatchesOfOtherTools: diff -u writes a time behind the name, and a patch may have come with CRLF.
func TestPatchesOfOtherTools(t *testing.T) {
	t.Parallel()
	const plain = "--- a/x y.go\t2026-01-02 03:04:05.000000000 +0000\n+++ b/x y.go\t2026-01-02 03:05:05.000000000 +0000\n@@ -1 +1 @@\n-a\n+b\n" +
		"--- a/gone.go\t2026-01-02 03:04:05.000000000 +0000\n+++ /dev/null\t1970-01-01 00:00:00.000000000 +0000\n@@ -1 +0,0 @@\n-a\n"
	for name, text := range map[string]string{"LF": plain, "CRLF": strings.ReplaceAll(plain, "\n", "\r\n")} {
		var x Index
		_, _ = x.Write([]byte(text))
		x.Close()
		if len(x.Files) != 2 || x.Files[0].Path != "x y.go" || x.Files[0].Status != "modified" || x.Files[1].Path != "gone.go" || x.Files[1].Status != "deleted" {
			t.Errorf("%s: %+v", name, x.Files)
		}
	}
}

// TestMnemonicPrefixes: with diff.mnemonicPrefix git writes other letters than a and b before the paths. Without prefixes a folder
// may be called like one.
func TestMnemonicPrefixes(t *testing.T) {
	t.Parallel()
	const hunk = "@@ -1 +1 @@\n-a\n+b\n"
	for text, want := range map[string]string{
		"diff --git i/d/x y w/d/x y\n--- i/d/x y\t\n+++ w/d/x y\t\n" + hunk:                                           "modified d/x y",
		"diff --git c/run.sh i/run.sh\nold mode 100644\nnew mode 100755\n":                                            "modified run.sh",
		"diff --git c/new w/new\nnew file mode 100644\n--- /dev/null\n+++ w/new\n@@ -0,0 +1 @@\n+b\n":                 "added new",
		"diff --git i/old w/old\ndeleted file mode 100644\n--- i/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n":             "deleted old",
		"diff --git i/old w/new\nsimilarity index 60%\nrename from old\nrename to new\n--- i/old\n+++ w/new\n" + hunk: "renamed new",
		"diff --git \"o/t\\tx\" \"w/t\\tx\"\n--- \"o/t\\tx\"\n+++ \"w/t\\tx\"\n" + hunk:                               "modified t\tx",
		"diff --git w/x w/x\n--- w/x\n+++ w/x\n" + hunk:                                                               "modified w/x",
		"diff --git i/a w/a\nsimilarity index 60%\nrename from i/a\nrename to w/a\n--- i/a\n+++ w/a\n" + hunk:         "renamed w/a",
	} {
		var x Index
		_, _ = x.Write([]byte(text))
		x.Close()
		if len(x.Files) != 1 || x.Files[0].Status+" "+x.Files[0].Path != want {
			t.Errorf("%q: %+v, want %s", text, x.Files, want)
		}
	}
}

// TestACombinedDiffIsRefused: what a merge shows has no lines that a finding could stand at, and nobody would read it.
func TestACombinedDiffIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "merge.patch")
	text := "diff --cc d/f\nindex 690eb7d,7be73ce..c9c2a96\n--- a/d/f\n+++ b/d/f\n@@@ -1,2 -1,2 +1,2 @@@\n  a\n- X\n -B\n++XB\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadDiff(path); exit.Code(err) != exit.Refused || !strings.Contains(err.Error(), "combined diff of a merge") {
		t.Errorf("%v", err)
	}
}

func TestAFileThatIsNoPatchIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(path, []byte("remember the milk\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadDiff(path); exit.Code(err) != exit.Refused || !strings.Contains(err.Error(), "notes.txt") {
		t.Errorf("%v", err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if d, err := ReadDiff(path); err != nil || len(d.Files) != 0 {
		t.Errorf("an empty diff: %+v %v", d, err)
	}
}

// TestARecordNamesNoOtherPlace: a review's directory can be moved, or come with a project; what is read and written lies in it.
func TestARecordNamesNoOtherPlace(t *testing.T) {
	t.Parallel()
	dir, elsewhere := t.TempDir(), t.TempDir()
	text, err := json.Marshal(Diff{Dir: elsewhere, Whole: filepath.Join(elsewhere, "id_rsa"), Patch: filepath.Join(elsewhere, "id_rsa")})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, diffRecord), text, 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := ReadDiff(dir)
	if err != nil || d.Dir != dir || d.Whole != filepath.Join(dir, wholePatch) || d.Patch != d.Whole {
		t.Errorf("%+v %v", d, err)
	}
}

func TestABranchOutsideOfARepository(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := World{Root: dir, Git: gitx.Git{Dir: dir, Env: []string{"PATH=" + os.Getenv("PATH"), "GIT_CEILING_DIRECTORIES=" + filepath.Dir(dir)}}, Now: time.Now}
	_, err := w.Fetch(t.Context(), DiffOptions{Ref: forge.Reference{Kind: forge.KindBranch, Branch: "HEAD"}})
	if exit.Code(err) != exit.Refused || !strings.Contains(err.Error(), "name a pull request by its address") {
		t.Errorf("%v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("left there: %v", entries)
	}
}

func TestATriageThatIsNotThere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for path, want := range map[string]string{dir: "is a directory", filepath.Join(dir, "triage.json"): "there is no such triage; 'viber review round end' writes one"} {
		if _, err := readTriage(path); exit.Code(err) != exit.Refused || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestABaseThatIsNotThere(t *testing.T) {
	t.Parallel()
	w := branchWorld(t)
	_, err := w.Fetch(t.Context(), DiffOptions{Ref: forge.Reference{Kind: forge.KindBranch, Branch: "feature"}, Base: "develop"})
	if exit.Code(err) != exit.Refused || !strings.Contains(err.Error(), "develop is no branch or commit here") {
		t.Errorf("%v", err)
	}
}

// TestTheUsersSettingsHideNothing: from a folder of the repository, and with any of git's settings, the whole branch is reviewed.
func TestTheUsersSettingsHideNothing(t *testing.T) {
	t.Parallel()
	w := branchWorld(t)
	git := func(args ...string) {
		if _, err := w.Git.Out(t.Context(), append([]string{"-c", "user.name=a", "-c", "user.email=a@b"}, args...)...); err != nil {
			t.Fatal(err)
		}
	}
	git("update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("1", 40)+",lib")
	git("commit", "-qm", "submodule")
	all, err := w.Fetch(t.Context(), DiffOptions{Ref: forge.Reference{Kind: forge.KindBranch, Branch: "feature"}})
	if err != nil || !strings.Contains(fmt.Sprint(all.Files), "lib") {
		t.Fatalf("%+v %v", all, err)
	}
	want := fmt.Sprintf("%+v", all.Files)
	w.Git.Dir = filepath.Join(w.Root, "mod0")
	for _, setting := range []string{"diff.relative=true", "diff.submodule=log", "diff.submodule=diff", "diff.ignoreSubmodules=all", "diff.noprefix=true",
		"diff.mnemonicPrefix=true", "diff.external=false", "color.ui=always", "diff.renames=false", "core.quotePath=true"} {
		key, value, _ := strings.Cut(setting, "=")
		git("config", key, value)
		d, err := w.Fetch(t.Context(), DiffOptions{Ref: forge.Reference{Kind: forge.KindBranch, Branch: "feature"}})
		if got := fmt.Sprintf("%+v", d.Files); err != nil || got != want {
			t.Errorf("%s: %s %v, want %s", setting, got, err, want)
		}
		git("config", "--unset", key)
	}
}

func TestBranchesThatShareNoCommit(t *testing.T) {
	t.Parallel()
	w := branchWorld(t)
	for _, args := range [][]string{{"checkout", "-q", "--orphan", "alone"}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "alone"}} {
		if _, err := w.Git.Out(t.Context(), args...); err != nil {
			t.Fatal(err)
		}
	}
	_, err := w.Fetch(t.Context(), DiffOptions{Ref: forge.Reference{Kind: forge.KindBranch, Branch: "alone"}, Base: "main"})
	if err == nil || !strings.Contains(err.Error(), "git fetch --unshallow") {
		t.Errorf("%v", err)
	}
}

// TestALimitBelowWhatFilesKeep: a diff that fits although the limit is smaller is not called shortened.
func TestALimitBelowWhatFilesKeep(t *testing.T) {
	t.Parallel()
	w := branchWorld(t)
	for _, args := range [][]string{{"checkout", "-qb", "small", "main"}, {"mv", "mod1/CLAUDE.md", "mod1/AGENTS.md"}, {"commit", "-qm", "small"}} {
		if _, err := w.Git.Out(t.Context(), append([]string{"-c", "user.name=a", "-c", "user.email=a@b"}, args...)...); err != nil {
			t.Fatal(err)
		}
	}
	d, err := w.Fetch(t.Context(), DiffOptions{Ref: forge.Reference{Kind: forge.KindBranch, Branch: "small"}, Limit: 20})
	if err != nil || d.Bytes <= 20 || d.Dropped != 0 || d.Patch != d.Whole {
		t.Errorf("%+v %v", d, err)
	}
}

// TestFilesOfARecord: what a record says of files is read back as it was, and an odd text is refused.
func TestFilesOfARecord(t *testing.T) {
	t.Parallel()
	all := Files{
		{Path: "src/a b.go", Status: "modified", Added: 20, Removed: 3}, {Path: "ü\t\"\n", Status: "added", Added: 1}, {Path: "binary +1 -1 x", Status: "deleted", Removed: 7},
		{Path: "logo.png", Status: "modified", Binary: true}, {Path: "new.go", OldPath: "old -1 \tname.go", Status: "renamed"}, {Status: "modified"}, {Path: `"x"`, Status: "added"}, {Path: "caf\xe9.go", Status: "added"},
	}
	for _, files := range append([]Files{all, {}}, all[:1], all[1:2], all[5:6]) {
		text, err := json.Marshal(files)
		var back Files
		if err == nil {
			err = json.Unmarshal(text, &back)
		}
		if err != nil || fmt.Sprintf("%+v", back) != fmt.Sprintf("%+v", files) {
			t.Errorf("%+v became %s and %+v: %v", files, text, back, err)
		}
	}
	for _, text := range []string{`"\n"`, `"modified"`, `"modified +x -1 a"`, `"modified +1 a"`, `[{"path":"a"}]`} {
		var back Files
		if err := json.Unmarshal([]byte(text), &back); err == nil {
			t.Errorf("%s was read as %+v", text, back)
		}
	}
}

// TestAHunkThatIsTooShort: a hunk that says more lines than it has does not swallow the file behind it.
func TestAHunkThatIsTooShort(t *testing.T) {
	t.Parallel()
	for _, pieces := range []int{1, 7, 4096} {
		x := Index{Lines: true}
		text := "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,9 +1,9 @@\n one\n-two\ndiff --git a/old b/new\nsimilarity index 100%\nrename from old\nrename to new\n"
		for len(text) > 0 {
			n := min(pieces, len(text))
			_, _ = x.Write([]byte(text[:n]))
			text = text[n:]
		}
		x.Close()
		if len(x.Files) != 2 || x.Files[1].Path != "new" || x.Files[1].OldPath != "old" || x.Files[1].Status != "renamed" || x.Files[0].Removed != 1 {
			t.Errorf("in pieces of %d: %+v", pieces, x.Files)
		}
	}
}

// endless is a patch that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestAPatchWithoutEnd: what never ends is given up with a reason, and a device is not read at all.
func TestAPatchWithoutEnd(t *testing.T) {
	t.Parallel()
	var x Index
	if err := x.read(endless{}); exit.Code(err) != exit.Refused || !strings.Contains(err.Error(), "512 MB") {
		t.Error(err)
	}
	if _, err := ReadDiff(os.DevNull); exit.Code(err) != exit.Refused || !strings.Contains(err.Error(), "is a device") {
		t.Error(err)
	}
}
