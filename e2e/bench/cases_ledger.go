package main

func ledgerCases() []benchCase {
	return nil
}
