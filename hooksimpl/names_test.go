package hooksimpl

import (
	"bytes"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"viber/embed"
	"viber/schema"
)

// unmatchedNames returns what the plugin does not carry under the name the checks match.
func unmatchedNames(plugin fs.FS) []string {
	var missing []string
	need := func(file string, texts ...string) {
		content, err := fs.ReadFile(plugin, file)
		if err != nil {
			missing = append(missing, file)
			return
		}
		for _, text := range texts {
			if !bytes.Contains(content, []byte(text)) {
				missing = append(missing, file+": "+text)
			}
		}
	}
	for _, skill := range []string{SkillPlanner, SkillIntent, SkillFixer} {
		need(path.Join("skills", skill, "SKILL.md"), "\nname: "+skill+"\n")
	}
	for _, agent := range []string{AgentPlannerReview, AgentPlainPlanReview, AgentTaskCoder, AgentTaskReviewer} {
		need(path.Join("agents", agent+".md"), "\nname: "+agent+"\n", VerdictLabel+" "+VerdictPass)
	}
	for _, agent := range []string{AgentPlannerReview, AgentPlainPlanReview} {
		need(path.Join("agents", agent+".md"), VerdictLabel+" "+VerdictFail, VerdictLabel+" "+VerdictDenied)
	}
	need(path.Join("skills", SkillPlanner, "SKILL.md"), AgentPrefix+AgentPlannerReview, "`"+PlanSourceKey+"`")
	need(path.Join(ContentDir, ManifestFile), AgentPrefix+SkillFixer, AgentPrefix+SkillIntent)
	need(path.Join(ContentDir, HintsFile), SwitchGroup+"."+SwitchPlainReview, AgentPlainPlanReview, VerdictLabel+" "+VerdictPass)
	return missing
}

// TestNamesMatchThePlugin keeps a rename in the plugin from disarming a gate without a word.
func TestNamesMatchThePlugin(t *testing.T) {
	t.Parallel()
	plugin, err := embed.Plugin()
	if err != nil {
		t.Fatal(err)
	}
	for _, missing := range unmatchedNames(plugin) {
		t.Errorf("the plugin does not carry %s", missing)
	}
	if _, ok := schema.Lookup(SwitchGroup + "." + SwitchPlainReview); !ok {
		t.Errorf("viber.yml knows no switch %s.%s", SwitchGroup, SwitchPlainReview)
	}
	hints, _ := fs.ReadFile(plugin, path.Join(ContentDir, HintsFile))
	if strings.Count(string(hints), "\n- ")+1 != 4 || strings.Contains(string(hints), PluginName) || strings.Contains(string(hints), "skip") {
		t.Error("the hint is four list lines without the plugin's name and without a way to skip")
	}
}

// TestRenameIsNoticed renames every file and word the checks depend on, one at a time.
func TestRenameIsNoticed(t *testing.T) {
	t.Parallel()
	plugin, err := embed.Plugin()
	if err != nil {
		t.Fatal(err)
	}
	copied := fstest.MapFS{}
	err = fs.WalkDir(plugin, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(plugin, name)
		copied[name] = &fstest.MapFile{Data: text}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	words := []string{
		"name: " + SkillPlanner, "name: " + SkillIntent, "name: " + SkillFixer, "name: " + AgentPlannerReview, "name: " + AgentPlainPlanReview,
		"name: " + AgentTaskCoder, "name: " + AgentTaskReviewer, VerdictLabel, VerdictPass, VerdictFail, VerdictDenied, PlanSourceKey, SwitchPlainReview,
	}
	for _, word := range words {
		renamed := maps.Clone(copied)
		for name, file := range copied {
			renamed[name] = &fstest.MapFile{Data: bytes.ReplaceAll(file.Data, []byte(word), []byte("renamed"))}
		}
		if len(unmatchedNames(renamed)) == 0 {
			t.Errorf("a plugin without %q passes", word)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(copied)) {
		moved := maps.Clone(copied)
		delete(moved, name)
		if strings.HasPrefix(name, "agents/task-") && len(unmatchedNames(moved)) == 0 {
			t.Errorf("a plugin without %s passes", name)
		}
	}
}
