package plugin

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"viber/internal/gitx"
)

const goodManifest = `{"name":"x","version":"1.2.0","description":"d"}`

// repository makes a git repository with one commit per step and returns its folder and a function to go on with.
func repository(t *testing.T) (dir string, git func(args ...string), write func(path, text string)) {
	t.Helper()
	dir = t.TempDir()
	git = func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = dir, gitEnv(t)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write = func(path, text string) {
		t.Helper()
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q", "-b", "main")
	return dir, git, write
}

func gitEnv(t *testing.T) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com"}
}

func fetch(t *testing.T, text, ref string) (Fetched, error) {
	t.Helper()
	s, err := ParseSource(text, ref, "/")
	if err != nil {
		t.Fatal(err)
	}
	f := Fetcher{Git: gitx.Git{Env: gitEnv(t)}, Temp: t.TempDir(), Download: func(context.Context, string, string, int64) error {
		return errors.New("no network in this test")
	}}
	return f.Fetch(context.Background(), s)
}

func TestAGitPluginIsTheBytesOfItsCommit(t *testing.T) {
	dir, git, write := repository(t)
	write("p/.claude-plugin/plugin.json", goodManifest)
	write("p/text.md", "line\r\nline\n")
	write("p/.gitattributes", "*.md text eol=lf\nexport.md export-ignore\n*.bin filter=evil\n")
	write("p/export.md", "$Format:%H$\n")
	write("p/bin/tool", "#!/bin/sh\n")
	write("p/a.bin", "raw")
	git("add", "-A")
	git("update-index", "--chmod=+x", "p/bin/tool")
	git("commit", "-qm", "one")
	git("tag", "v1.2.0")
	write("p/text.md", "changed\n")
	git("commit", "-qam", "two")
	git("tag", "v1.3.0")
	git("tag", "v2.0.0-rc.1")

	got, err := fetch(t, dir+"//p@~1.2", "")
	if err != nil {
		t.Fatal(err)
	}
	if got.Tag != "v1.2.0" || len(got.Commit) != 40 {
		t.Errorf("tag %q, commit %q", got.Tag, got.Commit)
	}
	if text, _ := got.Tree.Get("export.md"); string(text) != "$Format:%H$\n" {
		t.Errorf("export.md: %q", text)
	}
	if i := slices.IndexFunc(got.Tree, func(f File) bool { return f.Path == "bin/tool" }); !got.Tree[i].Executable {
		t.Error("bin/tool lost its mode")
	}
	head, err := fetch(t, dir+"//p", "main")
	if err != nil || head.Tree.Hash() == got.Tree.Hash() {
		t.Errorf("head: %v, same tree", err)
	}
	again, err := fetch(t, dir+"//p", got.Commit)
	if err != nil || again.Tree.Hash() != got.Tree.Hash() {
		t.Errorf("the pinned commit gave another tree (%v)", err)
	}
	if _, err := fetch(t, dir+"//p@>=3", ""); err == nil || !strings.Contains(err.Error(), "none of its 3 tags fits") {
		t.Errorf("no tag: %v", err)
	}
	if _, err := fetch(t, dir+"//q", "main"); !errors.Is(err, errEmpty) {
		t.Errorf("no folder: %v", err)
	}
	if _, err := fetch(t, dir, "gone"); err == nil {
		t.Error("a branch that is not there was fetched")
	}
}

