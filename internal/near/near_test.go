package near

import "testing"

func TestWordFindsWhatWasMeant(t *testing.T) {
	t.Parallel()
	known := []string{"setup", "status", "undo", "uninstall", "upgrade", "off", "on", "--dry-run", "build.qa"}
	for name, want := range map[string]string{
		"setpu": "setup", "sttaus": "status", "unod": "undo", "unistall": "uninstall", "of": "off", "--drydrun": "--dry-run",
		"bild.qa": "build.qa", "build.qq": "build.qa", "statsu": "status",
		"": "", "x": "", "nope": "", "kubectl": "", "remove": "",
	} {
		if got := Word(name, known); got != want {
			t.Errorf("Word(%q) = %q, want %q", name, got, want)
		}
	}
}
