package main

// cases lists all budgets; each area has a file of its own.
func cases() []benchCase {
	var all []benchCase
	for _, list := range [][]benchCase{startCases(), hookCases(), configCases(), runCases(), commitCases(), ledgerCases(), guardCases(), reviewCases()} {
		all = append(all, list...)
	}
	return all
}
