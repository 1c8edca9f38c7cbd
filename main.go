// Command viber installs the viber plugin for coding agents, keeps it current, and is its hooks and helpers.
package main

import (
	"os"

	"viber/cli"
)

func main() {
	os.Exit(run(os.Args))
}

// run is the whole program; tests start it as a command of their own.
func run(args []string) int {
	env := cli.SystemEnv(args)
	env.Exit = os.Exit
	return cli.Main(env, args)
}
