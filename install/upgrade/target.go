package upgrade

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"viber/install"
	"viber/internal/exit"
)

func (u *upgrader) look() (err error) {
	if u.places, err = install.FindPlaces(u.Env); err != nil {
		return err
	}
	if err := u.findTarget(); err != nil {
		return err
	}
	u.owner = Detect(Executable{
		Path: u.Env.Exe, Resolved: u.target, GOOS: runtime.GOOS, Home: u.places.Home, Getenv: u.Env.Getenv,
		Module: u.Module, ModuleVersion: u.ModuleVersion, ReadFile: os.ReadFile,
	})
	u.swap = u.swapOf(u.target)
	u.status = status{Version: u.Env.Version, Owner: u.owner}
	return nil
}

func (u *upgrader) swapOf(target string) Swap {
	keep := filepath.Join(u.places.State, "previous", filepath.Base(target))
	return Swap{Door: u.Env.Files, Target: target, Keep: keep, GOOS: runtime.GOOS}
}

// findTarget finds the executable to upgrade: the running one, or, where that is the plugin's own copy, the one the hooks
// call. It puts that one back when an upgrade was killed while it was moved aside.
func (u *upgrader) findTarget() (err error) {
	if u.target, err = filepath.EvalSymlinks(u.Env.Exe); err != nil {
		return err
	}
	state := u.places.State
	if real, err := filepath.EvalSymlinks(state); err == nil {
		state = real
	}
	if rel, err := filepath.Rel(state, u.target); err != nil || !filepath.IsLocal(rel) {
		return nil
	}
	record, _, err := install.ReadRecord(u.places)
	if err != nil {
		return exit.With(exit.Refused, err)
	}
	if record.Binary == "" {
		return exit.With(exit.Refused, fmt.Errorf("%s is the plugin's own copy, and no other viber is on record; install viber, then run 'viber setup' with it", u.target))
	}
	if u.swapOf(record.Binary).Mend() {
		u.say("%s was missing since an upgrade that was stopped; it is back", record.Binary)
	}
	u.Env.Exe = record.Binary
	if u.target, err = filepath.EvalSymlinks(record.Binary); err != nil {
		return exit.With(exit.Refused, fmt.Errorf("the hooks call %s, which cannot be read (%w); install viber again, then run 'viber setup' with it", record.Binary, err))
	}
	return nil
}
