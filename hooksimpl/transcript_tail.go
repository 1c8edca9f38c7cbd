package hooksimpl

import (
	"bytes"
	"io"
)

// tailLimit bounds what is read of a transcript's end.
const tailLimit = 4 << 20

// transcriptTail returns the whole lines of a transcript from the byte at from on, at most limit bytes of them.
func transcriptTail(w *World, path string, from, limit int64) []byte {
	f, err := w.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	start := max(from, info.Size()-limit, 0)
	text, err := io.ReadAll(io.NewSectionReader(f, start, info.Size()-start))
	if err != nil {
		return nil
	}
	if start > from { // begins inside a line
		text = text[bytes.IndexByte(text, '\n')+1:]
	}
	return text
}

// calledTool reports whether an assistant record behind the byte at from calls a tool.
func calledTool(w *World, path string, from int64) bool {
	for line := range bytes.Lines(transcriptTail(w, path, from, tailLimit)) {
		if bytes.Contains(line, []byte(`"type":"assistant"`)) && bytes.Contains(line, []byte(`"type":"tool_use"`)) {
			return true
		}
	}
	return false
}

// abortedByUser reports whether the last message of the transcript is the client's note that the user broke in.
func abortedByUser(w *World, path string) bool {
	aborted := false
	for line := range bytes.Lines(transcriptTail(w, path, 0, 256<<10)) {
		switch {
		case bytes.Contains(line, []byte(`"type":"assistant"`)):
			aborted = false
		case bytes.Contains(line, []byte(`"type":"user"`)):
			aborted = bytes.Contains(line, []byte(`[Request interrupted by user`))
		}
	}
	return aborted
}
