package host

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"viber/hooksimpl"
	"viber/install/settings"
)

// Claude is Claude Code in one version.
type Claude struct {
	Version Version // the zero value when it could not be found out
}

// assumed is what a client of unknown version is taken for.
func assumed() Version { return Version{2, 1, 139} }

func (c Claude) has(feature Version) bool {
	if !c.Version.Known() {
		return assumed().AtLeast(feature)
	}
	return c.Version.AtLeast(feature)
}

// ExecForm reports whether the client runs `command` with `args` without a shell.
func (c Claude) ExecForm() bool { return c.has(Version{2, 1, 139}) }

// IfRules reports whether the client filters hook handlers by `if`.
func (c Claude) IfRules() bool { return c.has(Version{2, 1, 85}) }

// SkillsDir reports whether the client loads plugins from the skills folder of its config dir. An unknown client is
// taken to be recent enough, since a folder it does not load does no harm.
func (c Claude) SkillsDir() bool { return !c.Version.Known() || c.Version.AtLeast(Version{2, 1, 157}) }

// OnFailure reports whether the client knows the handler field of that name.
func (c Claude) OnFailure() bool { return c.has(Version{2, 1, 295}) }

// Registrations returns what viber's hooks want to be called for by this client, with guards switched as value says.
func (c Claude) Registrations(value hooksimpl.Switches) []hooksimpl.Registration {
	return hooksimpl.Registrations(hooksimpl.ClientAbilities{If: c.IfRules(), OnFailure: c.OnFailure()}, value)
}

// InPlace reports whether the client loads a plugin of a directory marketplace from its folder, not from a copy.
func (c Claude) InPlace() bool { return c.Version.Known() && c.Version.AtLeast(Version{2, 1, 332}) }

// Knows reports whether the client accepts the hook event.
func (c Claude) Knows(event string) bool { return c.has(eventSince(event)) }

// eventSince returns the version that brought a hook event. Where the exact one is not known it is one that surely has it,
// since clients before 2.1.101 ignore a whole file for an event they do not know.
func eventSince(event string) Version {
	switch event {
	case "PreToolUse", "PostToolUse", "Notification", "Stop":
		return Version{1, 0, 38}
	case "SubagentStop":
		return Version{1, 0, 41}
	case "PreCompact":
		return Version{1, 0, 48}
	case "UserPromptSubmit":
		return Version{1, 0, 54}
	case "SessionStart":
		return Version{1, 0, 62}
	case "SessionEnd":
		return Version{1, 0, 85}
	case "SubagentStart":
		return Version{2, 0, 43}
	case "PermissionRequest":
		return Version{2, 0, 45}
	case "Setup":
		return Version{2, 1, 10}
	case "PermissionDenied":
		return Version{2, 1, 89}
	case "PostToolUseFailure", "PostToolBatch", "UserPromptExpansion", "StopFailure", "PostCompact", "TeammateIdle",
		"TaskCreated", "TaskCompleted", "Elicitation", "ElicitationResult", "ConfigChange", "WorktreeCreate",
		"WorktreeRemove", "InstructionsLoaded", "CwdChanged", "FileChanged":
		return assumed()
	case "PreModelSwitch", "PostModelSwitch", "DirectoryAdded", "MessageDisplay", "PreSkillShellCommand":
		return Version{2, 1, 332}
	}
	return Version{math.MaxInt, 0, 0}
}

// Wiring says how the hook entries of one installation call viber.
type Wiring struct {
	// Program is the stable absolute path of viber, "viber" for entries that teammates share, or the PluginProgram.
	Program string
	// Project marks entries of a shared project file: they end silently where the user scope is wired.
	Project bool
	// Windows says that the entries are for a Windows client.
	Windows bool
}

// PluginProgram is the program of hook entries that the plugin itself carries; on Windows Entries gives it its .exe.
const PluginProgram = "${CLAUDE_PLUGIN_ROOT}/bin/viber"

