package embed_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/skills.md anew")

const skillsPage = "../docs/skills.md"

// TestSkillsPageIsCurrent keeps docs/skills.md equal to what the plugin's frontmatter says:
//
//	go test ./embed -run TestSkillsPageIsCurrent -update
func TestSkillsPageIsCurrent(t *testing.T) {
	want := page(skills(t), agents(t))
	if *update {
		if err := os.WriteFile(skillsPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(skillsPage)
	if err != nil {
		t.Fatal(err)
	}
	if strings.ReplaceAll(string(have), "\r\n", "\n") != want {
		t.Error("docs/skills.md is not what the plugin says; write it anew: go test ./embed -run TestSkillsPageIsCurrent -update")
	}
}

func page(skills, agents []text) string {
	var b strings.Builder
	b.WriteString(`<!-- Generated from the plugin's frontmatter: go test ./embed -run TestSkillsPageIsCurrent -update -->

# Skills and agents

The plugin's skills are what you type, or what Claude Code starts when you ask for it. Its agents are dispatched by skills; nobody
starts them by hand. What loading the plugin costs is in [What the plugin costs](plugin-cost.md), how it all plays together in
[From an idea to a merged change](guide.md).

## Skills you type

| Type | What it does | Also started by Claude |
| --- | --- | --- |
`)
	for _, x := range skills {
		if x.keys["user-invocable"] == "false" {
			continue
		}
		also := "when you ask for it"
		if x.keys["disable-model-invocation"] == "true" {
			also = "never"
		}
		usage := strings.TrimSpace("/viber:" + x.name() + " " + x.keys["argument-hint"])
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", cell(usage), cell(x.keys["description"]), also)
	}
	b.WriteString("\n## Skills that other skills start\n\n| Skill | What it does |\n| --- | --- |\n")
	for _, x := range skills {
		if x.keys["user-invocable"] == "false" {
			fmt.Fprintf(&b, "| `viber:%s` | %s |\n", x.name(), cell(x.keys["description"]))
		}
	}
	b.WriteString("\nModel and effort of a skill, where they are not those of the session:\n\n| Skill | Model | Effort |\n| --- | --- | --- |\n")
	for _, x := range skills {
		if x.keys["model"] != "" || x.keys["effort"] != "" {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", x.name(), session(x.keys["model"]), session(x.keys["effort"]))
		}
	}
	b.WriteString("\n## Agents\n\nThe tiers of `.claude/viber.yml` raise or lower the model of the agents that build, review and repair.\n\n" +
		"| Agent | What it does | Model | Effort | Tools |\n| --- | --- | --- | --- | --- |\n")
	for _, x := range agents {
		fmt.Fprintf(&b, "| `viber:%s` | %s | %s | %s | %s |\n", x.name(), cell(x.keys["description"]), session(x.keys["model"]),
			session(x.keys["effort"]), x.keys["tools"])
	}
	return b.String()
}

func session(value string) string {
	if value == "" || value == "inherit" {
		return "the session's"
	}
	return value
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
