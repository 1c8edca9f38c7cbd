package run

import "fmt"

// Finding is one defect of a plan: where it is, what is wrong, and how to write it right.
type Finding struct {
	File string `json:"file"`
	Pos
	// Rule names the check: a stable word for programs.
	Rule string `json:"rule"`
	// Subject is the id of the task or contract, when there is one.
	Subject string `json:"subject,omitempty"`
	Problem string `json:"problem"`
	Remedy  string `json:"remedy,omitempty"`
}

// String is "file:line:col: problem; remedy".
func (f Finding) String() string {
	at := f.File
	if f.Line > 0 {
		at = fmt.Sprintf("%s:%d", at, f.Line)
	}
	if f.Line > 0 && f.Col > 0 {
		at = fmt.Sprintf("%s:%d", at, f.Col)
	}
	if f.Remedy == "" {
		return at + ": " + f.Problem
	}
	return at + ": " + f.Problem + "; " + f.Remedy
}
