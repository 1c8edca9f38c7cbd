package hooksimpl

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"viber/embed"
	"viber/internal/buildinfo"
	"viber/internal/fsx"
)

// World is the only door of the checks to files, environment and clock.
type World struct {
	Getenv func(string) string
	Now    func() time.Time
	// Sleep waits; nil: nothing is waited for.
	Sleep func(time.Duration)
	// Root, when set, stands for the plugin's own folder (`--root`): texts, template and version come from there and from
	// CLAUDE_PLUGIN_ROOT, as hooks called from a plugin folder see them. Empty: they come from the binary.
	Root string
	// State returns viber's own directory, empty when there is none; faults are counted there.
	State func() string
	// ConfigDir returns the client's configuration directory, where the user's own viber.yml is; empty when there is none or
	// when the project could have brought it.
	ConfigDir func() string

	// Environ is the process's environment, for the programs a check starts: they get a built one made from it.
	Environ []string
	// Files is the door by which checks write their own state.
	Files fsx.Door

	past  *past // when set, the world of a replayed call
	still bool  // nothing is written: the world of an explanation

	gitLimit  time.Duration // time one call of git may take; 0 = gitBudget
	diffLimit int64         // bytes of a diff that are scanned; 0 = secrets.MaxDiff
}

// mayWrite reports whether checks may keep state: not in a replay or an explanation.
func (w *World) mayWrite() bool { return w.past == nil && !w.still }

// past cuts the transcript at path after end bytes, and says that other files may have changed since.
type past struct {
	path string
	end  int64
}

// File is an open file of the world.
type File interface {
	io.ReaderAt
	io.Closer
	Stat() (fs.FileInfo, error)
}

// Open opens the regular file at path; anything else (a directory, a pipe) is fs.ErrNotExist.
func (w *World) Open(path string) (File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if w.past != nil && w.past.path == path {
		return cutFile{f, w.past.end}, nil
	}
	return f, nil
}

// cutFile is a file that ends early.
type cutFile struct {
	*os.File
	end int64
}

func (f cutFile) Stat() (fs.FileInfo, error) {
	info, err := f.File.Stat()
	return cutInfo{info, f.end}, err
}

type cutInfo struct {
	fs.FileInfo
	end int64
}

func (i cutInfo) Size() int64 { return min(i.FileInfo.Size(), i.end) }

// Read returns the file at path, at most limit bytes of it.
func (w *World) Read(path string, limit int64) ([]byte, error) {
	f, err := w.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.NewSectionReader(f, 0, limit))
}

// Stat describes the file at path, links followed.
func (w *World) Stat(path string) (fs.FileInfo, error) { return os.Stat(path) }

// IsFile reports whether path is a regular file.
func (w *World) IsFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// IsDir reports whether path is a directory.
func (w *World) IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

const textLimit = 1 << 20

// pluginFile returns the plugin's file name (slash-separated): from --root's world when one is given (fromEnv says that
// CLAUDE_PLUGIN_ROOT comes first there), else from the binary. A project can set CLAUDE_PLUGIN_ROOT for a user's hooks, so
// without --root it never chooses a text.
func (w *World) pluginFile(name string, fromEnv bool) ([]byte, error) {
	if w.Root == "" {
		return embed.HookText(name)
	}
	if root := w.Getenv("CLAUDE_PLUGIN_ROOT"); fromEnv && root != "" {
		if path := filepath.Join(root, filepath.FromSlash(name)); w.IsFile(path) {
			return w.Read(path, textLimit)
		}
	}
	return w.Read(filepath.Join(w.Root, filepath.FromSlash(name)), textLimit)
}

// version is what the banner names: the binary's version, or the name of the plugin folder under --root.
func (w *World) version() string {
	if w.Root == "" {
		return buildinfo.Version
	}
	root := strings.ReplaceAll(w.Getenv("CLAUDE_PLUGIN_ROOT"), `\`, "/")
	if name := root[strings.LastIndexByte(root, '/')+1:]; name != "" {
		return name
	}
	return "dev"
}
