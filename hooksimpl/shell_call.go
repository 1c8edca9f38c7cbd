package hooksimpl

import (
	"sync"

	"viber/internal/gitx"
)

// shellCall is the reading of a payload's command; it is made once, whoever asks first.
type shellCall struct {
	once    sync.Once
	reading *shellReading
}

// shell returns what the shell call p runs. It is empty for payloads without a command.
func (p *Payload) shell(w *World) *shellReading {
	p.call.once.Do(func() {
		p.call.reading = &shellReading{}
		if text, ok := p.Input("command"); ok {
			p.call.reading = readShell(p.Tool, text, w.shellContext(p.Cwd))
		}
	})
	return p.call.reading
}

func (w *World) shellContext(cwd string) shellContext {
	home := w.Getenv("HOME")
	if home == "" {
		home = w.Getenv("USERPROFILE")
	}
	return shellContext{home: home, cwd: cwd, top: func(dir string) string {
		l, _ := gitx.Find(dir)
		return l.Top
	}}
}
