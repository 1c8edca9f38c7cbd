package plugin

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"viber/internal/fsx"
)

// stored is a plugin's place in the store: <data dir>/plugins/<name>/<hash>/ holds the plugin's files in plugin/, their
// modes and blob ids in tree.json, and a marketplace file that offers just this plugin.
type stored struct {
	dir string
}

const treeName = "tree.json"

func (s stored) plugin() string { return filepath.Join(s.dir, "plugin") }

// treeFile is one line of tree.json.
type treeFile struct {
	Path string `json:"path"`
	Mode string `json:"mode"`
	Blob string `json:"blob"`
}

// marketName is the name under which the client knows the store's marketplace of one version of a plugin.
func marketName(e Entry) string { return "viber-" + e.Name + "-" + e.Tree[:8] }

// fill writes tree into the new folder s, which nobody reads yet.
func (s stored) fill(d fsx.Door, e Entry, tree Tree) error {
	var list []treeFile
	for _, f := range tree {
		list = append(list, treeFile{f.Path, f.mode(), f.blob()})
		mode := os.FileMode(0o644)
		if f.Executable {
			mode = 0o755
		}
		if err := d.Write(filepath.Join(s.plugin(), filepath.FromSlash(f.Path)), f.Data, fsx.Options{Mode: mode}); err != nil {
			return err
		}
	}
	market := map[string]any{
		"name": marketName(e), "owner": map[string]string{"name": "viber"},
		"plugins": []map[string]string{{"name": e.Name, "source": "./plugin"}},
	}
	for name, value := range map[string]any{treeName: list, filepath.Join(".claude-plugin", "marketplace.json"): market} {
		text, err := json.MarshalIndent(value, "", "  ")
		if err != nil {
			return err
		}
		if err := d.Write(filepath.Join(s.dir, name), append(text, '\n'), fsx.Options{}); err != nil {
			return err
		}
	}
	return nil
}

// verify compares the stored files with the entry and names every one that is not the same.
func (s stored) verify(e Entry) []string {
	text, err := os.ReadFile(filepath.Join(s.dir, treeName))
	if errors.Is(err, os.ErrNotExist) {
		return []string{"missing: " + s.dir}
	}
	var list []treeFile
	if err != nil || json.Unmarshal(text, &list) != nil {
		return []string{"changed: " + treeName}
	}
	if hashOf(list) != e.Tree {
		return []string{"changed: " + treeName}
	}
	now, err := ReadFolder(s.plugin())
	if err != nil {
		return []string{err.Error()}
	}
	return compare(now, list)
}

func compare(now Tree, want []treeFile) []string {
	var diff []string
	wanted := map[string]bool{}
	for _, w := range want {
		wanted[w.Path] = true
		data, ok := now.Get(w.Path)
		switch {
		case !ok:
			diff = append(diff, "missing: "+w.Path)
		case (File{Data: data}).blob() != w.Blob:
			diff = append(diff, "changed: "+w.Path)
		}
	}
	for _, f := range now {
		if !wanted[f.Path] {
			diff = append(diff, "new: "+f.Path)
		}
	}
	return diff
}

func hashOf(list []treeFile) string {
	lines := make([]byte, 0, 128*len(list))
	for _, f := range list {
		lines = fmt.Appendf(lines, "%s %s\t%s\n", f.Mode, f.Blob, f.Path)
	}
	return sum(lines)
}
