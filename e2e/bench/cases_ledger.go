package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

func ledgerCases() []benchCase {
	return []benchCase{{
		name: "ledger recall, 50,000 entries", limit: 40, runs: 60,
		prepare: func(w *world) (command, command, error) {
			dir, err := w.fullLedger(50_000)
			recall := command{argv: []string{w.viber, "ledger", "recall", "--path", "src/m7/client.go", "--limit", "20"}, dir: dir, says: "entry 049507"}
			return recall, command{}, err
		},
	}}
}

// fullLedger makes a project whose ledger holds n entries of about 200 bytes, in 500 scopes.
func (w *world) fullLedger(n int) (dir string, err error) {
	dir = filepath.Join(w.dir, "ledger-project")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	first := exec.Command(w.viber, "ledger", "add", "--kind", "fact", "--statement", "the first entry of the store", "--scope", "**")
	first.Dir, first.Env = dir, w.env
	if out, err := first.CombinedOutput(); err != nil {
		return "", fmt.Errorf("ledger add: %w: %s", err, out)
	}
	stores, err := filepath.Glob(filepath.Join(w.dir, "home", "*", "*", "viber", "ledger", "*", "ledger.jsonl"))
	if err != nil || len(stores) != 1 {
		return "", fmt.Errorf("%d stores: %w", len(stores), err)
	}
	f, err := os.OpenFile(stores[0], os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	out := bufio.NewWriter(f)
	for i := range n {
		fmt.Fprintf(out, `{"id":"%012x","kind":"fact","statement":"entry %06d says how the module behaves when the server is slow and what to do","scope":"src/m%d/**","task":"T%d","at":"2026-05-01T10:00:00Z"}`+"\n", 0xabc000000000+i, i, i%500, i%90)
	}
	if err := out.Flush(); err != nil {
		return "", err
	}
	return dir, f.Close()
}
