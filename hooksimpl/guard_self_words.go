package hooksimpl

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// changedWords are the words of c that may name what it changes: of a copy only where it goes, of a download only its file.
func changedWords(c *shellCommand) []shellWord {
	switch c.name {
	case "curl", "wget":
		return outputFiles(c)
	case "cp", "copy", "copy-item", "cpi", "install", "rsync", "scp", "xcopy":
	default:
		return c.args
	}
	var to []shellWord
	var last *shellWord
	for i, a := range c.args {
		lower := strings.ToLower(a.text)
		switch {
		case strings.HasPrefix(a.text, "--target-directory="), strings.HasPrefix(a.text, "-t") && len(a.text) > 2 && c.name != "rsync":
			to = append(to, a)
		case (lower == "-t" || lower == "--target-directory" || lower == "-destination") && c.name != "rsync" && i+1 < len(c.args):
			to = append(to, c.args[i+1])
		case !strings.HasPrefix(a.text, "-"):
			last = &c.args[i]
		}
	}
	if last != nil {
		to = append(to, *last)
	}
	return to
}

// outputFiles are the files that curl and wget write.
func outputFiles(c *shellCommand) []shellWord {
	names, short := []string{"-o", "--output", "-D", "--dump-header", "-c", "--cookie-jar"}, "-o"
	if c.name == "wget" {
		names, short = []string{"-O", "--output-document", "-o", "--output-file", "-a", "-P", "--directory-prefix"}, "-O"
	}
	var files []shellWord
	for i, w := range c.args {
		name, value, glued := strings.Cut(w.text, "=")
		switch {
		case glued && slices.Contains(names, name):
			w.text = value
			files = append(files, w)
		case slices.Contains(names, w.text) && i+1 < len(c.args):
			files = append(files, c.args[i+1])
		case strings.HasPrefix(w.text, short) && len(w.text) > 2:
			w.text = w.text[2:]
			files = append(files, w)
		}
	}
	return files
}

// changesFound reports whether find does something to the files it finds.
func changesFound(args []shellWord) bool {
	for i, w := range args {
		switch {
		case w.text == "-delete", strings.HasPrefix(w.text, "-fprint"), w.text == "-fls":
			return true
		case strings.HasPrefix(w.text, "-exec") || strings.HasPrefix(w.text, "-ok"):
			if i+1 < len(args) {
				inner := &shellCommand{name: programName(args[i+1].text), args: args[i+2:]}
				if !readsOnly(inner) || isShell(inner.name) {
					return true
				}
			}
		}
	}
	return false
}

func isShell(name string) bool {
	switch name {
	case "sh", "bash", "zsh", "dash", "env", "xargs", "sudo":
		return true
	}
	return false
}

// gathered judges a command that changes files which another one names: found, listed or looped over in the same text.
func (j *selfJudge) gathered(c *shellCommand) {
	switch {
	case c.name == "find":
		if what := namesOwn(c.args); what != "" {
			j.object(c.source, what)
		}
		return
	case c.more || slices.ContainsFunc(c.args, func(w shellWord) bool { return w.text == openPart }):
	default:
		return
	}
	if what := namesOwn(j.reading.looped); what != "" {
		j.object(c.source, what)
		return
	}
	for _, o := range j.reading.commands {
		switch o.name {
		case "find", "fd", "ls", "grep", "rg", "dir", "get-childitem", "gci":
			if what := namesOwn(o.args); what != "" && c.more {
				j.object(c.source, what)
				return
			}
		}
	}
}

