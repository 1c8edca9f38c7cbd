package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"viber/internal/archive"
	"viber/internal/gitx"
)

// Fetched is a plugin as it was found at its source; nothing of it has been run.
type Fetched struct {
	Tree Tree
	// Source is where it really came from: for a marketplace's entry the entry's own source.
	Source Source
	// Commit is the full id of the git commit; Tag the tag a constraint chose; SHA256 the sum of an archive.
	Commit, Tag, SHA256 string
}

// Download fetches an https address into the new file dst, at most limit bytes; upgrade.Fetcher.Get is one.
type Download func(ctx context.Context, address, dst string, limit int64) error

// Fetcher fetches plugins.
type Fetcher struct {
	Git      gitx.Git // Dir is set by the fetcher
	Download Download
	// Temp is a folder for what is being fetched; the caller makes and removes it.
	Temp string
}

// Fetch gets the plugin that s names.
func (f Fetcher) Fetch(ctx context.Context, s Source) (Fetched, error) {
	var got Fetched
	var err error
	switch s.Kind {
	case Folder:
		dir := filepath.Join(s.Address, filepath.FromSlash(s.Sub))
		if got.Tree, err = ReadFolder(dir); errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%s: no such folder", dir)
		}
	case Git:
		return f.git(ctx, s)
	case Archive:
		return f.archive(ctx, s)
	case Marketplace:
		return f.marketplace(ctx, s)
	}
	got.Source = s
	return got, err
}

func (f Fetcher) archive(ctx context.Context, s Source) (Fetched, error) {
	name := s.Address[strings.LastIndexByte(s.Address, '/')+1:]
	dst := filepath.Join(f.Temp, "archive")
	if err := f.Download(ctx, s.Address, dst, treeLimit); err != nil {
		return Fetched{}, err
	}
	data, err := os.ReadFile(dst)
	if err != nil {
		return Fetched{}, err
	}
	var files []File
	err = archive.Read(name, data, treeLimit, func(file archive.File) error {
		files = append(files, File(file))
		if len(files) > fileLimit {
			return fmt.Errorf("holds more than %d files", fileLimit)
		}
		return nil
	}, nil)
	if err != nil {
		return Fetched{}, err
	}
	tree, err := NewTree(files)
	if err != nil {
		return Fetched{}, fmt.Errorf("%s: %w", name, err)
	}
	return Fetched{Tree: unwrapped(tree, s.Sub), Source: s, SHA256: sum(data)}, nil
}

// unwrapped returns the plugin in an archive: the folder sub, below the single top folder that hosts put around the files.
func unwrapped(t Tree, sub string) Tree {
	if found := t.Sub(sub); sub != "" && len(found) > 0 {
		return found
	}
	if _, ok := t.Get(manifestPath); ok && sub == "" || len(t) == 0 {
		return t
	}
	top, _, _ := strings.Cut(t[0].Path, "/")
	if inner := t.Sub(top); len(inner) == len(t) {
		return inner.Sub(sub)
	}
	return t.Sub(sub)
}

// marketplaceFile is what viber reads of a marketplace.json.
type marketplaceFile struct {
	Plugins []struct {
		Name   string          `json:"name"`
		Source json.RawMessage `json:"source"`
	} `json:"plugins"`
}

func (f Fetcher) marketplace(ctx context.Context, s Source) (Fetched, error) {
	file := s.Address
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		file = filepath.Join(file, ".claude-plugin", "marketplace.json")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return Fetched{}, err
	}
	var m marketplaceFile
	if err := json.Unmarshal(text, &m); err != nil {
		return Fetched{}, fmt.Errorf("%s: not a marketplace file: %w", file, err)
	}
	var names []string
	for _, p := range m.Plugins {
		if p.Name != s.Entry {
			names = append(names, p.Name)
			continue
		}
		source, err := entrySource(p.Source, file)
		if err != nil {
			return Fetched{}, fmt.Errorf("%s: plugin %s: %w", file, p.Name, err)
		}
		return f.Fetch(ctx, source)
	}
	return Fetched{}, fmt.Errorf("%s: has no plugin %q; it has: %s", file, s.Entry, strings.Join(names, ", "))
}

// entrySource reads a plugin entry's source: a path inside the marketplace, or an object that names a repository.
func entrySource(raw json.RawMessage, file string) (Source, error) {
	root := filepath.Dir(file)
	if filepath.Base(root) == ".claude-plugin" {
		root = filepath.Dir(root)
	}
	var path string
	if err := json.Unmarshal(raw, &path); err == nil {
		if !filepath.IsLocal(filepath.FromSlash(path)) {
			return Source{}, fmt.Errorf("source %q leaves the marketplace", path)
		}
		return Source{Kind: Folder, Address: filepath.Join(root, filepath.FromSlash(path))}, nil
	}
	var o struct{ Source, Repo, URL, Path, Ref, SHA string }
	if err := json.Unmarshal(raw, &o); err != nil {
		return Source{}, fmt.Errorf("source: %w", err)
	}
	ref := o.Ref
	if o.SHA != "" {
		ref = o.SHA
	}
	switch o.Source {
	case "github":
		return ParseSource("https://github.com/"+o.Repo+sub(o.Path), ref, root)
	case "url", "git", "git-subdir":
		return ParseSource(o.URL+sub(o.Path), ref, root)
	}
	return Source{}, fmt.Errorf("sources of the kind %q are not taken; add the plugin by its own address", o.Source)
}

func sub(path string) string {
	if path == "" {
		return ""
	}
	return "//" + path
}

// errEmpty says that the source was found but holds nothing at the folder asked for.
var errEmpty = errors.New("no files there; name the plugin's folder with SOURCE//folder")
