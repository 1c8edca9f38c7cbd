package run

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// RoundBefore is the triage of the round before file, when files are called triage-round-<N>.json; empty when there is none.
func RoundBefore(file string) string {
	base, ok := strings.CutPrefix(filepath.Base(file), "triage-round-")
	if !ok {
		return ""
	}
	n, err := strconv.Atoi(strings.TrimSuffix(base, ".json"))
	if err != nil {
		return ""
	}
	before := filepath.Join(filepath.Dir(file), fmt.Sprintf("triage-round-%d.json", n-1))
	if !isRegular(before) {
		return ""
	}
	return before
}

// TiersBetween lists the tiers from least to most, weakest first.
func TiersBetween(least, most string) []string {
	all := []string{"haiku", "sonnet", "opus", "fable"}
	from, to := slices.Index(all, least), slices.Index(all, most)
	if from < 0 || to < from {
		return []string{"haiku", "sonnet", "opus"}
	}
	return all[from : to+1]
}

// ReworkStatus says how far the rounds are and whether the circuit breaker tripped. A run without state is free to go.
func (f StateFile) ReworkStatus() (ReworkAnswer, error) {
	s, _, err := f.Read()
	if errors.Is(err, ErrNoState) {
		return RunState{}.answer(nil), nil
	}
	return s.answer(nil), err
}
