package hooksimpl

import (
	"io"
	"runtime"
	"strings"
	"testing"
)

// repeated is a file of size bytes that repeats text, and ends with tail.
type repeated struct {
	text, tail string
	size       int64
}

func (r repeated) ReadAt(p []byte, off int64) (int, error) {
	for n := range p {
		at := off + int64(n)
		if at >= r.size {
			return n, io.EOF
		}
		if from := r.size - int64(len(r.tail)); at >= from {
			p[n] = r.tail[at-from]
		} else {
			p[n] = r.text[at%int64(len(r.text))]
		}
	}
	return len(p), nil
}

// TestMemoryStaysTheSame reads 64 MB in many lines and in one; what is allocated does not grow with either.
func TestMemoryStaysTheSame(t *testing.T) {
	tail := "\n" + `{"type":"assistant","message":{"content":[{"name":"Write","input":{"file_path":"/w/plans/a.md"}}]}}`
	for name, text := range map[string]string{
		"lines":    `{"type":"assistant","message":{"content":[{"type":"text","text":"a: b"}]}}` + "\n",
		"one line": `{"a":"` + strings.Repeat("x", 1000),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		e := &episode{}
		if err := readTranscript(repeated{text, tail, 64 << 20}, 64<<20, e.line); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 {
			t.Errorf("%s: %d bytes allocated", name, used)
		}
		if e.planPath != "/w/plans/a.md" {
			t.Errorf("%s: the last line was not read: %+v", name, e)
		}
	}
}

// TestSignsAcrossBlocks moves a plan write over every position around the edge of a block.
func TestSignsAcrossBlocks(t *testing.T) {
	t.Parallel()
	line := `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"toolu_1","name":"Write","input":{"file_path":"/w/plans/a.md"}}]}}` + "\n" +
		`{"message":{"content":[{"type":"tool_use","id":"toolu_2","name":"Agent","input":{"subagent_type":"viber:planner-review"}}]}}` + "\n" +
		`{"message":{"content":[{"tool_use_id":"toolu_2","content":"ok\n**VERDICT: PASS**\n"}]},"timestamp":"2026-01-01T00:00:00Z"}` + "\n"
	edge := blockSize + lookAround
	for start := edge - len(line) - 16; start < edge+16; start += 3 {
		text := strings.Repeat("y", start-1) + "\n" + line
		e := &episode{in: strings.NewReader(text)}
		if err := readTranscript(strings.NewReader(text), int64(len(text)), e.line); err != nil {
			t.Fatal(err)
		}
		want := Span{Dispatch: 3, Verdict: 4, value: VerdictPass, timestamp: "2026-01-01T00:00:00Z"}
		if e.planWrite != 2 || e.plannerReview.pair != want {
			t.Fatalf("from byte %d: plan write in line %d, review %+v", start, e.planWrite, e.plannerReview)
		}
	}
}

// FuzzTranscript reads any text: nothing breaks, and a small window sees what a large one sees.
func FuzzTranscript(f *testing.F) {
	for _, v := range loadVectors(f, "plan-gate.json") {
		if file, ok := v.Files["t.jsonl"]; ok && len(file.content) < 8<<10 {
			f.Add(string(file.content))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := 0
		e := &episode{in: strings.NewReader(text)}
		err := readTranscript(strings.NewReader(text), int64(len(text)), func(n int, l *lineFacts) {
			if lines++; n != lines || l.end > int64(len(text)) || l.start > l.end {
				t.Errorf("line %d is numbered %d, bytes %d to %d of %d", lines, n, l.start, l.end, len(text))
			}
			e.line(n, l)
		})
		if want := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1; err != nil || text != "" && lines != want {
			t.Errorf("%d lines, want %d: %v", lines, want, err)
		}
	})
}
