package embed_test

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"viber/hooksimpl"
	"viber/schema"
)

var (
	named      = regexp.MustCompile(`\bviber:([a-z][a-z-]*)`)
	typed      = regexp.MustCompile(`/viber:([a-z][a-z-]*)`)
	pluginFile = regexp.MustCompile(`\$\{(CLAUDE_PLUGIN_ROOT|CLAUDE_SKILL_DIR)\}/([A-Za-z0-9_./-]+)`)
	refsFile   = regexp.MustCompile("`([a-z-]+\\.md)` in `refs:`")
	switchCall = regexp.MustCompile(`viber switch-text ([a-z.-]+) "\$\{CLAUDE_SKILL_DIR\}" ([a-z0-9-]+)`)
	setting    = regexp.MustCompile(`\b((?:planning|build|github|directories|tiers|branching)\.[a-z-]+)\b`)
)

// TestNamesExist: a skill or agent named in a text is there, and one a user is told to type can be typed.
func TestNamesExist(t *testing.T) {
	t.Parallel()
	known, typeable := map[string]bool{}, map[string]bool{}
	for _, x := range skills(t) {
		known[x.name()] = true
		typeable[x.name()] = x.keys["user-invocable"] != "false"
	}
	for _, x := range agents(t) {
		known[x.name()] = true
	}
	for name, data := range files(t) {
		for _, n := range matches(named, data) {
			if !known[n] {
				t.Errorf("%s names viber:%s, which does not exist", name, n)
			}
		}
		for _, n := range matches(typed, data) {
			if !typeable[n] {
				t.Errorf("%s tells the user to type /viber:%s, which cannot be typed", name, n)
			}
		}
	}
}

// TestSkillsTheModelStarts: a text that has the model call a skill names one the model may call.
func TestSkillsTheModelStarts(t *testing.T) {
	t.Parallel()
	calls := regexp.MustCompile("[Cc]all the `viber:([a-z-]+)` skill")
	found := 0
	for _, x := range texts(t) {
		for _, name := range matches(calls, x.body) {
			found++
			target := skillNamed(t, name)
			if target.keys["disable-model-invocation"] == "true" {
				t.Errorf("%s has the model call viber:%s, which only a user may start", x.path, name)
			}
			if x.isSkill() && !slices.Contains(grants(x.keys["allowed-tools"]), "Skill") {
				t.Errorf("%s calls viber:%s without the Skill tool", x.path, name)
			}
		}
	}
	if found < 4 {
		t.Errorf("only %d calls found: the texts changed their words, or this test went blind", found)
	}
}

// TestFilesExist: a file of the plugin that a text names is there.
func TestFilesExist(t *testing.T) {
	t.Parallel()
	all := files(t)
	for name, data := range all {
		for _, m := range pluginFile.FindAllStringSubmatch(data, -1) {
			target := m[2]
			if m[1] == "CLAUDE_SKILL_DIR" {
				target = path.Join("skills", strings.Split(name, "/")[1], target)
			}
			target = strings.TrimSuffix(target, ".")
			if _, there := all[target]; !there && target != "references" {
				t.Errorf("%s names %s, which does not exist", name, target)
			}
		}
		for _, ref := range matches(refsFile, data) {
			if _, there := all["references/"+ref]; !there {
				t.Errorf("%s names references/%s, which does not exist", name, ref)
			}
		}
	}
}

// TestNoFileIsForgotten: every reference, template and fragment is named by a text.
func TestNoFileIsForgotten(t *testing.T) {
	t.Parallel()
	all := files(t)
	for name := range all {
		base := path.Base(name)
		if !strings.HasPrefix(name, "references/") && !strings.Contains(name, "/references/") && !strings.Contains(name, "/templates/") {
			continue
		}
		used := false
		for other, data := range all {
			used = used || other != name && strings.Contains(data, base)
		}
		if !used {
			t.Errorf("no text names %s", name)
		}
	}
}

// TestFragments: every call of switch-text has fragments, every fragment has a call, and key and values are those of the
// table of viber.yml.
func TestFragments(t *testing.T) {
	t.Parallel()
	all := files(t)
	called := map[string]bool{}
	for _, x := range skills(t) {
		for _, m := range switchCall.FindAllStringSubmatch(x.body, -1) {
			key, name := m[1], m[2]
			values := schema.FragmentValues(key)
			if len(values) == 0 {
				t.Errorf("%s: %s selects no fragments", x.path, key)
			}
			some := false
			for _, v := range values {
				file := "skills/" + x.skill() + "/fragments/" + name + "." + v + ".md"
				called[file] = true
				_, there := all[file]
				some = some || there
			}
			if !some {
				t.Errorf("%s: %s %s has no fragment at all", x.path, key, name)
			}
		}
	}
	for name := range all {
		if strings.Contains(name, "/fragments/") && !called[name] {
			t.Errorf("%s is printed by no call of switch-text", name)
		}
	}
}

