package host

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/BurntSushi/toml"

	"viber/install/settings"
)

// MoveCodexList moves the hooks of config.toml that have the form of before 0.124.0 (`[[hooks]]` with event and command) into
// hooks.json, at the end. Both texts are returned whole; everything else in them stays to the byte. It fails, with the reason,
// where the tables cannot be told apart from the rest for certain.
func MoveCodexList(config, hooks []byte) (newConfig, newHooks []byte, err error) {
	entries, err := listEntries(config)
	if err != nil {
		return nil, nil, err
	}
	newConfig = withoutTables(config, "hooks")
	if err := onlyHooksGone(config, newConfig); err != nil {
		return nil, nil, err
	}
	file, err := settings.Parse(CodexHooksFile, hooks)
	if err != nil {
		return nil, nil, err
	}
	result, err := file.Apply(settings.Change{Hooks: entries})
	return newConfig, result.Text, err
}

// listEntries reads the old list as entries of hooks.json.
func listEntries(config []byte) ([]settings.Hook, error) {
	var doc struct {
		Hooks []struct {
			Event, Command, Matcher string
			Timeout                 int64
		} `toml:"hooks"`
	}
	if _, err := toml.Decode(string(config), &doc); err != nil {
		return nil, fmt.Errorf("the hooks have a form viber does not know: %w", err)
	}
	var all []settings.Hook
	for _, h := range doc.Hooks {
		if h.Event == "" || h.Command == "" {
			return nil, errors.New("a hook without event or command; move it by hand")
		}
		fields := []settings.Field{{Key: "type", Value: "command"}, {Key: "command", Value: h.Command}}
		if h.Timeout > 0 {
			fields = append(fields, settings.Field{Key: "timeout", Value: h.Timeout})
		}
		all = append(all, settings.Hook{Event: h.Event, Matcher: h.Matcher, Fields: fields})
	}
	return all, nil
}

// withoutTables takes the tables `[[name]]` out of a TOML text, each up to the next header.
func withoutTables(text []byte, name string) []byte {
	var kept strings.Builder
	inside := false
	for line := range strings.Lines(string(text)) {
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "[") {
			header, _, _ := strings.Cut(trimmed, "#")
			inside = strings.ReplaceAll(strings.TrimSpace(header), " ", "") == "[["+name+"]]"
		}
		if !inside {
			kept.WriteString(line)
		}
	}
	return []byte(kept.String())
}

// onlyHooksGone reads both texts and fails unless they differ in the hooks alone, which are gone.
func onlyHooksGone(before, after []byte) error {
	var a, b map[string]any
	if _, err := toml.Decode(string(before), &a); err != nil {
		return err
	}
	if _, err := toml.Decode(string(after), &b); err != nil {
		return errors.New("the hooks cannot be told apart from the rest of the file; move them by hand")
	}
	_, left := b["hooks"]
	delete(a, "hooks")
	if left || len(a) != len(b) || len(a) > 0 && !reflect.DeepEqual(a, b) {
		return errors.New("the hooks cannot be told apart from the rest of the file; move them by hand")
	}
	return nil
}
