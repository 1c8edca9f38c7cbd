package host

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"viber/hooksimpl"
	"viber/install/settings"
)

// Codex is the Codex CLI in one version. docs/hosts.md says what was seen of it.
type Codex struct {
	Version Version // the zero value when it could not be found out
}

// The files of Codex in its home, which is CODEX_HOME or ~/.codex.
const (
	CodexHooksFile  = "hooks.json"
	CodexConfigFile = "config.toml"
)

// CodexHome returns Codex's home for a user whose home directory is home.
func CodexHome(getenv func(string) string, home string) string {
	if dir := getenv("CODEX_HOME"); filepath.IsAbs(dir) {
		return filepath.Clean(dir)
	}
	return filepath.Join(home, ".codex")
}

// HooksEdits reports whether this Codex calls hooks for apply_patch, which is how it edits files (0.123.0). An unknown
// version is taken to be recent enough: an entry it does not call does no harm.
func (c Codex) HooksEdits() bool {
	return !c.Version.Known() || c.Version.AtLeast(Version{0, 123, 0})
}

// NeedsFlag reports whether hooks are off in this Codex until its configuration switches them on (before 0.124.0).
func (c Codex) NeedsFlag() bool {
	return c.Version.Known() && !c.Version.AtLeast(Version{0, 124, 0})
}

// CodexRegistrations are the hook entries for Codex: the checks that were proven there.
func CodexRegistrations() []hooksimpl.Registration {
	return []hooksimpl.Registration{{
		Event: hooksimpl.EventPostToolUse, Matcher: hooksimpl.ToolApplyPatch, Timeout: 10,
		Args: []string{"hook", hooksimpl.EventPostToolUse}, Checks: []string{"syntax"},
	}}
}

// Entries returns the hook entries in the form of hooks.json: one command line for a shell, a timeout in seconds.
func (c Codex) Entries(w Wiring) ([]settings.Hook, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	var hooks []settings.Hook
	for _, r := range CodexRegistrations() {
		hooks = append(hooks, settings.Hook{Event: r.Event, Matcher: r.Matcher, Fields: []settings.Field{
			{Key: "type", Value: "command"}, {Key: "command", Value: w.codexLine(r.Args)}, {Key: "timeout", Value: r.Timeout},
		}})
	}
	return hooks, nil
}

// codexLine is the command as Codex's shell takes it: sh, or on Windows cmd.
func (w Wiring) codexLine(args []string) string {
	if w.Windows {
		return `"` + w.Program + `" ` + strings.Join(args, " ")
	}
	return w.shellLine(args)
}

// CodexConfig is what viber reads of config.toml. It never writes there: a second spelling of a table would keep Codex from
// starting.
type CodexConfig struct {
	// Hooks says which hooks stand in the file itself: none, events (as of 0.124.0) or list, the older form with which a
	// newer Codex does not start.
	Hooks CodexInline
	// Commands are the command lines of these hooks.
	Commands []string
	// Off and On say that a feature switch is set; neither is the version's own default.
	Off, On bool
	state   map[string]codexState
}

// CodexInline is the form of the hooks in config.toml.
type CodexInline string

// The forms.
const (
	CodexNone   CodexInline = ""
	CodexEvents CodexInline = "events"
	CodexList   CodexInline = "list"
)

type codexState struct {
	Enabled *bool  `toml:"enabled"`
	Trusted string `toml:"trusted_hash"`
}

// ReadCodexConfig reads the text of config.toml; an error names line and column.
func ReadCodexConfig(text []byte) (CodexConfig, error) {
	var doc struct {
		Features map[string]any `toml:"features"`
		Hooks    any            `toml:"hooks"`
	}
	if _, err := toml.Decode(string(text), &doc); err != nil {
		var fault toml.ParseError
		if errors.As(err, &fault) {
			return CodexConfig{}, fmt.Errorf("%s:%d: %s; Codex does not start with it", CodexConfigFile, fault.Position.Line, fault.Message)
		}
		return CodexConfig{}, fmt.Errorf("%s: %w", CodexConfigFile, err)
	}
	c := CodexConfig{state: map[string]codexState{}}
	for _, name := range []string{"hooks", "codex_hooks"} {
		if on, set := doc.Features[name].(bool); set {
			c.On, c.Off = c.On || on, c.Off || !on
		}
	}
	switch hooks := doc.Hooks.(type) {
	case []map[string]any:
		c.Hooks = CodexList
		for _, h := range hooks {
			c.addCommand(h)
		}
	case map[string]any:
		c.readEvents(hooks)
	case nil:
	default:
		c.Hooks = CodexList
	}
	return c, nil
}

func (c *CodexConfig) readEvents(hooks map[string]any) {
	for name, value := range hooks {
		if name == "state" {
			c.readState(value)
			continue
		}
		c.Hooks = CodexEvents
		for _, group := range tables(value) {
			for _, handler := range tables(group["hooks"]) {
				c.addCommand(handler)
			}
		}
	}
	slices.Sort(c.Commands)
}

