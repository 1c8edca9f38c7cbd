package program

import "golang.org/x/sys/windows"

// Alive reports whether a process of that id runs.
func Alive(pid int) bool {
	if pid <= 0 {
		return false
	}
	const stillActive = 259
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return false
	}
	defer func() { _ = windows.CloseHandle(h) }()
	var code uint32
	return windows.GetExitCodeProcess(h, &code) == nil && code == stillActive
}
