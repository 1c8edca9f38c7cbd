package cli

import (
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"viber/internal/term"
)

func helpApp() *cli.App {
	env := Env{Streams: term.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}, Now: time.Now}
	app := newApp(env)
	app.Setup()
	return app
}

func TestHeadingsNameCommands(t *testing.T) {
	t.Parallel()
	app := helpApp()
	for _, h := range headings() {
		for _, name := range h.commands {
			if app.Command(name) == nil {
				t.Errorf("%s: there is no command %s", h.title, name)
			}
		}
	}
	for _, c := range forPlugin(app.Commands) {
		if !c.SkipFlagParsing && c.Name != "hook" {
			t.Errorf("viber %s is a command for people and stands under no heading of the help", c.Name)
		}
	}
}

// TestEveryCommandHasAnExample: an example block, or forms in the usage that are examples themselves.
func TestEveryCommandHasAnExample(t *testing.T) {
	t.Parallel()
	everyCommand(helpApp().Commands, "viber", func(name string, c *cli.Command) {
		_, examples := splitExamples(c.Description)
		byUsage := c.SkipFlagParsing && strings.Contains(c.UsageText, "viber ") && strings.Contains(c.UsageText, c.Name)
		group := len(c.Subcommands) > 0
		if examples == "" && !byUsage && !group && !strings.Contains(c.UsageText, "\n\n") {
			t.Errorf("%s --help shows no example", name)
		}
		if strings.Contains(c.Usage, "\n") || c.Usage == "" {
			t.Errorf("%s: its text is not one line: %q", name, c.Usage)
		}
	})
}

func TestEveryOptionIsExplained(t *testing.T) {
	t.Parallel()
	everyCommand(helpApp().Commands, "viber", func(name string, c *cli.Command) {
		for _, f := range c.VisibleFlags() {
			if doc, ok := f.(cli.DocGenerationFlag); !ok || doc.GetUsage() == "" {
				t.Errorf("%s: %s is not explained; see rawoptions.go", name, f.Names()[0])
			} else if doc.TakesValue() && valueName(doc.GetUsage()) == "VALUE" {
				t.Errorf("%s: the value of %s has no name", name, f.Names()[0])
			}
		}
	})
}

// TestHelpFitsATerminal: no line of help is wider than 80 letters but for words and forms that cannot be broken.
func TestHelpFitsATerminal(t *testing.T) {
	t.Parallel()
	app := helpApp()
	pages := firstPage(app)
	everyCommand(app.Commands, "viber", func(name string, c *cli.Command) {
		c.HelpName = name
		page, _, _ := strings.Cut(commandPage(c), "\nEXAMPLES\n")
		_, page, _ = strings.Cut(page, "\n") // the first line is name and text
		usage := usageLines(c)
		for line := range strings.Lines(page) {
			if !strings.Contains(usage, strings.TrimSpace(line)) {
				pages += line
			}
		}
	})
	for line := range strings.Lines(pages) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > helpWidth {
			t.Errorf("%d letters: %s", n, line)
		}
		if strings.HasSuffix(line, " \n") {
			t.Errorf("ends with a blank: %q", line)
		}
	}
}

func everyCommand(commands []*cli.Command, above string, visit func(name string, c *cli.Command)) {
	for _, c := range commands {
		if c.Name == "help" || c.Hidden {
			continue
		}
		visit(above+" "+c.Name, c)
		everyCommand(c.Subcommands, above+" "+c.Name, visit)
	}
}
