//go:build unix && !linux && !darwin

package fsx

func exchange(a, b string) error { return errNoExchange }

func renameNew(from, to string) error { return renameByLink(from, to) }
