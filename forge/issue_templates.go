package forge

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"viber/internal/exit"
	"viber/internal/gitx"
)

// IssueTemplates is `viber issue-templates`: the repository's issue forms, their defaults as KEY=value (commit contract, 9.2).
func IssueTemplates(ctx context.Context, c Call) error {
	if len(c.Args) > 0 {
		return c.Refuse("issue-templates", exit.Usage, "takes no arguments")
	}
	root := c.Dir
	if l, ok := gitx.Find(c.Dir); ok && l.Top != "" {
		root = l.Top
	}
	names := templateNames(root)
	if len(names) == 0 {
		return c.skip("no-templates")
	}
	host, ok := c.Host()
	if !ok {
		return c.skip("no-gh")
	}
	repo, err := host.RepositoryURL(ctx)
	if err != nil {
		fmt.Fprintf(c.Err, "warning: %v\n", err)
	}
	if err != nil || repo == "" {
		return c.skip("no-repo")
	}
	_, err = fmt.Fprintf(c.Out, "STATUS=ready\nREPO=%s\n%s", repo, templateBlocks(root, names))
	return err
}

func (c Call) skip(reason string) error {
	_, err := fmt.Fprintf(c.Out, "STATUS=skip\nREASON=%s\n", reason)
	return err
}

const templateDir = ".github/ISSUE_TEMPLATE"

func templateNames(root string) []string {
	entries, _ := os.ReadDir(filepath.Join(root, filepath.FromSlash(templateDir)))
	var names []string
	for _, e := range entries {
		name := e.Name()
		isForm := strings.HasSuffix(name, ".yml") || strings.HasSuffix(name, ".yaml")
		if isForm && name != "config.yml" && name != "config.yaml" && !strings.HasPrefix(name, ".") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func templateBlocks(root string, names []string) string {
	var b strings.Builder
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(templateDir), name))
		if err != nil {
			continue
		}
		t := readTemplate(string(text))
		fmt.Fprintf(&b, "--- template %s ---\nNAME=%s\nDESCRIPTION=%s\nTYPE=%s\nTITLE=%s\nLABELS=%s\nASSIGNEES=%s\nPROJECTS=%s\n",
			path.Join(templateDir, name), t.name, t.description, t.kind, t.title,
			strings.Join(t.labels, ", "), strings.Join(t.assignees, ", "), strings.Join(t.projects, ", "))
	}
	return b.String()
}

// template is the head of an issue form. Only keys in the first column count; the form's fields are the host's business.
type template struct {
	name, description, kind, title string
	labels, assignees, projects    []string
}

func readTemplate(text string) template {
	var t template
	var list *[]string // the block list that is open
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if list != nil {
			if item, ok := listItem(line); ok {
				*list = appendItem(*list, item)
				continue
			}
			if strings.TrimSpace(line) == "" {
				continue
			}
			list = nil
		}
		key, value, ok := strings.Cut(line, ":")
		if ok {
			list = t.set(key, strings.TrimSpace(value))
		}
	}
	return t
}

// set takes one key; it returns the list that the lines below may fill.
func (t *template) set(key, value string) *[]string {
	switch key {
	case "name":
		t.name = Line(unquote(value))
	case "description":
		t.description = Line(unquote(value))
	case "type":
		t.kind = Line(unquote(value))
	case "title":
		t.title = Line(unquote(value))
	case "labels":
		return addList(&t.labels, value)
	case "assignees":
		return addList(&t.assignees, value)
	case "projects":
		return addList(&t.projects, value)
	}
	return nil
}

// addList adds an inline list or a comma string; an empty value opens a block list.
func addList(list *[]string, value string) *[]string {
	if value == "" {
		return list
	}
	if inner, ok := strings.CutPrefix(value, "["); ok {
		value, _, _ = strings.Cut(inner, "]")
	} else {
		value = unquote(value)
	}
	for item := range strings.SplitSeq(value, ",") {
		*list = appendItem(*list, item)
	}
	return nil
}

func listItem(line string) (string, bool) {
	item := strings.TrimLeft(line, " \t")
	if item == "-" {
		return "", true
	}
	return strings.CutPrefix(item, "- ")
}

func appendItem(list []string, item string) []string {
	item = Line(unquote(strings.TrimSpace(item)))
	if item == "" {
		return list
	}
	return append(list, item)
}

// unquote takes one matching pair of quotes off; blanks inside stay.
func unquote(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}
