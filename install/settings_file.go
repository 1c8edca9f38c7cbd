package install

import (
	"viber/install/settings"
	"viber/internal/fsx"
)

// readSettings reads the settings file at path; what does not parse is looked at again while another program may be
// writing it. Nil without an error says that there is no file.
func readSettings(path string) ([]byte, error) {
	return fsx.ReadWhole(path, func(data []byte) bool {
		_, err := settings.Parse(path, data)
		return err == nil
	})
}
