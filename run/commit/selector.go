package commit

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"viber/internal/gitx"
	"viber/run"
)

// selector is what a person named to commit: everything, some paths, or only paths that do not exist.
type selector struct {
	paths   []string // relative to the root; absolute ones as typed
	missing []string
	issues  []string // numbers of the issues named, links first
}

func (s selector) all() bool { return len(s.paths) == 0 && len(s.missing) == 0 }

// readSelector reads the words after the message (commit contract, 9.9).
func readSelector(ctx context.Context, c run.Call, args []string) (selector, error) {
	var s selector
	text := s.cutIssues(strings.Join(args, " "))
	if text == "" {
		return s, nil
	}
	tokens := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == ',' })
	found, err := existing(ctx, c, append([]string{text}, tokens...))
	switch {
	case err != nil:
		return s, err
	case found[0] != "":
		s.paths = found[:1]
		return s, nil
	case strings.EqualFold(text, "all"):
		return s, nil
	}
	for _, p := range found[1:] {
		if p != "" && !slices.Contains(s.paths, p) {
			s.paths = append(s.paths, p)
		}
	}
	if len(s.paths) == 0 && strings.ContainsAny(text, `/\`) {
		s.missing = tokens
	}
	return s, nil
}

// cutIssues takes issue links, then #numbers, out of the text and keeps each number once.
func (s *selector) cutIssues(text string) string {
	for at := 0; ; {
		i := strings.Index(text[at:], "http")
		if i < 0 {
			break
		}
		i += at
		end := len(text)
		if n := strings.IndexAny(text[i:], " \t\r\n"); n >= 0 {
			end = i + n
		}
		link := text[i:end]
		issue := run.ParseIssue(strings.TrimRight(link, ",.;)"))
		if !strings.HasPrefix(link, "http://") && !strings.HasPrefix(link, "https://") || issue.Number == "" {
			at = i + len("http")
			continue
		}
		s.addIssue(issue.Number)
		text, at = text[:i]+" "+text[end:], i
	}
	return strings.Join(strings.Fields(s.cutNumbers(text)), " ")
}

func (s *selector) cutNumbers(text string) string {
	isWord := func(i int) bool {
		return i >= 0 && i < len(text) &&
			(text[i] == '_' || text[i] >= '0' && text[i] <= '9' || text[i]|0x20 >= 'a' && text[i]|0x20 <= 'z' || text[i] >= 0x80)
	}
	var out strings.Builder
	for i := 0; i < len(text); {
		n := i + 1
		for n < len(text) && text[n] >= '0' && text[n] <= '9' {
			n++
		}
		if text[i] == '#' && n > i+1 && !isWord(i-1) && !isWord(n) {
			s.addIssue(text[i+1 : n])
			out.WriteByte(' ')
			i = n
			continue
		}
		out.WriteByte(text[i])
		i++
	}
	return out.String()
}

func (s *selector) addIssue(number string) {
	if !slices.Contains(s.issues, number) {
		s.issues = append(s.issues, number)
	}
}

// existing returns for each token the path it names, "" for none: on disk, in the index or in HEAD, read from the working
// directory first and then from the root.
func existing(ctx context.Context, c run.Call, tokens []string) ([]string, error) {
	root := rootOf(c.Dir)
	here := ""
	if rel, err := filepath.Rel(root, realPath(c.Dir)); err == nil && rel != "." {
		here = filepath.ToSlash(rel)
	}
	found := make([]string, len(tokens))
	var asked []string
	for i, t := range tokens {
		if isAbsolute(t) {
			if _, err := os.Lstat(filepath.FromSlash(t)); err == nil {
				found[i] = t
			}
			continue
		}
		for _, p := range candidates(here, t) {
			if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(p))); err == nil && found[i] == "" {
				found[i] = p
			}
			asked = append(asked, p)
		}
	}
	if !slices.Contains(found, "") {
		return found, nil
	}
	known, err := inGit(ctx, c, root, asked)
	if err != nil {
		return nil, err
	}
	for i, t := range tokens {
		for _, p := range candidates(here, t) {
			covers := named{path: p}.covers
			if found[i] == "" && !isAbsolute(t) && slices.ContainsFunc(known, covers) {
				found[i] = p
			}
		}
	}
	return found, nil
}

// candidates are the two readings of a relative path, from the working directory and from the root.
func candidates(here, token string) []string {
	p := path.Clean(strings.TrimPrefix(filepath.ToSlash(token), "./"))
	if here == "" {
		return []string{p}
	}
	return []string{path.Join(here, p), p}
}

func isAbsolute(p string) bool {
	if strings.HasPrefix(p, "/") || strings.HasPrefix(p, `\`) {
		return true
	}
	return len(p) > 2 && p[1] == ':' && (p[2] == '/' || p[2] == '\\')
}

// inGit lists the files of the index and of HEAD under the paths.
func inGit(ctx context.Context, c run.Call, root string, paths []string) ([]string, error) {
	g := c.Git()
	g.Dir = root
	inside := slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return p == ".." || strings.HasPrefix(p, "../") })
	if len(inside) == 0 {
		return nil, nil
	}
	var names []string
	for _, args := range [][]string{{"ls-files", "-z", "--"}, {"ls-tree", "-r", "-z", "--name-only", "HEAD", "--"}} {
		res, err := g.Run(ctx, nil, append(append([]string{"--no-optional-locks"}, args...), inside...)...)
		if err != nil {
			return nil, err
		}
		names = append(names, strings.FieldsFunc(string(res.Stdout), func(r rune) bool { return r == 0 })...)
	}
	return names, nil
}

func branchName(ctx context.Context, g gitx.Git, l gitx.Layout) string {
	if name, ok := g.Branch(ctx, l); ok {
		return name
	}
	return "(detached HEAD)"
}
