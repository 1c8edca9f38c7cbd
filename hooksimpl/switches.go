package hooksimpl

import (
	"sync"

	"viber/schema"
)

// The values of guards.<name> that several guards share.
const (
	switchOff = "off"
	switchOn  = "on"
	switchRun = "run" // only while a run owns the session
)

// projectCall is the configuration around a payload, read when the first check asks for it: all checks of a call share it.
type projectCall struct {
	once   sync.Once
	config *schema.Config
}

// project returns the configuration of the project around p's working directory for this user, nil where that is no
// directory.
func (w *World) project(p *Payload) *schema.Config {
	p.around.once.Do(func() {
		if p.Cwd != "" && w.IsDir(p.Cwd) {
			p.around.config = w.config(p.Cwd)
		}
	})
	return p.around.config
}

func (w *World) config(cwd string) *schema.Config {
	dir := ""
	if w.ConfigDir != nil {
		dir = w.ConfigDir()
	}
	return schema.ReadFor(schema.Root(cwd), dir)
}

// guard returns the configuration around p and the value of guards.<name> there. Where neither the project has a viber.yml nor
// the user's own file names the guard, no guard acts and the value is off.
func (w *World) guard(p *Payload, name string) (c *schema.Config, value string) {
	c = w.project(p)
	if c == nil {
		return nil, switchOff
	}
	value = c.Value("guards." + name)
	if value == "" {
		return c, switchOff
	}
	if c.Shared() {
		return c, value
	}
	if e, err := c.Explain("guards." + name); err != nil || e.Source != string(schema.FromUser) {
		return c, switchOff
	}
	return c, value
}
