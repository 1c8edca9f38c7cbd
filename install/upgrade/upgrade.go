package upgrade

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"viber/install"
	"viber/internal/exit"
	"viber/internal/fsx"
	"viber/internal/gitx"
	"viber/internal/program"
)

// Options are what `viber upgrade` was asked for.
type Options struct {
	Env     install.Env
	Consent install.Consent
	Dir     string
	Answers map[string]string

	Check      bool   // only say what would be done
	Constraint string // --version
	From       string // an archive, or a folder or https address that holds one
	KeyFile    string // other keys than the build's
	Rollback   bool
	Force      bool // take an older release
	RunManager bool // run the package manager's command instead of printing it

	// Source and Keys are the build's own; Module is what `go install` recorded.
	Source, Keys          string
	Module, ModuleVersion string
}

// status is what --json prints.
type status struct {
	Version  string `json:"version"`
	Newest   string `json:"newest,omitempty"`
	Owner    Owner  `json:"owner"`
	Upgrade  bool   `json:"upgrade"` // whether the binary would change
	Note     string `json:"note,omitempty"`
	Plan     string `json:"plan,omitempty"` // id
	Replaced bool   `json:"replaced"`
	// Files is the plan for plugin, settings and viber.yml where this binary brings them up, as setup prints it.
	Files json.RawMessage `json:"files,omitempty"`
}

// upgrader is one run of the command.
type upgrader struct {
	Options
	owner  Owner
	places install.Places
	target string // the executable, links followed
	swap   Swap
	status status
}

// Run upgrades viber: first the binary, when viber itself may replace it, then - with the new binary - plugin, settings and
// viber.yml, as one plan that is shown before anything is changed.
func Run(ctx context.Context, o Options) error {
	u := &upgrader{Options: o}
	if err := o.check(); err != nil {
		return err
	}
	if err := u.look(); err != nil {
		return err
	}
	switch {
	case u.owner.Replaceable():
		return u.own(ctx)
	case o.Rollback:
		return exit.With(exit.Refused, fmt.Errorf("%s belongs to %s; roll back with it", u.target, u.owner.Manager))
	}
	return u.owned(ctx)
}

// check refuses flags that contradict each other.
func (o Options) check() error {
	for _, pair := range []struct {
		both         bool
		first, other string
	}{
		{o.Rollback && o.From != "", "--rollback", "--from"},
		{o.Rollback && o.Constraint != "", "--rollback", "--version"},
		{o.Rollback && o.Check, "--rollback", "--check; look with --dry-run"},
		{o.From != "" && o.Constraint != "", "--from", "--version; the archive's name says its version"},
	} {
		if pair.both {
			return exit.With(exit.Usage, fmt.Errorf("%s does not go with %s", pair.first, pair.other))
		}
	}
	return nil
}

// own exchanges a binary that belongs to nobody but viber. Only one upgrade at a time may put files beside it.
func (u *upgrader) own(ctx context.Context) error {
	if u.Check {
		return u.plain(ctx)
	}
	unlock, err := fsx.Lock(filepath.Join(u.places.State, "upgrade.lock"), 0)
	if err != nil {
		return exit.With(exit.Refused, err)
	}
	defer unlock()
	u.swap.Sweep()
	if u.Rollback {
		return u.rollback(ctx)
	}
	return u.plain(ctx)
}

// owned leaves the binary to its package manager and brings up the rest.
func (u *upgrader) owned(ctx context.Context) error {
	if u.From != "" {
		return exit.With(exit.Refused, fmt.Errorf("%s belongs to %s, so no archive is put in its place; %s", u.target, u.owner.Manager, u.owner.advice()))
	}
	if u.RunManager && !u.onlyLooks() {
		return u.runManager(ctx)
	}
	u.say("viber %s belongs to %s: %s", u.Env.Version, u.owner.Manager, u.owner.advice())
	u.status.Note = u.owner.advice()
	return u.rest()
}

