package install

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// The path hooks call survives an upgrade: never a versioned folder, a store, a cache, a temporary folder or a work tree.
func TestFindBinary(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the folders are those of Unix package managers")
	}
	for name, c := range map[string]struct {
		exe   string            // below the test's directory
		links map[string]string // link -> target
		path  string            // PATH
		want  string            // below the test's directory; empty: a copy
	}{
		"a plain file":                   {exe: "opt/bin/viber", want: "opt/bin/viber"},
		"homebrew":                       {exe: "brew/Cellar/viber/1.2/bin/viber", links: map[string]string{"brew/bin/viber": "brew/Cellar/viber/1.2/bin/viber"}, want: "brew/bin/viber"},
		"homebrew without its link":      {exe: "brew/Cellar/viber/1.2/bin/viber"},
		"a version manager with a shim":  {exe: "mise/installs/viber/1.2/bin/viber", links: map[string]string{"shims/viber": "mise/installs/viber/1.2/bin/viber"}, path: "shims", want: "shims/viber"},
		"a version manager alone":        {exe: "mise/installs/viber/1.2/bin/viber"},
		"scoop":                          {exe: "scoop/apps/viber/1.2/viber", links: map[string]string{"scoop/apps/viber/current": "scoop/apps/viber/1.2"}, want: "scoop/apps/viber/current/viber"},
		"go build":                       {exe: "cache/go-build123/b001/viber"},
		"a temporary folder":             {exe: "tmp/viber"},
		"the work tree it was built in":  {exe: "src/viber"},
		"the plugin's own bin":           {exe: "home/.claude/skills/viber/bin/viber"},
		"another viber on PATH does not": {exe: "tmp/viber", links: map[string]string{"other/viber": "opt/other"}, path: "other"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := resolved(t.TempDir())
			for _, file := range []string{c.exe, "src/.git/HEAD", "src/.git/objects/x", "src/.git/refs/x", "home/x", "opt/other"} {
				path := filepath.Join(dir, filepath.FromSlash(file))
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte("ref: refs/heads/main\n"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for link, target := range c.links {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, link)), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(filepath.Join(dir, target), filepath.Join(dir, link)); err != nil {
					t.Fatal(err)
				}
			}
			vars := map[string]string{"TMPDIR": filepath.Join(dir, "tmp"), "PATH": filepath.Join(dir, c.path)}
			env := Env{Exe: filepath.Join(dir, c.exe), Getenv: func(name string) string { return vars[name] }}
			home := filepath.Join(dir, "home")
			b := FindBinary(env, Places{Home: home, Config: filepath.Join(home, ".claude"), State: filepath.Join(home, "state"), Data: filepath.Join(home, "data")})
			want := filepath.Join(dir, c.want)
			if c.want == "" {
				want = filepath.Join(home, "data", "bin", "viber")
			}
			if b.Path != want || b.Copy != (c.want == "") {
				t.Errorf("got %+v, want %s", b, want)
			}
		})
	}
}
