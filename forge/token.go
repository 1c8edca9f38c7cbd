package forge

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"

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

// findToken asks the system's store, then git's credential helpers, for the token of host.
func findToken(ctx context.Context, keys Keys, git gitx.Git, host string) (Token, error) {
	text, storeErr := keys.Get(host)
	if storeErr == nil && text != "" {
		user, secret, both := strings.Cut(text, "\n")
		if !both {
			user, secret = "", text
		}
		return Token{user, secret}, nil
	}
	user, secret, err := git.Credential(ctx, host)
	if (err != nil || secret == "") && storeErr != nil {
		return Token{}, fmt.Errorf("no token for %s: %s, and git's credential helpers know none; store one there with 'git credential approve', or mend the store and run 'viber forge login %s'",
			host, Line(storeErr.Error()), host)
	}
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
