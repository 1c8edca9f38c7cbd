package hooksimpl

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"viber/schema"
)

// gitGuard refuses what rewrites or speaks for others: forced pushes to protected branches and their deletion, commits that
// skip hooks while secrets are guarded, messages that credit an assistant.
func gitGuard() check {
	return check{
		name: "git", events: []string{EventPreToolUse}, tools: []string{ToolBash, ToolPowerShell},
		run: runGitGuard, fault: guardFault("git", "VG-509"), because: explainGitGuard,
	}
}

func runGitGuard(w *World, p *Payload) Verdict {
	if w.spared(p, "git") || !slices.ContainsFunc(p.shell(w).commands, concernsGit) {
		return Verdict{} // most calls need no look at the configuration
	}
	c, value := w.guard(p, "git")
	if value != switchOn {
		return Verdict{}
	}
	return objectionVerdict(w, p, "git", judgeGit(w, p, c))
}

// concernsGit reports whether a rule of the git guard can be about c at all.
func concernsGit(c shellCommand) bool {
	if c.git == nil {
		return c.doubt != "" || strings.Contains(c.name, openPart)
	}
	switch c.git.sub {
	case "push", "send-pack", "http-push", "commit", "commit-tree", "merge":
		return true
	}
	return strings.Contains(c.git.sub, openPart)
}

func explainGitGuard(w *World, p *Payload) []string {
	return explainGuard(w, p, "git", func(c *schema.Config) []objection { return judgeGit(w, p, c) })
}

// explainGuard says for `viber explain` why a shell guard answers as it does.
func explainGuard(w *World, p *Payload, name string, judge func(*schema.Config) []objection) []string {
	c, value := w.guard(p, name)
	if value != switchOn {
		return []string{"guards." + name + " is off here: " + whyOff(c)}
	}
	r := p.shell(w)
	lines := []string{"read as " + counted(len(r.commands), "command")}
	if r.lexical != "" {
		lines[0] += ", word by word, because the text does not parse: " + r.lexical
	}
	for _, o := range judge(c) {
		lines = append(lines, o.decision.String()+" "+o.code+": "+strings.Join(strings.Fields(o.text), " "))
	}
	if len(lines) == 1 {
		lines = append(lines, "no rule is met")
	}
	return lines
}

func whyOff(c *schema.Config) string {
	if c != nil && c.Shared() {
		return "viber.yml says so"
	}
	return "the project has no viber.yml, and the user's own file does not name the guard"
}

// gitJudge goes over the commands of one reading in order: earlier ones decide which branch later ones push.
type gitJudge struct {
	world   *World
	config  *schema.Config
	reading *shellReading
	at      int // the command at hand
	found   []objection
	repos   map[string]*gitRepo
}

func judgeGit(w *World, p *Payload, c *schema.Config) []objection {
	j := &gitJudge{world: w, config: c, reading: p.shell(w), repos: map[string]*gitRepo{}}
	for i := range j.reading.commands {
		j.at = i
		j.command(j.reading.commands[i])
	}
	return j.found
}

func (j *gitJudge) object(o objection) {
	o.text += j.reading.note()
	if !slices.Contains(j.found, o) {
		j.found = append(j.found, o)
	}
}

// unknown asks about a word that is only known when the command runs.
func (j *gitJudge) unknown(c shellCommand, what string) {
	j.object(objection{code: "VG-505", decision: Ask,
		text:    "`" + clipped(c.source) + "`: " + what + ", so whether a protected branch is forced, hooks are skipped or an assistant is credited cannot be told.",
		instead: "Write the command with its words spelled out."})
}

const sourceLimit = 160

// clipped shortens a command for a reason, and keeps it on one line.
func clipped(source string) string {
	source = strings.Join(strings.Fields(printable(source)), " ")
	if runes := []rune(source); len(runes) > sourceLimit {
		return string(runes[:sourceLimit]) + "..."
	}
	return source
}

func (j *gitJudge) command(c shellCommand) {
	if c.git == nil {
		j.notGit(c)
		return
	}
	g := c.git
	before := len(j.found)
	switch g.sub {
	case "push", "send-pack", "http-push":
		j.push(c)
	case "commit":
		j.commit(c)
	case "commit-tree", "merge":
		j.messages(c, messageGrammar(g.sub).read(g.args))
	case "checkout", "switch", "branch", "symbolic-ref":
		j.moves(g)
	}
	switch {
	case len(j.found) > before:
	case strings.Contains(g.sub, openPart):
		j.unknown(c, "git's subcommand is only known when it runs")
	case g.doubt != "" && (g.sub == "push" || g.sub == "commit"):
		j.unknown(c, g.doubt+" is not known")
	}
}

