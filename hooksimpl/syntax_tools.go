package hooksimpl

import (
	"bytes"
	"context"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"viber/internal/fsx"
	"viber/internal/gitx"
	"viber/internal/program"
)

// tool is a program of the user's that parses files of one kind without running them.
type tool struct {
	what  string   // for people
	names []string // of the program, the first that is there
	args  []string // before the file
	name  func(written) string
	read  func(output string) []syntaxError
}

func toolFor(ext string) (tool, bool) {
	switch ext {
	case ".go":
		return tool{what: "gofmt", names: []string{"gofmt"}, args: []string{"-e", "-l"}, read: readColons}, true
	case ".js", ".cjs", ".mjs":
		return tool{what: "node --check", names: []string{"node"}, args: []string{"--check"}, name: moduleName, read: readNode}, true
	case ".py":
		return tool{what: "python -I -m py_compile", names: []string{"python3", "python"}, args: []string{"-I", "-m", "py_compile"}, read: readPython}, true
	case ".sh", ".bash":
		return tool{what: "bash -n", names: []string{"bash"}, args: []string{"-n"}, read: readBash}, true
	case ".swift":
		return tool{what: "swiftc -parse", names: []string{"swiftc"}, args: []string{"-parse"}, read: readColons}, true
	}
	return tool{}, false
}

// parse runs the tool on a copy of the file in a directory of its own, so that nothing of the project is loaded with it and
// nothing is written beside it.
func (t tool) parse(f written) (found []syntaxError, why string) {
	if why := otherDialect(f); why != "" {
		return nil, why
	}
	path, ok := t.find(f)
	if !ok {
		return nil, t.names[0] + " was not found outside the project"
	}
	dir, remove, err := fsx.TempDir("viber-syntax")
	if err != nil {
		return nil, "there is no temporary directory"
	}
	defer remove()
	name := f.name
	if t.name != nil {
		name = t.name(f)
	}
	if strings.HasPrefix(name, "-") {
		name = "_" + name
	}
	if err := f.world.Files.Create(filepath.Join(dir, name), f.text, 0o600); err != nil {
		return nil, "the temporary directory cannot be written"
	}
	res, err := program.Run(context.Background(), program.Call{
		Path: path, Args: append(append([]string{}, t.args...), name), Dir: dir, Env: toolEnvironment(f.world.Environ, dir),
		Limit: toolLimit, MaxOutput: 256 << 10, Alone: true,
	})
	switch {
	case err != nil:
		return nil, t.names[0] + " gave no answer"
	case res.Code == 0:
		return nil, ""
	}
	return t.read(string(res.Stderr)), ""
}

func (t tool) find(f written) (string, bool) {
	for _, name := range t.names {
		if path, ok := program.FindOutside(f.top, name, f.world.Environ); ok {
			return path, true
		}
	}
	return "", false
}

// toolEnvironment holds what a program needs to start, and nothing a project could have set for it.
func toolEnvironment(environ []string, dir string) []string {
	env := []string{"LC_ALL=C", "HOME=" + dir, "TMPDIR=" + dir, "TEMP=" + dir, "TMP=" + dir}
	for _, kv := range environ {
		key, _, _ := strings.Cut(kv, "=")
		switch strings.ToUpper(key) {
		case "PATH":
			env = append(env, kv)
		case "SYSTEMROOT", "SYSTEMDRIVE", "PATHEXT", "COMSPEC", "WINDIR":
			if runtime.GOOS == "windows" {
				env = append(env, kv)
			}
		}
	}
	return env
}

// projectTop is the work tree around cwd, or cwd itself.
func projectTop(cwd string) string {
	if l, ok := gitx.Find(cwd); ok && l.Top != "" {
		return l.Top
	}
	return resolvedPath(cwd)
}

// otherDialect says why the tool for the file's name is not the one for its text.
func otherDialect(f written) string {
	switch strings.ToLower(filepath.Ext(f.name)) {
	case ".js", ".cjs", ".mjs":
		if bytes.Contains(f.text, []byte("</")) || bytes.Contains(f.text, []byte("/>")) || bytes.Contains(f.text, []byte("@flow")) {
			return "may hold JSX or types"
		}
	case ".sh", ".bash":
		first, _, _ := bytes.Cut(f.text, []byte("\n"))
		if bytes.HasPrefix(first, []byte("#!")) && !bytes.HasSuffix(bytes.TrimRight(first, "\r"), []byte("sh")) ||
			bytes.Contains(first, []byte("zsh")) || bytes.Contains(first, []byte("fish")) || bytes.Contains(first, []byte("csh")) {
			return "is for another shell"
		}
	}
	return ""
}

// moduleName gives JavaScript with imports or exports the name that node reads as a module.
func moduleName(f written) string {
	for line := range bytes.Lines(f.text) {
		if bytes.HasPrefix(line, []byte("import ")) || bytes.HasPrefix(line, []byte("import{")) || bytes.HasPrefix(line, []byte("export ")) {
			return strings.TrimSuffix(f.name, filepath.Ext(f.name)) + ".mjs"
		}
	}
	return f.name
}

// readColons reads lines such as x.go:3:5: expected declaration.
func readColons(output string) []syntaxError {
	var all []syntaxError
	for line := range strings.Lines(output) {
		parts := strings.SplitN(strings.TrimRight(line, "\r\n"), ":", 4)
		if len(parts) < 4 || strings.HasPrefix(line, " ") {
			continue
		}
		n, errLine := strconv.Atoi(parts[1])
		c, errColumn := strconv.Atoi(parts[2])
		message := strings.TrimPrefix(strings.TrimSpace(parts[3]), "error: ")
		if errLine == nil && errColumn == nil && !strings.HasPrefix(message, "note:") && !strings.HasPrefix(message, "warning:") {
			all = append(all, syntaxError{n, c, message})
		}
	}
	return all
}

// readNode reads the place on the first line and the SyntaxError further down.
func readNode(output string) []syntaxError {
	first, _, _ := strings.Cut(output, "\n")
	first = strings.TrimRight(first, "\r")
	at, err := strconv.Atoi(first[strings.LastIndexByte(first, ':')+1:])
	if err != nil {
		return nil
	}
	for line := range strings.Lines(output) {
		if message, ok := strings.CutPrefix(strings.TrimSpace(line), "SyntaxError: "); ok {
			return []syntaxError{{Line: at, Message: message}}
		}
	}
	return nil
}

// readPython reads `File "x.py", line 3` and the last line, which names the error.
func readPython(output string) []syntaxError {
	e := syntaxError{}
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if _, after, ok := strings.Cut(line, ", line "); ok {
			e.Line, _ = strconv.Atoi(strings.TrimRight(after, ")"))
		}
		for _, kind := range []string{"SyntaxError: ", "IndentationError: ", "TabError: "} {
			if message, ok := strings.CutPrefix(line, kind); ok {
				e.Message = message
			}
		}
	}
	if e.Line == 0 || e.Message == "" {
		return nil
	}
	return []syntaxError{e}
}

// readBash reads x.sh: line 3: syntax error near ...
func readBash(output string) []syntaxError {
	for line := range strings.Lines(output) {
		_, after, ok := strings.Cut(line, ": line ")
		if !ok {
			continue
		}
		number, message, _ := strings.Cut(after, ": ")
		if n, err := strconv.Atoi(number); err == nil {
			return []syntaxError{{Line: n, Message: message}}
		}
	}
	return nil
}
