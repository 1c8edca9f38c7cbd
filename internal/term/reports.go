package term

import (
	"bytes"
	"os"
	"sync/atomic"
)

// Survey asks the terminal where the cursor is and reads the report from the input. Reports that nobody asked for (some
// terminal multiplexers leak them) would be taken for an answer; these two ends let through only as many as were asked for.

const cursorQuery = "\x1b[6n"

// asking is the output end: it counts the questions.
type asking struct {
	*os.File
	owed *atomic.Int32
}

func (a asking) Write(p []byte) (int, error) {
	a.owed.Add(int32(bytes.Count(p, []byte(cursorQuery))))
	return a.File.Write(p)
}

// answers is the input end: it drops reports that are not owed.
type answers struct {
	*os.File
	owed *atomic.Int32
}

func (a answers) Read(p []byte) (int, error) {
	for {
		n, err := a.File.Read(p)
		kept := dropReports(p[:n], a.owed)
		if kept > 0 || err != nil || n == 0 {
			return kept, err
		}
	}
}

// dropReports takes cursor reports that are not owed out of text, in place, and returns what is left of its length.
func dropReports(text []byte, owed *atomic.Int32) int {
	kept := 0
	for i := 0; i < len(text); {
		n := reportLength(text[i:])
		if n > 0 && owed.Add(-1) < 0 {
			owed.Store(0)
			i += n
			continue
		}
		n = max(n, 1)
		kept += copy(text[kept:], text[i:i+n])
		i += n
	}
	return kept
}

// reportLength returns the length of the cursor report ESC [ row ; column R that text begins with, 0 when it does not.
func reportLength(text []byte) int {
	if !bytes.HasPrefix(text, []byte("\x1b[")) {
		return 0
	}
	for i := 2; i < len(text); i++ {
		switch c := text[i]; {
		case c >= '0' && c <= '9' || c == ';':
		case c == 'R' && i > 2:
			return i + 1
		default:
			return 0
		}
	}
	return 0
}
