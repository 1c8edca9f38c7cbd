package host

import (
	"fmt"

	"viber/install/settings"
)

// seen is the newest client whose reading of settings is known from trying; a newer one may take more.
func seen() Version { return Version{2, 1, 332} }

// keys checks the types of the settings the client knows: one of another type costs the whole file, hooks included.
func (r *reader) keys(root settings.Node) {
	for _, key := range root.Children() {
		if current, _ := root.Get(key.Name); !current.Same(key) {
			continue // doubled: the client reads the last one
		}
		want, nullable := keyKind(key.Name)
		if want == "" || key.Kind() == want || nullable && key.Kind() == "null" {
			continue
		}
		r.ignoresFile(key, fmt.Sprintf("%q must be %s, not %s", key.Name, want, key.Kind()))
	}
	if line, ok := root.Get("statusLine"); ok && line.Kind() == "an object" {
		if command, ok := line.Get("command"); !ok || command.Kind() != "a string" {
			r.ignoresFile(line, `"statusLine" needs a "command" that is a string`)
		}
	}
}

func (r *reader) ignoresFile(at settings.Node, fault string) {
	r.note(at, fault+"; Claude Code ignores this whole file, its hooks and permissions included", "correct the value or remove it")
	f := &r.found[len(r.found)-1]
	f.WholeFile = true
	f.Unsure = !r.client.Version.Known() || !seen().AtLeast(r.client.Version)
}

// keyKind returns the type that a setting must have, and whether null will do too; empty for settings of several types and
// for those the client passes over alone.
func keyKind(key string) (kind string, nullable bool) {
	switch key {
	case "advisorModel", "agent", "apiKeyHelper", "autoMemoryDirectory", "awsAuthRefresh", "awsCredentialExport",
		"gcpAuthRefresh", "language", "minimumVersion", "model", "otelHeadersHelper", "outputStyle", "plansDirectory",
		"pluginTrustMessage", "prUrlTemplate":
		return "a string", false
	case "autoMode", "enabledPlugins", "env", "fileSuggestion", "modelOverrides", "permissions", "pluginConfigs", "remote",
		"sandbox", "skillOverrides", "spinnerVerbs", "statusLine", "voice", "worktree":
		return "an object", false
	case "agentPushNotifEnabled", "alwaysThinkingEnabled", "autoCompactEnabled", "autoDreamEnabled", "autoMemoryEnabled",
		"autoScrollEnabled", "awaySummaryEnabled", "disableAllHooks", "fastMode", "forceRemoteSettingsRefresh",
		"includeCoAuthoredBy", "includeGitInstructions", "prefersReducedMotion", "promptSuggestionEnabled",
		"respectGitignore", "respondToBashCommands", "showClearContextOnPlanAccept", "showThinkingSummaries",
		"spinnerTipsEnabled", "syntaxHighlightingDisabled", "terminalProgressBarEnabled", "terminalTitleFromRename",
		"todoFeatureEnabled", "verbose", "voiceEnabled", "wslInheritsWindowsSettings":
		return "a boolean", false
	case "allowManagedHooksOnly", "allowManagedMcpServersOnly", "allowManagedPermissionRulesOnly", "channelsEnabled",
		"disableAgentView", "disableBundledSkills", "disableRemoteControl", "disableSideloadFlags",
		"disableSkillShellExecution", "disableWorkflows", "enableAllProjectMcpServers", "enforceAvailableModels",
		"fastModePerSessionOptIn", "fileCheckpointingEnabled", "skipAutoPermissionPrompt",
		"skipDangerousModePermissionPrompt", "skipWebFetchPreflight", "useAutoModeDuringPlan":
		return "a boolean", true
	case "cleanupPeriodDays", "feedbackSurveyRate", "skillListingBudgetFraction":
		return "a number", false
	case "allowedChannelPlugins", "allowedHttpHookUrls", "availableModels", "claudeMdExcludes", "companyAnnouncements",
		"disabledMcpjsonServers", "enabledMcpjsonServers", "fallbackModel", "httpHookAllowedEnvVars", "sshConfigs":
		return "a list", false
	case "blockedMarketplaces", "strictKnownMarketplaces":
		return "a list", true
	}
	return "", false
}