// advice is the one thing to do to get a newer binary.
func (o Owner) advice() string {
	run := "run `" + strings.Join(o.Command, " ") + "`"
	switch {
	case len(o.Command) > 0 && o.Text != "":
		return run + "; " + o.Text
	case len(o.Command) > 0:
		return run
	case o.Text != "":
		return o.Text
	}
	return "upgrade viber with it"
}

// runManager runs the package manager's command, then lets the binary it installed bring up the rest.
func (u *upgrader) runManager(ctx context.Context) error {
	if len(u.owner.Command) == 0 {
		return exit.With(exit.Refused, fmt.Errorf("%s has no single command: %s", u.owner.Manager, u.owner.Text))
	}
	if err := u.consent("run `" + strings.Join(u.owner.Command, " ") + "`"); err != nil {
		return err
	}
	path, ok := program.FindOutside(u.project(), u.owner.Command[0], u.Env.Environ)
	if !ok {
		return exit.With(exit.Refused, fmt.Errorf("%s is not on PATH; %s", u.owner.Command[0], u.owner.advice()))
	}
	stays := install.FindBinary(u.Env, u.places)
	manager := program.Call{Path: path, Args: u.owner.Command[1:], Env: u.Env.Environ, Stdin: u.Env.Streams.In}
	if err := program.Attach(ctx, manager, u.Env.Streams.Err); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(u.owner.Command, " "), err)
	}
	if !stays.Copy {
		u.Env.Exe = stays.Path // the manager may have removed the folder of the old version
	}
	return u.restWith(ctx, u.Env.Exe)
}

// project is the work tree the command runs in: what it brings is not started.
func (u *upgrader) project() string { return gitx.Git{Dir: u.Env.Dir, Env: u.Env.Environ}.Project() }

// plain replaces the binary when there is a newer release, and brings up the rest.
func (u *upgrader) plain(ctx context.Context) error {
	if u.From == "" && u.Source == "" {
		note := "this build has no release source; take a newer binary from where this one came, or use --from FILE"
		u.say("viber %s: %s", u.Env.Version, note)
		u.status.Note = note
		return u.rest()
	}
	release, err := u.release(ctx)
	if err != nil {
		return err
	}
	u.status.Newest = release.version.String()
	take, note := u.worth(release)
	u.status.Upgrade, u.status.Note = take, note
	if !take {
		u.say("%s", note)
		return u.rest()
	}
	if u.Check {
		u.say("%s; run `viber upgrade`", note)
		return u.done(exit.WouldChange)
	}
	return u.replace(ctx, release)
}

// worth says whether release should replace this build, and why.
func (u *upgrader) worth(r release) (take bool, note string) {
	current := ParseVersion(u.Env.Version)
	switch order := current.Order(r.version); {
	case order == 0 && !u.Force:
		return false, fmt.Sprintf("viber %s is the newest release", current)
	case order < 0 && !u.Force && u.Constraint == "" && u.From == "":
		return false, fmt.Sprintf("viber %s is newer than the latest release, %s", current, r.version)
	case order < 0 && !u.Force:
		return false, fmt.Sprintf("viber %s is newer than %s; add --force to go down", current, r.version)
	}
	return true, fmt.Sprintf("viber %s -> %s", current, r.version)
}

// replace fetches and proves the release, shows the whole plan, and after consent swaps the binary and lets the new one
// bring up the rest.
func (u *upgrader) replace(ctx context.Context, r release) error {
	next, clean, err := u.prepare(ctx, r)
	if err != nil {
		return err
	}
	defer clean()
	return u.exchange(ctx, next, r.version.String(), func() error { return u.swap.Do(next) })
}

func (u *upgrader) rollback(ctx context.Context) error {
	if _, err := os.Stat(u.swap.Keep); err != nil {
		return exit.With(exit.Refused, errNothingKept)
	}
	version, err := versionOf(ctx, u.swap.Keep, u.childEnv())
	if err != nil {
		return err
	}
	u.status.Newest, u.status.Upgrade = version, true
	return u.exchange(ctx, u.swap.Keep, version, u.swap.Rollback)
}

