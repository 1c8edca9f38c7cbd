package cli

import (
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"viber/install"
	"viber/install/upgrade"
	"viber/internal/buildinfo"
)

func upgradeCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "upgrade",
		Usage:     "upgrade viber, its plugin, settings and viber.yml",
		UsageText: "viber upgrade [--check] [--version V] [--from ARCHIVE] [--rollback] [--yes | --dry-run | --confirm ID] [--json]",
		Description: "A binary that a package manager installed is left to it: its command is printed. A plain binary is replaced by the newest\n" +
			"release after checksum, signature and a trial run. Plugin, settings and viber.yml are brought up either way.\n\n" +
			"Examples:\n   viber upgrade\n   viber upgrade --check\n   viber upgrade --version '~1.4'\n   viber upgrade --from viber_1.2.3_linux_amd64.tar.gz\n   viber upgrade --rollback",
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "check", Usage: "only say what would be done; exit 5 when there is something"},
			&cli.StringFlag{Name: "version", Usage: "a `VERSION` (1.4.2) or range (~1.4) instead of the newest release"},
			&cli.StringFlag{Name: "from", Usage: "a release `ARCHIVE` with its checksums and signatures beside it, a file or an https address"},
			&cli.StringFlag{Name: "key", Usage: "trust the minisign public keys in `FILE` instead of this build's"},
			&cli.BoolFlag{Name: "rollback", Usage: "put the binary back that the last upgrade replaced"},
			&cli.BoolFlag{Name: "force", Usage: "take an older release too"},
			&cli.BoolFlag{Name: "run-manager", Usage: "run the package manager's command instead of printing it"},
			&cli.StringSliceFlag{Name: "answer", Usage: "answer a question of the viber.yml migration, as `ID=VALUE`"},
			dirFlag(),
			&cli.BoolFlag{Name: "only-files", Hidden: true},
			&cli.StringFlag{Name: "as", Hidden: true},
		}, consentFlags()...),
		Action: func(c *cli.Context) error { return runUpgrade(env, c) },
	}
}

func runUpgrade(env Env, c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	given, err := answers(c.StringSlice("answer"))
	if err != nil {
		return err
	}
	if c.Bool("only-files") {
		inner := installEnv(loudness(env, c))
		if c.String("as") != "" {
			inner.Exe = c.String("as")
		}
		return install.BringUp(install.BringUpOptions{Env: inner, Consent: consent(c), Dir: directory(env, c), Answers: given})
	}
	o := upgrade.Options{
		Env: installEnv(loudness(env, c)), Consent: consent(c), Dir: directory(env, c), Answers: given,
		Check: c.Bool("check"), Constraint: c.String("version"), From: c.String("from"), KeyFile: c.String("key"),
		Rollback: c.Bool("rollback"), Force: c.Bool("force"), RunManager: c.Bool("run-manager"),
		Source: buildinfo.ReleaseSource, Keys: buildinfo.SigningKeys,
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		o.Module, o.ModuleVersion = info.Main.Path, info.Main.Version
	}
	return upgrade.Run(c.Context, o)
}
