package settings

import "slices"

// Footprint is what viber made in one settings file beside its hook entries. The installer's record keeps it, so that
// taking everything out again leaves the bytes of before, and takes nothing that was there before.
type Footprint struct {
	// Made lists the containers that viber made, as JSON pointers.
	Made []string `json:"made,omitempty"`
	// Blank holds what stood between the brackets of a container that was empty, by its pointer.
	Blank map[string]string `json:"blank,omitempty"`
	// WasBlank is the whole text of a file that held nothing but white space.
	WasBlank *string `json:"wasBlank,omitempty"`
	// Rules lists the permission rules that viber added, by list.
	Rules map[string][]string `json:"rules,omitempty"`
	// Keys lists the keys that viber set, as paths.
	Keys [][]string `json:"keys,omitempty"`
}

// clone returns a copy that can be changed; the copy of nil is empty.
func (fp *Footprint) clone() *Footprint {
	c := &Footprint{Blank: map[string]string{}, Rules: map[string][]string{}}
	if fp == nil {
		return c
	}
	c.Made = slices.Clone(fp.Made)
	c.WasBlank = fp.WasBlank
	for _, k := range fp.Keys {
		c.Keys = append(c.Keys, slices.Clone(k))
	}
	for k, v := range fp.Blank {
		c.Blank[k] = v
	}
	for k, v := range fp.Rules {
		c.Rules[k] = slices.Clone(v)
	}
	return c
}

// Empty reports whether viber made nothing.
func (fp *Footprint) Empty() bool {
	return fp == nil || len(fp.Made)+len(fp.Blank)+len(fp.Rules)+len(fp.Keys) == 0 && fp.WasBlank == nil
}

func (fp *Footprint) addMade(ptr string) {
	if !slices.Contains(fp.Made, ptr) {
		fp.Made = append(fp.Made, ptr)
	}
}

func (fp *Footprint) dropMade(ptr string) {
	fp.Made = slices.DeleteFunc(fp.Made, func(p string) bool { return p == ptr })
	delete(fp.Blank, ptr)
}

func (fp *Footprint) addRule(list, rule string) {
	if !slices.Contains(fp.Rules[list], rule) {
		fp.Rules[list] = append(fp.Rules[list], rule)
	}
}

func (fp *Footprint) dropRule(list, rule string) {
	fp.Rules[list] = slices.DeleteFunc(fp.Rules[list], func(r string) bool { return r == rule })
	if len(fp.Rules[list]) == 0 {
		delete(fp.Rules, list)
	}
}

func (fp *Footprint) addKey(path []string) {
	if !slices.ContainsFunc(fp.Keys, func(k []string) bool { return slices.Equal(k, path) }) {
		fp.Keys = append(fp.Keys, slices.Clone(path))
	}
}

func (fp *Footprint) dropKey(path []string) {
	fp.Keys = slices.DeleteFunc(fp.Keys, func(k []string) bool { return slices.Equal(k, path) })
}
