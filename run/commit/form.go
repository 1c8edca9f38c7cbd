package commit

import (
	"strings"
)

type kind int

const (
	taskForm kind = iota
	landedForm
	fixForm
	repairForm
	choreForm
	qaForm
	reviewForm
	outsideForm
	extensionForm
	e2eForm
	skipForm
	decideForm
	ruleForm
	freeForm // a commit outside any run, with a message of its own
)

// form is a commit-task command line, read.
type form struct {
	kind       kind
	plan, id   string
	round      string // of a fix or repair, as typed
	name       string // of an extension
	files      []string
	unreviewed bool
	defers     []string
	with       []string
	landed     string
	fields     []string // text of a decision; ruling, why and cost
	from       string   // file the fields are read from
	firstOf    bool     // --first-of instead of --from
}

// usageForms are all forms, in the notation callers know.
const usageForms = "usage: commit-task.sh <plan-file> <task-id> [--unreviewed] [--with <file>...] [--defer <task-id>:<path>...] [--landed <sha>]" +
	" | <plan-file> <task-id> <fix-number> <file> [<file>...]" +
	" | --repair <plan-file> <round> <file> [<file>...]" +
	" | --chore <plan-file> <file> [<file>...]" +
	" | --qa <plan-file> <file> [<file>...]" +
	" | --e2e <file> [<file>...]" +
	" | --review <plan-file> <file> [<file>...]" +
	" | --outside <plan-file> <file> [<file>...]" +
	" | --extension <plan-file> <name> <file> [<file>...]" +
	" | --skip <plan-file> <task-id>" +
	" | --decide <plan-file> <task-id> <text>" +
	" | --decide <plan-file> <task-id> --from <file>" +
	" | --decide <plan-file> <task-id> --first-of <file>" +
	" | --rule <plan-file> <subject> <ruling> <why> <cost>" +
	" | --rule <plan-file> <subject> --from <file>"

var errUsage = &fault{code: codeUsage, text: usageForms}

func parseForm(args []string) (form, error) {
	if len(args) == 0 {
		return form{}, errUsage
	}
	rest := args[1:]
	switch args[0] {
	case "--skip":
		return recordArgs(form{kind: skipForm}, rest, 2)
	case "--decide":
		return decideArgs(rest)
	case "--rule":
		return ruleArgs(rest)
	case "--repair":
		return pathedArgs(form{kind: repairForm}, rest, 2)
	case "--chore":
		return pathedArgs(form{kind: choreForm}, rest, 1)
	case "--qa":
		return pathedArgs(form{kind: qaForm}, rest, 1)
	case "--review":
		return pathedArgs(form{kind: reviewForm}, rest, 1)
	case "--outside":
		return pathedArgs(form{kind: outsideForm}, rest, 1)
	case "--extension":
		return pathedArgs(form{kind: extensionForm}, rest, 2)
	case "--e2e":
		return pathedArgs(form{kind: e2eForm}, rest, 0)
	}
	return taskArgs(args)
}

func recordArgs(f form, args []string, n int) (form, error) {
	if len(args) != n || args[0] == "" || args[1] == "" {
		return f, errUsage
	}
	f.plan, f.id = args[0], args[1]
	return f, nil
}

// decideArgs: the text form has three arguments, a file form four, so a text may be "--from".
func decideArgs(args []string) (form, error) {
	f := form{kind: decideForm}
	switch len(args) {
	case 3:
		f.fields = args[2:]
	case 4:
		if args[2] != "--from" && args[2] != "--first-of" || args[3] == "" {
			return f, errUsage
		}
		f.from, f.firstOf = args[3], args[2] == "--first-of"
	default:
		return f, errUsage
	}
	return recordArgs(f, args[:2], 2)
}

func ruleArgs(args []string) (form, error) {
	f := form{kind: ruleForm}
	switch len(args) {
	case 4:
		if args[2] != "--from" || args[3] == "" {
			return f, errUsage
		}
		f.from = args[3]
	case 5:
		f.fields = args[2:]
	default:
		return f, errUsage
	}
	return recordArgs(f, args[:2], 2)
}

// pathedArgs takes the plan and a round or name, as far as the form has them (heads), then the files. The plan is looked
// for before the rest is judged, so files may still be missing here.
func pathedArgs(f form, args []string, heads int) (form, error) {
	if len(args) < max(heads, 1) || heads > 0 && args[0] == "" {
		return f, errUsage
	}
	if heads > 0 {
		f.plan = args[0]
	}
	if heads > 1 {
		if f.kind == repairForm {
			f.round = args[1]
		} else {
			f.name = args[1]
		}
	}
	f.files = args[heads:]
	return f, nil
}

func taskArgs(args []string) (form, error) {
	if len(args) < 2 || args[0] == "" || args[1] == "" {
		return form{}, errUsage
	}
	f := form{kind: taskForm, plan: args[0], id: args[1]}
	args = args[2:]
	if len(args) > 0 && isDigits(args[0]) {
		f.kind, f.round, f.files = fixForm, args[0], args[1:]
		if len(f.files) == 0 {
			return f, errUsage
		}
		return f, nil
	}
	for len(args) > 0 {
		var err error
		if args, err = f.taskFlag(args); err != nil {
			return f, err
		}
	}
	if f.kind == landedForm && len(f.with) > 0 {
		return f, faultf(codeUsage, "--landed stages nothing, so it takes no --with")
	}
	return f, nil
}

// taskFlag takes one flag with its values off args.
func (f *form) taskFlag(args []string) ([]string, error) {
	flag, args := args[0], args[1:]
	n := 0
	for n < len(args) && !strings.HasPrefix(args[n], "--") {
		n++
	}
	switch flag {
	case "--unreviewed":
		f.unreviewed = true
		return args, nil
	case "--with":
		f.with = append(f.with, args[:n]...)
	case "--defer":
		f.defers = append(f.defers, args[:n]...)
	case "--landed":
		n = min(n, 1)
		if n == 1 && args[0] != "" {
			f.kind, f.landed = landedForm, args[0]
		} else {
			n = 0
		}
	default:
		n = 0
	}
	if n == 0 {
		return nil, errUsage
	}
	return args[n:], nil
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// isExtensionName: letters, digits, '-' and '_', opening with a letter or digit.
func isExtensionName(s string) bool {
	for i, r := range s {
		alnum := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !alnum && (i == 0 || r != '-' && r != '_') {
			return false
		}
	}
	return s != ""
}
