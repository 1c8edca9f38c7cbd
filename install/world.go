package install

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"viber/internal/fsx"
)

// The names of the plugin as the client knows it.
const (
	pluginName      = "viber"
	skillsDirID     = "viber@skills-dir"
	marketplaceID   = "viber@viber"
	marketplaceName = "viber"
)

// World is everything a plan is made from, read once.
type World struct {
	Env     Env
	Places  Places
	Project Project
	Binary  Binary
	Client  Client
	Git     string // absolute path of git, empty when there is none
	Managed Managed
	Record  *Record
	Notes   []string

	recordBytes []byte
	files       pluginFiles
}

// ReadWorld reads the world for the project that holds dir. It writes nothing and starts nothing but the client's
// version check.
func ReadWorld(env Env, dir string) (*World, error) {
	w := &World{Env: env}
	var err error
	if w.Places, err = FindPlaces(env); err != nil {
		return nil, err
	}
	if w.Project, err = FindProject(dir, w.Places); err != nil {
		return nil, err
	}
	if w.Record, w.recordBytes, err = ReadRecord(w.Places); err != nil {
		return nil, refuse(err)
	}
	w.Binary = FindBinary(env, w.Places)
	w.Git = findProgram(env, "git", w.Project.Root)
	w.Client = findClient(env, w.Places, w.Project.Root)
	w.Managed, w.Notes = readManaged(env)
	w.files, err = ownPlugin(env)
	w.tell()
	return w, err
}

// tell names what was found, for --verbose.
func (w *World) tell() {
	for _, found := range [][2]string{
		{"settings of Claude Code in", w.Places.Config}, {"state in", w.Places.State}, {"project", w.Project.Root},
		{"hooks call", w.Binary.Path}, {"Claude Code " + w.Client.Version.String() + " at", w.Client.Path}, {"git at", w.Git},
	} {
		if found[1] != "" {
			w.Env.step("%s %s", found[0], show(found[1]))
		}
	}
}

// pluginFolder is the versioned folder of this binary's plugin. A build without a release version gets the hash of its
// files, so that two such builds never share one.
func (w *World) pluginFolder(files pluginFiles) string {
	name := strings.TrimPrefix(w.Env.Version, "v")
	if !releaseVersion(name) {
		name = cleanName(name) + "-" + hash(files.manifest(w.Env.Version).encode())[:8]
	}
	return filepath.Join(w.Places.State, "plugin", name)
}

func releaseVersion(v string) bool {
	parts := strings.Split(v, ".")
	if len(parts) != 3 {
		return false
	}
	for _, p := range parts {
		if p == "" || strings.Trim(p, "0123456789") != "" {
			return false
		}
	}
	return true
}

func cleanName(v string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, v)
}

func (w *World) skillsLink() string { return filepath.Join(w.Places.Config, "skills", pluginName) }

// foreignPlugins lists plugins called viber of another origin that the client has enabled, as name@marketplace.
func (w *World) foreignPlugins() []string {
	var found []string
	paths := []string{filepath.Join(w.Places.Config, "settings.json")}
	if w.Project.Root != "" {
		paths = append(paths, scopePath(w, ScopeProject), scopePath(w, ScopeLocal))
	}
	for _, path := range paths {
		for id, on := range enabledPlugins(path) {
			if name, origin, _ := strings.Cut(id, "@"); name == pluginName && on && origin != "skills-dir" && !w.ours(id) {
				found = append(found, id)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// ours reports whether setup itself enabled the marketplace plugin id.
func (w *World) ours(id string) bool {
	return id == marketplaceID && w.Record.Plugin != nil && w.Record.Plugin.Channel == ChannelMarketplace
}

func enabledPlugins(path string) map[string]bool {
	var s struct {
		EnabledPlugins map[string]bool `json:"enabledPlugins"`
	}
	data, err := os.ReadFile(path)
	if err != nil || json.Unmarshal([]byte(strings.TrimPrefix(string(data), "\ufeff")), &s) != nil {
		return nil
	}
	return s.EnabledPlugins
}

// checkSkillsLink refuses a skills/viber that viber did not make.
func (w *World) checkSkillsLink() error {
	link := w.skillsLink()
	info, err := os.Lstat(link)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fsx.Denied(link, err)
	}
	if target, ok := fsx.DirLink(link); ok {
		if holds(filepath.Join(w.Places.State, "plugin"), target) || readManifest(link) != nil {
			return nil
		}
		if _, err := os.Stat(link); err != nil {
			return nil // leads nowhere: nothing is lost with it
		}
		return fmt.Errorf("%s: is a link to %s, which viber did not make; move it away or run with --no-plugin", link, show(target))
	}
	if info.IsDir() && readManifest(link) != nil {
		return nil
	}
	return fmt.Errorf("%s: is there already and viber did not make it; move it away or run with --no-plugin", link)
}
