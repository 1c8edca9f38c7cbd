//go:build unix

package upgrade

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"viber/internal/exit"
)

// The plugin's own copy of viber upgrades the one that the hooks call, and puts it back when it is missing.
func TestThePluginsCopyUpgradesTheRealViber(t *testing.T) {
	state := func(b bench) string { return b.path("home", ".local", "state", "viber") }
	setup := func(t *testing.T, record string) bench {
		t.Helper()
		b := newBench(t, t.TempDir(), "1.3.0")
		if err := os.MkdirAll(filepath.Join(state(b), "plugin", "1.2.0", "bin"), 0o700); err != nil {
			t.Fatal(err)
		}
		b.write(t, filepath.Join(state(b), "plugin", "1.2.0", "bin", "viber"), viber("1.2.0"))
		if record != "" {
			b.write(t, filepath.Join(state(b), "record.json"), strings.ReplaceAll(record, "DIR", b.dir))
		}
		return b
	}
	copyOf := func(b bench) string { return filepath.Join(state(b), "plugin", "1.2.0", "bin", "viber") }

	b := setup(t, `{"schema":1,"binary":"DIR/bin/viber"}`)
	if err := os.Rename(b.path("bin", "viber"), b.path("bin", "viber"+oldMark+"1234")); err != nil {
		t.Fatal(err)
	}
	if err := b.upgradeAs(copyOf(b), b.archive("1.3.0"), nil); exit.Code(err) != exit.OK {
		t.Fatalf("%v\n%s", err, b.out)
	}
	if !strings.Contains(b.out.String(), "it is back") || content(copyOf(b)) != viber("1.2.0") {
		t.Errorf("the plugin's copy was upgraded:\n%s", b.out)
	}
	b.check(t, "after", "1.3.0", "1.2.0")

	b = setup(t, "")
	if err := b.upgradeAs(copyOf(b), b.archive("1.3.0"), nil); exit.Code(err) != exit.Refused || !strings.Contains(err.Error(), "the plugin's own copy") {
		t.Errorf("without a record: %v", err)
	}
	b = setup(t, `{"schema":1,"binary":"DIR/gone/viber"}`)
	if err := b.upgradeAs(copyOf(b), b.archive("1.3.0"), nil); exit.Code(err) != exit.Refused || !strings.Contains(err.Error(), "run 'viber setup'") {
		t.Errorf("the viber on record is gone: %v", err)
	}
}
