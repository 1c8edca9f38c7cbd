package term

import (
	"sync/atomic"
	"testing"
)

func TestOnlyReportsThatWereAskedForComeThrough(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		owed     int32
		in, want string
	}{
		"none asked":          {0, "\x1b[1;1Ry\r", "y\r"},
		"one asked":           {1, "\x1b[1;1R\x1b[2;2Ry\r", "\x1b[1;1Ry\r"},
		"arrow keys stay":     {0, "\x1b[A\x1b[3~", "\x1b[A\x1b[3~"},
		"plain text":          {0, "yes\r", "yes\r"},
		"a report in between": {0, "y\x1b[24;80R\r", "y\r"},
		"no report":           {0, "\x1b[R\x1b", "\x1b[R\x1b"},
	} {
		var owed atomic.Int32
		owed.Store(c.owed)
		text := []byte(c.in)
		if got := string(text[:dropReports(text, &owed)]); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
