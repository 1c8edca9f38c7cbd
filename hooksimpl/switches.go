package hooksimpl

import "viber/schema"

// The values of guards.<name> that several guards share.
const (
	switchOff = "off"
	switchOn  = "on"
	switchRun = "run" // only while a run owns the session
)

// config is the configuration of the project around the payload's working directory, for this user.
func (w *World) config(cwd string) *schema.Config {
	dir := ""
	if w.ConfigDir != nil {
		dir = w.ConfigDir()
	}
	return schema.ReadFor(schema.Root(cwd), dir)
}

// guard returns the configuration at cwd and the value of guards.<name> there. Where neither the project has a viber.yml nor
// the user's own file names the guard, no guard acts and the value is off.
func (w *World) guard(cwd, name string) (c *schema.Config, value string) {
	if cwd == "" || !w.IsDir(cwd) {
		return nil, switchOff
	}
	c = w.config(cwd)
	value = c.Value("guards." + name)
	if value == "" {
		return c, switchOff
	}
	if w.IsFile(schema.Path(c.Root)) {
		return c, value
	}
	if e, err := c.Explain("guards." + name); err != nil || e.Source != string(schema.FromUser) {
		return c, switchOff
	}
	return c, value
}
