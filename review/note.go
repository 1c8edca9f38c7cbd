package review

import (
	"fmt"
	"strings"

	"viber/forge"
	"viber/gate"
	"viber/internal/exit"
	"viber/internal/secrets"
)

// mark is what hidden markers begin with.
const mark = "viber:finding "

// marker is a line that no host shows: a definition of a link nobody uses. It holds the finding's identity, so that a second
// run knows what the first has posted.
func marker(f gate.Fingerprint) string { return "[//]: # (" + mark + string(f) + ")" }

// posted lists the findings whose markers stand in texts.
func posted(texts []string) map[gate.Fingerprint]bool {
	all := map[gate.Fingerprint]bool{}
	for _, text := range texts {
		for {
			_, rest, found := strings.Cut(text, "[//]: # ("+mark)
			if !found {
				break
			}
			id, after, closed := strings.Cut(rest, ")")
			if closed && len(id) <= 64 {
				all[gate.Fingerprint(id)] = true
			}
			text = after
		}
	}
	return all
}

// noteText is a finding as a comment at its line.
func noteText(f gate.Finding) string {
	return body(f) + "\n\n" + marker(f.Fingerprint)
}

// generalText is a finding as a comment on the whole, for a line the diff does not show.
func generalText(f gate.Finding) string {
	place := strings.ReplaceAll(forge.Line(string(f.File)), "`", "'")
	return fmt.Sprintf("`%s:%d` %s\n\n%s", place, f.Line, body(f), marker(f.Fingerprint))
}

func body(f gate.Finding) string {
	text := fmt.Sprintf("**%s**: %s", f.Severity, own(string(f.Issue)))
	if fix := own(string(f.Fix)); fix != "" {
		text += "\n\nFix: " + fix
	}
	if f.RuleID != "" {
		text += "\n\nRule: " + own(forge.Line(string(f.RuleID)))
	}
	return text
}

// own makes a finding's words safe to post: no marker but ours, no terminal escapes.
func own(text string) string {
	return strings.ReplaceAll(strings.TrimSpace(forge.Clean(text)), strings.TrimSpace(mark), "viber finding")
}

// noSecrets refuses findings that would publish a credential.
func noSecrets(findings []gate.Finding) error {
	for i, f := range findings {
		for _, part := range []struct{ name, text string }{{"issue", string(f.Issue)}, {"fix", string(f.Fix)}, {"file", string(f.File)}, {"ruleId", string(f.RuleID)}} {
			if found := secrets.InText("", []byte(part.text)); len(found) > 0 {
				return exit.With(exit.Refused, fmt.Errorf("accepted[%d].%s holds a credential (rule %s, %s); nothing was posted: describe it without its value",
					i, part.name, found[0].Rule, found[0].Masked))
			}
		}
	}
	return nil
}
