package hooksimpl

// Registration is one hook entry setup writes into a settings file: the client calls `viber hook <Event>` when it matches.
type Registration struct {
	Event   string
	Matcher string // tool names or sources as the client matches them; empty = the event has none
	If      string // permission rule the client tests before it starts a process; empty = none
	Timeout int    // seconds
	// Args are the arguments after the executable.
	Args []string
	// Checks names the checks this entry is there for.
	Checks []string
}

// ClientAbilities say what the found client understands.
type ClientAbilities struct {
	// If: the client tests `if` rules (2.1.85 and newer).
	If bool
}

// Seconds after which the client ends a hook; Budget keeps every call well below.
const timeoutSeconds = 10

// Registrations returns the hook entries of the default-on checks for a client with abilities can.
//
// The `if` rule of kill-guard keeps the client from starting a process for commands without "kill" in them; the client
// tests it against every part of the command and lets anything it cannot take apart through to the hook. A client that does
// not know `if` ignores the key, so the wider matcher is all it sees. No rule is written for PowerShell, where that was
// never shown, and none for events without tools, where a rule would keep the hook from ever running.
func Registrations(can ClientAbilities) []Registration {
	bash := entry(EventPreToolUse, ToolBash, "kill-guard")
	if can.If {
		bash.If = ToolBash + "(*kill*)"
	}
	return []Registration{
		entry(EventPreToolUse, ToolExitPlanMode, "plan-gate"),
		bash,
		entry(EventPreToolUse, ToolPowerShell, "kill-guard"),
		entry(EventUserPromptSubmit, "", "plan-hints"),
		entry(EventSessionStart, "startup|clear|compact", "session-start"),
	}
}

func entry(event, matcher string, checks ...string) Registration {
	return Registration{
		Event: event, Matcher: matcher, Timeout: timeoutSeconds,
		Args: []string{"hook", event}, Checks: checks,
	}
}
