// Package upgrade replaces viber's own binary: who owns it, which release to take, fetching and proving it, the swap.
package upgrade

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
)

// Owner is who put the executable where it is, and so who may replace it.
type Owner struct {
	// Manager is the package manager's name, or "file" for a plain file that viber may replace itself.
	Manager string `json:"manager"`
	// Command upgrades viber with that manager; empty when there is no single command.
	Command []string `json:"command,omitempty"`
	// Text is what to tell the user beside the command, or when there is none.
	Text string `json:"text,omitempty"`
	// Evidence is the path or file that decided.
	Evidence string `json:"evidence"`
}

// Replaceable reports whether viber may replace the executable itself.
func (o Owner) Replaceable() bool { return o.Manager == "file" }

// Executable is what Detect looks at; it needs no network and starts no process.
type Executable struct {
	Path     string // as the system names it
	Resolved string // with all links followed
	GOOS     string
	Home     string
	Getenv   func(string) string
	// Module is the module path and version the build recorded; the version is empty or "(devel)" unless the
	// executable was made by `go install module@version`.
	Module, ModuleVersion string
	// ReadFile reads a marker file.
	ReadFile func(path string) ([]byte, error)
}

// Detect names the owner of the executable: a packager's marker file first, then the path's shape, then the databases of
// the system's packages, then `go install`; otherwise it is a plain file.
func Detect(e Executable) Owner {
	for _, find := range []func(Executable) (Owner, bool){
		byMarker, byHomebrew, byScoop, byWinget, byNix, byNPM, byVersionManager, byGoInstall, bySystemPackage,
	} {
		if owner, ok := find(e); ok {
			return owner
		}
	}
	return Owner{Manager: "file", Evidence: e.Resolved}
}

// paths are the spellings of the executable to look at, with forward slashes, most telling first.
func (e Executable) paths() []string {
	list := []string{slashed(e.Resolved)}
	if p := slashed(e.Path); p != list[0] {
		list = append(list, p)
	}
	return list
}

