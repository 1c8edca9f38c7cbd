package install

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"viber/embed"
	"viber/internal/fsx"
)

// manifestName is the file in a plugin folder that holds the sha256 of every file viber put there.
const manifestName = ".viber-manifest.json"

// pluginFile is one file of the plugin as it is installed; Path has slashes.
type pluginFile struct {
	Path string
	Data []byte
}

type pluginFiles []pluginFile

// Manifest lists the files of a plugin folder.
type Manifest struct {
	Version string            `json:"version"`
	Files   map[string]string `json:"files"` // path with slashes -> sha256
}

// ownPlugin returns the files of the plugin in this binary, with the binary's version in the manifest of the plugin.
func ownPlugin(env Env) (pluginFiles, error) {
	plugin := env.Plugin
	if plugin == nil {
		var err error
		if plugin, err = embed.Plugin(); err != nil {
			return nil, err
		}
	}
	var files pluginFiles
	err := fs.WalkDir(plugin, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(plugin, name)
		if err == nil && name == ".claude-plugin/plugin.json" {
			data, err = withVersion(data, pluginVersion(env.Version))
		}
		files = append(files, pluginFile{name, data})
		return err
	})
	return files, err
}

// pluginVersion is the version as the plugin's manifest may carry it: x.y.z with a suffix.
func pluginVersion(version string) string {
	version = strings.TrimPrefix(version, "v")
	if !startsWithDigit(version) {
		return "0.0.0-" + cmp.Or(version, "dev")
	}
	return version
}

// withVersion replaces the value of "version" in the text of plugin.json.
func withVersion(text []byte, version string) ([]byte, error) {
	var manifest struct {
		Version string `json:"version"`
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		return nil, err
	}
	was, now := fmt.Sprintf(`"version": %q`, manifest.Version), fmt.Sprintf(`"version": %q`, version)
	if bytes.Count(text, []byte(was)) != 1 {
		return nil, errors.New("plugin.json: no version to set")
	}
	return bytes.Replace(text, []byte(was), []byte(now), 1), nil
}

func (files pluginFiles) manifest(version string) Manifest {
	m := Manifest{Version: version, Files: map[string]string{}}
	for _, f := range files {
		m.Files[f.Path] = hash(f.Data)
	}
	return m
}

func (m Manifest) encode() []byte {
	data, _ := json.MarshalIndent(m, "", "  ")
	return append(data, '\n')
}

// readManifest returns the manifest of the plugin folder dir, nil when there is none that can be read.
func readManifest(dir string) *Manifest {
	data, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		return nil
	}
	m := &Manifest{}
	if json.Unmarshal(data, m) != nil {
		return nil
	}
	for name := range m.Files {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return nil
		}
	}
	return m
}

// folderState compares a plugin folder with the files that belong there.
type folderState struct {
	write   pluginFiles // missing, or ours and outdated
	remove  []string    // ours, and no longer part of the plugin
	changed []string    // changed by the user: kept
	exists  bool
	stale   bool // the manifest is another one
}

func (s folderState) current() bool {
	return s.exists && !s.stale && len(s.write)+len(s.remove) == 0
}

// compareFolder looks at dir. A file whose bytes are neither the wanted ones nor those of the folder's manifest was
// changed by the user.
func compareFolder(dir string, want pluginFiles, version string) folderState {
	var s folderState
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		s.exists = true
	}
	old := readManifest(dir)
	s.stale = old == nil || !bytes.Equal(old.encode(), want.manifest(version).encode())
	wanted := map[string]bool{}
	for _, f := range want {
		wanted[f.Path] = true
		data, err := fsx.Read(filepath.Join(dir, filepath.FromSlash(f.Path)))
		switch {
		case err == nil && data != nil && bytes.Equal(data, f.Data):
		case err != nil || data == nil || old != nil && old.Files[f.Path] == hash(data):
			s.write = append(s.write, f)
		default:
			s.changed = append(s.changed, f.Path)
		}
	}
	if old != nil {
		s.leftOver(dir, old, wanted)
	}
	return s
}

