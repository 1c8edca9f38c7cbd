package hooksimpl

import (
	"slices"
	"strings"
)

// helpers reads the commands that git runs for itself: editors, pagers, transports and filters that configuration,
// environment or options name.
func (r *shellReader) helpers(c shellCommand, call *gitCall) {
	if r.helping {
		return
	}
	r.helping = true
	for _, pair := range call.config {
		if key, value, _ := strings.Cut(pair, "="); isHelperSetting(key) {
			r.helper(call, value)
		}
	}
	for _, w := range c.env {
		if name, value, _ := strings.Cut(w.text, "="); isHelperVariable(name) {
			r.helper(call, value)
		}
	}
	for _, value := range helperOptions(call) {
		r.helper(call, value)
	}
	r.helping = false
}

// helper reads the text of one; most name a plain program.
func (r *shellReader) helper(call *gitCall, text string) {
	text = strings.TrimPrefix(text, "!")
	if strings.Contains(text, "git") {
		r.in(call.dir, shellWord{text: text, open: strings.Contains(text, openPart)})
	}
}

func isHelperSetting(key string) bool {
	switch key {
	case "core.pager", "core.editor", "sequence.editor", "core.sshcommand", "core.askpass", "core.fsmonitor", "core.gitproxy", "diff.external", "interactive.difffilter", "gpg.program",
		"uploadpack.packobjectshook", "web.browser", "help.browser", "sendemail.sendmailcmd":
		return true
	}
	section, _, _ := strings.Cut(key, ".")
	if section == "pager" {
		return true
	}
	for _, leaf := range []string{".cmd", ".textconv", ".command", ".driver", ".clean", ".smudge", ".process", ".helper", ".uploadpack", ".receivepack", ".program"} {
		if strings.HasSuffix(key, leaf) {
			return true
		}
	}
	return false
}

func isHelperVariable(name string) bool {
	switch name {
	case "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_PAGER", "GIT_SSH_COMMAND", "GIT_SSH", "GIT_EXTERNAL_DIFF", "GIT_ASKPASS", "GIT_PROXY_COMMAND", "EDITOR", "VISUAL", "PAGER", "SSH_ASKPASS":
		return true
	}
	return false
}

// helperOptions are the values of options that hold a text of shell commands.
func helperOptions(call *gitCall) []string {
	switch call.sub {
	case "difftool":
		return textsOf(call.args, "-x", "--extcmd")
	case "grep":
		return textsOf(call.args, "-O", "--open-files-in-pager")
	case "filter-branch":
		return textsOf(call.args, "--setup", "--tree-filter", "--index-filter", "--parent-filter", "--msg-filter", "--commit-filter", "--tag-name-filter", "--env-filter", "--subdirectory-filter")
	case "fetch", "clone", "ls-remote", "push", "archive", "pull", "fetch-pack", "send-pack":
		return textsOf(call.args, "-u", "--upload-pack", "--receive-pack", "--exec")
	}
	return nil
}

func textsOf(args []shellWord, names ...string) []string {
	var texts []string
	for i, w := range args {
		name, value, glued := strings.Cut(w.text, "=")
		switch {
		case glued && slices.Contains(names, name):
			texts = append(texts, value)
		case len(w.text) > 2 && w.text[1] != '-' && slices.Contains(names, w.text[:2]):
			texts = append(texts, w.text[2:])
		case slices.Contains(names, w.text) && i+1 < len(args):
			texts = append(texts, args[i+1].text)
		}
	}
	return texts
}

// subtree rewrites `git subtree push` as the push it ends in: what it sends is made from HEAD.
func (call *gitCall) subtree() {
	if call.sub != "subtree" || len(call.args) == 0 || call.args[0].text != "push" {
		return
	}
	a := grammar{flags: "qdf", values: "PmSb", interspersed: true, long: "debug quiet rejoin ignore-joins squash no-squash force", valued: "prefix annotate branch onto message gpg-sign"}.read(call.args[1:])
	call.sub, call.args = "push", a.all()
	if a.has("f", "force") {
		call.args = append([]shellWord{plainWord("--force")}, call.args...)
	}
	for i := 1; i < len(call.args); i++ {
		if w := &call.args[i]; i > 1 || w.text != "" && !strings.Contains(w.text, ":") {
			plus := ""
			if strings.HasPrefix(w.text, "+") {
				plus = "+"
			}
			w.text = plus + "HEAD:" + strings.TrimPrefix(w.text, "+")
		}
	}
}
