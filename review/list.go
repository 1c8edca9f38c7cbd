// Package review carries reviews of pull requests and branches: which there are, what they change, by what they are judged,
// and how what was found comes back to the host.
package review

import (
	"cmp"
	"context"
	"sort"
	"strings"
	"sync"

	"viber/forge"
)

// Listing are the open pull requests of all hosts that answered, and those that did not.
type Listing struct {
	Pulls  []forge.Pull `json:"pulls"`
	Absent []Absent     `json:"absent"`
}

// Absent is a host that contributed nothing, and why.
type Absent struct {
	Host   string `json:"host"`
	Reason string `json:"reason"`
}

// List asks all hosts at once for open pull requests, merges what is told twice, and puts the newest first.
func (w World) List(ctx context.Context) Listing {
	hosts, missing := w.Places.Pulls()
	l := Listing{Pulls: []forge.Pull{}, Absent: []Absent{}}
	for _, err := range missing {
		l.Absent = append(l.Absent, absentBecause("", err))
	}
	lists, errs := make([][]forge.Pull, len(hosts)), make([]error, len(hosts))
	var all sync.WaitGroup
	for i, h := range hosts {
		w.progress("asking %s", h.Name())
		all.Go(func() { lists[i], errs[i] = h.List(ctx) })
	}
	all.Wait()
	for i, h := range hosts {
		if errs[i] != nil {
			l.Absent = append(l.Absent, absentBecause(h.Name(), errs[i]))
		}
		for _, p := range lists[i] {
			l.add(p)
		}
	}
	sort.SliceStable(l.Pulls, func(i, j int) bool {
		a, b := l.Pulls[i], l.Pulls[j]
		return cmp.Or(b.Updated.Compare(a.Updated), strings.Compare(a.URL, b.URL)) < 0
	})
	return l
}

func absentBecause(host string, err error) Absent {
	text := err.Error()
	if host == "" {
		host, text, _ = strings.Cut(text, " failed: ")
	}
	return Absent{Host: host, Reason: forge.Flatten([]byte(text))}
}

func (l *Listing) add(p forge.Pull) {
	for i, known := range l.Pulls {
		if known.URL != p.URL {
			continue
		}
		l.Pulls[i].Why = append(l.Pulls[i].Why, p.Why...)
		if known.Source == "" {
			l.Pulls[i].Source = p.Source
		}
		return
	}
	l.Pulls = append(l.Pulls, p)
}
