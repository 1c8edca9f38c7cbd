package schema

// groups1 is the table as schemas 1 to 3 made it, with the keys that came to its groups later.
func groups1() []groupRow {
	return []groupRow{{"", file}, {"planning", planning}, {"build", build}, {"github", github}, {"directories", directories}, {"tiers", tiers}, {"branching", branching}}
}

// file holds the lines at column 0 that open no group.
func file() Group {
	return Group{
		Text: "The file itself.", Since: 1, Loose: true,
		Keys: []Key{
			{Name: "schema", Kind: Count, Default: "0", Since: 1,
				Note: []string{"Layout number of this file. Setup raises it; leave it alone."},
				Text: "Layout number of the file. `viber migrate` raises it."},
			{Name: "requires", Kind: Text, Since: 1, Optional: true,
				Text: "Versions of viber this project works with, such as \">=1.4\". An older viber says so at the start of a session."},
		},
	}
}

func planning() Group {
	return Group{
		Name: "planning", Note: []string{"Planning."}, Text: "How a plan comes about.", Since: 1,
		Keys: []Key{
			toggle("planning.adr", "true", "Offer decision records for the choices of a plan.",
				"The planner offers an architecture decision record for each choice of a plan that deserves one."),
			toggle("planning.plain-plan-review", "true", "A plan written without the planner needs a review too.",
				"A plan that was written without the planner cannot be approved before a reviewer has passed it."),
			toggle("planning.fast-path", "true", "Small changes may be designed in chat.",
				"A small change may be designed in chat, without a plan file."),
		},
	}
}

func build() Group {
	return Group{
		Name: "build", Note: []string{"Building."}, Text: "What happens around the tasks of a run.", Since: 1,
		Keys: []Key{
			{Name: "build.baseline-tests", Kind: Choice, Values: []string{"off", "fast", "full"}, Aliases: []string{"true", "full", "false", "off"},
				Default: "off", Seed: "off", Since: 1, Local: true, Fragment: true,
				Note: []string{"Run the tests once before the first task: `off`, `fast` or `full`."},
				Text: "Run the project's tests once before the first task: not at all, the fast command, or the whole suite.",
				Was:  []Was{{Until: 1, Seed: "false", Note: []string{"Run the tests once before the first task."}}}},
			toggle("build.final-review", "true", "One review of the whole build.",
				"One review of the whole build after the last task, beside the review of each task."),
			toggle("build.memory", "true", "Keep the CLAUDE.md files below the root up to date.",
				"At the close of a run, bring the CLAUDE.md files below the root up to date."),
			toggle("build.rules", "true", "Keep .claude/rules/ up to date.",
				"At the close of a run, bring the rules in .claude/rules/ up to date."),
			toggle("build.qa", "false", "Write acceptance scenarios.",
				"At the close of a run, write acceptance scenarios for what was built."),
			toggle("build.cleanup", "true", "Archive the run at the end.",
				"At the end of a run, archive its files."),
			{Name: "build.extensions", Kind: Map, Default: "none", Since: 3, Fragment: true,
				Note: []string{"Agents of .claude/agents/ run at the close, in this order:", "  name:", "    parallel: true"},
				Text: "Agents of .claude/agents/ that run at the close of a run, in this order; neighbours with `parallel: true` run together."},
		},
	}
}

func github() Group {
	return Group{
		Name: "github", Note: []string{"GitHub."}, Text: "Issues and pull requests.", Since: 1,
		Keys: []Key{
			{Name: "github.issues", Kind: Switch, Default: "false", Seed: "false", Since: 1, Local: true, Fragment: true,
				Note: []string{"Read and write issues."},
				Text: "Read the issue a run is about, and write issues and comments."},
			{Name: "github.issue-title", Kind: Title, Default: "{summary}", Seed: "'{summary}'", Since: 1,
				Note: []string{"Title of an issue."}, Text: "Title of an issue viber writes; {summary} is replaced."},
			{Name: "github.pr-title", Kind: Title, Default: "[{issue-number}] {summary}", Seed: "'[{issue-number}] {summary}'", Since: 1,
				Note: []string{"Title of a pull request."},
				Text: "Title of a pull request viber writes; {issue-number}, {summary} and {type} are replaced."},
			{Name: "github.close-issues", Kind: Switch, Default: "false", Seed: "false", Since: 4, Fragment: true,
				Note: []string{"Let a pull request close its issue when it is merged."},
				Text: "A pull request says `Closes #N` instead of `Ref #N`, so that merging it closes the issue."},
		},
	}
}

func directories() Group {
	return Group{
		Name: "directories", Note: []string{"Directory names under docs/."}, Text: "Directory names under docs/.", Since: 1,
		Keys: []Key{
			{Name: "directories.runs", Kind: Dir, Default: "_specs", Seed: "_specs", Since: 1,
				Text: "Directory under docs/ that holds the runs."},
			{Name: "directories.specifications", Kind: Dir, Default: "specs", Seed: "specs", Since: 1,
				Text: "Directory under docs/ that holds the specifications."},
		},
	}
}

func tiers() Group {
	names := []string{"haiku", "sonnet", "opus", "fable"}
	return Group{
		Name: "tiers", Note: []string{"Model range: haiku, sonnet, opus or fable."}, Text: "The range of models agents may run on.", Since: 1, Loose: true,
		Keys: []Key{
			{Name: "tiers.min", Kind: Choice, Values: names, Default: "haiku", Seed: "haiku", Since: 1, Local: true,
				Text: "Smallest model an agent runs on. A minimum above the maximum resets both to their defaults."},
			{Name: "tiers.max", Kind: Choice, Values: names, Default: "opus", Seed: "opus", Since: 1, Local: true,
				Text: "Largest model an agent runs on. A minimum above the maximum resets both to their defaults."},
		},
	}
}

func branching() Group {
	return Group{
		Name: "branching", Note: []string{"Run branches: mode is off, allowed or required."}, Text: "Branches of runs.", Since: 1, Loose: true,
		Keys: []Key{
			{Name: "branching.mode", Kind: Choice, Values: []string{"off", "allowed", "required"}, Default: "off", Seed: "off", Since: 1, Fragment: true,
				Text: "Whether a run gets a branch of its own: never, when asked for, or always."},
			{Name: "branching.work", Kind: Map, Default: "none", Since: 1,
				Body: []string{"    main:", "      base: main", "      name: '{type}/{slug}'", "      target: main"},
				Tail: []string{"  # issue-type-mappings:", "  #   bug: main"},
				Text: "Kinds of branches: each entry has a base to branch from, a name pattern with {type}, {slug} and {issue-number}, and a target for the pull request."},
			{Name: "branching.issue-type-mappings", Kind: Map, Default: "none", Since: 1, Optional: true,
				Text: "Which work entry an issue type uses."},
		},
	}
}

func toggle(name, seed, note, text string) Key {
	return Key{Name: name, Kind: Switch, Default: "false", Seed: seed, Note: []string{note}, Text: text, Since: 1, Fragment: true}
}
