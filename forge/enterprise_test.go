package forge

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestEnterpriseTokensStayHome: gh sends GH_ENTERPRISE_TOKEN to whatever host it is asked about, so an address somebody pasted
// must not choose that host.
func TestEnterpriseTokensStayHome(t *testing.T) {
	t.Parallel()
	root, bin := t.TempDir(), t.TempDir()
	name := "gh"
	if runtime.GOOS == "windows" {
		name = "gh.exe"
	}
	if err := os.WriteFile(filepath.Join(bin, name), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	environ := []string{"PATH=" + bin + string(filepath.ListSeparator) + os.Getenv("PATH"), "HOME=" + root, "GIT_CONFIG_NOSYSTEM=1", "PATHEXT=.EXE",
		"GIT_CEILING_DIRECTORIES=" + filepath.Dir(root), "GH_ENTERPRISE_TOKEN=sesame", "GITHUB_ENTERPRISE_TOKEN=sesame", "GH_TOKEN=mine"}
	for _, args := range [][]string{{"init", "-q"}, {"remote", "add", "origin", "git@ghe.example.com:acme/shop.git"}} {
		if out, err := exec.Command("git", append([]string{"-C", root}, args...)...).CombinedOutput(); err != nil {
			t.Fatal(string(out))
		}
	}
	for _, c := range []struct {
		address, ghHost string
		sent            bool
	}{
		{"https://evil.example.com/acme/shop/pull/7", "", false},
		{"https://evil.example.com/acme/shop/pull/7", "ghe.example.com", false},
		{"https://ghe.example.com/acme/shop/pull/7", "", true},
		{"https://other.example.com/acme/shop/pull/7", "Other.example.com", true},
	} {
		p := Places{Dir: root, Environ: append(environ, "GH_HOST="+c.ghHost)}
		host, _, err := p.Host(t.Context(), Parse(c.address, Surroundings{}))
		if err != nil {
			t.Fatal(err)
		}
		env := strings.Join(host.(*GitHub).Env, "\n")
		for _, ref := range []string{strings.Replace(c.address, "/pull/", "/issues/", 1), c.address + "#issuecomment-1", c.address, "7"} {
			gh, ok := Call{Dir: root, Environ: p.Environ}.HostOf(t.Context(), ref)
			if want := c.sent || ref == "7"; !ok || strings.Contains(strings.Join(gh.(*GitHub).Env, "\n"), "sesame") != want {
				t.Errorf("%s with GH_HOST=%s: sent is %v", ref, c.ghHost, !want)
			}
		}
		if strings.Contains(env, "sesame") != c.sent || !strings.Contains(env, "GH_TOKEN=mine") {
			t.Errorf("%s with GH_HOST=%s: sent is %v", c.address, c.ghHost, !c.sent)
		}
	}
}
