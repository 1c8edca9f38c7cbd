package schema

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// vector is one case of testdata/vectors; its files hold content, or bytes that are no UTF-8.
type vector struct {
	Name          string
	Flag          string
	Note          string
	Git           bool
	Files         map[string]content
	Dirs          []string
	Links         map[string]string
	Tracked       []string
	Modes         map[string]string
	Cwd           string
	Args          []string
	Stdout        string
	Now           *int64
	After         json.RawMessage
	Before        content
	Report        []string
	ResolvedAfter []string `json:"resolved_after"`
	Agents        []string
	TemplateText  *string `json:"template_text"`
	NoteText      string  `json:"note_text"`
}

type content string

func (c *content) UnmarshalJSON(data []byte) error {
	var encoded struct{ B64 string }
	if json.Unmarshal(data, &encoded) == nil {
		raw, err := base64.StdEncoding.DecodeString(encoded.B64)
		*c = content(raw)
		return err
	}
	return json.Unmarshal(data, (*string)(c))
}

func vectors(t *testing.T, kind string) []vector {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "vectors", kind+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []vector }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) == 0 {
		t.Fatalf("%s: no cases", kind)
	}
	return file.Cases
}

// stage writes the files of a vector and returns the scratch root and the working directory.
func (v vector) stage(t *testing.T) (root, cwd string) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if v.Git {
		makeRepository(t, root)
	}
	for _, dir := range v.Dirs {
		must(t, os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	for name, text := range v.Files {
		put(t, filepath.Join(root, name), string(text))
	}
	for name, target := range v.Links {
		path := filepath.Join(root, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.Symlink(target, path))
	}
	return root, filepath.Join(root, v.Cwd)
}

// makeRepository lays out what tells a git directory, without git.
func makeRepository(t *testing.T, root string) {
	t.Helper()
	for _, dir := range []string{"objects", "refs"} {
		must(t, os.MkdirAll(filepath.Join(root, ".git", dir), 0o755))
	}
	put(t, filepath.Join(root, ".git", "HEAD"), "ref: refs/heads/main\n")
	put(t, filepath.Join(root, ".git", "config"), "[core]\n\tbare = false\n")
}

func put(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func eachVector(t *testing.T, kind string, check func(t *testing.T, v vector)) {
	t.Helper()
	for _, v := range vectors(t, kind) {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			check(t, v)
		})
	}
}

func same(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestConfigVectors(t *testing.T) {
	t.Parallel()
	eachVector(t, "config", func(t *testing.T, v vector) {
		_, cwd := v.stage(t)
		same(t, Read(Root(cwd)).Block(), v.Stdout)
	})
}

func TestBranchingVectors(t *testing.T) {
	t.Parallel()
	eachVector(t, "branching", func(t *testing.T, v vector) {
		_, cwd := v.stage(t)
		same(t, Read(Root(cwd)).Branching().Report(), v.Stdout)
	})
}

func TestSwitchTextVectors(t *testing.T) {
	t.Parallel()
	eachVector(t, "switch-text", func(t *testing.T, v vector) {
		root, cwd := v.stage(t)
		args := make([]string, 3)
		for i, a := range v.Args {
			if i < 3 {
				args[i] = strings.ReplaceAll(a, "{{root}}", root)
			}
		}
		got := Read(Root(cwd)).SwitchText(cwd, args[0], args[1], args[2])
		same(t, strings.ReplaceAll(got, root, "{{root}}"), v.Stdout)
	})
}

func TestSchemaNoteVectors(t *testing.T) {
	t.Parallel()
	eachVector(t, "schema-note", func(t *testing.T, v vector) {
		_, cwd := v.stage(t)
		if v.TemplateText == nil {
			t.Fatal("the banner without a template is the session start's own case")
		}
		same(t, Read(Root(cwd)).Note(cwd, NumberIn(*v.TemplateText)), v.NoteText)
	})
}

func TestExtensionVectors(t *testing.T) {
	t.Parallel()
	eachVector(t, "extension", func(t *testing.T, v vector) {
		_, cwd := v.stage(t)
		c := Read(Root(cwd))
		var after *string
		must(t, json.Unmarshal(v.After, &after))
		if len(v.Args) == 0 || v.Args[0] != "--add" {
			same(t, c.ExtensionReport(), v.Stdout)
			return
		}
		name := ""
		if len(v.Args) > 1 {
			name = v.Args[1]
		}
		status, before, text := c.AddExtension(name)
		same(t, "STATUS="+status+"\n", v.Stdout)
		if status == Added {
			same(t, text, *after)
			return
		}
		if status == Stale || status == Present {
			same(t, text, before)
		}
	})
}
