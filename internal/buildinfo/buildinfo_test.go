package buildinfo

import (
	"encoding/json"
	"testing"
)

func TestVersionNamesTheSigningKeys(t *testing.T) {
	defer func(keys string) { SigningKeys = keys }(SigningKeys)
	for keys, want := range map[string]string{"": `{"version":"dev"}`, "A B": `{"version":"dev","signing_keys":["A","B"]}`} {
		SigningKeys = keys
		got, err := json.Marshal(Current())
		if err != nil || string(got) != want {
			t.Errorf("%s (%v), want %s", got, err, want)
		}
	}
}
