package hooksimpl

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/tailscale/hujson"
	"gopkg.in/yaml.v3"
)

// written is a file that was just written.
type written struct {
	world      *World
	top        string // of the project: what it brings is not run
	name, path string
	text       []byte
}

// parser looks for errors in a file; why says that it could not tell.
type parser func(written) (found []syntaxError, why string)

// parserFor returns the parser for the file's name and what it is called.
func parserFor(name string) (parser, string) {
	base := strings.ToLower(filepath.Base(name))
	if isViberConfig(base) {
		return nil, "has a grammar of its own: viber config validate"
	}
	switch ext := path.Ext(base); ext {
	case ".json":
		return parseJSON, "parsed as JSON"
	case ".jsonc":
		return parseJSONC, "parsed as JSON with comments"
	case ".yml", ".yaml":
		return parseYAML, "parsed as YAML"
	case ".toml":
		return parseTOML, "parsed as TOML"
	default:
		if tool, ok := toolFor(ext); ok {
			return tool.parse, "parsed by " + tool.what
		}
	}
	return nil, "is of a kind nothing parses here"
}

func isViberConfig(base string) bool { return base == "viber.yml" || base == "viber.local.yml" }

func parseJSON(f written) ([]syntaxError, string) {
	text := bytes.TrimPrefix(f.text, []byte("\xef\xbb\xbf"))
	var raw json.RawMessage
	err := json.Unmarshal(text, &raw)
	var fault *json.SyntaxError
	if !errors.As(err, &fault) {
		return nil, ""
	}
	if takesComments(f.path) {
		return parseJSONC(f)
	}
	line, column := position(text, int(fault.Offset)-1)
	return []syntaxError{{line, column, fault.Error()}}, ""
}

// takesComments reports whether programs read the file at path as JSON with comments, whatever its name says.
func takesComments(path string) bool {
	slashed := "/" + strings.ToLower(filepath.ToSlash(path))
	base := slashed[strings.LastIndexByte(slashed, '/')+1:]
	for _, dir := range []string{"/.vscode/", "/.devcontainer/", "/.zed/"} {
		if strings.Contains(slashed, dir) {
			return true
		}
	}
	return strings.HasPrefix(base, "tsconfig") || strings.HasPrefix(base, "jsconfig") || strings.HasPrefix(base, ".eslintrc") ||
		base == "devcontainer.json" || base == "api-extractor.json" || base == "deno.json" || base == "turbo.json" || base == "nx.json" || base == ".swcrc"
}

func parseJSONC(f written) ([]syntaxError, string) {
	_, err := hujson.Parse(bytes.TrimPrefix(f.text, []byte("\xef\xbb\xbf")))
	if err == nil {
		return nil, ""
	}
	// hujson: line 3, column 5: invalid character ...
	line, column, message := afterLineColumn(err.Error())
	return []syntaxError{{line, column, message}}, ""
}

func afterLineColumn(text string) (line, column int, message string) {
	message = strings.TrimPrefix(text, "hujson: ")
	rest, ok := strings.CutPrefix(message, "line ")
	if !ok {
		return 1, 0, message
	}
	number, rest, _ := strings.Cut(rest, ", column ")
	col, rest, _ := strings.Cut(rest, ": ")
	line, _ = strconv.Atoi(number)
	column, _ = strconv.Atoi(col)
	return max(line, 1), column, rest
}

func parseYAML(f written) ([]syntaxError, string) {
	if bytes.Contains(f.text, []byte("{{")) || bytes.Contains(f.text, []byte("{%")) {
		return nil, "is a template"
	}
	dec := yaml.NewDecoder(bytes.NewReader(f.text))
	for {
		var doc yaml.Node
		switch err := dec.Decode(&doc); {
		case errors.Is(err, io.EOF):
			return nil, ""
		case err != nil:
			line, message := yamlFault(err.Error())
			return []syntaxError{{Line: line, Message: message}}, ""
		}
	}
}

// yamlFault takes "yaml: line 3: did not find ..." apart.
func yamlFault(text string) (line int, message string) {
	message = strings.TrimPrefix(text, "yaml: ")
	if rest, ok := strings.CutPrefix(message, "line "); ok {
		number, after, _ := strings.Cut(rest, ": ")
		if n, err := strconv.Atoi(number); err == nil {
			return n, after
		}
	}
	return 1, message
}

func parseTOML(f written) ([]syntaxError, string) {
	var doc map[string]any
	_, err := toml.Decode(string(f.text), &doc)
	var fault toml.ParseError
	if !errors.As(err, &fault) {
		return nil, ""
	}
	line, column := position(f.text, fault.Position.Start)
	if fault.Position.Start == 0 && fault.Position.Line > 0 {
		line, column = fault.Position.Line, 0
	}
	message := fault.Message
	if message == "" {
		message = "invalid TOML"
	}
	return []syntaxError{{line, column, message}}, ""
}

// position is the line and column, from 1, of the byte at offset.
func position(text []byte, offset int) (line, column int) {
	offset = max(min(offset, len(text)), 0)
	before := text[:offset]
	return 1 + bytes.Count(before, []byte("\n")), offset - bytes.LastIndexByte(before, '\n')
}