// namesOwn is the word among words that names the folder with settings, or a file in it that guards depend on.
func namesOwn(words []shellWord) string {
	for i, w := range words {
		slashed := strings.TrimRight(strings.ReplaceAll(w.text, `\`, "/"), "/")
		folder, base := path.Split(slashed)
		switch {
		case base == ".claude":
			return slashed
		case path.Base(folder) == ".claude" && (guardsSettings(base, w.glob) || base == "*"):
			return slashed
		case (base == "viber.yml" || base == "viber-allow.yml") && i > 0 && strings.HasSuffix(words[i-1].text, "name"):
			return base
		}
	}
	return ""
}

// target is the file that a redirection into w writes: a link stands for another one.
func (j *selfJudge) target(c *shellCommand, w shellWord) shellWord {
	if w.open || speaksOfViber(w.text) || speaksOfViber(c.dir.text) {
		return w
	}
	file := pathFrom(c.dir, w)
	if real, err := os.Readlink(file.text); err == nil {
		return pathFrom(plainWord(filepath.Dir(file.text)), plainWord(real))
	}
	return w
}

// intoFolder names the file of viber's that a copy, move or unpacking makes in a folder it names (`cp settings.json .claude/`).
func (j *selfJudge) intoFolder(c *shellCommand) string {
	switch c.name {
	case "cp", "mv", "install", "ln", "rsync", "copy", "move", "xcopy", "copy-item", "cpi", "move-item", "mi":
	case "tar", "bsdtar", "unzip", "7z", "expand-archive":
		for _, a := range c.args {
			if strings.TrimPrefix(folderName(a.text), "-o") == ".claude" && (a.text[0] != '-' || strings.Contains(a.text, "/")) && unpacks(c) {
				return "the folder with settings and viber.yml"
			}
		}
		return ""
	default:
		return ""
	}
	folder, file := false, ""
	for i, a := range c.args {
		base := folderName(a.text)
		folder = folder || base == ".claude" || base == "." && filepath.Base(c.dir.text) == ".claude"
		if guardsSettings(base, a.glob) {
			file = base
		}
		if base == ".claude" && c.name == "ln" {
			return "the folder with settings and viber.yml"
		}
		if base == ".claude" && i < len(c.args)-1 && !strings.HasPrefix(a.text, "-") && j.holdsFolder(c, c.args[len(c.args)-1]) {
			return "the folder with settings and viber.yml"
		}
	}
	into := slices.ContainsFunc(changedWords(c), func(w shellWord) bool {
		base := folderName(w.text)
		return base == ".claude" || base == "." && filepath.Base(c.dir.text) == ".claude" || strings.HasSuffix(base, "=.claude")
	})
	if !folder || file == "" || !into {
		return ""
	}
	return ".claude/" + file
}

// holdsFolder reports whether a folder of settings lies in the folder to, so that copying another one there changes it.
func (j *selfJudge) holdsFolder(c *shellCommand, to shellWord) bool {
	folder := pathFrom(c.dir, to)
	return !folder.open && j.world.IsDir(filepath.Join(folder.text, ".claude"))
}

func folderName(text string) string {
	return strings.ToLower(path.Base(strings.TrimRight(strings.ReplaceAll(text, `\`, "/"), "/")))
}

func unpacks(c *shellCommand) bool {
	if c.name != "tar" && c.name != "bsdtar" {
		return true
	}
	return slices.ContainsFunc(c.args, func(w shellWord) bool {
		return w.text == "--extract" || w.text == "--get" || !strings.HasPrefix(w.text, "--") && strings.Contains(strings.TrimLeft(w.text, "-"), "x") && len(w.text) < 8 && !strings.ContainsAny(w.text, "./")
	})
}

func removesFolders(name string) bool {
	return listed(name, " rm mv rmdir rd del ri erase remove-item move-item mi rename-item rni trash shred unlink rsync chmod chown ")
}

func isInterpreter(name string) bool {
	name = strings.TrimRight(name, "0123456789.")
	switch name {
	case "python", "node", "deno", "bun", "perl", "ruby", "php", "lua", "osascript", "tclsh", "awk", "gawk":
		return true
	}
	return false
}

// readsOnly reports whether c, by its name and options, changes no file that it names.
func readsOnly(c *shellCommand) bool {
	switch c.name {
	case "sed", "gsed":
		return !slices.ContainsFunc(c.args, func(w shellWord) bool {
			return strings.HasPrefix(w.text, "-i") || strings.HasPrefix(w.text, "--in-place") || strings.HasPrefix(w.text, "-n") && strings.Contains(w.text, "i") || w.open
		})
	case "yq":
		return !slices.ContainsFunc(c.args, func(w shellWord) bool { return strings.HasPrefix(w.text, "-i") || w.text == "--inplace" })
	case "find":
		return !changesFound(c.args)
	case "curl", "wget":
		return len(outputFiles(c)) == 0
	case "python", "python3":
		return len(c.args) == 3 && c.args[0].text == "-m" && c.args[1].text == "json.tool"
	case "awk", "gawk":
		return !slices.ContainsFunc(c.args, func(w shellWord) bool { return w.text == "inplace" || strings.Contains(w.text, ">") })
	}
	return isReader(c.name)
}

func isReader(name string) bool {
	switch name {
	case "", "cat", "bat", "head", "tail", "less", "more", "grep", "egrep", "fgrep", "rg", "ag", "ack", "ls", "ll", "dir",
		"stat", "file", "wc", "jq", "diff", "cmp", "comm", "test", "[", "[[", "echo", "printf", "md5sum", "sha1sum", "sha256sum",
		"shasum", "cksum", "tree", "du", "df", "sort", "uniq", "cut", "tr", "nl", "tac", "od", "xxd", "hexdump", "column",
		"fold", "strings", "cd", "pushd", "popd", "realpath", "readlink", "basename", "dirname", "which", "type", "command",
		"source", ".", "export", "read", "true", "false", "exit", "return", "set", "unset", "viber", "claude", "gh", "sleep",
		"date", "pwd", "id", "whoami", "for", "xargs", "sudo", "env", "time", "timeout", "nice", "nohup", "sh", "bash", "zsh",
		"dash", "eval", "pwsh", "powershell", "cmd", "get-content", "gc", "select-string", "sls", "get-item", "gi",
		"get-childitem", "gci", "test-path", "write-output", "write-host", "get-filehash", "compare-object", "measure-object",
		"set-location", "sl", "actionlint", "yamllint", "jsonlint", "ajv", "shellcheck", "prettier-check":
		return true
	}
	return false
}
