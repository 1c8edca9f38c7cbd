package e2e

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"viber/embed"
)

// alwaysOnLimit is the promise of docs/plugin-cost.md, in tokens of every session.
const alwaysOnLimit = 2500

var alwaysOn = regexp.MustCompile(`Always-on:\s+~([\d,]+) tok`)

// TestClientPluginCost asks the client what loading the plugin costs: with the session rules it stays below the limit, and
// docs/plugin-cost.md tells the figure.
func TestClientPluginCost(t *testing.T) {
	claude := realClient(t)
	home := t.TempDir()
	plugin, err := embed.Plugin()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(home, ".claude", "skills", "viber"), plugin); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(claude, "plugin", "details", "viber@skills-dir")
	cmd.Env = []string{"HOME=" + home, "PATH=/usr/bin:/bin", "DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"}
	cmd.Dir = home
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	found := alwaysOn.FindSubmatch(out)
	if found == nil {
		t.Fatalf("the client tells no cost:\n%s", out)
	}
	tokens, err := strconv.Atoi(strings.ReplaceAll(string(found[1]), ",", ""))
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := fs.ReadFile(plugin, "hooks/content/manifest.md")
	if err != nil {
		t.Fatal(err)
	}
	if sum := tokens + len(manifest)/3; sum >= alwaysOnLimit {
		t.Errorf("%d tokens in every session, %d of them the session rules; the limit is %d", sum, len(manifest)/3, alwaysOnLimit)
	}
	page, err := os.ReadFile("../docs/plugin-cost.md")
	if err != nil {
		t.Fatal(err)
	}
	told := alwaysOn.FindSubmatch(page)
	if told == nil {
		t.Fatal("docs/plugin-cost.md tells no figure")
	}
	if was, _ := strconv.Atoi(strings.ReplaceAll(string(told[1]), ",", "")); was < tokens*9/10 || was > tokens*11/10 {
		t.Errorf("docs/plugin-cost.md tells ~%d tokens, the client says ~%d", was, tokens)
	}
	if !strings.Contains(string(out), "Skills (") || strings.Contains(string(out), "Hooks (1") {
		t.Errorf("the plugin is not what it should be:\n%s", out)
	}
}
