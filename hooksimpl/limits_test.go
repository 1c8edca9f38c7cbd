package hooksimpl

import (
	"strings"
	"testing"
	"time"
)

// deepForms are texts that nest or chain one construct when repeated.
func deepForms() []string {
	return []string{
		"(", "$(", "{ ", "`", "\"$(", "${a:-", "${a[", "if ", "if x; then ", "elif x; then ", "while ", "until x; do ", "! ", "! !",
		"case x in a) ", "((", "$((", "((-", "((!", "a=(", "[[ ! ", "[[ (", "[[ a && ", "[[ a || ", "x | ", "x && ", "x || ", "x |& ",
		"function f() ", "f() ", "function f ", "time ", "time -p ", "coproc ", "coproc f ", "((a?", "((a=", "((a**", "((a,", "$[", "<(", ">(", "@(", "?(",
		"let a=", "for i in ", "for ((", "select i in ", "<<a\n", "<<<", "declare a=(", "a[", "a[$(", "\\", "'", "$'", "\"", "\"${a:+\"",
		"\\`", "&", ";", "\n", "}", ")", "]", "$", "~", "-", "*", "{a,", "{1..", "|", "x=$(", "eval ", "; ", "{(", "{ (", "(\n", "((1?", "$( ')' ", "{ '}' ", "(a.kill", "xargs -(", "taskkill (", "kill (", "(: ')'\n",
	}
}

// TestHugeInput feeds nested and huge text to every reader of commands. A stack overflow cannot be recovered from, so this
// test ends the whole run when a limit is missing.
func TestHugeInput(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{ToolBash, ToolPowerShell} {
		for _, form := range deepForms() {
			for _, size := range []int{24 << 10, 300 << 10} {
				for _, opening := range []string{"echo kill $( "} {
					text := opening + strings.Repeat(form, size/len(form))
					started := time.Now()
					findKill(tool, text)
					if size < shellSizeLimit || strings.Contains("eval time coproc f() $[ \"$( for i in ", form) {
						readShell(tool, text, testContext())
					}
					if took := time.Since(started); took > 20*time.Second {
						t.Errorf("%s: %q x %d took %s", tool, form, size/len(form), took)
					}
				}
			}
		}
	}
}

func TestNestingIsBounded(t *testing.T) {
	t.Parallel()
	if _, n := shellNesting(strings.Repeat("(", 5000)); n <= shellNestLimit {
		t.Errorf("5000 brackets nest %d deep", n)
	}
	if n, _ := shellNesting(strings.Repeat("$( ')' ", 9000)); n <= shellOpeningLimit {
		t.Errorf("9000 substitutions count as %d openings", n)
	}
	script := strings.Repeat("if test -f a; then echo \"$(date)\"; fi\nfor i in 1 2; do { echo $i; }; done\n", 300)
	if _, err := parseShell(script); err != nil {
		t.Error(err)
	}
}
