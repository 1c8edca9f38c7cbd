package main

func startCases() []benchCase {
	return []benchCase{
		{name: "viber version", limit: 3.4, prepare: func(w *world) (command, command, error) {
			return command{argv: []string{w.viber, "version"}}, command{}, nil
		}},
	}
}
