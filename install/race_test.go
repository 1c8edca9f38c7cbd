package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"viber/hooksimpl"
	"viber/internal/fsx"
	"viber/schema"
)

// Eight setups at once, while another program rewrites the settings file: no foreign key, hook or byte is lost and no
// entry of ours is doubled.
func TestEightSetupsAndARewriter(t *testing.T) {
	t.Parallel()
	rounds := 50
	if testing.Short() {
		rounds = 3
	}
	for round := range rounds {
		dir := fastDir(t)
		l := newLab(t, dir)
		settings := filepath.Join(dir, "home", ".claude", "settings.json")
		stop, rewritten := make(chan struct{}), make(chan int)
		go func() { rewritten <- rewrite(settings, round%2 == 0, stop) }()

		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				one := *l
				one.out = new(bytes.Buffer)
				one.env = labEnv(dir, one.out)
				if err := one.setup(); err != nil && !strings.Contains(err.Error(), "took") && !strings.Contains(err.Error(), fsx.ErrChanged.Error()) {
					t.Errorf("round %d: %v\n%s", round, err, one.out)
				}
			})
		}
		wg.Wait()
		close(stop)
		last := <-rewritten
		checkNothingLost(t, settings, round, last)
		if err := l.setup(); err != nil {
			t.Fatalf("round %d: %v\n%s", round, err, l.out)
		}
		if n := ownCount(t, settings); n != wanted() {
			t.Fatalf("round %d: %d entries of ours", round, n)
		}
		checkNothingLost(t, settings, round, last)
		_ = os.RemoveAll(dir)
	}
}

// rewrite plays a client that saves its settings again and again: it reads the file, sets its own key, and replaces the
// file whole or writes it in place. It returns the last value it wrote.
func rewrite(path string, inPlace bool, stop chan struct{}) (last int) {
	for n := 1; ; n++ {
		data, err := os.ReadFile(path)
		var all map[string]any
		if err == nil && json.Unmarshal(data, &all) == nil {
			all["counter"] = n
			next, _ := json.MarshalIndent(all, "", "  ")
			if err := replace(path, next, inPlace); err == nil {
				last = n
			}
		}
		select {
		case <-stop:
			return last
		case <-time.After(3 * time.Millisecond):
		}
	}
}

func replace(path string, data []byte, inPlace bool) error {
	if inPlace {
		return os.WriteFile(path, data, 0o644)
	}
	return errors.Join(os.WriteFile(path+".theirs", data, 0o644), os.Rename(path+".theirs", path))
}

func checkNothingLost(t *testing.T, path string, round, counter int) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Model   string `json:"model"`
		Counter int    `json:"counter"`
		Hooks   map[string]json.RawMessage
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatalf("round %d: %v\n%s", round, err, data)
	}
	if all.Model != "opus" || !strings.Contains(string(all.Hooks["Stop"]), `"mine"`) {
		t.Fatalf("round %d: something of the user's is lost:\n%s", round, data)
	}
	if all.Counter != counter {
		t.Fatalf("round %d: the counter is %d, %d was written last", round, all.Counter, counter)
	}
	if n := ownCount(t, path); n > wanted() {
		t.Fatalf("round %d: %d entries of ours:\n%s", round, n, data)
	}
}

func ownCount(t *testing.T, path string) int {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(data), fmt.Sprintf("%q", "timeout"))
}

// wanted is how many entries setup writes into the user's settings where the user switches nothing.
func wanted() int {
	return len(hooksimpl.Registrations(hooksimpl.ClientAbilities{If: true}, schema.ReadUser("").Value))
}
