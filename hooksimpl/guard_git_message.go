package hooksimpl

import (
	"strings"
)

// messages judges every text that becomes part of the commit message.
func (j *gitJudge) messages(c shellCommand, a arguments) {
	if !j.config.Bool("guards.attribution") || a.has("dry-run", "abort", "quit", "continue") {
		return
	}
	g := c.git
	given := false
	for _, o := range a.options {
		switch o.name {
		case "m", "message":
			given = true
			j.message(c, o.value)
		case "F", "file":
			given = true
			j.message(c, j.fileText(c, o.value))
		case "trailer":
			j.message(c, trailerLine(o.value))
		case "t", "template":
			j.message(c, withoutComments(j.fileText(c, o.value)))
		case "C", "c", "reuse-message", "reedit-message", "fixup", "squash", "no-edit":
			given = true
		}
	}
	switch {
	case g.sub == "commit-tree" && !given && c.input != nil:
		j.message(c, *c.input)
	case g.sub == "commit" && !given:
		if path, ok := j.template(g); ok {
			j.message(c, withoutComments(j.fileText(c, plainWord(path))))
		}
	}
}

// template is the file commit.template names; git is asked only where the repository has a configuration that could.
func (j *gitJudge) template(g *gitCall) (path string, ok bool) {
	if value, set := g.configured("commit.template"); set {
		return value, true
	}
	if g.dir.open || !j.world.IsDir(g.dir.text) {
		return "", false
	}
	repo := j.repo(g)
	if !repo.templateRead {
		repo.template, _ = j.world.askGit(g, "config", "--type=path", "--get", "commit.template")
		repo.templateRead = true
	}
	return repo.template, repo.template != ""
}

// trailerLine writes the value of --trailer as it stands in the message.
func trailerLine(w shellWord) shellWord {
	if i := strings.IndexAny(w.text, "=:"); i >= 0 {
		w.text = strings.TrimSpace(w.text[:i]) + ": " + strings.TrimSpace(w.text[i+1:])
	}
	return w
}

func withoutComments(w shellWord) shellWord {
	var kept strings.Builder
	for line := range strings.Lines(w.text) {
		if !strings.HasPrefix(line, "#") {
			kept.WriteString(line)
		}
	}
	w.text = kept.String()
	return w
}

const messageLimit = 256 << 10

// fileText is what the file named by w holds when the command reads it: what an earlier command of the same text wrote
// there, stdin for `-`, else what is there now.
func (j *gitJudge) fileText(c shellCommand, w shellWord) shellWord {
	open := shellWord{text: openPart, open: true}
	if w.text == "-" || w.text == "/dev/stdin" {
		if c.input == nil {
			return shellWord{}
		}
		return j.resolved(*c.input)
	}
	path := pathFrom(c.git.dir, w)
	if path.open {
		return open
	}
	if text, written := j.reading.files[path.text]; written {
		return text
	}
	text, err := j.world.Read(path.text, messageLimit)
	switch {
	case err == nil:
		return plainWord(string(text))
	case j.at > 0:
		return open // an earlier command may make it
	}
	return shellWord{}
}

// resolved puts the contents of the files in place that a word is made of.
func (j *gitJudge) resolved(w shellWord) shellWord {
	if len(w.files) == 0 {
		return w
	}
	texts := []string{strings.ReplaceAll(w.text, openPart, "")}
	for _, path := range w.files {
		if text, written := j.reading.files[path]; written {
			texts = append(texts, text.text)
			continue
		}
		text, err := j.world.Read(path, messageLimit)
		if err != nil {
			return w
		}
		texts = append(texts, string(text))
	}
	return plainWord(strings.Join(texts, "\n"))
}

func (j *gitJudge) message(c shellCommand, w shellWord) {
	w = j.resolved(w)
	if line := creditedLine(w.text); line != "" {
		j.object(objection{code: "VG-501", decision: Deny,
			text:    "the commit message credits an assistant (`" + clipped(line) + "`); commits here name people only.",
			instead: "Write the message without that line."})
		return
	}
	if opensLine(w.text) {
		j.unknown(c, "the commit message is only known when it runs")
	}
}

// opensLine reports whether a line of text begins with a part that is only known at run time: it could be a trailer.
func opensLine(text string) bool {
	return strings.HasPrefix(text, openPart) || strings.Contains(text, "\n"+openPart)
}
