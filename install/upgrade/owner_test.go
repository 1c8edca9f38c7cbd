package upgrade

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

func marker(t *testing.T, manager string) string {
	t.Helper()
	text, err := PackageMarker(manager, "https://github.com/o/viber")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestAMarkerSaysCommandAndText(t *testing.T) {
	for text, want := range map[string]string{
		marker(t, "rpm"):                        "run `sudo dnf upgrade viber`; a package that was installed from a file is replaced by the newer file from https://github.com/o/viber/releases",
		"corp\r\nask the tools team\r\n":        "ask the tools team",
		"corp\nrun: softwarecenter get viber\n": "run `softwarecenter get viber`",
		"corp":                                  "upgrade viber with it",
	} {
		if got := parseMarker(text).advice(); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if _, err := PackageMarker("msi", ""); err == nil {
		t.Error("a marker for a package that is not made")
	}
}

func TestDetectNamesTheOwnersCommand(t *testing.T) {
	tests := map[string]struct {
		exe   Executable
		files map[string]string
		want  string // manager, then the command
	}{
		"homebrew formula":           {exe: Executable{GOOS: "darwin", Path: "/opt/homebrew/bin/viber", Resolved: "/opt/homebrew/Cellar/viber/1.2.3/bin/viber"}, want: "homebrew brew upgrade viber"},
		"homebrew formula, intel":    {exe: Executable{GOOS: "darwin", Resolved: "/usr/local/Cellar/viber/1.2.3/bin/viber"}, want: "homebrew brew upgrade viber"},
		"homebrew cask":              {exe: Executable{GOOS: "darwin", Resolved: "/opt/homebrew/Caskroom/viber/1.2.3/viber"}, want: "homebrew brew upgrade --cask viber"},
		"linuxbrew":                  {exe: Executable{GOOS: "linux", Resolved: "/home/linuxbrew/.linuxbrew/Cellar/viber/1.2.3/bin/viber"}, want: "homebrew brew upgrade viber"},
		"scoop version":              {exe: Executable{GOOS: "windows", Resolved: `C:\Users\a b\scoop\apps\viber\1.2.3\viber.exe`}, want: "scoop scoop update viber"},
		"scoop current":              {exe: Executable{GOOS: "windows", Resolved: `C:\Users\a\scoop\apps\viber\current\viber.exe`}, want: "scoop scoop update viber"},
		"scoop shim":                 {exe: Executable{GOOS: "windows", Resolved: `C:\Users\a\scoop\shims\viber.exe`}, want: "scoop scoop update viber"},
		"scoop in capitals":          {exe: Executable{GOOS: "windows", Resolved: `C:\ProgramData\Scoop\Apps\viber\1.0.0\viber.exe`}, want: "scoop scoop update viber"},
		"winget":                     {exe: Executable{GOOS: "windows", Resolved: `C:\Users\a\AppData\Local\Microsoft\WinGet\Packages\Owner.Viber_Microsoft.Winget.Source_8wekyb3d8bbwe\viber.exe`}, want: "winget winget upgrade --id Owner.Viber"},
		"winget link":                {exe: Executable{GOOS: "windows", Resolved: `C:\Users\a\AppData\Local\Microsoft\WinGet\Links\viber.exe`}, want: "winget winget upgrade viber"},
		"nix":                        {exe: Executable{GOOS: "linux", Path: "/run/current-system/sw/bin/viber", Resolved: "/nix/store/abc-viber-1.2.3/bin/viber"}, want: "nix"},
		"npm":                        {exe: Executable{GOOS: "linux", Resolved: "/usr/lib/node_modules/viber/bin/viber"}, want: "npm npm install --global viber@latest"},
		"npm with a scope":           {exe: Executable{GOOS: "linux", Resolved: "/usr/lib/node_modules/@x/viber/bin/viber"}, want: "npm npm install --global @x/viber@latest"},
		"npm nested":                 {exe: Executable{GOOS: "linux", Resolved: "/p/node_modules/@x/viber/node_modules/@x/viber-linux-x64/viber"}, want: "npm npm install --global @x/viber-linux-x64@latest"},
		"mise":                       {exe: Executable{GOOS: "linux", Resolved: "/home/a/.local/share/mise/installs/viber/1.2.3/bin/viber"}, want: "mise mise upgrade viber"},
		"mise, other backend":        {exe: Executable{GOOS: "linux", Resolved: "/home/a/.local/share/mise/installs/ubi-o-viber/1.2.3/viber"}, want: "mise mise upgrade ubi-o-viber"},
		"mise shim":                  {exe: Executable{GOOS: "linux", Path: "/home/a/.local/share/mise/shims/viber", Resolved: "/usr/bin/mise"}, want: "mise mise upgrade viber"},
		"asdf":                       {exe: Executable{GOOS: "linux", Resolved: "/home/a/.asdf/installs/viber/1.2.3/bin/viber"}, want: "asdf asdf install viber latest"},
		"deb":                        {exe: Executable{GOOS: "linux", Resolved: "/usr/bin/viber"}, files: map[string]string{"/var/lib/dpkg/info/viber.list": "/.\n/usr/bin\n/usr/bin/viber\n"}, want: "deb sudo apt-get install --only-upgrade viber"},
		"a copy beside the deb":      {exe: Executable{GOOS: "linux", Resolved: "/usr/local/bin/viber"}, files: map[string]string{"/var/lib/dpkg/info/viber.list": "/usr/bin/viber\n"}, want: "file"},
		"apk":                        {exe: Executable{GOOS: "linux", Resolved: "/usr/bin/viber"}, files: map[string]string{"/lib/apk/db/installed": "C:x\nP:viber\nV:1.2.3-r0\n"}, want: "apk sudo apk upgrade viber"},
		"rpm by its marker":          {exe: Executable{GOOS: "linux", Resolved: "/usr/bin/viber"}, files: map[string]string{"/usr/share/viber/managed-by": marker(t, "rpm")}, want: "rpm sudo dnf upgrade viber"},
		"deb by its marker":          {exe: Executable{GOOS: "linux", Resolved: "/usr/bin/viber"}, files: map[string]string{"/usr/share/viber/managed-by": marker(t, "deb")}, want: "deb sudo apt-get install --only-upgrade viber"},
		"apk by its marker":          {exe: Executable{GOOS: "linux", Resolved: "/usr/bin/viber"}, files: map[string]string{"/usr/share/viber/managed-by": marker(t, "apk")}, want: "apk sudo apk upgrade viber"},
		"a marker without a word":    {exe: Executable{GOOS: "linux", Resolved: "/opt/corp/bin/viber"}, files: map[string]string{"/opt/corp/bin/viber.managed-by": "\n"}, want: "package"},
		"a marker that says file":    {exe: Executable{GOOS: "linux", Resolved: "/opt/corp/bin/viber"}, files: map[string]string{"/opt/corp/bin/viber.managed-by": "file\n"}, want: "package"},
		"a packager's marker":        {exe: Executable{GOOS: "linux", Resolved: "/opt/corp/bin/viber"}, files: map[string]string{"/opt/corp/bin/viber.managed-by": "corp\r\nask the tools team\r\n"}, want: "corp"},
		"go install":                 {exe: Executable{GOOS: "linux", Resolved: "/home/a/go/bin/viber", Home: "/home/a", Module: "example.com/o/viber", ModuleVersion: "v1.2.3"}, want: "go go install example.com/o/viber@latest"},
		"go build in the same place": {exe: Executable{GOOS: "linux", Resolved: "/home/a/go/bin/viber", Home: "/home/a", Module: "viber", ModuleVersion: "(devel)"}, want: "file"},
		"plain file":                 {exe: Executable{GOOS: "linux", Resolved: "/home/a/.local/bin/viber", Home: "/home/a"}, want: "file"},
		"a folder that is like one":  {exe: Executable{GOOS: "linux", Resolved: "/home/a/Cellars/viber/viber", Home: "/home/a"}, want: "file"},
		"plain file on windows":      {exe: Executable{GOOS: "windows", Resolved: `C:\tools\viber.exe`}, want: "file"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tt.exe.Getenv = func(string) string { return "" }
			tt.exe.ReadFile = func(path string) ([]byte, error) {
				if text, ok := tt.files[filepath.ToSlash(path)]; ok {
					return []byte(text), nil
				}
				return nil, fs.ErrNotExist
			}
			owner := Detect(tt.exe)
			if got := strings.Join(append([]string{owner.Manager}, owner.Command...), " "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if owner.Evidence == "" {
				t.Error("no evidence")
			}
			if owner.Replaceable() != (tt.want == "file") {
				t.Error("replaceable")
			}
		})
	}
}
