package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/bmatcuk/doublestar/v4"
	"gopkg.in/yaml.v3"
)

// ScopeName is the file of a run directory that says which tools may be used up to which step.
const ScopeName = "scope.yml"

// maxScope bounds a scope.yml, in bytes.
const maxScope = 64 << 10

// ToolScope lets tools whose names match Pattern be used up to the step Until: a task id of the plan or a phase of the run.
type ToolScope struct {
	Pattern, Until string
	Line           int
}

// ReadScope reads the scope.yml of the run directory dir below root; no file is no scope.
func ReadScope(root, dir string) ([]ToolScope, error) {
	path := filepath.Join(root, filepath.FromSlash(dir), ScopeName)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && (info.Size() > maxScope || !info.Mode().IsRegular()) {
		err = fmt.Errorf("is no file of at most %d bytes", maxScope)
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ScopeName, cause(err))
	}
	return ParseScope(text)
}

// ParseScope reads the text of a scope.yml: a map "tools" of patterns to steps. Errors carry the line.
func ParseScope(text []byte) ([]ToolScope, error) {
	var file struct{ Tools yaml.Node }
	if err := yaml.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", ScopeName, err)
	}
	if file.Tools.Kind == 0 {
		return nil, nil
	}
	if file.Tools.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%s:%d: tools must be a map of tool patterns to steps", ScopeName, file.Tools.Line)
	}
	var all []ToolScope
	for i := 0; i+1 < len(file.Tools.Content); i += 2 {
		pattern, until := file.Tools.Content[i], file.Tools.Content[i+1]
		if until.Kind != yaml.ScalarNode || until.Value == "" {
			return nil, fmt.Errorf("%s:%d: %s needs the last step that may use it, a task id or a phase", ScopeName, pattern.Line, pattern.Value)
		}
		if !doublestar.ValidatePattern(pattern.Value) {
			return nil, fmt.Errorf("%s:%d: %s is no pattern", ScopeName, pattern.Line, pattern.Value)
		}
		all = append(all, ToolScope{Pattern: pattern.Value, Until: until.Value, Line: pattern.Line})
	}
	return all, nil
}

// Covers reports whether the pattern matches the tool's whole name.
func (s ToolScope) Covers(tool string) bool {
	ok, err := doublestar.Match(s.Pattern, tool)
	return ok && err == nil
}

// Past says why the step Until lies behind the run, empty when it does not or when no such step is known.
func (s ToolScope) Past(r *Run, state RunState) string {
	if slices.Contains(r.Plan.IDs(), s.Until) {
		switch r.Status.States()[s.Until] {
		case Done:
			return "task " + s.Until + " is done"
		case Skipped:
			return "task " + s.Until + " is skipped"
		}
		return ""
	}
	switch state.Phases[s.Until].Status {
	case "completed", "failed", "skipped":
		return fmt.Sprintf("phase %s is %s", s.Until, state.Phases[s.Until].Status)
	}
	until, now := slices.Index(state.PhaseOrder, s.Until), slices.Index(state.PhaseOrder, state.Phase)
	if until >= 0 && now > until {
		return fmt.Sprintf("the run is in phase %s, after %s", state.Phase, s.Until)
	}
	return ""
}
