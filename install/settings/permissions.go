package settings

import "strings"

// The lists of permission rules.
const (
	Allow = "allow"
	Ask   = "ask"
	Deny  = "deny"
)

// Rule is one permission rule in one list.
type Rule struct {
	List string // Allow, Ask or Deny
	Text string // Tool or Tool(spec)
}

// Rules lists the rules of one list, in order; entries that are no strings are left out.
func (f *File) Rules(list string) []string {
	v, ok := get(f.root, "permissions", list)
	if !ok {
		return nil
	}
	var rules []string
	for _, c := range children(v) {
		if s := text(c.value); s != "" {
			rules = append(rules, s)
		}
	}
	return rules
}

// Covered reports whether the file's own rules already decide want: an equal or wider rule stands in the same list, or in
// one that the client asks first (deny before ask before allow).
func (f *File) Covered(want Rule) bool { return f.ruleLists().cover(want) }

// ruleLists are the rules of a file, by list.
type ruleLists map[string][]string

func (f *File) ruleLists() ruleLists {
	return ruleLists{Allow: f.Rules(Allow), Ask: f.Rules(Ask), Deny: f.Rules(Deny)}
}

func (l ruleLists) cover(want Rule) bool {
	for _, list := range []string{Deny, Ask, Allow} {
		for _, rule := range l[list] {
			if Covers(rule, want.Text) {
				return true
			}
		}
		if list == want.List {
			return false
		}
	}
	return false
}

// Covers reports whether every call that the rule want names is named by the rule wide too: the same rule, the bare tool,
// or the same tool with a shorter command prefix.
func Covers(wide, want string) bool {
	wideTool, wideSpec := splitRule(wide)
	tool, spec := splitRule(want)
	if wideTool != tool || tool == "" {
		return false
	}
	switch wideSpec {
	case spec, "*", "**", "**/*":
		return true
	}
	prefix, ok := commandPrefix(wideSpec)
	if !ok || tool != "Bash" && tool != "PowerShell" {
		return false
	}
	if narrow, ok := commandPrefix(spec); ok {
		spec = narrow
	}
	return spec == prefix || strings.HasPrefix(spec, prefix+" ")
}

// commandPrefix returns the words of `words:*` or `words *`.
func commandPrefix(spec string) (string, bool) {
	for _, end := range []string{":*", " *"} {
		if p, ok := strings.CutSuffix(spec, end); ok && p != "" && !strings.Contains(p, "*") {
			return p, true
		}
	}
	return "", false
}

// splitRule parts `Tool(spec)`; a bare tool has the spec `*`.
func splitRule(rule string) (tool, spec string) {
	rule = strings.TrimSpace(rule)
	tool, rest, ok := strings.Cut(rule, "(")
	if !ok {
		return rule, "*"
	}
	spec, ok = strings.CutSuffix(rest, ")")
	if !ok {
		return "", ""
	}
	return tool, strings.TrimSpace(spec)
}
