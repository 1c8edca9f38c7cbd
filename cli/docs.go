//go:build !urfave_cli_no_docs

package cli

import (
	"fmt"
	"strings"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/urfave/cli/v2"
)

// Man returns the manual page of viber, section 1, in roff.
func Man(env Env) (string, error) {
	return string(md2man.Render([]byte("% viber 1\n\n# NAME\n\nviber - " + newApp(env).Usage + "\n\n" + reference(env, "#")))), nil
}

// Markdown returns the reference of all commands, their options, the environment and the exit codes, as Markdown.
func Markdown(env Env) (string, error) {
	return "# viber, command by command\n\nThis page is made from the program: `viber help COMMAND` prints the same.\n\n" + reference(env, "##"), nil
}

func reference(env Env, head string) string {
	app := newApp(env)
	app.Setup()
	var b strings.Builder
	fmt.Fprintf(&b, "%s Synopsis\n\n```\nviber [-C DIR] COMMAND [OPTIONS]\n```\n\n%s", head, optionList(app.VisibleFlags()))
	byName := map[string]*cli.Command{}
	for _, c := range app.Commands {
		byName[c.Name] = c
	}
	for _, h := range headings() {
		fmt.Fprintf(&b, "%s %s\n\n", head, sentence(h.title))
		for _, name := range h.commands {
			commandReference(&b, head+"#", "viber", byName[name])
		}
	}
	fmt.Fprintf(&b, "%s For the plugin's skills and hooks\n\n", head)
	for _, c := range forPlugin(app.Commands) {
		commandReference(&b, head+"#", "viber", c)
	}
	b.WriteString(strings.ReplaceAll(referenceEnd, "\n##", "\n"+head))
	return b.String()
}

// sentence writes a heading of the help page as a heading of a document.
func sentence(title string) string {
	return title[:1] + strings.ReplaceAll(strings.ToLower(title[1:]), " ci", " CI")
}

func commandReference(b *strings.Builder, head, above string, c *cli.Command) {
	c.HelpName = above + " " + c.Name
	text, examples := splitExamples(c.Description)
	if _, more, ok := strings.Cut(c.UsageText, "\n\n"); ok {
		_, more = splitExamples("Example:\n" + more)
		examples = more + examples
	}
	fmt.Fprintf(b, "%s %s\n\n%s.\n\n```\n%s```\n\n", head, c.HelpName, strings.ToUpper(c.Usage[:1])+c.Usage[1:], usageLines(c))
	if text != "" {
		b.WriteString(markdownText(text) + "\n\n")
	}
	b.WriteString(optionList(c.VisibleFlags()))
	if examples != "" {
		fmt.Fprintf(b, "```sh\n%s\n```\n\n", examples)
	}
	for _, sub := range c.Subcommands {
		if sub.Name != "help" && !sub.Hidden {
			commandReference(b, head, c.HelpName, sub)
		}
	}
}

// markdownText keeps words in angle brackets from being read as tags.
func markdownText(text string) string {
	return strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(text)
}

func optionList(flags []cli.Flag) string {
	var b strings.Builder
	for _, f := range flags {
		if name := strings.TrimSpace(optionName(f)); name != "-h, --help" {
			fmt.Fprintf(&b, "- `%s`: %s\n", name, markdownText(optionText(f)))
		}
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	return b.String()
}

const referenceEnd = `
## Exit codes

- 0: done, or nothing to do
- 1: failed
- 2: the command line is wrong, or a question that nobody can answer here; the message names the flag
- 3: refused: the input is not what viber may change; nothing changed
- 4: you said no
- 5: with --check: something would change

Gates, rework, runs and the commands of the plugin's skills have tables of their own, at each command. A hook ends with 0, or with 1 on
a fault before a check is known.

## Environment

- CLAUDE_CONFIG_DIR: the client's configuration directory (otherwise ~/.claude)
- XDG_STATE_HOME: the directory that holds viber's state folder (otherwise ~/.local/state, on macOS ~/Library/Application Support, on Windows %LOCALAPPDATA%)
- XDG_DATA_HOME: the directory for a copy of the program whose own path would not last (otherwise ~/.local/share)
- CODEX_HOME: Codex's configuration directory (otherwise ~/.codex)
- VIBER_NO_UPDATE_NOTICE: set it, and viber does not look for a newer release once a day
- VIBER_UNATTENDED: 1 in a session without a person: guards refuse where they would ask
- NO_COLOR: set it for no colour; TERM=dumb does the same
- CI: set it, and nothing is asked and no progress is drawn
- VISUAL, EDITOR: the editor of viber config edit
- HTTPS_PROXY, NO_PROXY, SSL_CERT_FILE, SSL_CERT_DIR: the way to the network, for viber upgrade, viber plugin and reviews
- GH_HOST, GH_ENTERPRISE_TOKEN: handed to gh

## Files

- settings.json in the client's configuration directory or in .claude of a project: hooks and permission rules
- .claude/viber.yml, .claude/viber.local.yml: the switches of a project
- .claude/viber.lock: pins of plugins from elsewhere
- viber.yml in the client's configuration directory: your own switches
`
