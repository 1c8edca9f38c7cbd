package hooksimpl

import "slices"

// Registration is one hook entry setup writes into a settings file: the client calls `viber hook <Event>` when it matches.
type Registration struct {
	Event   string
	Matcher string // tool names or sources as the client matches them; empty = the event has none
	If      string // permission rule the client tests before it starts a process; empty = none
	Timeout int    // seconds
	// Block: the client refuses the call when the hook itself fails, instead of letting it through (onFailure).
	Block bool
	// Args are the arguments after the executable.
	Args []string
	// Checks names the checks this entry is there for.
	Checks []string
}

// ClientAbilities say what the found client understands.
type ClientAbilities struct {
	// If: the client tests `if` rules (2.1.85 and newer).
	If bool
	// OnFailure: a handler may say what its failure means (2.1.295 and newer).
	OnFailure bool
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
// An `if` rule keeps the client from starting a process for shell commands without a word the guard is about; the client
// tests it against every part of the command and lets anything it cannot take apart through to the hook (what it misses
// stands on the guards' pages). A client that does not know `if` ignores the key, so the wider matcher is all it sees. No rule is written
// for PowerShell, where that was never shown, and none for events without tools, where a rule would keep the hook from ever
// running.
func Registrations(can ClientAbilities, value Switches) []Registration {
	rows := append([]guardRow{{filters: []string{"*kill*"}, checks: []string{"kill-guard"}}}, guardRows(value)...)
	all := append([]Registration{entry(EventPreToolUse, ToolExitPlanMode, "plan-gate")}, shellEntries(can, rows)...)
	if can.OnFailure && value("guards.unattended") == switchOn {
		blockOnFailure(all)
	}
	all = append(all,
		entry(EventUserPromptSubmit, "", "plan-hints"),
		entry(EventSessionStart, "startup|clear|compact", "session-start"),
	)
	for _, row := range rows {
		all = append(all, row.entries...)
	}
	return all
}

// anyCommand is the filter of a guard that has to see every shell command.
const anyCommand = ""

// guardRow is what one guard has to be called for.
type guardRow struct {
	guard   string         // guards.<guard>
	filters []string       // shell commands, as wildcards; none = no shell commands
	checks  []string       // the checks behind them
	entries []Registration // other events and tools
}

// guardRows are the rows of the guards that are on.
func guardRows(value Switches) []guardRow {
	rows := []guardRow{
		{guard: "git", filters: []string{"*git*"}, checks: []string{"git"}},
		{guard: "secrets", filters: []string{"*git*"}, checks: []string{"secrets"}},
		{guard: "self", filters: []string{"*claude*", "*viber*", "*settings*json*"}, checks: []string{"self"},
			entries: []Registration{entry(EventPreToolUse, ToolWrite+"|"+ToolEdit+"|"+ToolMultiEdit+"|"+ToolNotebookEdit, "self")}},
		// the programs that print files
		{guard: "read-size", filters: []string{"*cat*", "*tac*", "*less*", "*more*", "*head*", "*tail*", "*sed*", "*bat*", "*nl *"}, checks: []string{"read-size"},
			entries: []Registration{entry(EventPreToolUse, ToolRead, "read-size")}},
		{guard: "run-scope", entries: []Registration{entry(EventPreToolUse, "mcp__.*", "run-scope")}},
		{guard: "file-context", entries: []Registration{entry(EventPostToolUse, ToolRead, "file-context")}},
		{guard: "syntax", entries: []Registration{entry(EventPostToolUse, ToolEdit+"|"+ToolWrite+"|"+ToolMultiEdit, "syntax")}},
		{guard: "task-mirror", entries: []Registration{entry(EventPostToolUse, ToolTaskCreate+"|"+ToolTaskUpdate, "task-mirror")}},
		{guard: "run-stop", entries: []Registration{entry(EventStop, "", "run-stop")}},
		{guard: "capture", entries: []Registration{entry(EventPreCompact, "", "capture"), entry(EventSessionEnd, "", "capture")}},
	}
	return slices.DeleteFunc(rows, func(r guardRow) bool { return !value.on(r.guard) })
}

// shellEntries are the entries for the shell tools: one for each wildcard, or a single one where a guard wants every
// command or the client knows no wildcards. Two that match start two processes.
func shellEntries(can ClientAbilities, rows []guardRow) []Registration {
	bash := entry(EventPreToolUse, ToolBash)
	power := entry(EventPreToolUse, ToolPowerShell)
	var filters []string
	wide := !can.If
	for _, row := range rows {
		if len(row.filters) == 0 {
			continue
		}
		power.Checks = append(power.Checks, row.checks...)
		for _, f := range row.filters {
			wide = wide || f == anyCommand
			if !slices.Contains(filters, f) {
				filters = append(filters, f)
			}
		}
	}
	if wide {
		bash.Checks = power.Checks
		return []Registration{bash, power}
	}
	var all []Registration
	for _, f := range filters {
		narrow := bash
		narrow.If = ToolBash + "(" + f + ")"
		for _, row := range rows {
			if slices.Contains(row.filters, f) {
				narrow.Checks = append(narrow.Checks, row.checks...)
			}
		}
		all = append(all, narrow)
	}
	return append(all, power)
}

// blockOnFailure marks the entries of the guards whose own fault refuses a call that nobody watches.
func blockOnFailure(all []Registration) {
	for i, r := range all {
		all[i].Block = slices.Contains(r.Checks, "git") || slices.Contains(r.Checks, "secrets")
	}
}

// Beyond returns the entries of more that base does not hold: what a project adds to what the user has.
func Beyond(base, more []Registration) []Registration {
	return slices.DeleteFunc(slices.Clone(more), func(r Registration) bool {
		return slices.ContainsFunc(base, r.same)
	})
}

func (r Registration) same(o Registration) bool {
	return r.Event == o.Event && r.Matcher == o.Matcher && r.If == o.If && r.Block == o.Block && slices.Equal(r.Args, o.Args)
}

func entry(event, matcher string, checks ...string) Registration {
	return Registration{
		Event: event, Matcher: matcher, Timeout: timeoutSeconds,
		Args: []string{"hook", event}, Checks: checks,
	}
}
