//go:build darwin || windows

package forge

import (
	"errors"
	"time"

	"github.com/zalando/go-keyring"
)

// systemKeys is Keychain or Credential Manager.
type systemKeys struct{}

// NewKeys returns this system's credential store; it is not opened before the first call.
func NewKeys(string, []string) Keys { return systemKeys{} }

func (systemKeys) Get(host string) (string, error) {
	text, err := within(func() (string, error) { return keyring.Get(keyService, host) })
	if errors.Is(err, keyring.ErrNotFound) {
		err = nil
	}
	return text, err
}

func (systemKeys) Set(host, token string) error { return keyring.Set(keyService, host, token) }

func (systemKeys) Delete(host string) error {
	err := keyring.Delete(keyService, host)
	if errors.Is(err, keyring.ErrNotFound) {
		return nil
	}
	return err
}

// within calls ask and waits for at most keyLimit.
func within(ask func() (string, error)) (string, error) {
	type answer struct {
		text string
		err  error
	}
	got := make(chan answer, 1)
	go func() {
		text, err := ask()
		got <- answer{text, err}
	}()
	select {
	case a := <-got:
		return a.text, a.err
	case <-time.After(keyLimit):
		return "", errors.New("the credential store does not answer")
	}
}
