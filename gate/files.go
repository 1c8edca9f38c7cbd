package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"viber/internal/fsx"
)

// ReadInput returns the bytes of the file at path, or of stdin when path is "-", refusing what is over MaxInput.
func ReadInput(path string, stdin io.Reader) ([]byte, error) { return readBounded(path, stdin) }

// Failed is a gate's answer when something it needs could not be read.
func Failed(gate, file string, err error) Result { return unreadable(gate, file, err) }

// Added are the paths that a diff adds.
func Added(diff []DiffFile) []string {
	var all []string
	for _, f := range diff {
		if f.Status == 'A' {
			all = append(all, f.Path)
		}
	}
	return all
}

// Apply writes the corrections of a contradiction into file; every other byte stays.
func Apply(door fsx.Door, file string, corrections []Correction) error {
	data, err := readBounded(file, nil)
	if err != nil {
		return err
	}
	fixed, err := Corrected(data, corrections)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return door.Write(file, fixed, fsx.Options{Before: &data})
}

// AnnotateOptions say which files get fingerprints and where the result goes.
type AnnotateOptions struct {
	Files    []string
	Previous string // an earlier round's file whose identities are carried over; empty for none
	InPlace  bool
	JSON     bool
	Look     Look
	Door     fsx.Door
	Out      io.Writer
}

// AnnotateFiles stamps the findings of every file, in place or on Out. All files are read before the first is written.
// ok is false when one could not be read; the result then says why.
func AnnotateFiles(o AnnotateOptions) (res Result, ok bool) {
	const name = "fingerprint"
	var earlier []Finding
	if o.Previous != "" {
		var err error
		if earlier, err = Findings(o.Previous); err != nil {
			return notFindings(name, o.Previous, err), false
		}
		earlier = Annotate(earlier, nil, o.Look)
	}
	var done []Annotated
	for _, f := range o.Files {
		a, err := AnnotateFile(f, earlier, o.Look)
		if err != nil {
			return notFindings(name, f, err), false
		}
		done = append(done, a)
	}
	return Result{}, writeAnnotated(o, done, &res)
}

func writeAnnotated(o AnnotateOptions, done []Annotated, res *Result) bool {
	for _, a := range done {
		if !o.InPlace {
			fmt.Fprintf(o.Out, "%s", a.Text)
			continue
		}
		if a.Added > 0 {
			if err := o.Door.Write(a.File, a.Text, fsx.Options{}); err != nil {
				*res = unreadable("fingerprint", a.File, err)
				return false
			}
		}
		if !o.JSON {
			fmt.Fprintln(o.Out, a)
		}
	}
	if o.InPlace && o.JSON {
		_ = json.NewEncoder(o.Out).Encode(map[string]any{"files": done})
	}
	return true
}

// notFindings tells a file that is not there from one that holds something else.
func notFindings(name, file string, err error) Result {
	if _, readErr := readBounded(file, nil); readErr != nil {
		return unreadable(name, file, readErr)
	}
	r := &report{rule: "json"}
	r.wrong("", err.Error(), "a review with findings[], or a triage with accepted[], deferred[] and rejected[]")
	return r.result(name, file)
}

// PrintDelta compares two files and prints what is fixed, still present and new.
func PrintDelta(out io.Writer, earlier, now string, look Look, asJSON bool) (Result, bool) {
	const name = "fingerprint"
	a, err := Findings(earlier)
	if err != nil {
		return notFindings(name, earlier, err), false
	}
	b, err := Findings(now)
	if err != nil {
		return notFindings(name, now, err), false
	}
	d := Compare(a, b, look)
	if asJSON {
		return Result{}, json.NewEncoder(out).Encode(d) == nil
	}
	for _, group := range []struct {
		word string
		list []Finding
	}{{"fixed", d.Fixed}, {"still present", d.StillPresent}, {"new", d.New}} {
		fmt.Fprintf(out, "%s: %d\n", group.word, len(group.list))
		for _, f := range group.list {
			fmt.Fprintf(out, "  %s %s %s:%d %s\n", f.Fingerprint, f.Severity, f.File, f.Line, oneLine(string(f.Issue)))
		}
	}
	return Result{}, true
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