// TestSettingsExist: a setting a text names is a key of viber.yml.
func TestSettingsExist(t *testing.T) {
	t.Parallel()
	for name, data := range files(t) {
		for _, key := range matches(setting, data) {
			if _, known := schema.Lookup(key); !known && key != "build.extensions-missing" {
				t.Errorf("%s names the setting %s, which does not exist", name, key)
			}
		}
	}
}

// TestNamesMatchThePlugin: the names that the hooks match letter by letter are those of the plugin.
func TestNamesMatchThePlugin(t *testing.T) {
	t.Parallel()
	all := files(t)
	for _, name := range []string{hooksimpl.SkillPlanner, hooksimpl.SkillIntent, hooksimpl.SkillFixer} {
		skillNamed(t, name)
	}
	for _, name := range []string{
		hooksimpl.AgentPlannerReview, hooksimpl.AgentPlainPlanReview, hooksimpl.AgentTaskCoder, hooksimpl.AgentTaskReviewer,
	} {
		agentNamed(t, name)
	}
	if !strings.Contains(all[".claude-plugin/plugin.json"], `"name": "`+hooksimpl.PluginName+`"`) {
		t.Errorf("plugin.json does not name the plugin %s", hooksimpl.PluginName)
	}
	for _, reviewer := range []string{hooksimpl.AgentPlannerReview, hooksimpl.AgentPlainPlanReview} {
		body := agentNamed(t, reviewer).body
		for _, verdict := range []string{hooksimpl.VerdictPass, hooksimpl.VerdictFail, hooksimpl.VerdictDenied} {
			if !strings.Contains(body, hooksimpl.VerdictLabel+" "+verdict) {
				t.Errorf("viber:%s does not return %s %s", reviewer, hooksimpl.VerdictLabel, verdict)
			}
		}
	}
	for _, template := range []string{"spec-lite", "spec-full"} {
		if !strings.HasPrefix(all["skills/planner/templates/"+template+".md"], "---\n"+hooksimpl.PlanSourceKey) {
			t.Errorf("the %s template does not open with %s", template, hooksimpl.PlanSourceKey)
		}
	}
	if _, known := schema.Lookup(hooksimpl.SwitchGroup + "." + hooksimpl.SwitchPlainReview); !known {
		t.Errorf("viber.yml has no %s.%s", hooksimpl.SwitchGroup, hooksimpl.SwitchPlainReview)
	}
	taskLine := regexp.MustCompile(`(?m)^task: <dir>/tasks/<id>\.md$`)
	if !taskLine.MatchString(skillNamed(t, "implementor").body) {
		t.Error("the implementor does not send task: <dir>/tasks/<id>.md, which the task panel reads")
	}
}

// TestSessionTexts: the texts that hooks print are there, short, and say what their contract asks.
func TestSessionTexts(t *testing.T) {
	t.Parallel()
	all := files(t)
	manifest := all[hooksimpl.ContentDir+"/"+hooksimpl.ManifestFile]
	hints := all[hooksimpl.ContentDir+"/"+hooksimpl.HintsFile]
	if manifest == "" || len(manifest) > 3000 {
		t.Errorf("the manifest has %d bytes, 1 to 3,000", len(manifest))
	}
	if lines := strings.Split(strings.TrimSpace(hints), "\n"); len(lines) != 4 {
		t.Errorf("the hints have %d lines, not 4", len(lines))
	}
	for _, word := range []string{"viber", "skip"} {
		if strings.Contains(hints, word) {
			t.Errorf("the hints hold the word %q", word)
		}
	}
	for _, word := range []string{hooksimpl.AgentPlainPlanReview, hooksimpl.SwitchGroup + "." + hooksimpl.SwitchPlainReview} {
		if !strings.Contains(hints, word) {
			t.Errorf("the hints do not name %s", word)
		}
	}
}

func skillNamed(t *testing.T, name string) text {
	t.Helper()
	for _, x := range skills(t) {
		if x.name() == name {
			return x
		}
	}
	t.Fatalf("no skill %s", name)
	return text{}
}
