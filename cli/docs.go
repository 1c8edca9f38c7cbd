//go:build !urfave_cli_no_docs

package cli

// Man returns the manual page of viber, section 1, in roff.
func Man(env Env) (string, error) { return newApp(env).ToManWithSection(1) }

// Markdown returns the list of all commands with their flags, as Markdown.
func Markdown(env Env) (string, error) { return newApp(env).ToMarkdown() }
