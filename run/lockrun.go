package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"viber/internal/fsx"
)

// Lease is a named lock that outlives the command that took it, such as the one build that may run at a time.
type Lease struct {
	Name  string    `json:"name"`
	Owner string    `json:"owner"`
	PID   int       `json:"pid,omitempty"`
	Host  string    `json:"host,omitempty"`
	Since time.Time `json:"since"`
}

// HeldError says who holds a lock.
type HeldError struct{ Lease Lease }

// Error names the owner, since when, and the way out.
func (e *HeldError) Error() string {
	return fmt.Sprintf("lock %s is held by %s since %s; wait, or 'viber run lock release %s --owner %s' when it is gone",
		e.Lease.Name, e.Lease.Owner, e.Lease.Since.UTC().Format(time.RFC3339), e.Lease.Name, e.Lease.Owner)
}

// LeaseOptions say which lock, for whom, and when another's counts as stale.
type LeaseOptions struct {
	Name, Owner string
	PID         int           // a process that lives as long as the work; 0 when there is none to watch
	MaxAge      time.Duration // a lock without a living process is stale after it
}

func (c Call) leasePath(name string) (string, error) {
	if !isFileName(name) {
		return "", fmt.Errorf("%q is no name for a lock; use letters, digits, '.', '_' and '-'", name)
	}
	p := c.place()
	return filepath.Join(filepath.Dir(p.StateRoot()), "locks", name+".json"), nil
}

// Acquire takes the lock. Its owner may take it again; a stale one of another owner is taken over. A *HeldError says that
// somebody else has it.
func (c Call) Acquire(o LeaseOptions) (Lease, error) {
	if o.Owner == "" {
		return Lease{}, errors.New("a lock needs an owner")
	}
	path, err := c.leasePath(o.Name)
	if err != nil {
		return Lease{}, err
	}
	host, _ := os.Hostname()
	mine := Lease{Name: o.Name, Owner: o.Owner, PID: o.PID, Host: host, Since: c.Now().UTC().Truncate(time.Second)}
	err = c.changeLease(path, func(held *Lease) (*Lease, error) {
		if held != nil && held.Owner != o.Owner && !held.stale(c.Now(), host, o.MaxAge) {
			return nil, &HeldError{*held}
		}
		return &mine, nil
	})
	return mine, err
}

// Release gives the lock back. A lock nobody holds is no error; one of another owner is a *HeldError.
func (c Call) Release(name, owner string) error {
	path, err := c.leasePath(name)
	if err != nil {
		return err
	}
	return c.changeLease(path, func(held *Lease) (*Lease, error) {
		if held != nil && held.Owner != owner {
			return nil, &HeldError{*held}
		}
		return nil, nil
	})
}

// stale says that a lock's work is over: its process is gone, or, where no process of this machine stands for it, its time.
func (l Lease) stale(now time.Time, host string, maxAge time.Duration) bool {
	if l.PID > 0 && l.Host == host {
		return !alive(l.PID)
	}
	return now.Sub(l.Since) > maxAge
}

// changeLease reads the lock, lets decide what it becomes (nil: free), and writes it, all under the file's own lock.
func (c Call) changeLease(path string, decide func(*Lease) (*Lease, error)) error {
	unlock, err := fsx.Lock(path+".lock", stateWait)
	if err != nil {
		return err
	}
	defer unlock()
	held, err := readLease(path)
	if err != nil {
		return err
	}
	next, err := decide(held)
	switch {
	case err != nil:
		return err
	case next == nil && held == nil:
		return nil
	case next == nil:
		return c.Files.Remove(path)
	}
	data, err := json.Marshal(next)
	if err != nil {
		return err
	}
	return c.Files.WriteOwn(path, append(data, '\n'), nil)
}

func readLease(path string) (*Lease, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var l Lease
	if json.Unmarshal(data, &l) != nil || l.Owner == "" {
		return nil, nil // nobody's
	}
	return &l, nil
}
