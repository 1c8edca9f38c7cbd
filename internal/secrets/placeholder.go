package secrets

import (
	"bytes"
	"encoding/base64"
	"math"
)

// publicExample says that a value with a credential's shape is one everybody knows or nobody uses: from the vendors' own
// documentation, a filled-in mask, one unit repeated.
func publicExample(value []byte) bool {
	low := bytes.ToLower(value)
	for _, mark := range []string{"example", "xxxxx", "your", "placeholder", "redacted", "dummy", "changeme", "notareal", "00000000", "*****"} {
		if bytes.Contains(low, []byte(mark)) {
			return true
		}
	}
	return documented(string(value)) || repeated(low)
}

// documented knows the keys that vendors print in their own manuals.
func documented(value string) bool {
	switch value {
	case "sk_test_" + "4eC39HqLyjWDarjtT1zdp7dc", "sk_test_" + "BQokikJOvBiI2HlWgH4olfQ2", "sk_test_" + "26PHem9AhJZvU623DfE1x4sd",
		"sk_test_" + "51", "sk_test_" + "tR3PYbcVNZZ796tH88S4VQ2u":
		return true
	}
	const jwtDemo = "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c"
	return len(value) > len(jwtDemo) && value[len(value)-len(jwtDemo):] == jwtDemo
}

// repeated says that the value, without a prefix up to the last '-' or '_', is one short unit over and over.
func repeated(value []byte) bool {
	if i := bytes.LastIndexAny(value, "-_."); i >= 0 && len(value)-i > 8 {
		value = value[i+1:]
	}
	n := len(value)
	if n < 8 {
		return false
	}
	for unit := 1; unit <= n/3; unit++ {
		same := true
		for i := unit; i < n && same; i++ {
			same = value[i] == value[i-unit]
		}
		if same {
			return true
		}
	}
	return false
}

// entropy is the Shannon entropy of the bytes of value, in bits a character.
func entropy(value []byte) float64 {
	var count [256]int
	for _, c := range value {
		count[c]++
	}
	var sum float64
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(value))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

// standsForAnother says that a value is not a value at all: a variable, a template, a mask, a word of a manual.
func standsForAnother(value []byte) bool {
	if len(value) == 0 || bytes.ContainsAny(value, "<>{}[]()`|\\ \t") || bytes.Contains(value, []byte("...")) || namesVariable(value) {
		return true
	}
	if value[0] == '%' || value[0] == '@' || value[0] == '&' || value[0] == '*' {
		return true
	}
	low := bytes.ToLower(value)
	for _, scheme := range []string{"keyring:", "vault:", "op:", "env:", "file:", "secret:", "ssm:", "sops:", "arn:", "urn:", "projects/"} {
		if bytes.HasPrefix(low, []byte(scheme)) {
			return true
		}
	}
	for _, word := range []string{"example", "placeholder", "your", "change", "dummy", "sample", "fake", "mock", "redacted", "replace",
		"insert", "todo", "xxxx", "****", "my-", "my_", "some-", "some_", "insecure", "not-a", "notreal", "test", "foobar", "lorem", "password"} {
		if bytes.Contains(low, []byte(word)) {
			return true
		}
	}
	return counted(low) || repeated(low) || encodedWord(value)
}

// encodedWord says that a value is base64 of a password of manuals.
func encodedWord(value []byte) bool {
	if len(value) > 40 || len(value)%4 != 0 {
		return false
	}
	text := make([]byte, base64.StdEncoding.DecodedLen(len(value)))
	n, err := base64.StdEncoding.Decode(text, value)
	return err == nil && everydayPassword(bytes.TrimSpace(text[:n]))
}

// namesVariable says that a dollar stands in front of a name in value, or in front of nothing.
func namesVariable(value []byte) bool {
	for i, c := range value {
		if c == '$' && (i+1 == len(value) || value[i+1] == '_' || lower(value[i+1]) >= 'a' && lower(value[i+1]) <= 'z' || i == 0) {
			return true
		}
	}
	return false
}

// counted says that most of the value is a plain sequence such as 123456 or abcdefgh.
func counted(value []byte) bool {
	steps := 0
	for i := 1; i < len(value); i++ {
		if value[i] == value[i-1]+1 || value[i] == value[i-1] {
			steps++
		}
	}
	return steps*2 > len(value)
}
