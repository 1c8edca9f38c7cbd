package schema

// groups4 are the groups of schema 4. Their keys stand in the template as comments: a guard the project's file names can
// not be loosened by its users any more (Config.Value), so naming one is left to the project.
func groups4() []groupRow { return []groupRow{{"guards", guards}, {"gates", gates}, {"forge", forge}} }

func guards() Group {
	return Group{
		Name: "guards", Since: 4, Loose: true,
		Note: []string{
			"Guards: checks on what a session runs and reads. Each stands at its default until its line loses the `#`.",
			"This file can only tighten a guard; what loosens one for you alone is viber.yml in your Claude configuration.",
		},
		Text: "Checks on what a session runs and reads. A project may only tighten them.",
		Keys: append(shellGuards(), sessionGuards()...),
	}
}

func shellGuards() []Key {
	return []Key{
		guard("secrets", "on", "Refuse commits and pushes that add a credential.", "off", "on"),
		guard("git", "on", "Refuse forced pushes to protected branches, commits that skip hooks, and messages that credit an assistant.", "off", "on"),
		quietChoice("guards.attribution", "on", "Part of the git guard: refuse commit messages that credit an assistant. A project may turn it off.", "off", "on"),
		guard("force-with-lease", "deny", "Part of the git guard: whether --force-with-lease to a protected branch counts as force.", "allow", "deny"),
		{Name: "guards.protected-branches", Kind: List, Default: "main, master, develop, release/*", Seed: "main, master, develop, release/*",
			Since: 4, Guard: true, Quiet: true, Note: []string{"Branches no forced push may reach; `*` stands for any name."},
			Text: "Branches no forced push may reach, beside the remote's default branch. `*` stands for any name."},
		guard("unattended", "off", "Sessions run without a person: a fault of the secrets and git guards refuses the call, and a question counts as a refusal.", "off", "on"),
		guard("self", "on", "Ask before an agent changes viber's own files: settings, viber.yml, the plugin, its state, the program.", "off", "on"),
	}
}

func sessionGuards() []Key {
	return []Key{
		guard("read-size", "off", "Reading a large file whole: let it be, log it, or refuse it with the ways to read it in parts.", "off", "observe", "enforce"),
		limit("read-size-limit", "262144", "Bytes a file may have before read-size speaks."),
		limit("read-size-lines", "4000", "Lines a file may have before read-size speaks."),
		guard("syntax", "off", "Tell the model about a syntax error in a file it has just written.", "off", "on"),
		guard("file-context", "run", "Add what the project knows about a file the first time it is read: never, during a run, always.", "off", "run", "on"),
		guard("task-mirror", "run", "During a run, keep a copy of the client's task list with it.", "off", "run"),
		guard("run-scope", "run", "During a run, refuse tools its scope.yml keeps for earlier steps.", "off", "run"),
		guard("run-stop", "run", "During a run, hold a session that stops while tasks are left.", "off", "run"),
		guard("capture", "on", "Keep what a session found when it ends, and say at the next start what is unfinished.", "off", "on"),
	}
}

func gates() Group {
	return Group{
		Name: "gates", Since: 4, Loose: true,
		Note: []string{"Gates: checks on what models hand in."},
		Text: "Checks on what models hand in.",
		Keys: []Key{
			quiet("gates.reviewer-timeout", Amount, "180", "Seconds a reviewer, a scan or a triage may take; a late one is named and dropped."),
			quietChoice("gates.rebuttal", "off", "Before the triage, reviewers say which findings of the others they dispute, and why.", "off", "on"),
			fragment(quietChoice("gates.tdd", "on", "Ask for the failing run of a test before its passing run.", "off", "on")),
			quietChoice("gates.ledger", "on", "Keep what reviews found, for the next run.", "off", "on"),
		},
	}
}

func forge() Group {
	return Group{
		Name: "forge", Since: 4, Loose: true,
		Note: []string{"Hosts of code beside GitHub. `viber forge add HOST` registers a host; it counts in your own viber.yml only."},
		Text: "Hosts of code beside GitHub.",
		Keys: []Key{
			{Name: "forge.hosts", Kind: List, Since: 4, Optional: true, Personal: true,
				Text: "Registered hosts, reached by https with a token of your own. It counts in your own viber.yml only; `viber forge add HOST` writes it."},
			{Name: "forge.repositories", Kind: List, Since: 4, Quiet: true, Seed: "HOST/PROJECT/REPO",
				Note: []string{"Repositories whose pull requests `viber review list` shows."},
				Text: "Repositories whose pull requests `viber review list` shows, as HOST/PROJECT/REPO."},
		},
	}
}

// guard is a row of the guards group; values go from the loosest to the tightest.
func guard(leaf, value, text string, values ...string) Key {
	return Key{Name: "guards." + leaf, Kind: Choice, Values: values, Default: value, Seed: value, Since: 4, Guard: true, Quiet: true,
		Note: []string{text}, Text: text, Aliases: onOff(values)}
}

func limit(leaf, value, text string) Key {
	k := quiet("guards."+leaf, Amount, value, text)
	k.Guard = true
	return k
}

func quiet(name string, kind Kind, value, text string) Key {
	return Key{Name: name, Kind: kind, Default: value, Seed: value, Since: 4, Quiet: true, Note: []string{text}, Text: text}
}

func quietChoice(name, value, text string, values ...string) Key {
	k := quiet(name, Choice, value, text)
	k.Values, k.Aliases = values, onOff(values)
	return k
}

// fragment lets switch-text choose a text by the key's value.
func fragment(k Key) Key {
	k.Fragment = true
	return k
}

// onOff lets a switch of two values be written as true and false too.
func onOff(values []string) []string {
	if len(values) == 2 && values[0] == "off" && values[1] == "on" {
		return []string{"true", "on", "false", "off"}
	}
	return nil
}
