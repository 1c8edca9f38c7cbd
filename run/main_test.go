package run_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMain makes the test binary a gh of its own: a link to it called gh answers from the rules of a vector.
func TestMain(m *testing.M) {
	if strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") == "gh" {
		os.Exit(fakeGH(os.Args[1:]))
	}
	os.Exit(m.Run())
}

type ghRule struct {
	Match          []string
	Stdout, Stderr string
	Exit           int
	JSON           json.RawMessage `json:",omitempty"`
}

type ghSpec struct {
	Absent bool
	Rules  []ghRule
}

// fakeGH writes its arguments down in $VEC_GH_LOG and answers with the first rule of $VEC_GH_SPEC that fits.
func fakeGH(args []string) int {
	var spec ghSpec
	text, err := os.ReadFile(os.Getenv("VEC_GH_SPEC"))
	if err == nil {
		err = json.Unmarshal(text, &spec)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fake gh:", err)
		return 98
	}
	line, _ := json.Marshal(args)
	log, err := os.OpenFile(os.Getenv("VEC_GH_LOG"), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	if err == nil {
		fmt.Fprintf(log, "%s\n", line)
		log.Close()
	}
	for _, r := range spec.Rules {
		if len(args) < len(r.Match) || !slices.Equal(args[:len(r.Match)], r.Match) {
			continue
		}
		if len(r.JSON) > 0 && !slices.Contains(args, "--jq") {
			fmt.Printf("%s\n", r.JSON)
		} else {
			fmt.Print(r.Stdout)
		}
		fmt.Fprint(os.Stderr, r.Stderr)
		return r.Exit
	}
	fmt.Fprintf(os.Stderr, "fake gh: no rule for %q\n", args)
	return 97
}
