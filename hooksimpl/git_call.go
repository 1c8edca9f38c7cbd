package hooksimpl

import (
	"strings"
)

// gitCall is a call of git, its own options read and aliases replaced.
type gitCall struct {
	dir      shellWord // where git works: the working directory and every -C
	gitDir   shellWord // --git-dir or GIT_DIR; empty text = none
	workTree shellWord // --work-tree or GIT_WORK_TREE, likewise
	config   []string  // key=value of -c and of the environment, keys in lower case
	env      []string  // names of GIT_ variables that change which files count (GIT_INDEX_FILE, ...)
	sub      string    // the subcommand; openPart in it when it is only known at run time
	args     []shellWord
	more     bool   // further arguments are only known at run time
	doubt    string // what could not be read for certain
	aliases  int    // aliases that were replaced
}

func gitGrammar() grammar {
	return grammar{flags: "hvpP", values: "Cc", valued: "git-dir work-tree namespace config-env super-prefix attr-source list-cmds",
		long: "version help paginate no-pager no-replace-objects no-lazy-fetch no-optional-locks no-advice literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs bare html-path man-path info-path exec-path"}
}

func isGitName(name string) bool { return name == "git" || strings.HasPrefix(name, "git-") }

// git reads c, which is git, and notes it.
func (r *shellReader) git(c shellCommand) {
	call := &gitCall{dir: c.dir, more: c.more, doubt: c.doubt}
	call.config = append(call.config, r.out.config...)
	call.readEnv(c.env)
	words := c.args
	if dashed, ok := strings.CutPrefix(c.name, "git-"); ok {
		words = append([]shellWord{plainWord(dashed)}, words...)
	}
	c.name = "git"
	r.gitWords(c, call, words)
}

func (r *shellReader) gitWords(c shellCommand, call *gitCall, words []shellWord) {
	a := gitGrammar().read(words)
	if a.doubt != "" && call.doubt == "" {
		call.doubt = "option " + a.doubt + " of git"
	}
	call.readOptions(a)
	rest := a.all()
	c.git = call
	if len(rest) == 0 {
		if call.more {
			call.sub = openPart
		}
		r.emit(c)
		return
	}
	call.sub, call.args = rest[0].text, rest[1:]
	if rest[0].glob {
		call.sub += openPart
	}
	if r.aliased(c, call) {
		return
	}
	r.helpers(c, call)
	call.subtree()
	r.emit(c)
	r.insideGit(c, call)
}

func (call *gitCall) readOptions(a arguments) {
	for _, o := range a.options {
		switch o.name {
		case "C":
			call.dir = pathFrom(call.dir, o.value)
		case "c":
			if o.value.open {
				call.doubt = "a value of -c"
			}
			call.addConfig(o.value.text)
		case "git-dir":
			call.gitDir = pathFrom(call.dir, o.value)
		case "work-tree":
			call.workTree = pathFrom(call.dir, o.value)
		case "config-env":
			key, _, _ := strings.Cut(o.value.text, "=")
			call.addConfig(key + "=" + openPart)
		}
	}
}

func (call *gitCall) addConfig(pair string) {
	key, value, ok := strings.Cut(pair, "=")
	if !ok {
		value = "true"
	}
	call.config = append(call.config, strings.ToLower(key)+"="+value)
}

// configured returns the last value that the call itself gives to the key, which is in lower case.
func (call *gitCall) configured(key string) (value string, ok bool) {
	for i := len(call.config) - 1; i >= 0; i-- {
		if v, found := strings.CutPrefix(call.config[i], key+"="); found {
			return v, true
		}
	}
	return "", false
}

func (call *gitCall) readEnv(env []shellWord) {
	keys := map[string]string{}
	for _, w := range env {
		name, value, _ := strings.Cut(w.text, "=")
		w.text = value
		switch {
		case name == "GIT_DIR":
			call.gitDir = pathFrom(call.dir, w)
		case name == "GIT_WORK_TREE":
			call.workTree = pathFrom(call.dir, w)
		case strings.HasPrefix(name, "GIT_CONFIG_KEY_"):
			keys[strings.TrimPrefix(name, "GIT_CONFIG_KEY_")] = value
		case strings.HasPrefix(name, "GIT_CONFIG_VALUE_"):
			call.addConfig(keys[strings.TrimPrefix(name, "GIT_CONFIG_VALUE_")] + "=" + value)
		case name == "GIT_CONFIG_PARAMETERS", name == "GIT_CONFIG_GLOBAL", name == "GIT_CONFIG_SYSTEM", name == "GIT_CONFIG":
			call.doubt = "the configuration in " + name
		case name == "GIT_INDEX_FILE", name == "GIT_OBJECT_DIRECTORY", name == "GIT_COMMON_DIR", name == "GIT_NAMESPACE":
			call.env = append(call.env, name)
		}
	}
}

// aliasLimit bounds aliases of aliases.
const aliasLimit = 5

// aliased reads the command that call's subcommand is an alias for; it is false when that is none.
func (r *shellReader) aliased(c shellCommand, call *gitCall) bool {
	if call.sub == "" || strings.Contains(call.sub, openPart) || isGitCommand(call.sub) {
		return false
	}
	value, ok := call.configured("alias." + strings.ToLower(call.sub))
	if !ok && r.alias != nil {
		value = r.configuredAlias(call)
	}
	if value == "" {
		return false
	}
	if call.aliases++; call.aliases > aliasLimit || value == openPart {
		call.sub += openPart
		return false
	}
	if text, ok := strings.CutPrefix(value, "!"); ok {
		words := append([]shellWord{{text: text, open: strings.Contains(text, openPart)}}, quotedWords(call.args)...)
		r.emit(c)
		r.in(call.dir, joinWords(words, " "))
		return true
	}
	again := *call
	again.config = append([]string{}, call.config...)
	words := append(splitWords(shellWord{text: value}), call.args...)
	r.gitWords(c, &again, words)
	return true
}

