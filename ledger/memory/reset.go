package memory

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"viber/internal/exit"
)

// reset is `viber memory-map --reset PATH...`: removes CLAUDE.md files and their sections, all of them or none. One with
// changes that are not committed is refused (3), since nothing could bring them back; so is every one outside git.
func (c Call) reset(ctx context.Context) error {
	if c.Args[0] != "--reset" || len(c.Args) < 2 {
		return exit.With(exit.Usage, errors.New("usage: viber memory-map [--reset PATH...]"))
	}
	t, err := c.tree(ctx)
	if err != nil {
		return err
	}
	var names, refused []string
	for _, arg := range c.Args[1:] {
		name := strings.TrimPrefix(filepath.ToSlash(arg), "./")
		if !isMemory(name) || !slices.Contains(t.files, name) {
			return exit.With(exit.Usage, fmt.Errorf("%s: no CLAUDE.md file of this project; viber memory-map lists them", arg))
		}
		if how := t.dirty[name]; how != "" {
			refused = append(refused, "refused: "+name+" | "+how)
		} else if !t.git {
			refused = append(refused, "refused: "+name+" | no git to bring it back")
		}
		names = append(names, name)
	}
	if len(refused) > 0 {
		fmt.Fprintln(c.Out, strings.Join(refused, "\n"))
		return exit.Status(exit.Refused)
	}
	return c.remove(t, names)
}

func (c Call) remove(t tree, names []string) error {
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if err := c.Files.Remove(filepath.Join(t.root, filepath.FromSlash(name))); err != nil {
			return err
		}
		fmt.Fprintln(c.Out, "removed: "+name)
	}
	return nil
}
