package hooksimpl

import "slices"

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

// Switches gives the value of a key of viber.yml (guards.capture) where the entries are to count, "" for an unknown one.
type Switches func(key string) string

// on reports whether the switch guards.<name> wants its guard called at all.
func (value Switches) on(name string) bool {
	v := value("guards." + name)
	return v != "" && v != switchOff
}

// Seconds after which the client ends a hook; Budget keeps every call well below.
const timeoutSeconds = 10

// Registrations returns the hook entries for a client with abilities can: those of the checks without a switch, and those of
// the guards that are switched on. Nothing is registered for a guard that is off.
//
// The `if` rule of kill-guard keeps the client from starting a process for commands without "kill" in them; the client
// tests it against every part of the command and lets anything it cannot take apart through to the hook. A client that does
// not know `if` ignores the key, so the wider matcher is all it sees. No rule is written for PowerShell, where that was
// never shown, and none for events without tools, where a rule would keep the hook from ever running.
func Registrations(can ClientAbilities, value Switches) []Registration {
	bash := entry(EventPreToolUse, ToolBash, "kill-guard")
	if can.If {
		bash.If = ToolBash + "(*kill*)"
	}
	return append([]Registration{
		entry(EventPreToolUse, ToolExitPlanMode, "plan-gate"),
		bash,
		entry(EventPreToolUse, ToolPowerShell, "kill-guard"),
		entry(EventUserPromptSubmit, "", "plan-hints"),
		entry(EventSessionStart, "startup|clear|compact", "session-start"),
	}, guardEntries(can, value)...)
}

// guardEntries are the entries of the guards that are on, one row a guard.
func guardEntries(can ClientAbilities, value Switches) []Registration {
	var all []Registration
	for _, row := range []struct {
		guard   string
		entries []Registration
	}{
		{"read-size", readSizeEntries(can)},
		{"run-scope", []Registration{entry(EventPreToolUse, "mcp__.*", "run-scope")}},
		{"file-context", []Registration{entry(EventPostToolUse, ToolRead, "file-context")}},
		{"syntax", []Registration{entry(EventPostToolUse, ToolEdit+"|"+ToolWrite+"|"+ToolMultiEdit, "syntax")}},
		{"task-mirror", []Registration{entry(EventPostToolUse, ToolTaskCreate+"|"+ToolTaskUpdate, "task-mirror")}},
		{"run-stop", []Registration{entry(EventStop, "", "run-stop")}},
		{"capture", []Registration{entry(EventPreCompact, "", "capture"), entry(EventSessionEnd, "", "capture")}},
	} {
		if value.on(row.guard) {
			all = append(all, row.entries...)
		}
	}
	return all
}

// readSizeEntries call read-size for Read, and for shell calls with one of the programs that print files in them.
func readSizeEntries(can ClientAbilities) []Registration {
	all := []Registration{entry(EventPreToolUse, ToolRead, "read-size")}
	if !can.If {
		return append(all, entry(EventPreToolUse, ToolBash, "read-size"), entry(EventPreToolUse, ToolPowerShell, "read-size"))
	}
	for _, program := range []string{"cat", "tac", "less", "more", "head", "tail", "sed", "bat", "nl "} {
		bash := entry(EventPreToolUse, ToolBash, "read-size")
		bash.If = ToolBash + "(*" + program + "*)"
		all = append(all, bash)
	}
	return append(all, entry(EventPreToolUse, ToolPowerShell, "read-size"))
}

// Beyond returns the entries of more that base does not hold: what a project adds to what the user has.
func Beyond(base, more []Registration) []Registration {
	return slices.DeleteFunc(slices.Clone(more), func(r Registration) bool {
		return slices.ContainsFunc(base, r.same)
	})
}

func (r Registration) same(o Registration) bool {
	return r.Event == o.Event && r.Matcher == o.Matcher && r.If == o.If && slices.Equal(r.Args, o.Args)
}

func entry(event, matcher string, checks ...string) Registration {
	return Registration{
		Event: event, Matcher: matcher, Timeout: timeoutSeconds,
		Args: []string{"hook", event}, Checks: checks,
	}
}
