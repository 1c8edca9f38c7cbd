package embed_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestProgramNamesTypeableSkills: what the program itself tells people to type is a skill that can be typed.
func TestProgramNamesTypeableSkills(t *testing.T) {
	t.Parallel()
	typeable := map[string]bool{}
	for _, x := range skills(t) {
		typeable[x.name()] = x.keys["user-invocable"] != "false"
	}
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && d.Name() != "..", d.IsDir() && d.Name() == "testdata":
			return filepath.SkipDir
		case d.IsDir() || strings.HasSuffix(name, "_test.go") || !strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, ".md"):
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, n := range matches(typed, string(data)) {
			if !typeable[n] {
				t.Errorf("%s tells people to type /viber:%s, which cannot be typed", name, n)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
