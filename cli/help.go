package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"
)

// helpWidth is the width of help in letters: it fits every terminal, and help reads the same in a file.
const helpWidth = 80

// heading is a group of commands on the first page of help.
type heading struct {
	title    string
	commands []string
}

// headings are the groups of commands for people, in the order one meets them. What stands in none is for the plugin.
func headings() []heading {
	return []heading{
		{"SET UP", []string{"setup", "status", "doctor", "undo", "upgrade", "uninstall", "plugin", "version", "completion"}},
		{"CONFIGURE", []string{"config", "migrate", "forge"}},
		{"HOOKS AND GUARDS", []string{"hooks", "explain", "replay", "scan"}},
		{"PLANS AND RUNS", []string{"runs", "panel", "resume", "answer", "run"}},
		{"PULL REQUESTS", []string{"review", "ref"}},
		{"GATES AND LEDGERS, FOR SESSIONS AND CI", []string{"gate", "rework", "ledger", "debt", "memory", "schema"}},
	}
}

// forPlugin are the commands in no heading: those that the plugin's skills and hooks call.
func forPlugin(all []*cli.Command) []*cli.Command {
	var rest []*cli.Command
	for _, c := range all {
		listed := slices.ContainsFunc(headings(), func(h heading) bool { return slices.Contains(h.commands, c.Name) })
		if !listed && !c.Hidden && c.Name != "help" {
			rest = append(rest, c)
		}
	}
	return rest
}

// printHelp writes the help of the program or of one command.
func printHelp(w io.Writer, _ string, about any) {
	switch about := about.(type) {
	case *cli.App:
		fmt.Fprint(w, firstPage(about))
	case *cli.Command:
		fmt.Fprint(w, commandPage(about))
	}
}

func firstPage(app *cli.App) string {
	var b strings.Builder
	fmt.Fprintf(&b, "viber - %s\n\nUSAGE\n  viber [-C DIR] COMMAND [OPTIONS]\n", app.Usage)
	for _, h := range headings() {
		rows := [][2]string{}
		for _, name := range h.commands {
			if c := app.Command(name); c != nil {
				rows = append(rows, [2]string{c.Name, c.Usage})
			}
		}
		fmt.Fprintf(&b, "\n%s\n%s", h.title, columns(rows, 11))
	}
	var names []string
	for _, c := range forPlugin(app.Commands) {
		names = append(names, c.Name)
	}
	fmt.Fprintf(&b, "\nFOR THE PLUGIN'S SKILLS AND HOOKS\n%s", indented(wrap(strings.Join(names, ", "), helpWidth-2), "  "))
	fmt.Fprintf(&b, "\nOPTIONS\n%s", optionRows(app.VisibleFlags()))
	b.WriteString("\nEXAMPLES\n  viber setup           show what would be written here, ask, and write it\n" +
		"  viber status          what is set up where\n  viber help config     more about one command\n" +
		"\nExit codes: 0 done, 1 failed, 2 wrong command line, 3 refused, 4 cancelled,\n5 something to do (--check). Environment: docs/commands.md.\n")
	return b.String()
}

func commandPage(c *cli.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s - %s\n\nUSAGE\n%s", c.HelpName, c.Usage, indented(usageLines(c), "  "))
	text, examples := splitExamples(c.Description)
	if _, more, ok := strings.Cut(c.UsageText, "\n\n"); ok {
		_, more = splitExamples("Example:\n" + more)
		examples = more + examples
	}
	if text != "" {
		fmt.Fprintf(&b, "\n%s", reflowed(text))
	}
	var rows [][2]string
	for _, sub := range c.VisibleCommands() {
		if sub.Name != "help" {
			rows = append(rows, [2]string{sub.Name, sub.Usage})
		}
	}
	if len(rows) > 0 {
		fmt.Fprintf(&b, "\nCOMMANDS\n%s", columns(rows, 0))
	}
	if examples != "" {
		fmt.Fprintf(&b, "\nEXAMPLES\n%s", indented(examples, "  "))
	}
	if flags := c.VisibleFlags(); len(flags) > 0 {
		fmt.Fprintf(&b, "\nOPTIONS\n%s", optionRows(flags))
	}
	return b.String()
}

// usageLines are the forms of a command, each wrapped on its own.
func usageLines(c *cli.Command) string {
	text, _, _ := strings.Cut(c.UsageText, "\n\n")
	if text == "" && len(c.Subcommands) > 0 {
		text = c.HelpName + " COMMAND [OPTIONS]"
	}
	if text == "" {
		text = strings.TrimSpace(c.HelpName + " [OPTIONS] " + c.ArgsUsage)
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.Contains(line, "  ") {
			b.WriteString(line + "\n") // a form with a word about it beside
			continue
		}
		first, rest, _ := strings.Cut(wrap(line, helpWidth-2), "\n")
		b.WriteString(first + "\n" + indented(rest, "    "))
	}
	return b.String()
}

