package install

import (
	"context"
	"errors"
	"fmt"
	"time"

	"viber/internal/exit"
	"viber/internal/program"
	"viber/internal/term"
)

// rivalPatience is how long the client may take to disable a plugin.
const rivalPatience = 30 * time.Second

// askAboutRivals offers to disable each enabled plugin called viber of another origin: with both, that one's folder wins
// and every hook fires twice. It is disabled by the client's own command, which keeps its books; viber edits no value of
// the user's.
func (w *World) askAboutRivals() error {
	for _, id := range w.foreignPlugins() {
		choices := []string{"stop here", "set viber up beside it"}
		if w.Client.Path != "" {
			choices = append([]string{"disable it (claude plugin disable " + id + ")"}, choices...)
		}
		fmt.Fprintf(w.Env.Streams.Out, "Another plugin called viber is enabled: %s. It takes the place of this one and its hooks run beside ours.\n", printable(id))
		answer, err := term.Select(w.Env.Streams, "What shall become of it?", choices, 0)
		switch {
		case err != nil:
			return err
		case choices[answer] == "stop here":
			return exit.With(exit.Cancelled, fmt.Errorf("nothing was changed; disable the other plugin with: claude plugin disable %s", id))
		case answer == 0:
			if err := w.disableRival(id); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *World) disableRival(id string) error {
	dir := w.Project.Root
	if dir == "" {
		dir = w.Places.Home
	}
	res, err := program.Run(context.Background(), program.Call{
		Path: w.Client.Path, Args: []string{"plugin", "disable", id}, Dir: dir,
		Env:   append(builtEnvironment(w.Env, w.Project.Root), "CLAUDE_CONFIG_DIR="+w.Places.Config),
		Limit: rivalPatience, MaxOutput: 1 << 16,
	})
	if err == nil && res.Code != 0 {
		err = errors.New(printable(string(res.Stderr) + string(res.Stdout)))
	}
	if err != nil {
		return fmt.Errorf("claude plugin disable %s: %w; viber changed nothing", id, err)
	}
	return nil
}
