package cli

import (
	"path/filepath"

	"viber/forge"
	"viber/install"
	"viber/schema"
)

// places are the hosts this user may reach from the working directory.
func places(env Env) forge.Places {
	config := schema.ReadFor(schema.Root(env.Dir), configDir(env))
	return forge.Places{
		Dir: env.Dir, Home: homeOutside(env), Environ: env.Environ, Keys: forge.NewKeys(env.Dir, env.Environ),
		Hosts:        install.HostList(config.Value("forge.hosts")),
		Repositories: install.HostList(config.Value("forge.repositories")),
	}
}

// homeOutside is where git is asked for logins: the home directory, whose configuration is the user's own.
func homeOutside(env Env) string {
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if home := env.Getenv(name); filepath.IsAbs(home) {
			return home
		}
	}
	return filepath.VolumeName(env.Dir) + string(filepath.Separator)
}