// splitExamples parts a description into its text and the lines below "Example:" or "Examples:", without their indent.
func splitExamples(description string) (text, examples string) {
	var body, shown []string
	inside := false
	for line := range strings.Lines(description) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "Example:" || line == "Examples:":
			inside = true
		case inside && strings.HasPrefix(line, " "):
			shown = append(shown, strings.TrimLeft(line, " "))
		case inside && line == "":
		default:
			inside = false
			body = append(body, line)
		}
	}
	return strings.TrimSpace(strings.Join(body, "\n")), strings.Join(shown, "\n")
}

// reflowed fills the paragraphs of text up to the width; indented lines and lists stay.
func reflowed(text string) string {
	var b strings.Builder
	var paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			b.WriteString(wrap(strings.Join(paragraph, " "), helpWidth) + "\n")
			paragraph = nil
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if line != "" && !strings.HasPrefix(line, " ") {
			paragraph = append(paragraph, line)
			continue
		}
		flush()
		b.WriteString(line + "\n")
	}
	flush()
	return b.String()
}

// optionRows are the options of a command, short names first.
func optionRows(flags []cli.Flag) string {
	var rows [][2]string
	for _, f := range flags {
		rows = append(rows, [2]string{optionName(f), optionText(f)})
	}
	return columns(rows, 0)
}

func optionName(f cli.Flag) string {
	names := f.Names()
	short, long := "    ", ""
	for _, n := range names {
		if len(n) == 1 {
			short = "-" + n + ", "
		} else {
			long = "--" + n
		}
	}
	name := short + long
	if long == "" {
		name = strings.TrimSuffix(short, ", ")
	}
	if doc, ok := f.(cli.DocGenerationFlag); ok && doc.TakesValue() {
		name += " " + valueName(doc.GetUsage())
	}
	return name
}

// valueName is the word between backquotes in the text of an option.
func valueName(usage string) string {
	if _, rest, ok := strings.Cut(usage, "`"); ok {
		if name, _, ok := strings.Cut(rest, "`"); ok {
			return name
		}
	}
	return "VALUE"
}

func optionText(f cli.Flag) string {
	doc, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return ""
	}
	text := strings.ReplaceAll(doc.GetUsage(), "`", "")
	if slice, ok := f.(cli.DocGenerationSliceFlag); ok && slice.IsSliceFlag() {
		text += "; may come more than once"
	}
	if otherwise := defaultText(doc); otherwise != "" && !strings.Contains(text, "(default") {
		text += " (default: " + otherwise + ")"
	}
	return text
}

// defaultText is what an option with a value reads as when it is not given, where that says something.
func defaultText(doc cli.DocGenerationFlag) string {
	if !doc.TakesValue() {
		return ""
	}
	switch otherwise := strings.Trim(doc.GetDefaultText(), `"`); otherwise {
	case "none", "0", "0s", "[]":
		return ""
	default:
		return otherwise
	}
}

// columns sets rows in two columns, the first of them at least least letters wide; a wide first cell stands on a line of
// its own.
func columns(rows [][2]string, least int) string {
	const most = 26
	width := least
	for _, row := range rows {
		if n := utf8.RuneCountInString(row[0]); n <= most {
			width = max(width, n)
		}
	}
	var b strings.Builder
	for _, row := range rows {
		text := wrap(row[1], max(helpWidth-width-4, 20))
		first, rest, _ := strings.Cut(text, "\n")
		if utf8.RuneCountInString(row[0]) > width {
			b.WriteString("  " + row[0] + "\n")
			first, rest = "", text
		}
		if first != "" {
			fmt.Fprintf(&b, "  %-*s  %s\n", width, row[0], first)
		} else if rest == "" {
			fmt.Fprintf(&b, "  %s\n", row[0])
		}
		b.WriteString(indented(rest, strings.Repeat(" ", width+4)))
	}
	return b.String()
}

// wrap breaks text at blanks into lines of at most width letters; what stands in brackets is kept together.
func wrap(text string, width int) string {
	var lines []string
	line := ""
	for _, word := range unbroken(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	return strings.Join(append(lines, line), "\n")
}

// unbroken splits text at blanks that stand outside square brackets.
func unbroken(text string) []string {
	var words []string
	for _, word := range strings.Fields(text) {
		if last := len(words) - 1; last >= 0 && strings.Count(words[last], "[") > strings.Count(words[last], "]") {
			words[last] += " " + word
			continue
		}
		words = append(words, word)
	}
	return words
}

func indented(text, by string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if line != "" {
			b.WriteString(by + line)
		}
		b.WriteString("\n")
	}
	return b.String()
}
