package ledger

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"viber/internal/fsx"
	"viber/internal/gitx"
)

// TestMain lets the test binary act as one writer that may be killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv("LEDGER_WRITER"); dir != "" {
		writeForever(dir, os.Getenv("LEDGER_NAME"))
		return
	}
	os.Exit(m.Run())
}

// writeForever adds entries and says each one it was told is written.
func writeForever(dir, name string) {
	s := Store{Dir: dir, Now: time.Now}
	for i := 0; ; i++ {
		statement := fmt.Sprintf("entry %s-%d of the writer", name, i)
		if _, err := s.Add(Entry{Kind: Fact, Statement: statement, Scope: "**"}); err == nil {
			fmt.Println(statement)
		}
	}
}

func store(t testing.TB) Store {
	t.Helper()
	return Store{Dir: t.TempDir(), Now: func() time.Time { return time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC) }}
}

func add(t testing.TB, s Store, entries ...Entry) Added {
	t.Helper()
	a, err := s.Add(entries...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func fact(statement, scope string) Entry {
	return Entry{Kind: Fact, Statement: statement, Scope: scope}
}

// Sixteen processes write at once and are killed in the middle, round after round: what a writer was told is written stays,
// once, and the store can be read.
func TestWritersAndKills(t *testing.T) {
	t.Parallel()
	s := store(t)
	var told []string
	for round := range 13 { // 13 x 16 = 208 kills
		told = append(told, killedWriters(t, s.Dir, round, 16)...)
	}
	all, broken, err := s.Entries(Fact)
	if err != nil || broken > 0 {
		t.Fatalf("%d broken lines, %v", broken, err)
	}
	seen := map[string]int{}
	for _, e := range all {
		seen[e.Statement]++
	}
	for _, statement := range told {
		if seen[statement] != 1 {
			t.Errorf("%q is there %d times", statement, seen[statement])
		}
	}
	if len(told) < 13 {
		t.Errorf("only %d entries were written", len(told))
	}
	add(t, s, fact("the store still takes entries", "**"))
}

func killedWriters(t *testing.T, dir string, round, n int) []string {
	t.Helper()
	var mu sync.Mutex
	var told []string
	var group sync.WaitGroup
	for i := range n {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "LEDGER_WRITER="+dir, fmt.Sprintf("LEDGER_NAME=%d-%d", round, i))
		out, err := cmd.StdoutPipe()
		if err != nil || cmd.Start() != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Duration(60+17*i)*time.Millisecond, func() { _ = cmd.Process.Kill() })
		group.Go(func() {
			for in := bufio.NewScanner(out); in.Scan(); {
				if !strings.HasSuffix(in.Text(), "of the writer") { // cut by the kill: never told
					continue
				}
				mu.Lock()
				told = append(told, in.Text())
				mu.Unlock()
			}
			_ = cmd.Wait()
		})
	}
	group.Wait()
	return told
}

func TestHalfALineIsRepaired(t *testing.T) {
	t.Parallel()
	s := store(t)
	add(t, s, fact("the first entry stays", "**"))
	f, err := os.OpenFile(s.path(), os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, `{"id":"aaaaaaaaaaaa","kind":"fact","statem`)
	f.Close()
	if all, broken, err := s.Entries(); len(all) != 1 || broken != 0 || err != nil {
		t.Fatalf("before: %v %d %v", all, broken, err)
	}
	add(t, s, fact("the second entry follows", "**"))
	if all, broken, err := s.Entries(); len(all) != 2 || broken != 0 || err != nil {
		t.Fatalf("after: %v %d %v", all, broken, err)
	}
}

func TestWritingTwiceWritesOnce(t *testing.T) {
	t.Parallel()
	s := store(t)
	one := add(t, s, fact("The API retries on 503", "src/**"))
	two := add(t, s, fact("the api  retries on 503", "src/**"))
	if one.New != 1 || two.New != 0 || one.IDs[0] != two.IDs[0] {
		t.Errorf("%+v %+v", one, two)
	}
	if other := add(t, s, fact("The API retries on 503", "lib/**")); other.New != 1 {
		t.Error("another scope is another entry")
	}
}

func TestForgetAndComeBack(t *testing.T) {
	t.Parallel()
	s := store(t)
	e := fact("the cache lives for an hour", "src/**")
	id := add(t, s, e).IDs[0]
	if err := s.About(Forget, "L:"+id, "", ""); err != nil {
		t.Fatal(err)
	}
	if all, _ := s.Recall([]string{"src/a.go"}, 0); len(all) != 0 {
		t.Error("a forgotten entry is recalled")
	}
	for range 2 { // once more after compaction
		if a, err := s.AddOnce(e); err != nil || a.New != 0 {
			t.Errorf("a program brought it back: %+v %v", a, err)
		}
		if _, err := s.Compact(); err != nil {
			t.Fatal(err)
		}
	}
	if add(t, s, e).New != 1 {
		t.Error("a person could not bring it back")
	}
	if err := s.About(Forget, id, "", ""); err != nil {
		t.Fatal(err)
	}
	if all, _, _ := s.Entries(); len(all) != 0 {
		t.Error("it cannot be forgotten a second time")
	}
	if err := s.About(Forget, "ffffffffffff", "", ""); err == nil {
		t.Error("an unknown id was taken")
	}
}

