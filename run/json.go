package run

import (
	"encoding/json"
	"io"
)

// writeJSON prints v, indented and with "<", ">" and "&" as they are.
func writeJSON(out io.Writer, v any) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
