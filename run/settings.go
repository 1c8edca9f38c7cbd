package run

import (
	"os"

	"viber/schema"
)

// settings reads the project's shared configuration; the personal overlay changes nothing a run depends on.
func settings(root string) *schema.Config {
	text, err := os.ReadFile(schema.Path(root))
	if err != nil {
		text = nil
	}
	return schema.Parse(root, string(text))
}

// isFileName reports whether s can name one directory: letters, digits, ".", "_" and "-", and neither "." nor "..".
func isFileName(s string) bool {
	if s == "." || s == ".." || s == "" {
		return false
	}
	for i := range len(s) {
		if s[i] != '.' && !isTokenByte(s[i]) {
			return false
		}
	}
	return true
}