func (c *CodexConfig) addCommand(handler map[string]any) {
	if command, ok := handler["command"].(string); ok {
		c.Commands = append(c.Commands, command)
	}
}

func (c *CodexConfig) readState(value any) {
	states, _ := value.(map[string]any)
	for key, value := range states {
		table, _ := value.(map[string]any)
		var s codexState
		if on, set := table["enabled"].(bool); set {
			s.Enabled = &on
		}
		s.Trusted, _ = table["trusted_hash"].(string)
		c.state[strings.TrimSpace(key)] = s
	}
}

// tables returns the tables of a TOML array, whichever way it is written.
func tables(value any) []map[string]any {
	switch list := value.(type) {
	case []map[string]any:
		return list
	case []any:
		var all []map[string]any
		for _, item := range list {
			if table, ok := item.(map[string]any); ok {
				all = append(all, table)
			}
		}
		return all
	}
	return nil
}

// CodexTrust is what Codex thinks of a hook entry.
type CodexTrust string

// What Codex thinks: it runs trusted entries only, and asks again after a change of the entry or of its place.
const (
	CodexTrusted   CodexTrust = "trusted"
	CodexUntrusted CodexTrust = "not trusted"
	CodexChanged   CodexTrust = "changed since it was trusted"
	CodexDisabled  CodexTrust = "disabled"
)

// Trust says what the configuration holds about the entry at place (group, handler) of an event in the hooks file at one of
// paths, which are spellings of the same file.
func (c CodexConfig) Trust(paths []string, e CodexEntry) CodexTrust {
	for _, path := range paths {
		s, known := c.state[fmt.Sprintf("%s:%s:%d:%d", path, snake(e.Event), e.Group, e.Handler)]
		switch {
		case !known:
		case s.Enabled != nil && !*s.Enabled:
			return CodexDisabled
		case s.Trusted == e.hash():
			return CodexTrusted
		case s.Trusted != "":
			return CodexChanged
		}
	}
	return CodexUntrusted
}

// CodexEntry is one hook entry of hooks.json with its place, which is part of what Codex trusts.
type CodexEntry struct {
	Event          string
	Group, Handler int
	Matcher        string
	Command        string
	Timeout        int64
	Async          bool
	Status         string
	Last           bool // no group of its event stands behind it
}

// oddHooks says what is wrong with the text of a hooks.json, and in which line.
func oddHooks(text []byte, err error) error {
	what, offset := err.Error(), int64(0)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		what, offset = "not JSON: "+syntax.Error(), syntax.Offset
	case errors.As(err, &kind):
		article := "a "
		if strings.ContainsRune("aeiou", rune(kind.Value[0])) {
			article = "an "
		}
		what, offset = article+kind.Value+", where no hooks file has one", kind.Offset
	}
	line := 1 + bytes.Count(text[:min(int(offset), len(text))], []byte("\n"))
	return fmt.Errorf("%s:%d: %s; Codex runs no hook of it", CodexHooksFile, line, what)
}

// CodexEntries lists the command entries of the text of a hooks.json.
func CodexEntries(text []byte) ([]CodexEntry, error) {
	var file struct {
		Hooks map[string][]struct {
			Matcher string
			Hooks   []struct {
				Type, Command, StatusMessage string
				Timeout                      *int64
				Async                        bool
			}
		}
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, oddHooks(text, err)
	}
	var all []CodexEntry
	for event, groups := range file.Hooks {
		for gi, group := range groups {
			for hi, h := range group.Hooks {
				if h.Type != "command" {
					continue
				}
				e := CodexEntry{Event: event, Group: gi, Handler: hi, Matcher: group.Matcher, Command: h.Command, Timeout: 600,
					Async: h.Async, Status: h.StatusMessage, Last: gi == len(groups)-1}
				if h.Timeout != nil {
					e.Timeout = max(*h.Timeout, 1)
				}
				all = append(all, e)
			}
		}
	}
	return all, nil
}

// hash is the identity Codex trusts: the normalised entry as JSON with sorted keys.
func (e CodexEntry) hash() string {
	handler := map[string]any{"type": "command", "command": e.Command, "timeout": e.Timeout, "async": e.Async}
	if e.Status != "" {
		handler["statusMessage"] = e.Status
	}
	identity := map[string]any{"event_name": snake(e.Event), "hooks": []any{handler}}
	if e.Matcher != "" {
		identity["matcher"] = e.Matcher
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(identity)
	sum := sha256.Sum256([]byte(strings.TrimSuffix(b.String(), "\n")))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// snake spells an event as Codex's keys do: PostToolUse is post_tool_use.
func snake(event string) string {
	var b strings.Builder
	for i, r := range event {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
