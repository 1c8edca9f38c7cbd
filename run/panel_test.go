package run_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"viber/run"
)

// otherCount names the vectors of odd plans where the panel used to count tasks by rules of its own; it now counts them as
// plan-path does, and the value is the total it shows. Plans that plan-index accepts read the same either way.
func otherCount() map[string]int {
	return map[string]int{
		"a block above the Tasks heading does not count": 1,
		"a block with no dashed heading is no task":      1,
		"repeated id gives two rows":                     1,
	}
}

func TestPanelVectors(t *testing.T) {
	var vectors []struct {
		Name    string
		Files   map[string]string
		Running []string
		Want    *run.Panel
	}
	readVectors(t, "panel.json", &vectors)
	for _, v := range vectors {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			for path, text := range v.Files {
				writeFile(t, filepath.Join(root, path), text)
			}
			got := run.ReadPanel(root, v.Running)
			if total, ok := otherCount()[v.Name]; ok {
				if got == nil || got.Total != total || len(got.Rows) != total {
					t.Errorf("got %+v, want %d tasks", got, total)
				}
				return
			}
			if !reflect.DeepEqual(got, v.Want) {
				t.Errorf("got  %+v\nwant %+v", got, v.Want)
			}
		})
	}
}

func TestPanelEventVectors(t *testing.T) {
	var vectors []struct {
		Name  string
		Event struct {
			Tool, Prompt, Command string
			Agent                 string `json:"subagent_type"`
		}
		Want struct {
			Task    *string `json:"task_id"`
			Refresh *bool
		}
	}
	readVectors(t, "panel-events.json", &vectors)
	for _, v := range vectors {
		if v.Event.Tool == "Agent" {
			id, ok := run.DispatchedTask(v.Event.Agent, v.Event.Prompt)
			if ok != (v.Want.Task != nil) || ok && id != *v.Want.Task {
				t.Errorf("%s: got %q %v", v.Name, id, ok)
			}
			continue
		}
		if got := run.RefreshesPanel(v.Event.Command); got != *v.Want.Refresh {
			t.Errorf("%s: got %v", v.Name, got)
		}
	}
	if !run.RefreshesPanel(`"viber" commit-task "docs/_specs/x/plan.md" "T1"`) {
		t.Error("a call of viber commit-task does not refresh the panel")
	}
}

func readVectors(t *testing.T, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "vectors", file))
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