func slashed(p string) string { return strings.ReplaceAll(p, `\`, "/") }

// under returns the part of the executable's path behind the folder named dir, matched without regard to case where the
// system does so.
func (e Executable) under(dir string) (rest, whole string, ok bool) {
	for _, p := range e.paths() {
		hay, needle := p, dir
		if e.GOOS == "windows" || e.GOOS == "darwin" {
			hay, needle = strings.ToLower(p), strings.ToLower(dir)
		}
		if i := strings.Index(hay, needle); i >= 0 {
			return p[i+len(dir):], p, true
		}
	}
	return "", "", false
}

// MarkerName is the file a packager may ship to say who upgrades viber: beside the executable, or as
// ../share/viber/managed-by. Its first line is the manager's name; a line "run: COMMAND" is the command that upgrades, its
// words separated by blanks; the rest is the text to show.
const MarkerName = "viber.managed-by"

// PackageMarker is the marker file that viber's own package for manager (deb, rpm or apk) carries. page is where releases
// are published; empty leaves it out.
func PackageMarker(manager, page string) (string, error) {
	commands := map[string]string{"deb": debUpgrade, "rpm": rpmUpgrade, "apk": apkUpgrade}
	command, ok := commands[manager]
	if !ok {
		return "", fmt.Errorf("%q: no package of that kind is made", manager)
	}
	from := "the new release"
	if page != "" {
		from = page + "/releases"
	}
	return manager + "\nrun: " + command + "\na package that was installed from a file is replaced by the newer file from " + from + "\n", nil
}

// What upgrades a package that came from a repository.
const (
	debUpgrade = "sudo apt-get install --only-upgrade viber"
	rpmUpgrade = "sudo dnf upgrade viber"
	apkUpgrade = "sudo apk upgrade viber"
)

func byMarker(e Executable) (Owner, bool) {
	dir := filepath.Dir(e.Resolved)
	for _, file := range []string{filepath.Join(dir, MarkerName), filepath.Join(filepath.Dir(dir), "share", "viber", "managed-by")} {
		text, err := e.ReadFile(file)
		if err != nil {
			continue
		}
		owner := parseMarker(string(text))
		owner.Evidence = file
		return owner, true
	}
	return Owner{}, false
}

func parseMarker(text string) Owner {
	name, rest, _ := strings.Cut(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	owner := Owner{Manager: strings.TrimSpace(name)}
	if owner.Manager == "" || owner.Manager == "file" {
		owner.Manager = "package" // "file" would say that nobody owns it
	}
	var words []string
	for line := range strings.SplitSeq(rest, "\n") {
		if command, ok := strings.CutPrefix(line, "run:"); ok && owner.Command == nil {
			owner.Command = strings.Fields(command)
			continue
		}
		words = append(words, line)
	}
	owner.Text = strings.TrimSpace(strings.Join(words, "\n"))
	return owner
}

func byHomebrew(e Executable) (Owner, bool) {
	if rest, whole, ok := e.under("/Caskroom/"); ok {
		return Owner{Manager: "homebrew", Command: []string{"brew", "upgrade", "--cask", first(rest)}, Evidence: whole}, true
	}
	if rest, whole, ok := e.under("/Cellar/"); ok {
		return Owner{Manager: "homebrew", Command: []string{"brew", "upgrade", first(rest)}, Evidence: whole}, true
	}
	return Owner{}, false
}

func byScoop(e Executable) (Owner, bool) {
	if rest, whole, ok := e.under("/scoop/apps/"); ok {
		return scoop(first(rest), whole), true
	}
	if rest, whole, ok := e.under("/scoop/shims/"); ok {
		return scoop(strings.TrimSuffix(first(rest), ".exe"), whole), true
	}
	if e.GOOS != "windows" {
		return Owner{}, false
	}
	// A scoop moved by SCOOP or SCOOP_GLOBAL leaves its record beside the program.
	record := filepath.Join(filepath.Dir(e.Resolved), "install.json")
	if _, err := e.ReadFile(record); err == nil {
		if rest, whole, ok := e.under("/apps/"); ok {
			return scoop(first(rest), whole), true
		}
	}
	return Owner{}, false
}

func scoop(app, evidence string) Owner {
	return Owner{Manager: "scoop", Command: []string{"scoop", "update", app}, Evidence: evidence}
}

func byWinget(e Executable) (Owner, bool) {
	if rest, whole, ok := e.under("/WinGet/Packages/"); ok {
		id, _, _ := strings.Cut(first(rest), "_")
		return Owner{Manager: "winget", Command: []string{"winget", "upgrade", "--id", id}, Evidence: whole}, true
	}
	if _, whole, ok := e.under("/WinGet/Links/"); ok {
		return Owner{Manager: "winget", Command: []string{"winget", "upgrade", "viber"}, Evidence: whole}, true
	}
	return Owner{}, false
}

func byNix(e Executable) (Owner, bool) {
	_, whole, ok := e.under("/nix/store/")
	return Owner{Manager: "nix", Text: "raise viber in the flake or profile that installs it, for example `nix profile upgrade viber`", Evidence: whole}, ok
}

func byNPM(e Executable) (Owner, bool) {
	for _, p := range e.paths() {
		i := strings.LastIndex(p, "/node_modules/")
		if i < 0 {
			continue
		}
		parts := strings.Split(p[i+len("/node_modules/"):], "/")
		name := parts[0]
		if strings.HasPrefix(name, "@") && len(parts) > 1 {
			name += "/" + parts[1]
		}
		return Owner{Manager: "npm", Command: []string{"npm", "install", "--global", name + "@latest"}, Evidence: p}, true
	}
	return Owner{}, false
}

func byVersionManager(e Executable) (Owner, bool) {
	for _, dir := range []string{"/mise/installs/", "/mise/shims/"} {
		if rest, whole, ok := e.under(dir); ok {
			return Owner{Manager: "mise", Command: []string{"mise", "upgrade", tool(rest)}, Evidence: whole}, true
		}
	}
	for _, dir := range []string{"/.asdf/installs/", "/.asdf/shims/"} {
		if rest, whole, ok := e.under(dir); ok {
			return Owner{Manager: "asdf", Command: []string{"asdf", "install", tool(rest), "latest"}, Evidence: whole}, true
		}
	}
	return Owner{}, false
}

// bySystemPackage recognises files of dpkg and apk by the databases these keep as text, for packages that carry no marker
// file. rpm's database is binary.
func bySystemPackage(e Executable) (Owner, bool) {
	if e.GOOS != "linux" {
		return Owner{}, false
	}
	dir, base := path.Split(slashed(e.Resolved))
	if list, err := e.ReadFile("/var/lib/dpkg/info/viber.list"); err == nil && hasLine(list, dir+base) {
		return Owner{Manager: "deb", Command: strings.Fields(debUpgrade), Evidence: "/var/lib/dpkg/info/viber.list"}, true
	}
	if db, err := e.ReadFile("/lib/apk/db/installed"); err == nil && hasLine(db, "P:viber") && dir == "/usr/bin/" {
		return Owner{Manager: "apk", Command: strings.Fields(apkUpgrade), Evidence: "/lib/apk/db/installed"}, true
	}
	return Owner{}, false
}

func byGoInstall(e Executable) (Owner, bool) {
	if e.ModuleVersion == "" || e.ModuleVersion == "(devel)" || !strings.Contains(e.Module, "/") {
		return Owner{}, false
	}
	dir := filepath.Dir(e.Resolved)
	for _, bin := range goBins(e) {
		if dir == filepath.Clean(bin) {
			return Owner{Manager: "go", Command: []string{"go", "install", e.Module + "@latest"}, Evidence: e.Resolved}, true
		}
	}
	return Owner{}, false
}

func goBins(e Executable) []string {
	var bins []string
	if bin := e.Getenv("GOBIN"); bin != "" {
		bins = append(bins, bin)
	}
	for _, root := range filepath.SplitList(e.Getenv("GOPATH")) {
		bins = append(bins, filepath.Join(root, "bin"))
	}
	return append(bins, filepath.Join(e.Home, "go", "bin"))
}

func hasLine(text []byte, line string) bool {
	for l := range strings.SplitSeq(string(text), "\n") {
		if strings.TrimRight(l, "\r") == line {
			return true
		}
	}
	return false
}

func first(rest string) string {
	name, _, _ := strings.Cut(rest, "/")
	return name
}

// tool is the name of a version manager's tool folder or shim: "ubi-owner-viber/1.2.3/..." and "viber.exe" included.
func tool(rest string) string { return strings.TrimSuffix(first(rest), ".exe") }
