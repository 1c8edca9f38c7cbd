package embed_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	cardID   = regexp.MustCompile(`<section id="skill-([a-z-]+)">`)
	language = regexp.MustCompile(`<(?:p|h2) lang="(en|pl)">`)
)

// TestHelpPage: the page has one card for each skill that can be typed and no other, in both languages, and loads nothing.
func TestHelpPage(t *testing.T) {
	t.Parallel()
	page := files(t)["skills/setup/assets/help.html"]
	var typeable []string
	for _, x := range skills(t) {
		if x.keys["user-invocable"] != "false" {
			typeable = append(typeable, x.name())
		}
	}
	slices.Sort(typeable)
	if cards := unique(matches(cardID, page)); !slices.Equal(cards, typeable) {
		t.Errorf("the page has cards for %v, people can type %v", cards, typeable)
	}
	for _, card := range strings.Split(page, "<section ")[1:] {
		card, _, _ = strings.Cut(card, "</section>")
		if langs := matches(language, card); !slices.Equal(langs, []string{"en", "en", "pl", "pl"}) {
			t.Errorf("a card speaks %v: %s", langs, card)
		}
	}
	for _, bad := range []string{"http:", "https:", "<script", "src=", "@import", "url("} {
		if strings.Contains(page, bad) {
			t.Errorf("the page holds %s: it is opened from disk and loads nothing", bad)
		}
	}
	for _, name := range matches(typed, page) {
		if !slices.Contains(typeable, name) {
			t.Errorf("the page names /viber:%s, which cannot be typed", name)
		}
	}
}
