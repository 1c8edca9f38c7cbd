package install

import (
	"fmt"
	"os"
	"path/filepath"

	"viber/internal/fsx"
)

// perform carries one action out. Doing it twice does no harm.
func perform(env Env, a Action) error {
	d := env.Files
	switch a.Kind {
	case PluginFolder:
		files, err := a.pluginFiles(env)
		if err != nil {
			return err
		}
		if err := d.MkdirAll(filepath.Dir(a.Path), 0o700); err != nil {
			return err
		}
		return makeFolder(d, a.Path, files, env.Version, a.Target)
	case RemoveFolder:
		if err := removeFolder(d, a.Path); err != nil {
			return err
		}
		return d.RemoveEmptyDir(filepath.Dir(a.Path))
	case DirLink:
		return makeLink(d, a)
	case Unlink:
		if err := removeLink(d, a.Path); err != nil {
			return err
		}
		return d.RemoveEmptyDir(filepath.Dir(a.Path))
	case CopyBinary:
		return copyBinary(d, a)
	case RemoveBinary:
		return d.Remove(a.Path)
	case MoveFolder:
		return moveFolder(d, a)
	}
	return fmt.Errorf("unknown action %q", a.Kind)
}

// revert takes one action back, whether it was done whole, in part, or not at all.
func revert(env Env, a Action) error {
	d := env.Files
	switch a.Kind {
	case PluginFolder:
		if a.Before != "" {
			return nil // it was there before and was only mended
		}
		if err := d.RemoveAll(a.Path + ".new"); err != nil {
			return err
		}
		return removeFolder(d, a.Path)
	case DirLink:
		if a.Before == ownFolder {
			return nil // it was there before and was only mended
		}
		if a.Before != "" {
			return d.LinkDir(a.Before, a.Path)
		}
		if err := removeLink(d, a.Path); err != nil {
			return err
		}
		return d.RemoveEmptyDir(filepath.Dir(a.Path))
	case Unlink:
		return d.LinkDir(a.Before, a.Path)
	case RemoveFolder:
		return restoreFolder(env, a)
	case CopyBinary:
		if a.Before != "" {
			return nil // a newer copy serves the old entries too
		}
		return d.Remove(a.Path)
	case MoveFolder:
		if a.Before == "" {
			return d.RemoveAll(a.Path)
		}
	}
	return nil // a removed copy comes back with the next setup
}

// restoreFolder brings a removed plugin folder back when it held the plugin of this binary.
func restoreFolder(env Env, a Action) error {
	if err := env.Files.RemoveAll(a.Path + oldSuffix); err != nil {
		return err
	}
	files, err := a.pluginFiles(env)
	if err != nil {
		return nil // another version's: its files are gone for good
	}
	return makeFolder(env.Files, a.Path, files, env.Version, a.Target)
}

// pluginFiles are the files a folder action brings: those of the plan, or after a restart those of this binary when they
// are the same ones.
func (a Action) pluginFiles(env Env) (pluginFiles, error) {
	if a.files != nil {
		return a.files, nil
	}
	files, err := ownPlugin(env)
	if err != nil {
		return nil, err
	}
	if hash(files.manifest(env.Version).encode()) != a.Hash {
		return nil, fmt.Errorf("%s: holds the plugin of another viber; run 'viber setup'", a.Path)
	}
	return files, nil
}

// ownFolder is the Before of a link action whose place holds a folder of ours, where links are impossible.
const ownFolder = "folder"

// makeLink links Path to Target. A folder that viber put there because links were impossible is brought up file by file.
func makeLink(d fsx.Door, a Action) error {
	if _, isLink := fsx.DirLink(a.Path); !isLink && readManifest(a.Path) != nil {
		return copyFolder(d, a.Target, a.Path)
	}
	err := d.LinkDir(a.Target, a.Path)
	if err == nil || !linksImpossible(err) {
		return err
	}
	return copyFolder(d, a.Target, a.Path)
}

func removeLink(d fsx.Door, path string) error {
	if _, isLink := fsx.DirLink(path); isLink {
		return d.Remove(path)
	}
	return removeFolder(d, path)
}

// copyFolder brings the folder to to the state of the plugin folder from, for systems without links.
func copyFolder(d fsx.Door, from, to string) error {
	m := readManifest(from)
	if m == nil {
		return fmt.Errorf("%s: has no manifest", from)
	}
	var files pluginFiles
	for name := range m.Files {
		data, err := os.ReadFile(filepath.Join(from, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		files = append(files, pluginFile{name, data})
	}
	return mendFolder(d, to, compareFolder(to, files, m.Version), files.manifest(m.Version), binLink(from))
}

// moveFolder puts a fetched folder into its place in the store. What stands there is of the same name, so it is either
// the same content or was changed.
func moveFolder(d fsx.Door, a Action) error {
	if _, err := os.Stat(a.Target); err != nil {
		return nil // done before
	}
	if err := d.RemoveAll(a.Path); err != nil {
		return err
	}
	if err := d.MkdirAll(filepath.Dir(a.Path), 0o700); err != nil {
		return err
	}
	return d.Rename(a.Target, a.Path)
}

func copyBinary(d fsx.Door, a Action) error {
	if err := d.MkdirAll(filepath.Dir(a.Path), 0o755); err != nil {
		return err
	}
	if sum, err := fileHash(a.Target); err != nil || sum != a.Hash {
		return fmt.Errorf("%s: changed since it was looked at", a.Target)
	}
	return d.Copy(a.Target, a.Path, 0o755)
}
