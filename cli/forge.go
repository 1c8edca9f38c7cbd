package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"viber/forge"
	"viber/install"
	"viber/internal/exit"
	"viber/internal/term"
)

func forgeCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:  "forge",
		Usage: "the hosts of code beside GitHub that viber may speak with",
		Description: "GitHub is reached through gh and needs no entry. A Bitbucket Server is registered once, in your own viber.yml; a token is\n" +
			"sent to that host alone. It comes from the system's credential store, else from git's credential helpers.\n\n" +
			"Examples:\n   viber forge add git.example.com\n   viber forge login git.example.com\n   viber forge list",
		Subcommands: []*cli.Command{forgeAddCommand(env), forgeListCommand(env), forgeLoginCommand(env), forgeRemoveCommand(env)},
	}
}

func forgeAddCommand(env Env) *cli.Command {
	return &cli.Command{
		Name: "add", Usage: "register a host", UsageText: "viber forge add HOST [--yes | --dry-run | --confirm ID]",
		Description: "Examples:\n   viber forge add git.example.com\n   viber forge add git.example.com:8443/bitbucket",
		Flags:       consentFlags(),
		Action: func(c *cli.Context) error {
			host, err := oneHost(c)
			if err != nil {
				return err
			}
			return install.ForgeHosts(install.ForgeHostsOptions{Env: installEnv(loudness(env, c)), Consent: consent(c), Dir: env.Dir, Add: host})
		},
	}
}

func forgeRemoveCommand(env Env) *cli.Command {
	return &cli.Command{
		Name: "remove", Usage: "take a host out again; with --forget-token its token too", UsageText: "viber forge remove HOST [--forget-token] [--yes | --dry-run | --confirm ID]",
		Description: "Example:\n   viber forge remove git.example.com --forget-token",
		Flags:       append([]cli.Flag{&cli.BoolFlag{Name: "forget-token", Usage: "remove the token from the system's credential store"}}, consentFlags()...),
		Action: func(c *cli.Context) error {
			host, err := oneHost(c)
			if err != nil {
				return err
			}
			written, found := registered(env, host)
			if !found && !c.Bool("forget-token") {
				return exit.With(exit.Refused, fmt.Errorf("%s is not registered; 'viber forge list' shows what is", host))
			}
			err = install.ForgeHosts(install.ForgeHostsOptions{Env: installEnv(loudness(env, c)), Consent: consent(c), Dir: env.Dir, Remove: written})
			if err != nil || !c.Bool("forget-token") || c.Bool("dry-run") {
				return err
			}
			if err := forge.NewKeys(env.Dir, env.Environ).Delete(hostName(host)); err != nil {
				return fmt.Errorf("%s is not registered any more, but its token was not removed: %w", host, err)
			}
			return nil
		},
	}
}

func forgeListCommand(env Env) *cli.Command {
	return &cli.Command{
		Name: "list", Usage: "the registered hosts", UsageText: "viber forge list [--json]", Description: "Example:\n   viber forge list",
		Flags: []cli.Flag{jsonFlag()},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			hosts := places(env).Hosts
			if c.Bool("json") {
				return printJSON(env, append([]string{}, hosts...))
			}
			if len(hosts) == 0 {
				return say(env, "no host is registered; GitHub needs none\n")
			}
			return say(env, strings.Join(hosts, "\n")+"\n")
		},
	}
}

func forgeLoginCommand(env Env) *cli.Command {
	return &cli.Command{
		Name: "login", Usage: "keep a token of a registered host in the system's credential store", UsageText: "viber forge login HOST [--user NAME]",
		Description: "The token is asked for on a terminal without being shown, or read from standard input. It is never an argument.\n\n" +
			"Examples:\n   viber forge login git.example.com\n   viber forge login git.example.com < token.txt",
		Flags: []cli.Flag{&cli.StringFlag{Name: "user", Usage: "the account's `NAME`, when the token is a password"}},
		Action: func(c *cli.Context) error {
			host, err := oneHost(c)
			if err != nil {
				return err
			}
			if _, found := registered(env, host); !found {
				return exit.With(exit.Refused, fmt.Errorf("%s is not registered; run 'viber forge add %s' first", host, host))
			}
			token, err := readToken(env, host)
			if err != nil {
				return err
			}
			if err := forge.StoreToken(forge.NewKeys(env.Dir, env.Environ), hostName(host), c.String("user"), token); err != nil {
				return err
			}
			return say(env, "stored the token of "+host+"\n")
		},
	}
}

// registered finds a host in the user's list, where it may be written in another way.
func registered(env Env, host string) (written string, found bool) {
	for _, h := range places(env).Hosts {
		if own, err := forge.CheckHost(h); err == nil && own == host {
			return h, true
		}
	}
	return host, false
}

func readToken(env Env, host string) (string, error) {
	if env.Streams.CanPrompt() {
		return term.Secret(env.Streams, "Token of "+host)
	}
	line, err := bufio.NewReader(io.LimitReader(env.Streams.In, 16<<10)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	line = strings.TrimSpace(line)
	if line == "" {
		return "", exit.With(exit.Usage, errors.New("no token on standard input"))
	}
	return line, nil
}

// hostName is the part of a registered host that a token belongs to.
func hostName(host string) string {
	name, _, _ := strings.Cut(host, "/")
	return name
}

func oneHost(c *cli.Context) (string, error) {
	if c.NArg() != 1 {
		return "", exit.With(exit.Usage, fmt.Errorf("name one host: viber forge %s HOST", c.Command.Name))
	}
	host, err := forge.CheckHost(c.Args().First())
	if err != nil {
		return "", exit.With(exit.Usage, err)
	}
	return host, nil
}
