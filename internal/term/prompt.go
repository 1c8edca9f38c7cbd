package term

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"sync/atomic"

	"github.com/AlecAivazis/survey/v2"
	"github.com/AlecAivazis/survey/v2/terminal"

	"viber/internal/exit"
)

// ErrNoTerminal says that nobody can be asked; commands check CanPrompt first and name the flag that answers.
var ErrNoTerminal = exit.With(exit.Usage, errors.New("there is no terminal to ask on"))

// Confirm asks a yes-no question. Ctrl-C and the end of input are an error with the exit code "cancelled".
func Confirm(s Streams, question string, otherwise bool) (bool, error) {
	if s.Dumb {
		return s.plainConfirm(question, otherwise)
	}
	answer := otherwise
	return answer, s.ask(&survey.Confirm{Message: question, Default: otherwise}, &answer)
}

// Select asks for one of choices and returns its index.
func Select(s Streams, question string, choices []string, otherwise int) (int, error) {
	if s.Dumb {
		return s.plainSelect(question, choices, otherwise)
	}
	answer := otherwise
	return answer, s.ask(&survey.Select{Message: question, Options: choices, Default: otherwise}, &answer)
}

// Input asks for one line of text.
func Input(s Streams, question, otherwise string) (string, error) {
	if s.Dumb {
		if otherwise != "" {
			question += " (" + otherwise + ")"
		}
		answer, err := s.line("? " + question + " ")
		return cmp.Or(answer, otherwise), err
	}
	answer := otherwise
	return answer, s.ask(&survey.Input{Message: question, Default: otherwise}, &answer)
}

// MultiSelect asks for any number of choices and returns their indexes, in order.
func MultiSelect(s Streams, question string, choices []string) ([]int, error) {
	if s.Dumb {
		return s.plainMultiSelect(question, choices)
	}
	var answer []int
	err := s.ask(&survey.MultiSelect{Message: question, Options: choices, PageSize: 12}, &answer)
	return answer, err
}

// Secret asks for one line of text that is not shown.
func Secret(s Streams, question string) (string, error) {
	answer := ""
	err := s.ask(&survey.Password{Message: question}, &answer)
	return answer, err
}

func (s Streams) ask(p survey.Prompt, answer any) error {
	in, inOK := s.In.(*os.File)
	out, outOK := s.Out.(*os.File)
	if !s.CanPrompt() || !inOK || !outOK {
		return ErrNoTerminal
	}
	var owed atomic.Int32
	err := survey.AskOne(p, answer, survey.WithStdio(answers{in, &owed}, asking{out, &owed}, os.Stderr))
	if errors.Is(err, terminal.InterruptErr) {
		return exit.With(exit.Cancelled, errors.New("cancelled; nothing was changed"))
	}
	if err != nil {
		return exit.With(exit.Cancelled, fmt.Errorf("no answer: %w", err))
	}
	return nil
}
