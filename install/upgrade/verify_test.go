package upgrade

import (
	"bytes"
	"crypto/rand"
	"strings"
	"testing"

	"aead.dev/minisign"
)

func signed(t *testing.T, private minisign.PrivateKey, message []byte, comment string) []byte {
	t.Helper()
	r := minisign.NewReader(bytes.NewReader(message))
	if _, err := bytes.NewBuffer(nil).ReadFrom(r); err != nil {
		t.Fatal(err)
	}
	return r.SignWithComments(private, comment, "u")
}

func TestSignatureBindsFileVersionAndName(t *testing.T) {
	first, firstPrivate, _ := minisign.GenerateKey(rand.Reader)
	second, secondPrivate, _ := minisign.GenerateKey(rand.Reader)
	_, stranger, _ := minisign.GenerateKey(rand.Reader)
	keys, err := ParseKeys(first.String() + "\n" + strings.TrimSpace(string(bytesOf(t, second))))
	if err != nil || len(keys) != 2 {
		t.Fatalf("%d keys, %v", len(keys), err)
	}
	message, name := []byte("archive"), "viber_1.2.3_linux_amd64.tar.gz"
	comment := "viber 1.2.3 " + name
	for who, private := range map[string]minisign.PrivateKey{"first": firstPrivate, "second, after a rotation": secondPrivate} {
		if err := keys.Verify(message, signed(t, private, message, comment), "1.2.3", name); err != nil {
			t.Errorf("%s: %v", who, err)
		}
	}
	crlf := bytes.ReplaceAll(signed(t, firstPrivate, message, comment), []byte("\n"), []byte("\r\n"))
	tests := map[string]struct {
		message, signature []byte
		version, want      string
	}{
		"changed file":      {[]byte("archivf"), signed(t, firstPrivate, message, comment), "1.2.3", "does not fit"},
		"truncated file":    {[]byte("archiv"), signed(t, firstPrivate, message, comment), "1.2.3", "does not fit"},
		"strange key":       {message, signed(t, stranger, message, comment), "1.2.3", "none of this build's"},
		"other version":     {message, signed(t, firstPrivate, message, "viber 1.2.2 "+name), "1.2.3", "signed as"},
		"other target":      {message, signed(t, firstPrivate, message, "viber 1.2.3 viber_1.2.3_darwin_arm64.tar.gz"), "1.2.3", "signed as"},
		"empty signature":   {message, nil, "1.2.3", "not a minisign signature"},
		"garbage signature": {message, []byte("untrusted comment: x\nAAAA\n"), "1.2.3", "not a minisign signature"},
		"cut signature":     {message, signed(t, firstPrivate, message, comment)[:100], "1.2.3", "not a minisign signature"},
	}
	for what, tt := range tests {
		if err := keys.Verify(tt.message, tt.signature, tt.version, name); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", what, err, tt.want)
		}
	}
	if err := keys.Verify(message, crlf, "1.2.3", name); err != nil {
		t.Errorf("a signature with CR LF: %v", err)
	}
	if err := (Keys)(nil).Verify(message, signed(t, firstPrivate, message, comment), "1.2.3", name); err == nil || !strings.Contains(err.Error(), "no signing key") {
		t.Errorf("no keys: %v", err)
	}
}

func bytesOf(t *testing.T, key minisign.PublicKey) []byte {
	t.Helper()
	text, err := key.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestCheckSum(t *testing.T) {
	const sum = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881" // of "x"
	tests := map[string]struct{ sums, data, want string }{
		"right":         {sum + "  a.tar.gz\n", "x", ""},
		"binary mode":   {sum + " *a.tar.gz\r\n", "x", ""},
		"upper case":    {strings.ToUpper(sum) + "  a.tar.gz\n", "x", ""},
		"wrong":         {sum + "  a.tar.gz\n", "y", "sha256 is"},
		"not listed":    {sum + "  b.tar.gz\n", "x", "no sum is listed"},
		"empty list":    {"", "x", "no sum is listed"},
		"two sums":      {sum + "  a.tar.gz\n" + strings.Repeat("0", 64) + "  a.tar.gz\n", "x", "two different sums"},
		"name in a dir": {sum + "  dist/a.tar.gz\n", "x", "no sum is listed"},
	}
	for name, tt := range tests {
		err := CheckSum([]byte(tt.sums), []byte(tt.data), "a.tar.gz")
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}
