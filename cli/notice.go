package cli

import (
	"viber/install"
	"viber/install/upgrade"
	"viber/internal/buildinfo"
)

// startNotice looks for a newer release beside a person's command. Never in CI, for an agent, without a terminal, in a
// build without a release source, or with VIBER_NO_UPDATE_NOTICE set; and never in a hook, which does not come here.
func startNotice(env Env, args []string) (line func() string) {
	s := env.Streams
	if buildinfo.ReleaseSource == "" || !s.OutTTY || !s.ErrTTY || s.CI || env.Getenv("VIBER_NO_UPDATE_NOTICE") != "" ||
		env.Getenv("CLAUDECODE") != "" || len(args) < 2 || !noticed(args[1]) {
		return func() string { return "" }
	}
	places, err := install.FindPlaces(installEnv(env))
	if err != nil {
		return func() string { return "" }
	}
	source := upgrade.Source{URL: buildinfo.ReleaseSource, Client: upgrade.NewClient(buildinfo.ReleaseSource)}
	return upgrade.Notice{State: places.State, Source: source, Version: buildinfo.Version, Now: env.Now(), Files: env.Files}.Start()
}

// noticed are the commands of people after which the notice does not disturb.
func noticed(command string) bool {
	switch command {
	case "setup", "status", "doctor", "runs", "undo", "explain", "replay", "version":
		return true
	}
	return false
}
