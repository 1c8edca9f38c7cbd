//go:build !darwin && !windows

package forge

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"viber/internal/gitx"
	"viber/internal/program"
)

// systemKeys is the Secret Service, through libsecret's own secret-tool: a library for it would bring the whole of D-Bus to
// every start of viber.
type systemKeys struct {
	project string // programs in it are not run
	environ []string
}

var errNoStore = errors.New("secret-tool is not installed (package libsecret-tools), so there is no credential store here")

// NewKeys returns this system's credential store; it is not opened before the first call. What lies in
// the project around dir is not run.
func NewKeys(dir string, environ []string) Keys {
	return systemKeys{gitx.Git{Dir: dir, Env: environ}.Project(), environ}
}

func (k systemKeys) run(stdin string, args ...string) (string, error) {
	path, ok := program.FindOutside(k.project, "secret-tool", k.environ)
	if !ok {
		return "", errNoStore
	}
	host := args[len(args)-1]
	args = append(args[:len(args)-1], "service", keyService, "username", host)
	res, err := program.Run(context.Background(), program.Call{Path: path, Args: args, Env: k.environ, Limit: keyLimit, Stdin: strings.NewReader(stdin)})
	if text := Flatten(res.Stderr); err == nil && text != "" && res.Code != 0 {
		err = errors.New("secret-tool: " + text)
	} else if err == nil && res.Code != 0 && args[0] != "lookup" { // a lookup that finds nothing ends so
		err = fmt.Errorf("secret-tool ended with %d and said nothing", res.Code)
	}
	return string(res.Stdout), err
}

func (k systemKeys) Get(host string) (string, error) {
	text, err := k.run("", "lookup", host)
	return strings.TrimSuffix(text, "\n"), err
}

func (k systemKeys) Set(host, token string) error {
	_, err := k.run(token, "store", "--label=viber: "+host, host)
	return err
}

func (k systemKeys) Delete(host string) error {
	_, err := k.run("", "clear", host)
	return err
}
