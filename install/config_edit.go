package install

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"viber/internal/exit"
	"viber/internal/fsx"
	"viber/internal/term"
	"viber/schema"
)

// ConfigEditOptions say what `viber config edit` was asked for.
type ConfigEditOptions struct {
	Env    Env
	Dir    string
	Target schema.Target
}

// ConfigEdit opens a copy of a configuration file in the user's editor, checks it, and writes it back when the user wants
// that. Until then the file itself is as it was.
func ConfigEdit(o ConfigEditOptions) error {
	if !o.Env.Streams.CanPrompt() {
		return exit.With(exit.Usage, errors.New("there is no terminal to edit on; use 'viber config set KEY VALUE'"))
	}
	return changeConfig(configChange{
		env: o.Env, dir: o.Dir, target: o.Target, command: "config edit", free: true, text: editOnce(o),
	})
}

// editOnce returns the text of the first call to a Plan that is made twice: an editor opens once.
func editOnce(o ConfigEditOptions) func(before string) (string, error) {
	var was, edited string
	done := false
	return func(before string) (string, error) {
		if done && was == before {
			return edited, nil
		}
		if done {
			return "", exit.With(exit.Refused, errors.New("another program changed the file while it was edited; nothing was written, run the command again"))
		}
		text, err := editText(o, before)
		was, edited, done = before, text, true
		return text, err
	}
}

// editText runs the editor on a copy until its text is without findings or the user takes it as it is.
func editText(o ConfigEditOptions, before string) (string, error) {
	copyPath := filepath.Join(os.TempDir(), "viber-edit-"+rand.Text()+".yml")
	if before == "" {
		before = schema.Skeleton(o.Target)
	}
	if err := o.Env.Files.Write(copyPath, []byte(before), fsx.Options{Mode: 0o600}); err != nil {
		return "", err
	}
	defer func() { _ = o.Env.Files.Remove(copyPath) }()
	for {
		if err := term.Edit(o.Env.Streams, term.Editor(o.Env.Getenv), o.Env.Environ, copyPath); err != nil {
			return "", err
		}
		text, err := fsx.Read(copyPath)
		if err != nil {
			return "", err
		}
		again, err := askFindings(o, string(text))
		if err != nil || !again {
			return string(text), err
		}
	}
}

// askFindings shows what is odd in text and asks whether to edit again.
func askFindings(o ConfigEditOptions, text string) (again bool, err error) {
	found := schema.ValidateFor(o.Target, text)
	if len(found) == 0 {
		return false, nil
	}
	for _, f := range found {
		fmt.Fprintln(o.Env.Streams.Err, printable(f.String()))
	}
	choice, err := term.Select(o.Env.Streams, "The file reads otherwise than it looks. What now?",
		[]string{"edit again", "save it as it is", "throw the changes away"}, 0)
	if err == nil && choice == 2 {
		err = exit.With(exit.Cancelled, errors.New("nothing was changed"))
	}
	return choice == 0, err
}