func TestARepositoryCannotRunAnything(t *testing.T) {
	dir, git, write := repository(t)
	mark := filepath.Join(t.TempDir(), "ran")
	write(".claude-plugin/plugin.json", goodManifest)
	write(".gitattributes", "* filter=evil diff=evil\n")
	git("add", "-A")
	git("commit", "-qm", "hooks and filters alone")
	git("branch", "plain")
	write(".gitmodules", "[submodule \"x\"]\n\tpath = x\n\turl = ext::sh -c touch% "+mark+"\n\tupdate = !touch "+mark+"\n")
	git("add", "-A")
	git("commit", "-qm", "one")
	for _, hook := range []string{"post-checkout", "post-merge", "reference-transaction", "post-upload-pack"} {
		write(".git/hooks/"+hook, "#!/bin/sh\ntouch "+mark+"\n")
		if err := os.Chmod(filepath.Join(dir, ".git", "hooks", hook), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := fetch(t, dir, "plain"); err != nil {
		t.Fatal(err)
	}
	if _, err := fetch(t, dir, "main"); err == nil || !strings.Contains(err.Error(), "disallowed submodule update") {
		t.Errorf("a submodule with an update command: %v", err)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("something of the repository was run")
	}
}

func TestLinksAndSubmodulesAreRefused(t *testing.T) {
	dir, git, write := repository(t)
	write(".claude-plugin/plugin.json", goodManifest)
	git("add", "-A")
	git("commit", "-qm", "one")
	git("update-index", "--add", "--cacheinfo", "160000,1111111111111111111111111111111111111111,sub")
	git("commit", "-qm", "submodule")
	if _, err := fetch(t, dir, "main"); err == nil || !strings.Contains(err.Error(), "a link or a submodule") {
		t.Errorf("submodule: %v", err)
	}
	folder := t.TempDir()
	if err := os.Symlink("/etc/passwd", filepath.Join(folder, "x")); err == nil {
		if _, err := fetch(t, folder, ""); err == nil || !strings.Contains(err.Error(), "neither a file nor a folder") {
			t.Errorf("link: %v", err)
		}
	}
}

func TestTheSameBytesHaveTheSameHash(t *testing.T) {
	dir, git, write := repository(t)
	write(".claude-plugin/plugin.json", goodManifest)
	write("skills/a/SKILL.md", "---\nname: a\ndescription: d\n---\n")
	git("add", "-A")
	git("commit", "-qm", "one")
	fromGit, err := fetch(t, dir, "main")
	if err != nil {
		t.Fatal(err)
	}
	fromFolder, err := fetch(t, dir, "")
	if err != nil {
		t.Fatal(err)
	}
	fromArchive, err := archived(t, fromGit.Tree, "r-main/")
	if err != nil {
		t.Fatal(err)
	}
	for kind, tree := range map[string]Tree{"folder": fromFolder.Tree, "archive": fromArchive.Tree} {
		if tree.Hash() != fromGit.Tree.Hash() {
			t.Errorf("%s: %v", kind, tree.Diff(fromGit.Tree))
		}
	}
}

func archived(t *testing.T, tree Tree, prefix string) (Fetched, error) {
	t.Helper()
	var b bytes.Buffer
	gz := gzip.NewWriter(&b)
	tw := tar.NewWriter(gz)
	for _, f := range tree {
		if err := tw.WriteHeader(&tar.Header{Name: prefix + f.Path, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(f.Data))}); err != nil {
			t.Fatal(err)
		}
		if _, err := tw.Write(f.Data); err != nil {
			t.Fatal(err)
		}
	}
	tw.Close()
	gz.Close()
	f := Fetcher{Temp: t.TempDir(), Download: func(_ context.Context, _, dst string, _ int64) error { return os.WriteFile(dst, b.Bytes(), 0o600) }}
	return f.Fetch(context.Background(), Source{Kind: Archive, Address: "https://example.com/r.tar.gz"})
}

func TestAnEntryOfAMarketplace(t *testing.T) {
	dir, git, write := repository(t)
	write("p/.claude-plugin/plugin.json", goodManifest)
	write("market/plugins/y/.claude-plugin/plugin.json", `{"name":"y"}`)
	git("add", "-A")
	git("commit", "-qm", "one")
	write("market/.claude-plugin/marketplace.json", `{"name":"m","owner":{"name":"o"},"plugins":[
		{"name":"y","source":"./plugins/y"},
		{"name":"out","source":"../p"},
		{"name":"npm","source":{"source":"npm","package":"x"}}]}`)
	got, err := fetch(t, dir+"/market#y", "")
	if c, faults := Check(got.Tree); err != nil || len(faults) > 0 || c.Name != "y" {
		t.Errorf("%v, %v, %+v", err, faults, c)
	}
	for entry, want := range map[string]string{"z": "it has: y, out, npm", "out": "leaves the marketplace", "npm": "not taken"} {
		if _, err := fetch(t, dir+"/market#"+entry, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", entry, err, want)
		}
	}
}

func TestNewTreeRefusesWhatIsNotTheSameEverywhere(t *testing.T) {
	for _, paths := range [][]string{{"../x"}, {"/x"}, {"a//b"}, {".git/config"}, {"a/.GIT/config"}, {"README", "readme"}, {"con"}, {"a/NUL.txt"}, {"com1"}, {"a:b"}, {`a\b`}, {"x."}, {"x "}} {
		var files []File
		for _, p := range paths {
			files = append(files, File{Path: p})
		}
		if _, err := NewTree(files); err == nil {
			t.Errorf("%q was taken", paths)
		}
	}
	if _, err := NewTree([]File{{Path: "console"}, {Path: "a/com10"}, {Path: ".gitignore"}}); err != nil {
		t.Error(err)
	}
}