// configuredAlias is what the repository's and the user's configuration call by call's subcommand; each is asked for once.
func (r *shellReader) configuredAlias(call *gitCall) string {
	key := call.dir.text + "\x01" + call.gitDir.text + "\x01" + call.sub
	value, asked := r.out.gitAliases[key]
	if !asked {
		if r.out.gitAliases == nil {
			r.out.gitAliases = map[string]string{}
		}
		value = openPart // more of them than anybody has
		if len(r.out.gitAliases) < gitAliasLimit {
			value = r.alias(call, call.sub)
		}
		r.out.gitAliases[key] = value
	}
	return value
}

// gitAliasLimit bounds the names that git is asked about for one text.
const gitAliasLimit = 50

// quotedWords writes words so that a shell reads them as they are; open ones stay bare.
func quotedWords(words []shellWord) []shellWord {
	quoted := make([]shellWord, len(words))
	for i, w := range words {
		if !w.open {
			w.text = "'" + strings.ReplaceAll(w.text, "'", `'\''`) + "'"
		}
		quoted[i] = w
	}
	return quoted
}

// insideGit reads the commands that git itself runs for its caller.
func (r *shellReader) insideGit(c shellCommand, call *gitCall) {
	switch call.sub {
	case "config":
		r.configures(call)
	case "submodule":
		if i := indexOfWord(call.args, "foreach"); i >= 0 {
			a := grammar{flags: "q", long: "recursive quiet"}.read(call.args[i+1:])
			r.in(shellWord{text: openPart, open: true}, joinWords(a.all(), " "))
		}
	case "rebase":
		a := rebaseGrammar().read(call.args)
		for _, o := range a.options {
			if o.name == "x" || o.name == "exec" {
				r.in(call.dir, o.value)
			}
		}
	case "bisect":
		if len(call.args) > 1 && call.args[0].text == "run" {
			r.command(shellCommand{env: c.env, dir: call.dir, source: c.source}, call.args[1:])
		}
	case "for-each-repo":
		a := grammar{valued: "config", long: "keep-going"}.read(call.args)
		inner := &gitCall{dir: shellWord{text: openPart, open: true}, aliases: call.aliases + 1}
		if inner.aliases <= aliasLimit {
			r.gitWords(shellCommand{name: "git", source: c.source, dir: inner.dir}, inner, a.all())
		}
	}
}

// configures notes what `git config KEY VALUE` sets for the commands behind it.
func (r *shellReader) configures(call *gitCall) {
	a := grammar{flags: "lez", values: "f", interspersed: true, long: "global local system worktree add replace-all append all null show-origin list edit get get-all get-regexp unset unset-all name-only fixed-value bool int path",
		valued: "file blob type default value comment url"}.read(call.args)
	words := a.all()
	if len(words) > 0 && words[0].text == "set" {
		words = words[1:]
	}
	if len(words) == 2 && !a.has("get", "get-all", "get-regexp", "unset", "list") && words[0].text != "get" && words[0].text != "unset" {
		set := &gitCall{}
		set.addConfig(words[0].text + "=" + words[1].text)
		r.out.config = append(r.out.config, set.config...)
	}
}

func rebaseGrammar() grammar {
	return grammar{flags: "ifnvqmkpS", values: "xsXCO", glued: "r", interspersed: true,
		long:   "interactive continue abort skip quit edit-todo autosquash no-autosquash autostash no-autostash root update-refs no-verify verify keep-base fork-point no-fork-point force-rebase no-ff stat no-stat quiet verbose signoff rebase-merges gpg-sign apply merge reapply-cherry-picks no-keep-empty keep-empty",
		valued: "exec onto strategy strategy-option empty whitespace"}
}

func indexOfWord(words []shellWord, text string) int {
	for i, w := range words {
		if w.text == text {
			return i
		}
	}
	return -1
}

// isGitCommand reports whether name is a command of git itself: those are never aliases.
func isGitCommand(name string) bool {
	return listed(name, " add am annotate apply archive backfill bisect blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap "+
		"check-ref-format checkout checkout-index cherry cherry-pick clean clone column commit commit-graph commit-tree config "+
		"count-objects credential describe diagnose diff diff-files diff-index diff-pairs diff-tree difftool fast-export fast-import "+
		"fetch fetch-pack filter-branch fmt-merge-msg for-each-ref for-each-repo format-patch fsck fsmonitor--daemon gc "+
		"get-tar-commit-id grep hash-object help history hook http-push index-pack init init-db instaweb interpret-trailers "+
		"last-modified log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index merge-tree "+
		"mergetool mktag mktree multi-pack-index mv name-rev notes p4 pack-objects pack-redundant pack-refs patch-id prune prune-packed "+
		"pull push quiltimport range-diff read-tree rebase receive-pack reflog refs remote repack replace replay repo request-pull "+
		"rerere reset restore rev-list rev-parse revert rm send-email send-pack shortlog show show-branch show-index show-ref "+
		"sparse-checkout stage stash status stripspace submodule subtree svn switch symbolic-ref tag unpack-file unpack-objects "+
		"update-index update-ref update-server-info upload-archive upload-pack var verify-commit verify-pack verify-tag version "+
		"whatchanged worktree write-tree ")
}
