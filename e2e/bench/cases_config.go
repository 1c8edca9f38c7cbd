package main

func configCases() []benchCase {
	return nil
}
