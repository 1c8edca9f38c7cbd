package upgrade

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"viber/internal/fsx"
)

// Notice tells a person at most once a day that there is a newer release. It looks while the command they asked for runs,
// and does not keep them waiting for the answer.
type Notice struct {
	State   string // the state directory, where it remembers when it looked
	Source  Source
	Version string
	Now     time.Time
	Files   fsx.Door
}

const (
	noticeEvery = 24 * time.Hour
	noticeLimit = 3 * time.Second
	noticeGrace = 200 * time.Millisecond
)

// Start begins to look, unless it did so within the last day. The function it returns gives the line to show, empty when
// there is nothing to say or the answer is not there yet.
func (n Notice) Start() (line func() string) {
	file := filepath.Join(n.State, "notice.json")
	if !n.due(file) {
		return func() string { return "" }
	}
	answer := make(chan string, 1)
	ctx, cancel := context.WithTimeout(context.Background(), noticeLimit)
	go func() { answer <- n.look(ctx) }()
	return func() string {
		defer cancel()
		select {
		case newest := <-answer:
			n.remember(file)
			return newest
		case <-time.After(noticeGrace):
			return ""
		}
	}
}

func (n Notice) due(file string) bool {
	text, err := os.ReadFile(file)
	if err != nil {
		return true
	}
	var last struct {
		Looked time.Time `json:"looked"`
	}
	if json.Unmarshal(text, &last) != nil {
		return true
	}
	age := n.Now.Sub(last.Looked)
	return age < 0 || age >= noticeEvery
}

func (n Notice) remember(file string) {
	text, err := json.Marshal(map[string]time.Time{"looked": n.Now.UTC()})
	if err == nil {
		_ = n.Files.Write(file, append(text, '\n'), fsx.Options{Mode: 0o600, DirMode: 0o700}) // looked again tomorrow or now: no harm
	}
}

func (n Notice) look(ctx context.Context) string {
	newest, err := n.Source.Newest(ctx, "")
	if err != nil || ParseVersion(n.Version).Order(newest) <= 0 {
		return ""
	}
	return fmt.Sprintf("viber %s is available (this is %s): viber upgrade", newest, n.Version)
}
