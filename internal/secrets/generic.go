package secrets

import (
	"bytes"
)

const (
	genericSecret   = "generic-secret"
	genericPassword = "generic-password"
	connection      = "connection-string"
	privateKey      = "private-key"
	loginOption     = "login-option"
)

// handMatchers are the rules that no single pattern can say.
func handMatchers() []matcher {
	return []matcher{
		{rule: rule{id: privateKey, what: "private key", keys: []string{"-----begin"}, inside: true}, match: pemKey},
		{rule: rule{id: connection, what: "connection string or URL with a password", keys: []string{"://"}, inside: true}, match: urlPassword},
		{rule: rule{id: genericSecret, what: "secret assigned to a name that says so", inside: true,
			keys: []string{"secret", "token", "apikey", "api_key", "api-key", "accesskey", "access_key", "access-key", "authkey", "auth_key", "auth-key", "credential", "privatekey", "private_key", "private-key", "client_key", "encryption_key", "signing_key", "api.key", "admin_key", "master_key", "fernet_key", "app_key", "write_key", "session_key", "deploy_key", "service_key", "storage_key"}},
			match: namedSecret},
		{rule: rule{id: genericPassword, what: "password assigned to a name that says so", inside: true,
			keys: []string{"pass", "pwd"}}, match: namedPassword},
		{rule: rule{id: loginOption, what: "password of a command line", keys: []string{"docker login", "podman login", "helm registry login", "sshpass", "mysql", "az login", "npm login"}}, match: optionPassword},
		{rule: rule{id: "jwk-private", what: "private JSON web key", keys: []string{`"kty"`}, inside: true}, match: privateWebKey},
	}
}

