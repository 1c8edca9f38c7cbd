package templates

import "strings"

// AllowRules returns the permission rules setup adds to the allow list: one narrow rule for each command of viber that
// reads or belongs to the life of a run, never a bare tool. tool is Bash or PowerShell.
//
// Commands that publish (issue-create, post-comment, pr-create, qa-comment) stand in no list: the client asks as it always
// does, or a skill that was started for it brings the permission.
func AllowRules(tool string) []string {
	var rules []string
	for _, command := range []string{
		"plan-path", "plan-index", "commit-task", "archive-run", "run-clock", "handoff-path", "open-page",
		"switch-text", "extension", "check-playwright",
		"commit", "commit-context", "commit-selfcheck",
		"issue-facts", "issue-templates", "pr-facts",
		"memory-map", "rules-map",
		"config --branching", "config list", "config get", "config explain", "config schema", "config validate",
		"gate", "scan", "runs", "panel", "resume", "flush",
		"rework record", "rework rulings", "rework rung", "rework followups", "rework status",
		"run state get", "run state set", "run state ask", "run resume", "run log", "run track",
		"run worktree add", "run worktree finalize", "run lock acquire", "run lock release",
		"ledger recall", "ledger list", "ledger sessions", "ledger from-triage", "ledger feedback",
		"debt from-run", "debt add", "debt markers", "debt list",
		"memory ingest", "memory recall",
		"ref parse", "forge list",
		"review list", "review diff", "review guides", "review criteria", "review round", "review prefix", "review claim",
		"status", "explain", "replay", "upgrade --check",
	} {
		rules = append(rules, tool+"(viber "+command+":*)")
	}
	for _, whole := range []string{"config", "version", "version --json", "doctor", "doctor --json"} {
		rules = append(rules, tool+"(viber "+whole+")")
	}
	return rules
}

// AskRules returns the permission rules setup adds to the ask list: the commands that change what viber may do, which a
// person has to agree to each time. The client asks for these even where an allow rule matches too.
func AskRules(tool string) []string {
	var rules []string
	for _, command := range []string{
		"setup", "uninstall", "undo", "upgrade", "migrate", "hooks off", "doctor --fix",
		"plugin add", "plugin update", "plugin remove",
		"answer", "run answer", "run kill", "rework clear", "ledger add", "ledger forget", "forge add", "forge remove", "forge login", "review post",
	} {
		rules = append(rules, tool+"(viber "+command+":*)")
	}
	return append(rules, tool+"(viber config set *guards*)")
}

// ReadRules returns the permission rules that let agents read the plugin's own texts: one for each folder, written from ~
// where it lies below home. The client asks for both ends of a link, so setup passes the plugin's entry and the folder it
// leads to. Folders are absolute paths of this system.
func ReadRules(home string, folders ...string) []string {
	home = strings.TrimSuffix(slashed(home), "/")
	var rules []string
	for _, folder := range folders {
		path := strings.TrimSuffix(slashed(folder), "/")
		switch rest, below := strings.CutPrefix(path, home+"/"); {
		case below && home != "":
			path = "~/" + rest
		case len(path) > 1 && path[1] == ':':
			path = "//" + strings.ToLower(path[:1]) + path[2:]
		default:
			path = "/" + path
		}
		rules = append(rules, "Read("+path+"/**)")
	}
	return rules
}

func slashed(path string) string { return strings.ReplaceAll(path, `\`, "/") }
