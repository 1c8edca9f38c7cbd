package forge

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/zalando/go-keyring"

	"viber/internal/gitx"
)

// Token is a credential of one host. It never prints itself.
type Token struct{ user, secret string }

// String hides the token.
func (Token) String() string { return "(a token)" }

// GoString hides the token.
func (Token) GoString() string { return "(a token)" }

// set signs a request. A token made for the REST API goes alone; a login goes with its name.
func (t Token) set(req *http.Request) {
	if t.user == "" || isAccessToken(t.secret) {
		req.Header.Set("Authorization", "Bearer "+t.secret)
		return
	}
	req.SetBasicAuth(t.user, t.secret)
}

// isAccessToken knows an HTTP access token of Bitbucket Server: in base64 its id, a colon, and 20 random bytes.
func isAccessToken(secret string) bool {
	plain, err := base64.StdEncoding.DecodeString(secret)
	id, random, found := strings.Cut(string(plain), ":")
	return err == nil && found && digits(id) && len(random) == 20
}

// Keys is the system's credential store: macOS Keychain, Windows Credential Manager, the Secret Service of a desktop.
type Keys interface {
	Get(host string) (string, error)
	Set(host, token string) error
	Delete(host string) error
}

// keyService is the name viber's entries have in the store.
const keyService = "viber"

// systemKeys is the store of this system. It can wait for a person to unlock it, so it is asked with a limit.
type systemKeys struct{ environ []string }

// NewKeys opens the system's store lazily: nothing is asked until the first call.
func NewKeys(environ []string) Keys { return systemKeys{environ} }

const keyLimit = 30 * time.Second

var errNoStore = errors.New("this system offers no credential store here")

func (k systemKeys) Get(host string) (string, error) {
	type answer struct {
		text string
		err  error
	}
	if !k.there() {
		return "", errNoStore
	}
	got := make(chan answer, 1)
	go func() {
		text, err := keyring.Get(keyService, host)
		got <- answer{text, err}
	}()
	select {
	case a := <-got:
		return a.text, a.err
	case <-time.After(keyLimit):
		return "", errors.New("the credential store does not answer")
	}
}

func (k systemKeys) Set(host, token string) error {
	if !k.there() {
		return errNoStore
	}
	return keyring.Set(keyService, host, token)
}

func (k systemKeys) Delete(host string) error {
	if !k.there() {
		return errNoStore
	}
	err := keyring.Delete(keyService, host)
	if errors.Is(err, keyring.ErrNotFound) {
		return nil
	}
	return err
}

// findToken asks the system's store, then git's credential helpers, for the token of host.
func findToken(ctx context.Context, keys Keys, git gitx.Git, host string) (Token, error) {
	if text, err := keys.Get(host); err == nil && text != "" {
		user, secret, both := strings.Cut(text, "\n")
		if !both {
			user, secret = "", text
		}
		return Token{user, secret}, nil
	}
	user, secret, err := git.Credential(ctx, host)
	if err != nil || secret == "" {
		return Token{}, fmt.Errorf("no token for %s in the system's credential store or git's; store one with 'viber forge login %s'", host, host)
	}
	return Token{user, secret}, nil
}

// StoreToken puts a token for host into the system's store; user may be empty.
func StoreToken(keys Keys, host, user, secret string) error {
	if user != "" {
		secret = user + "\n" + secret
	}
	if err := keys.Set(host, secret); err != nil {
		return fmt.Errorf("the token of %s was not stored: %w; git's own store works too: git credential approve", host, err)
	}
	return nil
}
