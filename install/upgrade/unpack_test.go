package upgrade

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
)

type entry struct {
	name, body, link string
	kind             byte
}

func tarGz(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	gz := gzip.NewWriter(&b)
	tw := tar.NewWriter(gz)
	for _, e := range entries {
		if e.kind == 0 {
			e.kind = tar.TypeReg
		}
		h := &tar.Header{Name: e.name, Typeflag: e.kind, Linkname: e.link, Mode: 0o755, Size: int64(len(e.body))}
		if err := tw.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := tw.Write([]byte(e.body)); err != nil {
			t.Fatal(err)
		}
	}
	tw.Close()
	gz.Close()
	return b.Bytes()
}

func zipped(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	zw := zip.NewWriter(&b)
	for _, e := range entries {
		w, err := zw.Create(e.name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(e.body)); err != nil {
			t.Fatal(err)
		}
	}
	zw.Close()
	return b.Bytes()
}

func TestProgramTakesTheOneExpectedFile(t *testing.T) {
	good := []entry{{name: "viber", body: "PROGRAM"}, {name: "LICENSE", body: "x"}, {name: "completions/viber.bash", body: "x"}, {name: "man/viber.1", body: "x"}}
	got, err := Program("a.tar.gz", tarGz(t, good...), "linux")
	if err != nil || string(got) != "PROGRAM" {
		t.Fatalf("%q, %v", got, err)
	}
	good[0].name = "viber.exe"
	got, err = Program("a.zip", zipped(t, good...), "windows")
	if err != nil || string(got) != "PROGRAM" {
		t.Fatalf("%q, %v", got, err)
	}
}

func TestOddArchivesAreRefused(t *testing.T) {
	program := entry{name: "viber", body: "PROGRAM"}
	bomb := entry{name: "LICENSE", body: strings.Repeat("0", archiveLimit)}
	tests := map[string]struct {
		archive []byte
		want    string
	}{
		"empty":           {nil, "not a gzip"},
		"not gzip":        {[]byte("PK"), "not a gzip"},
		"truncated":       {tarGz(t, program)[:60], "not a whole tar"},
		"no program":      {tarGz(t, entry{name: "LICENSE", body: "x"}), "holds no viber"},
		"two programs":    {tarGz(t, program, program), "twice"},
		"parent path":     {tarGz(t, program, entry{name: "../viber", body: "x"}), "does not stay inside"},
		"absolute path":   {tarGz(t, program, entry{name: "/usr/bin/viber", body: "x"}), "does not stay inside"},
		"windows path":    {tarGz(t, program, entry{name: `C:\viber.exe`, body: "x"}), "does not stay inside"},
		"backslash":       {tarGz(t, program, entry{name: `..\viber`, body: "x"}), "does not stay inside"},
		"symbolic link":   {tarGz(t, entry{name: "viber", kind: tar.TypeSymlink, link: "/bin/sh"}), "neither a file nor a folder"},
		"hard link":       {tarGz(t, program, entry{name: "LICENSE", kind: tar.TypeLink, link: "viber"}), "neither a file nor a folder"},
		"device":          {tarGz(t, program, entry{name: "LICENSE", kind: tar.TypeChar}), "neither a file nor a folder"},
		"unexpected file": {tarGz(t, program, entry{name: "install.sh", body: "x"}), "not part of a release"},
		"deeper folder":   {tarGz(t, program, entry{name: "man/x/viber", body: "x"}), "not part of a release"},
		"bomb":            {tarGz(t, program, bomb), "more than 64 MB"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got, err := Program("a.tar.gz", tt.archive, "linux"); err == nil || !strings.Contains(err.Error(), tt.want) || got != nil {
				t.Errorf("%d bytes, %v; want %q", len(got), err, tt.want)
			}
		})
	}
	if _, err := Program("a.zip", zipped(t, entry{name: "../viber.exe", body: "x"}), "windows"); err == nil {
		t.Error("a zip that leaves its folder was accepted")
	}
}

func FuzzProgram(f *testing.F) {
	f.Add([]byte("x"), true)
	f.Fuzz(func(t *testing.T, data []byte, isZip bool) {
		name := "a.tar.gz"
		if isZip {
			name = "a.zip"
		}
		if p, err := Program(name, data, "linux"); err == nil && p == nil {
			t.Error("no program and no error")
		}
	})
}