// Entries returns the hook entries an installation for this client needs: exec form where the client has it, else one
// quoted shell line; `if` only where the client filters by it; only events the client knows. It fails when the
// program's path cannot be written so that the client would find it.
func (c Claude) Entries(w Wiring, regs []hooksimpl.Registration) ([]settings.Hook, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	if w.Windows && w.Program == PluginProgram {
		w.Program += ".exe"
	}
	var hooks []settings.Hook
	for _, r := range regs {
		if !c.Knows(r.Event) {
			continue
		}
		if !c.IfRules() {
			r.If = ""
		}
		h := settings.Hook{Event: r.Event, Matcher: r.Matcher, Fields: c.fields(w, r)}
		same := func(o settings.Hook) bool {
			return o.Event == h.Event && o.Matcher == h.Matcher && field(o, "if") == field(h, "if")
		}
		if !slices.ContainsFunc(hooks, same) {
			hooks = append(hooks, h)
		}
	}
	return hooks, nil
}

func field(h settings.Hook, key string) any {
	for _, f := range h.Fields {
		if f.Key == key {
			return f.Value
		}
	}
	return nil
}

func (c Claude) fields(w Wiring, r hooksimpl.Registration) []settings.Field {
	args := slices.Clone(r.Args)
	if w.Project {
		args = append(args, "--scope", "project")
	}
	fields := []settings.Field{{Key: "type", Value: "command"}}
	if c.ExecForm() {
		fields = append(fields, settings.Field{Key: "command", Value: w.Program}, settings.Field{Key: "args", Value: args})
	} else {
		fields = append(fields, settings.Field{Key: "command", Value: w.shellLine(args)})
	}
	if r.If != "" {
		fields = append(fields, settings.Field{Key: "if", Value: r.If})
	}
	fields = append(fields, settings.Field{Key: "timeout", Value: r.Timeout})
	if r.Block {
		fields = append(fields, settings.Field{Key: "onFailure", Value: "block"})
	}
	return fields
}

// check refuses a program the client would not find: it expands neither ~ nor variables, and a relative path would mean
// another program in every folder.
func (w Wiring) check() error {
	switch {
	case w.Program == PluginProgram || w.Program == "viber" && w.Project:
		return nil
	case !utf8.ValidString(w.Program) || strings.ContainsRune(w.Program, 0):
		return fmt.Errorf("the path of viber %q is not UTF-8 text, which a settings file cannot hold; install viber in another folder", w.Program)
	case strings.ContainsAny(w.Program, "\r\n"):
		return fmt.Errorf("the path of viber %q has a line end in it; install viber in another folder", w.Program)
	case strings.Contains(w.Program, "${CLAUDE_PLUGIN_") || strings.Contains(w.Program, "${CLAUDE_PROJECT_") || strings.Contains(w.Program, "${user_config"):
		return fmt.Errorf("the path of viber %q has text in it that Claude Code replaces; install viber in another folder", w.Program)
	case !w.absolute():
		return errors.New("hook entries need the absolute path of viber")
	}
	return nil
}

func (w Wiring) absolute() bool {
	if !w.Windows {
		return strings.HasPrefix(w.Program, "/")
	}
	p := w.Program
	return filepath.IsAbs(p) || len(p) > 2 && p[1] == ':' && (p[2] == '\\' || p[2] == '/') || strings.HasPrefix(p, `\\`)
}

// shellLine writes the program and its arguments as one line for sh; on Windows that is Git Bash, which takes forward
// slashes.
func (w Wiring) shellLine(args []string) string {
	program := w.Program
	if w.Windows {
		program = strings.ReplaceAll(program, `\`, "/")
	}
	word := shellQuote(program)
	switch {
	case strings.HasPrefix(program, PluginProgram):
		word = `"` + program + `"`
	case program == "viber":
		word = program
	}
	return word + " " + strings.Join(args, " ")
}

// StatusLine returns the settings key that shows the task panel in the client's status line, which is always a shell line.
func StatusLine(w Wiring) settings.Key {
	return settings.Key{Path: []string{"statusLine"}, Value: []settings.Field{
		{Key: "type", Value: "command"}, {Key: "command", Value: w.shellLine([]string{"panel", "--line"})},
	}}
}

func shellQuote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
