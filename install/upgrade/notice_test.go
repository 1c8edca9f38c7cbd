package upgrade

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestNoticeSpeaksAtMostOnceADay(t *testing.T) {
	asked := 0
	source, server := releaseServer(t, map[string]http.HandlerFunc{
		"/api/v3/repos/owner/viber/releases": func(w http.ResponseWriter, _ *http.Request) {
			asked++
			_, _ = w.Write([]byte(`[{"tag_name":"v1.4.0"}]`))
		},
	})
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	n := Notice{State: t.TempDir(), Source: source, Version: "1.3.0", Now: now}
	ask := func() string {
		line := n.Start()
		time.Sleep(50 * time.Millisecond)
		return line()
	}
	for deadline := time.Now().Add(5 * time.Second); ; {
		if got := ask(); strings.Contains(got, "viber 1.4.0 is available (this is 1.3.0)") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("no notice")
		}
	}
	seen := asked
	n.Now = now.Add(23 * time.Hour)
	if got := ask(); got != "" || asked != seen {
		t.Errorf("a second notice within a day: %q, %d requests", got, asked-seen)
	}
	n.Version, n.Now = "1.4.0", now.Add(25*time.Hour)
	if got := ask(); got != "" {
		t.Errorf("the newest version was told of itself: %q", got)
	}
	server.Close()
	n.Now = now.Add(100 * time.Hour)
	if got := ask(); got != "" {
		t.Errorf("offline: %q", got)
	}
}