func TestRecallOrder(t *testing.T) {
	t.Parallel()
	s := store(t)
	wide := add(t, s, fact("holds everywhere in the project", "**")).IDs[0]
	narrow := add(t, s, fact("holds in the client only", "src/api/client.go")).IDs[0]
	folder := add(t, s, fact("holds below the api folder", "src/api/**")).IDs[0]
	useful := add(t, s, fact("holds there and was useful", "src/api/**")).IDs[0]
	add(t, s, fact("holds for another folder", "lib/**"))
	if err := s.About(Feedback, useful, "useful", "T1"); err != nil {
		t.Fatal(err)
	}
	all, err := s.Recall([]string{"src/api/client.go"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range all {
		got = append(got, r.ID)
	}
	if want := []string{narrow, useful, folder, wide}; strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("got %v, want %v", got, want)
	}
	if two, _ := s.Recall([]string{"src/api/client.go"}, 2); len(two) != 2 {
		t.Error("the limit does not hold")
	}
}

func TestSecretsAreRefusedAndNowhere(t *testing.T) {
	t.Parallel()
	s := store(t)
	key := "AK" + "IAQ3EGT7XNLY2PWKVB"
	_, err := s.Add(fact("the key of the bucket is "+key, "**"))
	var secret *SecretError
	if !errors.As(err, &secret) || strings.Contains(err.Error(), key) {
		t.Fatalf("got %v", err)
	}
	triage := filepath.Join(t.TempDir(), "t.json")
	text := `{"accepted":[{"severity":"important","file":"a.go","line":1,"issue":"hardcoded ` + key + `","fix":"x"},{"severity":"important","file":"a.go","line":2,"issue":"the loop is slow","fix":"x"}],"deferred":[],"rejected":[],"approved":true}`
	if err := os.WriteFile(triage, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.IngestTriage(triage, "T1"); !errors.As(err, &secret) {
		t.Errorf("ingest: %v", err)
	}
	if all, _, _ := s.Entries(Prior); len(all) != 1 {
		t.Errorf("the clean finding was lost: %v", all)
	}
	err = filepath.WalkDir(s.Dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), key) {
			t.Errorf("%s holds the value", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestTwoRepositoriesNeverMix(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	a := Open(state, Normalise("git@github.com:acme/shop.git"), fsx.Door{}, time.Now)
	b := Open(state, Normalise("git@github.com:acme/shop-api.git"), fsx.Door{}, time.Now)
	same := Open(state, Normalise("https://user:pw@GitHub.com:443/acme/shop/"), fsx.Door{}, time.Now)
	add(t, a, fact("only the shop knows this", "**"))
	if all, _, _ := b.Entries(); len(all) != 0 {
		t.Error("the other repository sees it")
	}
	if all, _, _ := same.Entries(); len(all) != 1 {
		t.Error("another spelling of the remote does not see it")
	}
}

func TestNormalise(t *testing.T) {
	t.Parallel()
	for spelling, want := range map[string]string{
		"git@github.com:acme/shop.git":             "github.com/acme/shop",
		"ssh://git@github.com:22/acme/shop.git":    "github.com/acme/shop",
		"https://github.com/acme/shop":             "github.com/acme/shop",
		"https://tok" + "en@github.com/acme/shop/": "github.com/acme/shop",
		"HTTPS://GITHUB.COM/acme/shop.git":         "github.com/acme/shop",
		"https://bb.corp/scm/proj/repo.git":        "bb.corp/scm/proj/repo",
		"/srv/git/shop.git":                        "file:/srv/git/shop",
		"file:///srv/git/shop":                     "file:/srv/git/shop",
	} {
		if got := Normalise(spelling); got != want {
			t.Errorf("%s: got %s, want %s", spelling, got, want)
		}
	}
}

func TestIdentityWithoutRemote(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if got := Identity(context.Background(), gitx.Git{Dir: dir, Env: []string{"PATH=" + os.Getenv("PATH"), "GIT_CEILING_DIRECTORIES=" + filepath.Dir(dir)}}, dir); got != "dir:"+filepath.ToSlash(dir) {
		t.Errorf("got %s", got)
	}
}

func TestRejectedBlockingIsNoPreference(t *testing.T) {
	t.Parallel()
	s := store(t)
	file := filepath.Join(t.TempDir(), "t.json")
	text := `{"accepted":[],"deferred":[],"rejected":[{"finding":{"severity":"blocking","file":"a.go","line":1,"issue":"error of Close is lost"},"reason":"not here"},{"finding":{"severity":"suggestion","file":"src/[id].ts","line":1,"issue":"name is short"},"reason":"house style"}],"approved":true}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{1, 0} {
		if a, err := s.FromTriage(file, "T"); err != nil || a.New != want {
			t.Errorf("run %d: %+v %v", i, a, err)
		}
	}
	if all, err := s.Recall([]string{"src/[id].ts"}, 0); err != nil || len(all) != 1 || !strings.Contains(all[0].Statement, "house style") {
		t.Errorf("%v %v", all, err)
	}
}

func TestPriorArt(t *testing.T) {
	t.Parallel()
	s := store(t)
	add(t, s, Entry{Kind: Prior, Statement: "the error of Close is ignored", File: "src/a.go", Line: 3, Outcome: "rejected", Reason: "read only"},
		Entry{Kind: Prior, Statement: "the loop is quadratic", File: "src/b.go", Line: 9, Outcome: "accepted"})
	all, err := s.PriorArt("src/a.go", "error of Close is dropped", 0)
	if err != nil || len(all) != 1 || !strings.Contains(all[0].Told(), "rejected: read only") {
		t.Errorf("%v %v", all, err)
	}
}

func TestFlushOnlyWhenStale(t *testing.T) {
	t.Parallel()
	s := store(t)
	dir := t.TempDir()
	r := RunFiles{Triage: filepath.Join(dir, "triage-output.json"), State: filepath.Join(dir, "state.json"), Patch: filepath.Join(dir, "p.patch"), Stamp: filepath.Join(dir, "flushed"), Task: "k"}
	for file, text := range map[string]string{
		r.Triage: `{"accepted":[{"severity":"important","file":"a.go","line":1,"issue":"loop is slow","fix":"x"}],"deferred":[{"finding":{"severity":"important","file":"b.go","line":2,"issue":"cache has no limit"},"reason":"later"}],"rejected":[],"approved":true}`,
		r.State:  `{"version":1,"reviewIterations":[{"rulings":[{"fingerprint":"f","ruling":"parked","severity":"important","file":"c.go","line":3,"issue":"retry has no backoff","reason":"r"}]}]}`,
		r.Patch:  "--- a/d.go\n+++ b/d.go\n@@ -0,0 +1 @@\n+x() // shortcut: no paging yet\n",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := s.Flush(r, true)
	if err != nil || out.Findings != 2 || out.Debt != 3 || out.Fresh {
		t.Fatalf("%+v %v", out, err)
	}
	if out, err = s.Flush(r, true); err != nil || !out.Fresh {
		t.Errorf("second: %+v %v", out, err)
	}
	if out, err = s.Flush(r, false); err != nil || out.Findings+out.Debt != 0 {
		t.Errorf("forced: %+v %v", out, err)
	}
	debt, _, _ := s.Entries(Debt)
	if err := s.About(Resolved, debt[0].ID, "", ""); err != nil {
		t.Fatal(err)
	}
	if out, err = s.Flush(r, false); err != nil || out.Debt != 0 {
		t.Errorf("paid debt came back: %+v %v", out, err)
	}
}

// The index answers for a large store, agrees with the store after it was rewritten, and a broken one is thrown away.
func TestIndex(t *testing.T) {
	t.Parallel()
	s := store(t)
	var many []Entry
	for i := range 3000 {
		many = append(many, fact(fmt.Sprintf("entry number %d says something of its own", i), fmt.Sprintf("src/m%d/**", i%50)))
	}
	add(t, s, many...)
	check := func(what string, want int) {
		t.Helper()
		all, err := s.Recall([]string{"src/m7/a.go"}, 1000)
		if err != nil || len(all) != want {
			t.Errorf("%s: %d entries, want %d (%v)", what, len(all), want, err)
		}
	}
	check("fresh", 60)
	if _, err := os.Stat(filepath.Join(s.Dir, indexName)); err != nil {
		t.Error("no index was written")
	}
	check("from the index", 60)
	add(t, s, fact("one more for the seventh", "src/m7/**"))
	check("grown", 61)
	first, _ := s.Recall([]string{"src/m7/a.go"}, 1)
	if err := s.About(Forget, first[0].ID, "", ""); err != nil {
		t.Fatal(err)
	}
	check("forgotten", 60)
	if n, err := s.Compact(); err != nil || n == 0 {
		t.Fatalf("%d %v", n, err)
	}
	check("compacted", 60)
	if err := os.WriteFile(filepath.Join(s.Dir, indexName), []byte(indexMagic+"rubbish that is long enough to be read as a head"), 0o600); err != nil {
		t.Fatal(err)
	}
	check("broken index", 60)
}

func FuzzDecodeIndex(f *testing.F) {
	x := &index{}
	x.noteAt(Entry{ID: "aaaaaaaaaaaa", Kind: Fact, Scope: "src/**"}, 0)
	f.Add(x.encode())
	f.Add([]byte(indexMagic))
	f.Fuzz(func(t *testing.T, data []byte) {
		if x, ok := decodeIndex(data); ok {
			x.nearness([]string{"src/a.go"})
		}
	})
}
