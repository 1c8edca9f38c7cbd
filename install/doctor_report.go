package install

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"viber/internal/fsx"
	"viber/internal/secrets"
)

// writeReport writes the diagnosis into a new file of the working directory, without what could tell who or where: home,
// project and account names are replaced, anything that looks like a credential is masked.
func writeReport(env Env, d *Diagnosis) error {
	places, err := FindPlaces(env)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "viber doctor report, %s/%s\n\n", runtime.GOOS, runtime.GOARCH)
	if err := d.writeJSON(&text); err != nil {
		return err
	}
	path := filepath.Join(env.Dir, "viber-report-"+env.Now().UTC().Format("20060102T150405Z")+".txt")
	var none []byte
	if err := env.Files.Write(path, redact(text.String(), d.Project, places.Home), fsx.Options{Mode: 0o600, Before: &none}); err != nil {
		return err
	}
	fmt.Fprintf(env.Streams.Out, "%s written. It holds versions, findings and hook entries; read it before you pass it on.\n", show(path))
	return nil
}

// redact replaces the project, the home directory and the account's name, and masks credentials.
func redact(text, project, home string) []byte {
	for _, hide := range []struct{ what, with string }{
		{project, "<project>"}, {jsonEscaped(project), "<project>"}, {home, "~"}, {jsonEscaped(home), "~"},
	} {
		if len(hide.what) > 1 {
			text = strings.ReplaceAll(text, hide.what, hide.with)
		}
	}
	if account := filepath.Base(home); len(account) > 2 && account != "root" {
		text = strings.ReplaceAll(text, string(os.PathSeparator)+account+string(os.PathSeparator), string(os.PathSeparator)+"<account>"+string(os.PathSeparator))
	}
	var out bytes.Buffer
	for line := range strings.Lines(text) {
		if len(secrets.Find([]byte(line))) > 0 {
			line = "<a line with something like a credential>\n"
		}
		out.WriteString(line)
	}
	return out.Bytes()
}

// jsonEscaped is a Windows path as it stands in JSON text.
func jsonEscaped(path string) string { return strings.ReplaceAll(path, `\`, `\\`) }
