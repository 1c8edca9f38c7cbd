package install

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"viber/internal/fsx"
	"viber/internal/gitx"
	"viber/schema"
	"viber/templates"
)

// plugin plans the versioned folder, the link the client finds it by, and the end of folders no longer needed.
func (s *setupPlan) plugin() error {
	channel := s.pluginChannel()
	if channel == "" {
		if !s.want.NoPlugin {
			s.note("managed settings allow neither plugins under skills/ nor a local marketplace: the plugin is not installed")
		}
		return nil
	}
	files, err := s.pluginFiles(channel)
	if err != nil {
		return err
	}
	folder := s.w.pluginFolder(files)
	s.folder(folder, files)
	link := s.w.marketplaceLink()
	if channel == ChannelSkillsDir {
		link = s.w.skillsLink()
		if err := s.w.checkSkillsLink(); err != nil {
			return err
		}
	}
	s.link(folder, link, files, "the client finds the plugin here")
	s.dropOther(channel)
	s.sweepFolders(folder, link)
	s.next.Plugin = &PluginRecord{Version: s.w.Env.Version, Folder: folder, Link: link, Channel: channel}
	return nil
}

func (w *World) marketplaceLink() string { return filepath.Join(w.Places.State, "plugin", "current") }

func (s *setupPlan) folder(folder string, files pluginFiles) {
	state := compareFolder(folder, files, s.w.Env.Version)
	for _, name := range state.changed {
		s.Kept = append(s.Kept, filepath.Join(folder, filepath.FromSlash(name))+" (changed by you)")
	}
	if state.current() && linksTo(binLink(folder), s.w.Binary.Path) {
		return
	}
	detail := fmt.Sprintf("%d files", len(files))
	if state.exists {
		detail = fmt.Sprintf("%d of %d files", len(state.write)+len(state.remove), len(files))
	}
	s.Actions = append(s.Actions, Action{
		Kind: PluginFolder, Path: folder, Target: s.w.Binary.Path, Hash: hash(files.manifest(s.w.Env.Version).encode()),
		Before: existing(state.exists), Why: "skills, agents and texts of the plugin", Detail: detail, files: files,
	})
}

func existing(exists bool) string {
	if exists {
		return "present"
	}
	return ""
}

func (s *setupPlan) link(folder, link string, files pluginFiles, why string) {
	was, isLink := fsx.DirLink(link)
	if was == folder {
		return
	}
	if !isLink && readManifest(link) != nil {
		// Links were impossible here, so the place holds a folder of ours.
		if compareFolder(link, files, s.w.Env.Version).current() && linksTo(binLink(link), s.w.Binary.Path) {
			return
		}
		was = ownFolder
	}
	s.Actions = append(s.Actions, Action{Kind: DirLink, Path: link, Target: folder, Before: was, Why: why})
}

// dropOther removes the link of the channel that is no longer used.
func (s *setupPlan) dropOther(channel string) {
	was := s.w.Record.Plugin
	if was == nil || was.Channel == channel || was.Link == "" {
		return
	}
	if target, ok := fsx.DirLink(was.Link); ok {
		s.Actions = append(s.Actions, Action{Kind: Unlink, Path: was.Link, Before: target, Why: "the plugin is found another way now"})
	}
}

// sweepFolders plans the end of plugin folders that are neither the new one nor the one used until now.
func (s *setupPlan) sweepFolders(folder, link string) {
	previous, _ := fsx.DirLink(link)
	if previous == folder {
		return
	}
	entries, _ := os.ReadDir(filepath.Dir(folder))
	for _, e := range entries {
		path := filepath.Join(filepath.Dir(folder), e.Name())
		if !e.IsDir() || path == folder || path == previous || readManifest(path) == nil {
			continue
		}
		s.Actions = append(s.Actions, Action{Kind: RemoveFolder, Path: path, Why: "an older version of the plugin"})
	}
}

// pluginFiles are the embedded files and those that depend on how the plugin reaches the client.
func (s *setupPlan) pluginFiles(channel string) (pluginFiles, error) {
	files := append(pluginFiles{}, s.w.files...)
	if channel == ChannelMarketplace {
		files = append(files, pluginFile{".claude-plugin/marketplace.json", marketplaceManifest(s.w.Env.Version)})
	}
	if _, inPlugin := s.hookChannel(); inPlugin {
		text, err := s.w.pluginHooks()
		if err != nil {
			return nil, err
		}
		files = append(files, pluginFile{"hooks/hooks.json", text})
	}
	return files, nil
}

// projectFiles plans .claude/viber.yml and the lines of .gitignore.
func (s *setupPlan) projectFiles() error {
	root := s.w.Project.Root
	if root == "" {
		return nil
	}
	rec, known := s.next.Projects[root]
	if !known {
		rec = &ProjectRecord{}
	}
	if err := errors.Join(s.config(root, rec), s.ignore(root, rec)); err != nil {
		return err
	}
	if known || len(s.Changes) > 0 {
		s.next.Projects[root] = rec
	}
	return nil
}

