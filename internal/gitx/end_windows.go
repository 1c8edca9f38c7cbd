package gitx

import "os"

// askToEnd ends a process: there is no way to ask on Windows.
func askToEnd(p *os.Process) error { return p.Kill() }
