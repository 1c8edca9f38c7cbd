package term

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"viber/internal/exit"
)

// A terminal that can neither move its cursor nor show colour (TERM=dumb) is asked line by line.

// line prints text and reads one line of the answer.
func (s Streams) line(text string) (string, error) {
	if !s.CanPrompt() {
		return "", ErrNoTerminal
	}
	fmt.Fprint(s.Out, text)
	var answer []byte
	for one := make([]byte, 1); ; {
		n, err := s.In.Read(one)
		switch {
		case n == 1 && one[0] == '\n':
			return strings.TrimSpace(string(answer)), nil
		case n == 1:
			answer = append(answer, one[0])
		case errors.Is(err, io.EOF):
			return "", exit.With(exit.Cancelled, errors.New("cancelled; nothing was changed"))
		case err != nil:
			return "", exit.With(exit.Cancelled, fmt.Errorf("no answer: %w", err))
		}
	}
}

func (s Streams) plainConfirm(question string, otherwise bool) (bool, error) {
	hint := "(y/N)"
	if otherwise {
		hint = "(Y/n)"
	}
	for {
		answer, err := s.line("? " + question + " " + hint + " ")
		if err != nil {
			return otherwise, err
		}
		switch strings.ToLower(answer) {
		case "":
			return otherwise, nil
		case "y", "yes":
			return true, nil
		case "n", "no":
			return false, nil
		}
	}
}

func (s Streams) plainSelect(question string, choices []string, otherwise int) (int, error) {
	for {
		answer, err := s.line(numbered(question, choices) + fmt.Sprintf("number (%d): ", otherwise+1))
		if err != nil || answer == "" {
			return otherwise, err
		}
		if n, err := strconv.Atoi(answer); err == nil && n >= 1 && n <= len(choices) {
			return n - 1, nil
		}
	}
}

func (s Streams) plainMultiSelect(question string, choices []string) ([]int, error) {
	answer, err := s.line(numbered(question, choices) + "numbers with commas (none): ")
	if err != nil {
		return nil, err
	}
	var chosen []int
	for i := range choices {
		for _, part := range strings.Split(answer, ",") {
			if strings.TrimSpace(part) == strconv.Itoa(i+1) {
				chosen = append(chosen, i)
			}
		}
	}
	return chosen, nil
}

func numbered(question string, choices []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "? %s\n", question)
	for i, c := range choices {
		fmt.Fprintf(&b, "  %d  %s\n", i+1, c)
	}
	return b.String()
}
