//go:build !urfave_cli_no_docs

// Command generate writes what is made from the command tree:
//
//	go run ./docs/generate commands       docs/commands.md
//	go run ./docs/generate extra DIR      for packages: the manual page, the completions, who owns the package's program,
//	                                      the install scripts with the release page (RELEASE_PAGE) and keys (RELEASE_KEYS)
//	                                      filled in
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"viber/cli"
	"viber/install/upgrade"
	"viber/internal/term"
)

func main() {
	if err := generate(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func generate(args []string) error {
	switch {
	case len(args) == 1 && args[0] == "commands":
		text, err := cli.Markdown(emptyEnv(nil))
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join("docs", "commands.md"), []byte(text), 0o644)
	case len(args) == 2 && args[0] == "extra":
		return extra(args[1])
	}
	return errors.New("usage: generate commands | extra DIR")
}

func extra(dir string) error {
	man, err := cli.Man(emptyEnv(nil))
	if err != nil {
		return err
	}
	files := map[string]string{filepath.Join("man", "viber.1"): man}
	for shell, name := range map[string]string{"bash": "viber.bash", "zsh": "_viber", "fish": "viber.fish", "powershell": "viber.ps1"} {
		var out bytes.Buffer
		if code := cli.Main(emptyEnv(&out), []string{"viber", "completion", shell}); code != 0 {
			return fmt.Errorf("viber completion %s: exit %d", shell, code)
		}
		files[filepath.Join("completions", name)] = out.String()
	}
	for _, manager := range []string{"deb", "rpm", "apk"} {
		text, err := upgrade.PackageMarker(manager, os.Getenv("RELEASE_PAGE"))
		if err != nil {
			return err
		}
		files[filepath.Join("managed-by", manager)] = text
	}
	for _, name := range []string{"install.sh", "install.ps1"} {
		script, err := os.ReadFile(filepath.Join("install", name))
		if err != nil {
			return err
		}
		fill := strings.NewReplacer("@SOURCE@", os.Getenv("RELEASE_PAGE"), "@KEYS@", os.Getenv("RELEASE_KEYS"))
		files[name] = fill.Replace(string(script))
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// emptyEnv is a world without variables, directory or terminal: what is generated must not depend on the machine.
func emptyEnv(out *bytes.Buffer) cli.Env {
	if out == nil {
		out = new(bytes.Buffer)
	}
	env := cli.SystemEnv(nil)
	env.Streams = term.Streams{In: new(bytes.Buffer), Out: out, Err: os.Stderr}
	env.Getenv, env.Environ, env.Dir = func(string) string { return "" }, nil, string(filepath.Separator)
	return env
}
