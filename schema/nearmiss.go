package schema

import (
	"fmt"
	"strings"
)

// offerBareForms asks about values that read as the default although they look like one of the key's values: "true", yes,
// 'sonnet'. Nobody asked means they stay.
func (d *draft) offerBareForms() {
	doc := d.document() // values change below, lines do not move
	for _, k := range Keys() {
		a, ok := doc.get(k.Name)
		if !ok || d.wasAsked(k.Name) {
			continue
		}
		meant := k.nearMiss(a.value)
		if meant == "" {
			continue
		}
		written := strings.TrimSpace(a.value)
		if d.ask(Question{
			ID: k.Name, Default: "keep",
			Text: fmt.Sprintf("%s: %s reads as %s. Write %s instead?", k.Name, written, orEmpty(k.Default), meant),
			Options: []Option{
				{"keep", "leave the line as it is"},
				{meant, "write " + meant},
			},
		}) == meant {
			d.setValue(a, meant)
			d.step(0, k.Name, fmt.Sprintf("%s becomes %s", written, meant), "")
		}
	}
}

// wasAsked reports whether a question about key was answered before in this migration.
func (d *draft) wasAsked(key string) bool {
	for _, s := range d.steps {
		if s.Key == key && s.Schema == 0 {
			return true
		}
	}
	for _, q := range d.questions {
		if q.ID == key {
			return true
		}
	}
	return false
}

// nearMiss returns the value that text, which the reader does not take, was probably meant to be; empty when text is
// understood, means nothing known, or means what is read anyway.
func (k Key) nearMiss(text string) string {
	if k.Kind == Map || k.Kind == Text || k.Kind == Title || k.Kind == List {
		return ""
	}
	if _, ok := k.Read(text); ok {
		return ""
	}
	plain := title(text)
	meant, ok := k.Read(plain)
	if !ok && k.Kind == Switch {
		switch lower(plain) {
		case "yes", "on", "y", "1", "enabled":
			meant, ok = "true", true
		}
	}
	if !ok || meant == k.Default {
		return ""
	}
	return meant
}