// exchange shows what the binary next, of that version, would do, asks, and carries it out with swap.
func (u *upgrader) exchange(ctx context.Context, next, version string, swap func() error) error {
	rest, err := u.restPlan(ctx, next)
	if err != nil {
		return err
	}
	binary, err := os.ReadFile(next)
	if err != nil {
		return err
	}
	u.status.Plan = planID(u.target, u.Env.Version, version, rest.ID, string(binary))
	u.say("binary  %s  viber %s -> %s (the present one is kept for --rollback)", u.target, u.Env.Version, version)
	u.say("%splan %s", rest.text, u.status.Plan)
	if u.onlyLooks() {
		return u.done(exit.OK)
	}
	if c := u.Consent.Confirm; c != "" && c != u.status.Plan {
		return exit.With(exit.Refused, fmt.Errorf("the plan is %s now, not %s: something changed since it was shown; look again with --dry-run", u.status.Plan, c))
	}
	if err := u.consent(""); err != nil {
		return err
	}
	if err := swap(); err != nil {
		return fmt.Errorf("put viber %s in the place of %s: %w", version, u.target, err)
	}
	u.status.Replaced = true
	u.say("viber %s is in place", version)
	if rest.ID != "" {
		if err := u.applyRest(ctx, rest.ID); err != nil {
			return err
		}
	}
	return u.done(exit.OK)
}

var errNothingKept = errors.New("no earlier viber is kept; only `viber upgrade` keeps one")

// planID names the exchange of the binary together with the plan for the rest.
func planID(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])[:12]
}

// onlyLooks reports whether the run may change nothing.
func (u *upgrader) onlyLooks() bool {
	c := u.Consent
	return u.Check || c.DryRun || c.JSON && !c.Yes && c.Confirm == ""
}

// consent asks before the binary is touched, by the rules every command that writes has.
func (u *upgrader) consent(what string) error {
	c := u.Consent
	switch {
	case u.Env.Agent() && c.Confirm == "":
		return exit.With(exit.Refused, errors.New("a coding agent shows the plan with --dry-run and applies it with --confirm ID after the user agreed"))
	case c.Yes || c.Confirm != "":
		return nil
	case !u.Env.Streams.CanPrompt():
		return exit.With(exit.Usage, install.ErrNobodyToAsk)
	}
	question := "Apply these changes?"
	if what != "" {
		question = strings.ToUpper(what[:1]) + what[1:] + "?"
	}
	return install.Agree(u.Env.Streams, question, "nothing was changed")
}

// rest brings plugin, settings and viber.yml up to this binary.
func (u *upgrader) rest() error {
	o := install.BringUpOptions{Env: u.Env, Consent: u.Consent, Dir: u.Dir, Answers: u.Answers, Check: u.Check}
	if !o.Consent.JSON {
		return install.BringUp(o)
	}
	var shown bytes.Buffer
	o.Env.Streams.Out = &shown
	err := install.BringUp(o)
	if err != nil && exit.Code(err) != exit.WouldChange {
		return err
	}
	if u.status.Files = shown.Bytes(); shown.Len() > 0 {
		if u.status.Plan, err = planOf(u.status.Files); err != nil {
			return err
		}
	}
	if u.Check && u.status.Plan != "" {
		return u.done(exit.WouldChange)
	}
	return u.done(exit.OK)
}

func (u *upgrader) say(format string, args ...any) {
	if !u.Consent.JSON && !u.Env.Quiet {
		fmt.Fprintf(u.Env.Streams.Out, format+"\n", args...)
	}
}

func (u *upgrader) done(code int) error {
	if u.Consent.JSON {
		enc := json.NewEncoder(u.Env.Streams.Out)
		enc.SetIndent("", "  ")
		if err := enc.Encode(u.status); err != nil {
			return err
		}
	}
	return exit.Status(code)
}
