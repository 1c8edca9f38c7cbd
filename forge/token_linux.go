package forge

import (
	"os"
	"strconv"
	"strings"
)

// there reports whether a desktop's bus runs: without one the library would try to start it.
func (k systemKeys) there() bool {
	for _, kv := range k.environ {
		if address, ok := strings.CutPrefix(kv, "DBUS_SESSION_BUS_ADDRESS="); ok && address != "" {
			return true
		}
	}
	_, err := os.Stat("/run/user/" + strconv.Itoa(os.Getuid()) + "/bus")
	return err == nil
}
