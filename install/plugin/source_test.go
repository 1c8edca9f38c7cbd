package plugin

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestParseSource(t *testing.T) {
	dir := filepath.FromSlash("/project")
	at := func(p string) string { return filepath.Join(dir, filepath.FromSlash(p)) }
	tests := map[string]struct {
		text, ref string
		want      Source
	}{
		"folder":               {"./tools/x", "", Source{Kind: Folder, Address: at("tools/x")}},
		"folder with a sub":    {"../market//plugins/x", "", Source{Kind: Folder, Address: filepath.FromSlash("/market"), Sub: "plugins/x"}},
		"folder named host":    {"example.com", "", Source{Kind: Folder, Address: at("example.com")}},
		"local repository":     {"../repo@~1.2", "", Source{Kind: Git, Address: filepath.FromSlash("/repo"), Constraint: "~1.2"}},
		"local branch":         {"../repo", "main", Source{Kind: Git, Address: filepath.FromSlash("/repo"), Ref: "main"}},
		"https repository":     {"https://example.com/o/r.git//plugins/x", "", Source{Kind: Git, Address: "https://example.com/o/r.git", Sub: "plugins/x"}},
		"short":                {"github.com/o/r", "", Source{Kind: Git, Address: "https://github.com/o/r"}},
		"short, sub, range":    {"github.com/o/r//x@>=1 <2", "", Source{Kind: Git, Address: "https://github.com/o/r", Sub: "x", Constraint: ">=1 <2"}},
		"ref in the query":     {"https://example.com/o/r?ref=v1", "", Source{Kind: Git, Address: "https://example.com/o/r", Ref: "v1"}},
		"sub and query":        {"https://example.com/o/r//x?ref=v1", "", Source{Kind: Git, Address: "https://example.com/o/r", Sub: "x", Ref: "v1"}},
		"ssh":                  {"git@example.com:o/r.git", "", Source{Kind: Git, Address: "git@example.com:o/r.git"}},
		"ssh with a range":     {"git@example.com:o/r.git@^2", "", Source{Kind: Git, Address: "git@example.com:o/r.git", Constraint: "^2"}},
		"ssh, another user":    {"org-1@example.com:o/r.git@~1", "", Source{Kind: Git, Address: "org-1@example.com:o/r.git", Constraint: "~1"}},
		"ssh without a slash":  {"me@example.com:r", "", Source{Kind: Git, Address: "me@example.com:r"}},
		"user in https":        {"https://git@example.com/o/r", "", Source{Kind: Git, Address: "https://git@example.com/o/r"}},
		"archive":              {"https://example.com/x-1.2.tar.gz//x", "", Source{Kind: Archive, Address: "https://example.com/x-1.2.tar.gz", Sub: "x"}},
		"zip":                  {"https://example.com/x.ZIP", "", Source{Kind: Archive, Address: "https://example.com/x.ZIP"}},
		"marketplace entry":    {"./market#x", "", Source{Kind: Marketplace, Address: at("market"), Entry: "x"}},
		"a folder with an at":  {"./a@b/c", "", Source{Kind: Folder, Address: at("a@b/c")}},
		"scoped folder":        {"./node_modules/@o/x", "", Source{Kind: Folder, Address: at("node_modules/@o/x")}},
		"double slash in path": {"/a//b", "", Source{Kind: Folder, Address: filepath.FromSlash("/a"), Sub: "b"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := ParseSource(tt.text, tt.ref, dir)
			if err != nil || got != tt.want {
				t.Errorf("%+v, %v\nwant %+v", got, err, tt.want)
			}
		})
	}
	for text, want := range map[string]string{
		"git::https://example.com/o/r":           "git:: is not taken",
		"s3::https://example.com/o/r":            "s3:: is not taken",
		"http://example.com/o/r":                 "only https",
		"https://me:secret@example.com/o/r":      "password",
		"https://ghp_0123456789@example.com/o/r": "password",
		"":                                       "name a source",
		"./x\ny":                                 "control character",
		"./x@latest-ish":                         "not a version or a range",
		"https://example.com/o/r//../x":          "leaves the source",
		"https://example.com/x.zip@1":            "an archive is one version",
		"https://example.com/o/r?archive=no":     "only ?ref=",
		"https://example.com/o/r@1?ref=v1":       "not a version or a range",
		"./market#x@1":                           "says its version itself",
	} {
		if got, err := ParseSource(text, "", dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, %v; want %q", text, got, err, want)
		}
	}
	if _, err := ParseSource("./x", "-upload-pack=x", dir); err == nil {
		t.Error("a ref that git would read as an option was taken")
	}
}

func FuzzParseSource(f *testing.F) {
	f.Add("https://example.com/o/r//x@~1?ref=v1#e", "")
	f.Fuzz(func(t *testing.T, text, ref string) {
		s, err := ParseSource(text, ref, string(filepath.Separator))
		if err == nil && s.Kind == "" {
			t.Errorf("%q: no kind", text)
		}
	})
}

// A folder that is called like a constraint, a query or an entry is that folder.
func TestAFolderIsTakenAsItIsSpelled(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"x@home", "a b", "ünïcode", "x#y", "100%"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		got, err := ParseSource("./"+name, "", dir)
		if want := (Source{Kind: Folder, Address: filepath.Join(dir, name)}); err != nil || got != want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}