// pemKey knows the head of a private key where it is data: alone on its line, or followed by the key itself. The same text
// as an argument of a program is no key.
func pemKey(line []byte, at int) (int, int, bool) {
	const dashes = "-----"
	rest := line[at+len(dashes):]
	end := bytes.Index(rest, []byte(dashes))
	if end < 0 || end > 60 {
		return 0, 0, false
	}
	label := rest[:end]
	if !bytes.HasPrefix(label, []byte("BEGIN ")) || !bytes.Contains(label, []byte("PRIVATE KEY")) {
		return 0, 0, false
	}
	stop := at + len(dashes) + end + len(dashes)
	body := bytes.TrimLeft(bytes.TrimRight(line[stop:], " \t\r"), " ")
	if len(body) == 0 {
		return at, stop, !prose(line[:at])
	}
	broken := bytes.HasPrefix(body, []byte(`\`))
	for bytes.HasPrefix(body, []byte(`\`)) {
		body = bytes.TrimLeft(body, `\rn`)
	}
	if broken && len(bytes.Trim(body, "\"'+ ")) == 0 { // one string a line
		return at, stop, true
	}
	return at, stop, base64Run(body) >= 40
}

// prose says that text before a key's head is a sentence or a comparison rather than an assignment.
func prose(before []byte) bool {
	before = bytes.TrimRight(bytes.TrimSpace(before), "\"'`|> ")
	if len(before) == 0 {
		return false
	}
	last := before[len(before)-1]
	return last != '=' && last != ':'
}

func base64Run(text []byte) int {
	n := 0
	for n < len(text) && (isWord(text[n]) && text[n] != '_' || text[n] == '+' || text[n] == '/' || text[n] == '=') {
		n++
	}
	return n
}

// urlPassword finds scheme://user:password@host with a password that is one.
func urlPassword(line []byte, at int) (int, int, bool) {
	rest := line[at+3 : window(line, at)]
	end := bytes.IndexAny(rest, " \t\"'`<>\\/?#,;)")
	if end >= 0 && bytes.IndexByte([]byte("/?#,;"), rest[end]) >= 0 {
		// a password may hold these; the host's @ must still come before the next blank or quote
		far := bytes.IndexAny(rest, " \t\"'`<>\\")
		if far < 0 {
			far = len(rest)
		}
		if !bytes.Contains(rest[:end], []byte("@")) && bytes.Contains(rest[:end], []byte(":")) {
			end = far
		}
	}
	if end < 0 {
		end = len(rest)
	}
	host := bytes.LastIndexByte(rest[:end], '@')
	if host < 0 || host+1 >= end || !isWord(rest[host+1]) && rest[host+1] != '[' {
		return 0, 0, false
	}
	user, password, ok := bytes.Cut(rest[:host], []byte(":"))
	if !ok || len(password) < 4 || everydayPassword(password) || bytes.EqualFold(user, password) || bytes.ContainsAny(user, "/?#") {
		return 0, 0, false
	}
	if standsForAnother(password) || documentedHost(rest[host+1:end]) {
		return 0, 0, false
	}
	start := at + 3 + len(user) + 1
	return start, start + len(password), true
}

// documentedHost says that a URL points at a name reserved for manuals.
func documentedHost(host []byte) bool {
	name, _, _ := bytes.Cut(host, []byte("/"))
	name, _, _ = bytes.Cut(name, []byte(":"))
	for _, reserved := range []string{"example.com", "example.org", "example.net", ".example", ".invalid"} {
		if bytes.HasSuffix(bytes.ToLower(name), []byte(reserved)) {
			return true
		}
	}
	return bytes.EqualFold(name, []byte("host")) || bytes.EqualFold(name, []byte("hostname"))
}

// everydayPassword knows the passwords of local test databases and manuals.
func everydayPassword(p []byte) bool {
	switch string(bytes.ToLower(p)) {
	case "password", "passwd", "pass", "secret", "postgres", "mysql", "root", "admin", "guest", "user", "test", "dev", "local", "redis", "mongo",
		"rabbitmq", "p@ssw0rd", "pw", "pwd", "123456", "1234", "12345678", "changeit", "hunter2", "docker", "minioadmin", "none", "null", "true", "false":
		return true
	}
	return false
}

// namedSecret finds name = "value" where the name ends with a word for a secret and the value looks random.
func namedSecret(line []byte, at int) (int, int, bool) {
	start, end, quoted, ok := assigned(line, at)
	if !ok {
		return 0, 0, false
	}
	value := line[start:end]
	if len(value) < 16 || len(value) > 512 || !mixed(value) || standsForAnother(value) || looksLikeCode(value, quoted) || isUUID(value) || isPath(value) {
		return 0, 0, false
	}
	need := 3.5
	if isHex(value) {
		need = 3.0
	}
	return start, end, entropy(value) >= need
}

// saysPassword says that the name at hand means a password: not a compass, and nothing that passed.
func saysPassword(line []byte, at int) bool {
	rest := line[at:]
	for _, word := range []string{"password", "passwd", "passphrase", "pwd"} {
		if hasPrefixFold(rest, word) && lower(rest[0]) == word[0] && lower(rest[1]) == word[1] {
			return true
		}
	}
	end := at + len("pass")
	before := at == 0 || !isWord(line[at-1]) || line[at-1] == '_' || line[at] == 'P' && line[at-1] != 'P' && line[at-1] >= 'a'
	return before && (end == len(line) || !isWord(line[end]) && line[end] != '-')
}

// namedPassword finds name = "value" where the name ends with a word for a password and the value is not a word of a manual.
func namedPassword(line []byte, at int) (int, int, bool) {
	start, end, quoted, ok := assigned(line, at)
	if !ok || !saysPassword(line, at) {
		return 0, 0, false
	}
	value := line[start:end]
	if len(value) < 8 || len(value) > 256 || everydayPassword(value) || standsForAnother(value) || looksLikeCode(value, quoted) || isUUID(value) || isPath(value) {
		return 0, 0, false
	}
	return start, end, passwordLike(value)
}

// passwordLike says that a value is more than a word: many kinds of characters, or a long mixture.
func passwordLike(value []byte) bool {
	return classes(value) >= 3 || classes(value) == 2 && len(value) >= 12 && mixed(value) && entropy(value) >= 3.2
}

// assigned reads from a word inside a name to the value given to that name: the rest of the name, an operator, the value.
func assigned(line []byte, at int) (start, end int, quoted, ok bool) {
	nameEnd := at
	for nameEnd < len(line) && nameEnd-at <= 40 && (isWord(line[nameEnd]) || line[nameEnd] == '-' || line[nameEnd] == '.') {
		nameEnd++
	}
	if nameEnd-at > 40 {
		return 0, 0, false, false
	}
	i := nameEnd
	if i < len(line) && (line[i] == '"' || line[i] == '\'' || line[i] == '`') {
		i++
	}
	if start, end, ok := elementValue(line, at, nameEnd); ok {
		return start, end, true, true
	}
	i = attribute(line, blanks(line, i))
	n := operator(line[i:])
	if n == 0 && i < len(line) && line[i] == ',' && defines(line, at) {
		n = 1
	}
	if n == 0 || notASecretsName(line, at, nameEnd) {
		return 0, 0, false, false
	}
	spaced := i > nameEnd && line[i-1] == ' ' || i+n < len(line) && line[i+n] == ' '
	colon := line[i] == ':' && n == 1
	i = blanks(line, i+n)
	if i >= len(line) {
		return 0, 0, false, false
	}
	if q := line[i]; q == '"' || q == '\'' || q == '`' {
		j := bytes.IndexByte(line[i+1:min(len(line), i+valueLimit)], q)
		if j < 0 {
			return 0, 0, false, false
		}
		return i + 1, i + 1 + j, true, true
	}
	start, end, quoted, ok = bareValue(line, i)
	if ok && spaced && !colon && !strong(line[start:end]) {
		return 0, 0, false, false // bare words after "x = " are code
	}
	return start, end, quoted, ok
}

// elementValue reads `<name>value<`, the text of an XML element.
func elementValue(line []byte, at, nameEnd int) (start, end int, ok bool) {
	if nameEnd >= len(line) || line[nameEnd] != '>' || notASecretsName(line, at, nameEnd) {
		return 0, 0, false
	}
	first := nameStart(line, at)
	if first == 0 || line[first-1] != '<' && line[first-1] != ':' {
		return 0, 0, false
	}
	length := bytes.IndexByte(line[nameEnd+1:min(len(line), nameEnd+valueLimit)], '<')
	return nameEnd + 1, nameEnd + 1 + max(length, 0), length > 0
}

// attribute moves over the `value` of `key="NAME" value="..."` to its operator.
func attribute(line []byte, i int) int {
	if bytes.HasPrefix(line[i:], []byte("value=")) {
		return i + len("value")
	}
	return i
}

// defines says that the quoted name at hand is what PHP's define() gives a value.
func defines(line []byte, at int) bool {
	start := nameStart(line, at)
	before := bytes.TrimRight(line[max(0, start-nearby):start], `"' `)
	return bytes.HasSuffix(bytes.ToLower(before), []byte("define("))
}

// nearby bounds what is looked at in front of a name and in it, and valueLimit what may be a value.
const (
	nearby     = 64
	valueLimit = 1024
)

func nameStart(line []byte, at int) int {
	first := max(0, at-nearby)
	for at > first && (isWord(line[at-1]) || line[at-1] == '-' || line[at-1] == '.') {
		at--
	}
	return at
}

// bareValue reads an unquoted value as .env files and YAML have it: it must be the rest of the line, up to a comment.
func bareValue(line []byte, i int) (int, int, bool, bool) {
	j := i
	for j < len(line) && j-i < valueLimit && line[j] > ' ' && line[j] != '"' && line[j] != '\'' && line[j] != ',' && line[j] != ';' {
		j++
	}
	rest := bytes.TrimSpace(line[j:])
	apart := j < len(line) && line[j] == ' ' && strong(line[i:j])
	if len(rest) > 0 && !apart && rest[0] != '#' && rest[0] != ';' && !bytes.HasPrefix(rest, []byte("//")) {
		return 0, 0, false, false
	}
	return i, j, false, j > i
}

func operator(text []byte) int {
	for _, op := range []string{":=", "=>", "==", "!=", "===", ":", "="} {
		if bytes.HasPrefix(text, []byte(op)) {
			if op == "==" || op == "!=" || op == "===" {
				return 0
			}
			return len(op)
		}
	}
	return 0
}

func blanks(line []byte, i int) int {
	for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
		i++
	}
	return i
}

// notASecretsName says that the whole name speaks of something beside the secret: its hash, its id, where it is kept.
func notASecretsName(line []byte, at, end int) bool {
	start := nameStart(line, at)
	name := bytes.ToLower(line[start:end])
	if bytes.Contains(line[max(0, start-nearby):start], []byte("arn:")) { // part of a resource's name
		return true
	}
	for _, word := range []string{"hash", "sha1", "sha256", "sha512", "digest", "checksum", "integrity", "fingerprint", "public", "commit", "revision", "version", "name", "count", "length", "limit",
		"type", "path", "file", "dir", "url", "uri", "endpoint", "expir", "field", "header", "prefix", "suffix", "pattern", "regex", "format", "policy", "label", "title", "hint", "prompt", "message", "error"} {
		if bytes.Contains(name, []byte(word)) {
			return true
		}
	}
	for _, tail := range []string{"_id", "-id", "ids", "keyid", "tokenid", "secretid", "_ref", "ref"} {
		if bytes.HasSuffix(name, []byte(tail)) {
			return true
		}
	}
	return false
}
