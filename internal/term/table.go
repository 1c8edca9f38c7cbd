package term

import (
	"bytes"
	"io"
	"strings"
	"text/tabwriter"
)

// Table aligns cells that are separated by tabs, two blanks apart; no line ends with blanks.
type Table struct {
	out     io.Writer
	aligned bytes.Buffer
	cells   *tabwriter.Writer
}

// NewTable returns a table that Flush writes to out.
func NewTable(out io.Writer) *Table {
	t := &Table{out: out}
	t.cells = tabwriter.NewWriter(&t.aligned, 0, 0, 2, ' ', 0)
	return t
}

// Write takes rows: lines of cells with tabs between them.
func (t *Table) Write(rows []byte) (int, error) { return t.cells.Write(rows) }

// Flush writes the rows so far.
func (t *Table) Flush() error {
	if err := t.cells.Flush(); err != nil {
		return err
	}
	var b strings.Builder
	for line := range strings.Lines(t.aligned.String()) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	t.aligned.Reset()
	_, err := io.WriteString(t.out, b.String())
	return err
}
