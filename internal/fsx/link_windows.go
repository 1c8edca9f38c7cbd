package fsx

import (
	"encoding/binary"
	"os"
	"unicode/utf16"

	"golang.org/x/sys/windows"
)

// makeDirLink makes a junction, which needs no privilege. The reparse data is the documented mount point form.
func makeDirLink(target, link string) error {
	if err := os.Mkdir(link, 0o755); err != nil {
		return err
	}
	err := setMountPoint(target, link)
	if err != nil {
		_ = os.Remove(link)
		return &os.LinkError{Op: "junction", Old: target, New: link, Err: err}
	}
	return nil
}

func setMountPoint(target, link string) error {
	name, err := windows.UTF16PtrFromString(link)
	if err != nil {
		return err
	}
	h, err := windows.CreateFile(name, windows.GENERIC_WRITE, 0, nil, windows.OPEN_EXISTING,
		windows.FILE_FLAG_OPEN_REPARSE_POINT|windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(h)
	data := mountPoint(target)
	var n uint32
	return windows.DeviceIoControl(h, windows.FSCTL_SET_REPARSE_POINT, &data[0], uint32(len(data)), nil, 0, &n, nil)
}

func mountPoint(target string) []byte {
	substitute := utf16.Encode([]rune(`\??\` + target))
	printed := utf16.Encode([]rune(target))
	var path []byte
	for _, part := range [][]uint16{append(substitute, 0), append(printed, 0)} {
		for _, u := range part {
			path = binary.LittleEndian.AppendUint16(path, u)
		}
	}
	le := binary.LittleEndian
	out := le.AppendUint32(nil, windows.IO_REPARSE_TAG_MOUNT_POINT)
	out = le.AppendUint16(out, uint16(8+len(path)))
	out = le.AppendUint16(out, 0)
	out = le.AppendUint16(out, 0)
	out = le.AppendUint16(out, uint16(2*len(substitute)))
	out = le.AppendUint16(out, uint16(2*len(substitute)+2))
	out = le.AppendUint16(out, uint16(2*len(printed)))
	return append(out, path...)
}

func makeFileLink(target, link string) error {
	if err := os.Link(target, link); err == nil {
		return nil
	}
	return Door{}.Copy(target, link, 0o755)
}

// renameLink replaces the junction or file at to. A junction cannot be renamed over, so an old one is removed first; a file
// that is a running program gives way the same way.
func renameLink(from, to string) error {
	if _, ok := DirLink(to); ok {
		if err := os.Remove(to); err != nil {
			return err
		}
	}
	err := rename(from, to)
	if err == nil || !busy(err) || remove(to) != nil {
		return err
	}
	return rename(from, to)
}
