package hooksimpl

import "strings"

// supplied are the words of a command that xargs or parallel completes: from its input and from what stands behind `:::`,
// where that is known; c.more says that further ones are not.
func (r *shellReader) supplied(c *shellCommand, a arguments, words []shellWord) []shellWord {
	var items []shellWord
	known := false
	if i := indexOfWord(words, ":::"); i >= 0 && (c.name == "parallel" || c.name == "sem") {
		items, words, known = words[i+1:], words[:i], true
	} else if c.input != nil && !a.has("a", "arg-file") {
		if text, ok := r.known(*c.input); ok && !text.open {
			items, known = inputItems(c.name, a, text), true
		}
	}
	if len(words) == 0 && known { // parallel runs the items themselves
		return items
	}
	place, replaces := replacement(c.name, a)
	if !replaces || !holdsText(words, place) {
		c.more = !known
		return append(append([]shellWord{}, words...), items...)
	}
	c.more = false
	item := shellWord{text: openPart, open: true}
	if len(items) == 1 {
		item = items[0]
		item.assigned = true
	}
	return replaced(words, place, item)
}

// inputItems splits what xargs and parallel read.
func inputItems(name string, a arguments, text shellWord) []shellWord {
	separators := " \t\n"
	_, whole := replacement("", a)
	switch {
	case a.has("0", "null"):
		separators = "\x00"
	case name != "xargs", whole, a.has("L", "d", "delimiter"):
		separators = "\n"
	}
	var items []shellWord
	for _, t := range strings.FieldsFunc(text.text, func(c rune) bool { return strings.ContainsRune(separators, c) }) {
		items = append(items, shellWord{text: t, assigned: true})
	}
	return items
}

// replacement is the text that xargs -I or parallel replaces by an item.
func replacement(name string, a arguments) (place string, ok bool) {
	if o, given := a.last("I", "i", "J", "replace"); given {
		if o.value.text != "" && o.has {
			return o.value.text, true
		}
		return "{}", true
	}
	return "{}", name == "parallel" || name == "sem"
}

func holdsText(words []shellWord, text string) bool {
	for _, w := range words {
		if strings.Contains(w.text, text) {
			return true
		}
	}
	return false
}

// replaced puts the item in the place of a text in words.
func replaced(words []shellWord, place string, item shellWord) []shellWord {
	filled := make([]shellWord, len(words))
	for i, w := range words {
		if strings.Contains(w.text, place) {
			w.text = strings.ReplaceAll(w.text, place, item.text)
			w.add(item)
		}
		filled[i] = w
	}
	return filled
}