func (s *folderState) leftOver(dir string, old *Manifest, wanted map[string]bool) {
	for name, sum := range old.Files {
		if wanted[name] {
			continue
		}
		data, err := fsx.Read(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || data == nil {
			continue
		}
		if hash(data) == sum {
			s.remove = append(s.remove, name)
		} else {
			s.changed = append(s.changed, name)
		}
	}
	slices.Sort(s.remove)
	slices.Sort(s.changed)
}

// makeFolder brings the plugin folder dir to files. A new folder is made beside its place and renamed into it.
func makeFolder(d fsx.Door, dir string, files pluginFiles, version, binary string) error {
	state := compareFolder(dir, files, version)
	if state.exists {
		return mendFolder(d, dir, state, files.manifest(version), binary)
	}
	next := dir + ".new"
	if err := d.RemoveAll(next); err != nil {
		return err
	}
	if err := fillFolder(d, next, files, version, binary); err != nil {
		return errors.Join(err, d.RemoveAll(next))
	}
	return d.Rename(next, dir)
}

func fillFolder(d fsx.Door, dir string, files pluginFiles, version, binary string) error {
	for _, f := range files {
		if err := d.Create(filepath.Join(dir, filepath.FromSlash(f.Path)), f.Data, 0o644); err != nil {
			return err
		}
	}
	if err := d.Create(filepath.Join(dir, manifestName), files.manifest(version).encode(), 0o644); err != nil {
		return err
	}
	return d.LinkFile(binary, binLink(dir))
}

// mendFolder changes a folder that may be in use file by file; its manifest comes last.
func mendFolder(d fsx.Door, dir string, state folderState, m Manifest, binary string) error {
	for _, name := range state.remove {
		if err := d.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	for _, f := range state.write {
		if err := d.Write(filepath.Join(dir, filepath.FromSlash(f.Path)), f.Data, fsx.Options{}); err != nil {
			return err
		}
	}
	if !linksTo(binLink(dir), binary) {
		if err := d.LinkFile(binary, binLink(dir)); err != nil {
			return err
		}
	}
	return d.Write(filepath.Join(dir, manifestName), m.encode(), fsx.Options{})
}

// binLink is the path of viber inside a plugin folder: a plugin's bin is on the PATH of the client's shell tool.
func binLink(dir string) string { return filepath.Join(dir, "bin", executableName("viber")) }

// linksTo reports whether link is a link, hard link or copy of the file target.
func linksTo(link, target string) bool {
	if where, err := os.Readlink(link); err == nil {
		return where == target
	}
	a, err := os.Stat(link)
	if err != nil {
		return false
	}
	b, err := os.Stat(target)
	return err == nil && (os.SameFile(a, b) || a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()))
}

// removeFolder removes the plugin folder dir: in one step where every file is still ours, else file by file, and what
// the user changed stays.
func removeFolder(d fsx.Door, dir string) error {
	m := readManifest(dir)
	if m == nil {
		return nil
	}
	if changedFiles(dir, m) == nil && !holdsOthers(dir, m) {
		return vanish(d, dir)
	}
	dirs := []string{filepath.Dir(binLink(dir)), dir}
	for name, sum := range m.Files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if data, err := fsx.Read(file); err != nil || data == nil || hash(data) != sum {
			continue
		}
		if err := d.Remove(file); err != nil {
			return err
		}
		for up := path.Dir(name); up != "."; up = path.Dir(up) {
			dirs = append(dirs, filepath.Join(dir, filepath.FromSlash(up)))
		}
	}
	if err := errors.Join(d.Remove(binLink(dir)), d.Remove(filepath.Join(dir, manifestName))); err != nil {
		return err
	}
	return removeEmpty(d, dirs)
}

// oldSuffix marks a folder on its way out; what a stopped removal leaves of it goes with the next command.
const oldSuffix = ".old"

// vanish takes dir out of its place by one rename; that its files could not all be removed then is no failure.
func vanish(d fsx.Door, dir string) error {
	if err := d.RemoveAll(dir + oldSuffix); err != nil {
		return err
	}
	if err := d.Rename(dir, dir+oldSuffix); err != nil {
		return err
	}
	_ = d.RemoveAll(dir + oldSuffix)
	return nil
}

// changedFiles lists the files of the manifest that hold other bytes now.
func changedFiles(dir string, m *Manifest) []string {
	var changed []string
	for name, sum := range m.Files {
		data, err := fsx.Read(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || data != nil && hash(data) != sum {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	return changed
}

// holdsOthers reports whether somebody put files of their own into the plugin folder.
func holdsOthers(dir string, m *Manifest) bool {
	others := false
	_ = filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, file)
		_, ours := m.Files[filepath.ToSlash(rel)]
		others = others || !ours && file != binLink(dir) && rel != manifestName
		return nil
	})
	return others
}

// removeEmpty removes the directories that are empty, the deepest first.
func removeEmpty(d fsx.Door, dirs []string) error {
	sort.Slice(dirs, func(i, j int) bool { return cmp.Or(len(dirs[j])-len(dirs[i]), strings.Compare(dirs[i], dirs[j])) < 0 })
	for _, dir := range slices.Compact(dirs) {
		if err := d.RemoveEmptyDir(dir); err != nil {
			return err
		}
	}
	return nil
}
