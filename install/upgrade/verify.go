package upgrade

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"aead.dev/minisign"
)

// Keys are the public keys a release may be signed with.
type Keys []minisign.PublicKey

// ParseKeys reads minisign public keys separated by blanks or lines; comment lines of a key file are passed over.
func ParseKeys(text string) (Keys, error) {
	var keys Keys
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "untrusted comment:") {
			continue
		}
		for _, word := range strings.Fields(line) {
			var key minisign.PublicKey
			if err := key.UnmarshalText([]byte(word)); err != nil {
				return nil, fmt.Errorf("%q: not a minisign public key", word)
			}
			keys = append(keys, key)
		}
	}
	return keys, nil
}

// Verify checks that signature is one of keys' over message, and that its trusted comment binds it to version and the
// file name.
func (keys Keys) Verify(message, signature []byte, version, name string) error {
	if len(keys) == 0 {
		return errors.New("this build knows no signing key; name one with --key FILE")
	}
	var sig minisign.Signature
	if err := sig.UnmarshalText(bytes.ReplaceAll(signature, []byte("\r\n"), []byte("\n"))); err != nil {
		return fmt.Errorf("%s.minisig: not a minisign signature", name)
	}
	key, ok := keys.withID(sig.KeyID)
	if !ok {
		return fmt.Errorf("%s.minisig: signed with the key %X, which is none of this build's (%s)", name, sig.KeyID, keys.ids())
	}
	if !minisign.Verify(key, message, signature) {
		return fmt.Errorf("%s: the signature does not fit the file; it was changed after signing, or is incomplete", name)
	}
	if want := "viber " + version + " " + name; sig.TrustedComment != want {
		return fmt.Errorf("%s.minisig: signed as %q, not as %q", name, sig.TrustedComment, want)
	}
	return nil
}

func (keys Keys) withID(id uint64) (minisign.PublicKey, bool) {
	for _, key := range keys {
		if key.ID() == id {
			return key, true
		}
	}
	return minisign.PublicKey{}, false
}

func (keys Keys) ids() string {
	var ids []string
	for _, key := range keys {
		ids = append(ids, fmt.Sprintf("%X", key.ID()))
	}
	return strings.Join(ids, ", ")
}

// CheckSum checks data against the sum that the checksums file lists for name.
func CheckSum(sums, data []byte, name string) error {
	want := ""
	for line := range strings.Lines(string(sums)) {
		if fields := strings.Fields(line); len(fields) == 2 && strings.TrimPrefix(fields[1], "*") == name {
			if want != "" && want != fields[0] {
				return fmt.Errorf("%s: two different sums are listed for it", name)
			}
			want = fields[0]
		}
	}
	if want == "" {
		return fmt.Errorf("%s: no sum is listed for it", name)
	}
	sum := sha256.Sum256(data)
	if got := hex.EncodeToString(sum[:]); !strings.EqualFold(got, want) {
		return fmt.Errorf("%s: sha256 is %s, the release lists %s; download it again", name, got, want)
	}
	return nil
}
