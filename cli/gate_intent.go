package cli

import (
	"strings"

	"github.com/urfave/cli/v2"

	"viber/gate"
)

func gateIntentCommand(env Env) *cli.Command {
	return tableCommand(env, "intent",
		"check that a request can be planned as it stands",
		`viber gate intent "add a retry to the upload client"
viber gate intent -                                  the request on standard input`,
		"Ends 1 when the request is empty, asks for opposite things or holds several tasks, and says what to ask.",
		nil,
		func(c *cli.Context, a rawArgs) error {
			text := strings.Join(a.words, " ")
			if text == "-" {
				data, err := gate.ReadInput("-", env.Streams.In)
				if err != nil {
					return answer(env, a, gate.Failed("intent", "-", err))
				}
				text = string(data)
			}
			return answer(env, a, gate.CheckIntent(gate.IntentOptions{Text: text}))
		})
}
