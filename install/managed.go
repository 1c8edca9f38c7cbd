package install

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Managed is what an administrator's settings forbid, as far as it concerns viber.
type Managed struct {
	Files          []string // read
	NoHooks        bool     // only managed hooks run
	PluginHooks    bool     // only plugins may bring hooks
	NoSkillsDir    bool     // plugins under skills/ are not loaded
	NoMarketplaces bool     // a local marketplace is not allowed
	NoRules        bool     // only managed permission rules count
	HooksDisabled  bool     // disableAllHooks
}

// managedDir is the system folder of managed settings.
func managedDir(env Env) string {
	if env.ManagedDir != "" {
		return env.ManagedDir
	}
	switch runtime.GOOS {
	case "windows":
		return `C:\Program Files\ClaudeCode`
	case "darwin":
		return "/Library/Application Support/ClaudeCode"
	}
	return "/etc/claude-code"
}

type managedSettings struct {
	AllowManagedHooksOnly           bool            `json:"allowManagedHooksOnly"`
	AllowManagedPermissionRulesOnly bool            `json:"allowManagedPermissionRulesOnly"`
	DisableAllHooks                 bool            `json:"disableAllHooks"`
	StrictPluginOnly                json.RawMessage `json:"strictPluginOnlyCustomization"`
	StrictKnownMarketplaces         []source        `json:"strictKnownMarketplaces"`
	BlockedMarketplaces             []source        `json:"blockedMarketplaces"`
	EnabledPlugins                  map[string]bool `json:"enabledPlugins"`
}

type source struct {
	Source string `json:"source"`
	Path   string `json:"path"`
}

// readManaged reads the managed settings; a file that cannot be read or parsed is named in a note and decides nothing.
func readManaged(env Env) (m Managed, notes []string) {
	dir := managedDir(env)
	files, _ := filepath.Glob(filepath.Join(dir, "managed-settings.d", "*.json"))
	slices.Sort(files)
	for _, file := range append([]string{filepath.Join(dir, "managed-settings.json")}, files...) {
		data, err := os.ReadFile(file)
		if os.IsNotExist(err) {
			continue
		}
		var s managedSettings
		if err == nil {
			err = json.Unmarshal([]byte(strings.TrimPrefix(string(data), "\ufeff")), &s)
		}
		if err != nil {
			notes = append(notes, fmt.Sprintf("managed settings could not be read, what they forbid is unknown: %v", err))
			continue
		}
		m.Files = append(m.Files, file)
		m.take(s)
	}
	return m, notes
}

func (m *Managed) take(s managedSettings) {
	m.NoHooks = m.NoHooks || s.AllowManagedHooksOnly
	m.NoRules = m.NoRules || s.AllowManagedPermissionRulesOnly
	m.HooksDisabled = m.HooksDisabled || s.DisableAllHooks
	m.PluginHooks = m.PluginHooks || coversHooks(s.StrictPluginOnly)
	for _, b := range s.BlockedMarketplaces {
		m.NoSkillsDir = m.NoSkillsDir || b.Source == "skills-dir"
		m.NoMarketplaces = m.NoMarketplaces || b.Source == "directory"
	}
	if enabled, set := s.EnabledPlugins[skillsDirID]; set && !enabled {
		m.NoSkillsDir = true
	}
	if enabled, set := s.EnabledPlugins[marketplaceID]; set && !enabled {
		m.NoMarketplaces = true
	}
	m.NoMarketplaces = m.NoMarketplaces || s.StrictKnownMarketplaces != nil
}

// coversHooks reads strictPluginOnlyCustomization: true, or a list that names hooks.
func coversHooks(raw json.RawMessage) bool {
	var all bool
	if json.Unmarshal(raw, &all) == nil {
		return all
	}
	var kinds []string
	return json.Unmarshal(raw, &kinds) == nil && slices.Contains(kinds, "hooks")
}
