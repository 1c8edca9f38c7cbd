package cli

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"viber/gate"
	"viber/hooksimpl"
	"viber/install"
	"viber/run"
	"viber/schema"
)

// completion is what can follow the command words After, or an option's name behind them.
type completion struct {
	After string
	Words []string
}

// completionTable lists what can follow: the commands and options of every command, the arguments and option values that
// are known beforehand, and the names of all options that take a value.
func completionTable(env Env) (table []completion, valued []string) {
	app := newApp(env)
	table, valued = append(table, completion{After: "", Words: followers(app.Commands, app.Flags)}), valuedOptions(app.Flags, nil)
	var visit func(above string, commands []*cli.Command)
	visit = func(above string, commands []*cli.Command) {
		for _, c := range commands {
			path := strings.TrimSpace(above + " " + c.Name)
			table = append(table, completion{path, append(followers(c.Subcommands, c.Flags), argumentWords(path)...)})
			for _, f := range c.Flags {
				if values := optionValues(f.Names()[0]); values != nil {
					table = append(table, completion{path + " --" + f.Names()[0], values})
				}
			}
			valued = valuedOptions(c.Flags, valued)
			visit(path, c.Subcommands)
		}
	}
	visit("", app.Commands)
	return append(table, settableValues(table)...), valued
}

// followers are the subcommands and the long options of a command.
func followers(commands []*cli.Command, flags []cli.Flag) []string {
	var words []string
	for _, c := range commands {
		if !c.Hidden {
			words = append(words, c.Name)
		}
	}
	for _, f := range flags {
		for _, name := range f.Names() {
			if visible, ok := f.(cli.VisibleFlag); len(name) > 1 && ok && visible.IsVisible() {
				words = append(words, "--"+name)
			}
		}
	}
	return append(words, "--help")
}

func valuedOptions(flags []cli.Flag, known []string) []string {
	for _, f := range flags {
		doc, ok := f.(cli.DocGenerationFlag)
		if !ok || !doc.TakesValue() || f.Names()[0] == "triage" { // of the round's wait it is a switch
			continue
		}
		for _, name := range f.Names() {
			if name = dashed(name); !slices.Contains(known, name) {
				known = append(known, name)
			}
		}
	}
	return known
}

// optionValues are the values an option takes, where they are few; an option's name means the same everywhere.
func optionValues(option string) []string {
	switch option {
	case "scope":
		return []string{install.ScopeUser, install.ScopeProject, install.ScopeLocal}
	case "host":
		return []string{install.HostClaude, install.HostCodex}
	case "tool":
		return []string{hooksimpl.ToolBash, hooksimpl.ToolPowerShell}
	case "outcome":
		return []string{"useful", "dead_end", "corrected"}
	case "claim":
		return []string{"red", "green"}
	}
	return nil
}

// argumentWords are the arguments a command takes, where they are known beforehand.
func argumentWords(path string) []string {
	switch path {
	case "config get", "config set", "config explain":
		var names []string
		for _, k := range schema.Keys() {
			names = append(names, k.Name)
		}
		return names
	case "completion":
		return []string{"bash", "zsh", "fish", "powershell"}
	case "schema":
		return append(gate.SchemaNames(), run.StateSchemaName)
	}
	return nil
}

// settableValues are the values of keys that take a few words, with the options of the command that sets them.
func settableValues(table []completion) []completion {
	set := table[slices.IndexFunc(table, func(c completion) bool { return c.After == "config set" })]
	var options []string
	for _, word := range set.Words {
		if strings.HasPrefix(word, "-") {
			options = append(options, word)
		}
	}
	var all []completion
	for _, k := range schema.Keys() {
		if values := k.Choices(); len(values) > 0 {
			all = append(all, completion{"config set " + k.Name, slices.Concat(values, options)})
		}
	}
	return all
}