func (s *setupPlan) config(root string, rec *ProjectRecord) error {
	path := schema.Path(root)
	before, err := fsx.Read(path)
	if err != nil {
		return err
	}
	if before == nil {
		rec.MadeConfig = true
		s.add(Change{Path: path, After: []byte(templates.ViberYML()), Why: "switches of this project", Scope: ScopeProject})
		return s.editorSchema(root, true)
	}
	if err := s.editorSchema(root, false); err != nil {
		return err
	}
	return s.migrate(path, before)
}

// editorSchema plans the JSON Schema that viber.yml's modeline points to: new beside a new file, else kept current where
// it is.
func (s *setupPlan) editorSchema(root string, wanted bool) error {
	path := schema.EditorPath(root)
	before, err := fsx.Read(path)
	if err != nil || before == nil && !wanted {
		return err
	}
	s.add(Change{Path: path, Before: before, After: []byte(schema.JSONSchema()), Why: "completion and checks for viber.yml in editors", Scope: ScopeProject})
	return nil
}

// ignore plans the lines that .gitignore needs: those of them that git does not ignore already by the project's own rules.
func (s *setupPlan) ignore(root string, rec *ProjectRecord) error {
	path := filepath.Join(root, ".gitignore")
	before, err := fsx.Read(path)
	if err != nil {
		return err
	}
	if bytes.IndexByte(before, 0) >= 0 {
		return fmt.Errorf("%s: holds NUL bytes, perhaps it is UTF-16; save it as UTF-8", path)
	}
	if before == nil {
		rec.MadeIgnore = true
		s.add(Change{Path: path, After: []byte(templates.Gitignore()), Why: "keep run files and personal settings out of git", Scope: ScopeProject})
		return nil
	}
	missing, err := s.missingIgnores(root, before)
	if err != nil || len(missing) == 0 {
		return err
	}
	after, newline := appendLines(before, missing)
	rec.IgnoreLines = append(rec.IgnoreLines, missing...)
	rec.IgnoreNewline = rec.IgnoreNewline || newline
	s.add(Change{Path: path, Before: before, After: after, Why: "keep " + strings.Join(missing, " and ") + " out of git", Scope: ScopeProject})
	return nil
}

func (s *setupPlan) missingIgnores(root string, text []byte) ([]string, error) {
	ignored, err := s.ignoredByGit(root)
	if err != nil {
		return nil, err
	}
	var missing []string
	if !ignored[templates.IgnoreTemp+"x"] && !hasLine(text, ignoresTemp) {
		missing = append(missing, templates.IgnoreTemp)
	}
	local := func(line string) bool { return line == templates.IgnoreLocal }
	if !ignored[templates.IgnoreLocal] && !hasLine(text, local) {
		missing = append(missing, templates.IgnoreLocal)
	}
	return missing, nil
}

// ignoredByGit asks git which of our paths the project's own rules ignore; empty outside git and without git.
func (s *setupPlan) ignoredByGit(root string) (map[string]bool, error) {
	ignored := map[string]bool{}
	if !s.w.Project.InGit || s.w.Git == "" {
		return ignored, nil
	}
	git := gitx.Git{Path: s.w.Git, Dir: root, Env: builtEnvironment(s.w.Env, root)}
	res, err := git.Run(context.Background(), nil, "-c", "core.fsmonitor=false", "-c", "core.hooksPath="+os.DevNull,
		"-c", "core.excludesFile=", "check-ignore", "--no-index", "-z", templates.IgnoreTemp+"x", templates.IgnoreLocal)
	if err != nil || res.Code > 1 {
		return ignored, nil // git cannot say; the lines of the file decide
	}
	for _, path := range strings.Split(string(res.Stdout), "\x00") {
		ignored[path] = path != ""
	}
	return ignored, nil
}

// ignoresTemp reports whether a line of .gitignore ignores the .temp folder.
func ignoresTemp(line string) bool {
	line = strings.TrimPrefix(line, "**")
	line = strings.TrimPrefix(line, "/")
	rest, ok := strings.CutPrefix(line, ".temp")
	return ok && (rest == "" || rest == "/" || rest == "/*" || rest == "/**")
}

func hasLine(text []byte, is func(string) bool) bool {
	for line := range strings.Lines(string(text)) {
		if is(strings.TrimRight(line, " \t\r\n")) {
			return true
		}
	}
	return false
}

// appendLines adds lines at the end, in the file's own line ending; newline says that the last line had none.
func appendLines(text []byte, lines []string) (out []byte, newline bool) {
	end := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		end = "\r\n"
	}
	out = bytes.Clone(text)
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out, newline = append(out, end...), true
	}
	for _, line := range lines {
		out = append(out, line+end...)
	}
	return out, newline
}

// sameFile reports whether b is the same file as a or a copy of it that Copy made.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && (os.SameFile(x, y) || x.Size() == y.Size() && x.ModTime().Equal(y.ModTime()))
}

func fileHash(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// fileHashOr is fileHash, empty for a file that is not there.
func fileHashOr(path string) string {
	sum, err := fileHash(path)
	if errors.Is(err, os.ErrNotExist) {
		return ""
	}
	return sum
}
