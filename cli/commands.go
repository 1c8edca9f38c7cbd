package cli

import "github.com/urfave/cli/v2"

// commands is the whole command tree. One file a command; the file is named after it.
func commands(env Env) []*cli.Command {
	return concat(
		// setup, status, undo, doctor: package install
		installCommands(env),
		// viber.yml: package schema
		configCommands(env),
		// hooks: package hooksimpl
		hookCommands(env),
		// the life of a run: package run
		runCommands(env),
		// task commits and GitHub: packages run and forge
		commitCommands(env),
		// gates, ledgers, state: packages gate, ledger, run
		gateCommands(env),
		// pull requests: packages forge and review
		reviewCommands(env),
		// the project's CLAUDE.md files and rules: package ledger/memory
		memoryCommands(env),
		// upgrade and plugins from elsewhere: packages install/upgrade and install/plugin
		upgradeCommands(env),
	)
}

func installCommands(env Env) []*cli.Command {
	return []*cli.Command{
		setupCommand(env),
		uninstallCommand(env),
		undoCommand(env),
		doctorCommand(env),
		statusCommand(env),
		hooksCommand(env),
		completionCommand(env),
		versionCommand(env),
	}
}

func configCommands(env Env) []*cli.Command {
	return []*cli.Command{
		configCommand(env),
		migrateCommand(env),
		extensionCommand(env),
		switchTextCommand(env),
		runClockCommand(env),
	}
}

func hookCommands(env Env) []*cli.Command {
	return []*cli.Command{
		hookCommand(env),
		explainCommand(env),
		replayCommand(env),
		scanCommand(env),
	}
}

func runCommands(env Env) []*cli.Command {
	return []*cli.Command{
		runsCommand(env),
		panelCommand(env),
		planPathCommand(env),
		planIndexCommand(env),
	}
}

func commitCommands(env Env) []*cli.Command {
	return []*cli.Command{
		commitTaskCommand(env),
		archiveRunCommand(env),
		commitCommand(env),
		commitContextCommand(env),
		commitSelfcheckCommand(env),
		handoffPathCommand(env),
		openPageCommand(env),
		checkPlaywrightCommand(env),
		issueFactsCommand(env),
		issueTemplatesCommand(env),
		issueCreateCommand(env),
		postCommentCommand(env),
		prCreateCommand(env),
		prFactsCommand(env),
		qaCommentCommand(env),
	}
}

func gateCommands(env Env) []*cli.Command {
	return []*cli.Command{
		gateCommand(env),
		schemaCommand(env),
		reworkCommand(env),
		runCommand(env),
		answerCommand(env),
		resumeCommand(env),
		ledgerCommand(env),
		debtCommand(env),
		memoryCommand(env),
		flushCommand(env),
	}
}

func reviewCommands(env Env) []*cli.Command {
	return []*cli.Command{
		reviewCommand(env),
		refCommand(env),
		forgeCommand(env),
	}
}

func memoryCommands(env Env) []*cli.Command {
	return []*cli.Command{
		memoryMapCommand(env),
		rulesMapCommand(env),
	}
}

func upgradeCommands(env Env) []*cli.Command {
	return []*cli.Command{
		upgradeCommand(env),
		pluginCommand(env),
	}
}

func concat(lists ...[]*cli.Command) []*cli.Command {
	var all []*cli.Command
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}
