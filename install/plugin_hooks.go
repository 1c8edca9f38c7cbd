package install

import (
	"encoding/json"
	"runtime"

	"viber/install/host"
	"viber/install/settings"
)

// pluginHooks returns the text of hooks/hooks.json for clients where only plugins may bring hooks.
func (w *World) pluginHooks() ([]byte, error) {
	hooks, err := w.Client.Entries(host.Wiring{Program: host.PluginProgram, Windows: runtime.GOOS == "windows"}, w.registrations(ScopeUser))
	if err != nil {
		return nil, err
	}
	file, err := settings.Parse("hooks.json", nil)
	if err != nil {
		return nil, err
	}
	result, err := file.Apply(settings.Change{Hooks: hooks, Own: w.recogniser().Own})
	return result.Text, err
}

// marketplaceManifest returns the text of a marketplace whose only plugin is the folder it stands in.
func marketplaceManifest(version string) []byte {
	type owner struct {
		Name string `json:"name"`
	}
	type entry struct {
		Name        string `json:"name"`
		Source      string `json:"source"`
		Description string `json:"description"`
		Version     string `json:"version"`
	}
	text, _ := json.MarshalIndent(struct {
		Name    string  `json:"name"`
		Owner   owner   `json:"owner"`
		Plugins []entry `json:"plugins"`
	}{
		Name:  marketplaceName,
		Owner: owner{pluginName},
		Plugins: []entry{{
			Name: pluginName, Source: "./", Description: "The viber plugin of this machine's viber.", Version: pluginVersion(version),
		}},
	}, "", "  ")
	return append(text, '\n')
}