// notGit asks about a command that may be git for all one can read.
func (j *gitJudge) notGit(c shellCommand) {
	if !strings.Contains(c.name, openPart) {
		if c.doubt != "" && slices.ContainsFunc(c.args, func(w shellWord) bool { return isGitName(programName(w.text)) }) {
			j.unknown(c, c.doubt+" is not known")
		}
		return
	}
	name := strings.ReplaceAll(c.name, openPart, "")
	if glob := programName(name); strings.ContainsAny(glob, "*?[") {
		if ok, _ := filepath.Match(glob, "git"); ok {
			j.unknown(c, "the program is a pattern")
		}
		return
	}
	if strings.Contains(name, "git") || slices.ContainsFunc(c.args, func(w shellWord) bool { return w.text == "push" || w.text == "commit" }) || name == "" && speaksOfGit(c.args) {
		j.unknown(c, "the program or the text it runs is only known when it runs")
	}
}

// speaksOfGit reports whether git stands among the words as a program, with something behind it that may be a push or commit.
func speaksOfGit(words []shellWord) bool {
	said := strings.FieldsFunc(joinWords(words, " ").text, func(c rune) bool { return strings.ContainsRune(" \t\n;&|()`\"'", c) })
	for i, w := range said {
		if !isGitName(programName(w)) || i+1 == len(said) {
			continue
		}
		for _, sub := range said[i+1:] {
			if sub == "push" || sub == "commit" || strings.Contains(sub, openPart) {
				return true
			}
		}
	}
	return false
}

func (w *World) exists(path shellWord) bool {
	if path.open {
		return false
	}
	_, err := w.Stat(path.text)
	return err == nil
}

// commit judges `git commit`.
func (j *gitJudge) commit(c shellCommand) {
	a := commitGrammar().read(c.git.args)
	built := builtOption(a, "no-verify", "n")
	if j.config.Bool("guards.secrets") && !built {
		_, redirected := c.git.configured("core.hookspath")
		if a.has("no-verify", "n") || redirected && !a.has("dry-run") {
			j.object(objection{code: "VG-504", decision: Deny,
				text:    "`" + clipped(c.source) + "` skips the hooks of the repository, which guard what is committed.",
				instead: "Commit without --no-verify; when a hook fails, mend what it complains about."})
		}
	}
	j.messages(c, a)
	if w, ok := unknownOption(a, c.git.more); ok || built {
		j.unknown(c, w)
	}
}

// builtOption reports whether one of the options named so comes from a variable.
func builtOption(a arguments, names ...string) bool {
	return slices.ContainsFunc(a.options, func(o option) bool { return o.value.assigned && slices.Contains(names, o.name) })
}

// unknownOption says what among the words could be an option nobody can read.
func unknownOption(a arguments, more bool) (string, bool) {
	for _, w := range a.operands {
		if (w.open || w.assigned) && (strings.HasPrefix(w.text, openPart) || strings.HasPrefix(w.text, "-")) {
			return "a word of it is only known when it runs", true
		}
	}
	if strings.Contains(a.doubt, "...") {
		return "the option " + a.doubt + " is only known when it runs", true
	}
	return "further words are only known when it runs", more
}

func commitGrammar() grammar {
	return grammar{flags: "apqvsenzio", values: "mFcCt", glued: "Su", interspersed: true,
		long: "no-verify all patch reset-author short branch porcelain long null verbose quiet dry-run signoff no-signoff verify allow-empty allow-empty-message no-edit edit amend " +
			"no-post-rewrite include only status no-status pathspec-file-nul gpg-sign no-gpg-sign untracked-files interactive ahead-behind no-ahead-behind",
		valued: "message file reuse-message reedit-message fixup squash author date template cleanup trailer pathspec-from-file unified inter-hunk-context"}
}

func messageGrammar(sub string) grammar {
	if sub == "commit-tree" {
		return grammar{values: "pmF", glued: "S", interspersed: true, long: "gpg-sign no-gpg-sign"}
	}
	return grammar{flags: "nqve", values: "msXF", glued: "S", interspersed: true,
		long:   "no-verify verify commit no-commit edit no-edit ff no-ff ff-only squash no-squash stat no-stat log no-log signoff quiet verbose progress abort continue quit allow-unrelated-histories autostash gpg-sign",
		valued: "message file strategy strategy-option cleanup into-name"}
}

// ask runs a reading git command for the repository of g; ok is false when git could not be asked.
func (w *World) askGit(g *gitCall, args ...string) (string, bool) {
	if g.dir.open || g.gitDir.open {
		return "", false
	}
	lead := hardened()
	if g.gitDir.text != "" {
		lead = append(lead, "--git-dir="+g.gitDir.text)
	}
	ctx, cancel := context.WithTimeout(context.Background(), gitBudget)
	defer cancel()
	res, err := w.git(g.dir.text).Run(ctx, nil, append(lead, args...)...)
	return strings.TrimSuffix(string(res.Stdout), "\n"), err == nil && res.Code == 0
}

// gitAlias returns what the user's and the repository's configuration call by an alias.
func (w *World) gitAlias(g *gitCall, name string) string {
	if strings.ContainsAny(name, ". \t\n\"'") || !w.IsDir(g.dir.text) {
		return ""
	}
	value, _ := w.askGit(g, "config", "--get", "alias."+name)
	return value
}
