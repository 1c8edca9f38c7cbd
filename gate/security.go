package gate

import "strings"

// IsSecurity says that a finding is of the security class: by its rule, or by what its words speak of.
func IsSecurity(f Finding) bool {
	rule := strings.ToLower(string(f.RuleID))
	for _, head := range []string{"sec-", "sec_", "security", "cwe-", "owasp"} {
		if strings.HasPrefix(rule, head) {
			return true
		}
	}
	switch topic(string(f.Issue)) {
	case "injection", "traversal", "secret", "access", "crypto":
		return true
	}
	return strings.Contains(bare(string(f.Issue)), "security") || strings.Contains(bare(string(f.Issue)), "vulnerab")
}

// ReadTriage reads a triage file whose shape holds, with an identity on every finding, and the sha256 of its bytes.
func ReadTriage(path string, look Look) (Triage, string, error) {
	data, err := readBounded(path, nil)
	if err != nil {
		return Triage{}, "", err
	}
	s, err := shapeOf("triage", tweak{})
	if err != nil {
		return Triage{}, "", err
	}
	r, t := &report{}, Triage{}
	load(data, s, &t, r)
	if len(r.problems) > 0 {
		p := r.problems[0]
		return t, "", &ShapeError{File: path, Problem: p}
	}
	var plain []Finding
	for _, a := range t.Accepted {
		plain = append(plain, a.Finding)
	}
	for i, f := range Annotate(plain, nil, look) {
		t.Accepted[i].Fingerprint = f.Fingerprint
	}
	return t, digest(data), nil
}

// ShapeError says that a file does not have the shape it should.
type ShapeError struct {
	File string
	Problem
}

// Error names the file, the place and what would be right.
func (e *ShapeError) Error() string {
	return e.File + ": " + e.Pointer + ": " + e.Cause + "; want " + e.Want
}
