package forge

import "time"

// Keys is the system's credential store: macOS Keychain, Windows Credential Manager, the Secret Service of a Linux desktop.
type Keys interface {
	// Get returns the token of a host, empty when none is there; an error is why the store cannot be asked.
	Get(host string) (string, error)
	Set(host, token string) error
	Delete(host string) error
}

// keyService is the name viber's entries have in the store.
const keyService = "viber"

// keyLimit bounds how long the store may take: it can wait for a person to unlock it.
const keyLimit = 30 * time.Second
