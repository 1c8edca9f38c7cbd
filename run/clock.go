package run

import (
	"fmt"
	"strconv"
)

// Clock returns the line of `viber run-clock`: the present second to remember, or how long ago the remembered one was.
// now is in epoch seconds, known false for an unreadable clock; only the first of args counts.
func Clock(now int64, known bool, args []string) string {
	if len(args) == 0 {
		if !known {
			return "started: unknown\n"
		}
		return fmt.Sprintf("started: %d\n", now)
	}
	mark, ok := epoch(args[0])
	if !ok || !known || mark > now {
		return "elapsed: unknown\n"
	}
	return "elapsed: " + span(now-mark) + "\n"
}

// epoch reads a mark made of ASCII digits; one past 64 bits lies in the future and is not ok.
func epoch(mark string) (int64, bool) {
	for i := range len(mark) {
		if mark[i] < '0' || mark[i] > '9' {
			return 0, false
		}
	}
	n, err := strconv.ParseInt(mark, 10, 64)
	return n, err == nil
}

// span writes seconds with the largest unit that is not zero first, hours at most.
func span(s int64) string {
	switch h, m := s/3600, s/60%60; {
	case h > 0:
		return fmt.Sprintf("%dh %02dm %02ds", h, m, s%60)
	case m > 0:
		return fmt.Sprintf("%dm %02ds", m, s%60)
	}
	return fmt.Sprintf("%ds", s)
}
