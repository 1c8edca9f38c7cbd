package hooksimpl

// Names that the checks match letter by letter. The plugin's skills, agents and texts must use exactly these: renaming one
// there without renaming it here would disarm a gate without a word. TestNamesMatchThePlugin keeps both sides together.
const (
	// PluginName is the plugin's name; the client puts it, with a colon, before the names of its skills and agents.
	PluginName = "viber"
	// AgentPrefix opens the agent_type of every agent of the plugin.
	AgentPrefix = PluginName + ":"

	SkillPlanner = "planner" // its plans are reviewed by AgentPlannerReview
	SkillIntent  = "intent"  // hands off to the planner: keeps the plan-mode hint quiet
	SkillFixer   = "fixer"   // likewise

	AgentPlannerReview   = "planner-review"
	AgentPlainPlanReview = "plain-plan-review"
	AgentTaskCoder       = "task-coder"
	AgentTaskReviewer    = "task-reviewer"

	// SwitchGroup and SwitchPlainReview name the switch planning.plain-plan-review of .claude/viber.yml.
	SwitchGroup       = "planning"
	SwitchPlainReview = "plain-plan-review"

	// VerdictLabel opens the line a reviewer ends its report with, one of the three words follows.
	VerdictLabel  = "VERDICT:"
	VerdictPass   = "PASS"
	VerdictFail   = "FAIL"
	VerdictDenied = "DENIED"

	// PlanSourceKey is the frontmatter key that only the planner's plans carry.
	PlanSourceKey = "source:"
	// PlansDir is the directory a plan is written to.
	PlansDir = "plans"

	// ManifestFile and HintsFile are the texts, below ContentDir of the plugin.
	ContentDir   = "hooks/content"
	ManifestFile = "manifest.md"
	HintsFile    = "plan-hints.md"
	// TemplateFile is the viber.yml template below the plugin; its schema number is what a project is compared with.
	TemplateFile = "skills/setup/templates/viber.yml"
)

// Events of the client the checks listen to.
const (
	EventPreToolUse       = "PreToolUse"
	EventPostToolUse      = "PostToolUse"
	EventUserPromptSubmit = "UserPromptSubmit"
	EventSessionStart     = "SessionStart"
	EventSessionEnd       = "SessionEnd"
	EventPreCompact       = "PreCompact"
	EventStop             = "Stop"
)

// Tools of the client the checks look at.
const (
	ToolBash         = "Bash"
	ToolPowerShell   = "PowerShell"
	ToolExitPlanMode = "ExitPlanMode"
	ToolRead         = "Read"
	ToolEdit         = "Edit"
	ToolWrite        = "Write"
	ToolNotebookEdit = "NotebookEdit"
	ToolMultiEdit    = "MultiEdit"
	ToolTaskCreate   = "TaskCreate"
	ToolTaskUpdate   = "TaskUpdate"
	ToolApplyPatch   = "apply_patch" // Codex: all its edits
)
