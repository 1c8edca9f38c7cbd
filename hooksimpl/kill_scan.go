package hooksimpl

import "strings"

// scanKill is the rule of kill-guard for text that cannot be parsed. It knows separators and blanks, not quotes, comments
// or here-documents, so it refuses some text that only looks like a command. It returns the rule that was met.
func scanKill(text string) string {
	var s killScan
	atStart := true
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case isSeparator(c):
			atStart = true
		case isBlank(c):
		case !atStart:
		default:
			if rule := s.at(text, i); rule != "" {
				return rule
			}
			word := text[i : i+wordLength(text[i:])]
			atStart = introducesCommand(word)
			i += max(len(word)-1, 0)
		}
	}
	return ""
}

// mayKill is a quick test, true for every text the parsed rule refuses: where a command could begin, read without quotes,
// stands a word the rules are about.
func mayKill(text string) bool {
	if strings.IndexByte(text, 0) >= 0 { // the parser drops it
		return true
	}
	if strings.Contains(text, "\\\n") {
		text = strings.ReplaceAll(text, "\\\n", "")
	}
	if !strings.Contains(text, "kill") {
		return false
	}
	substitutes := strings.Contains(text, "$(") || strings.Contains(text, "`")
	atStart := true
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case isSeparator(c) || c == ')':
			atStart = true
		case isBlank(c):
		default:
			rest := text[i:]
			if atStart && (strings.HasPrefix(rest, "killall") || strings.HasPrefix(rest, "pkill") || strings.HasPrefix(rest, "taskkill") ||
				strings.HasPrefix(rest, "xargs") || substitutes && strings.HasPrefix(rest, "kill")) {
				return true
			}
			word, _, _ := strings.Cut(rest[:wordLength(rest)], ")")
			// time may have an option, coproc a name, before the command
			atStart = introducesCommand(word) || word == "time" || atStart && (word == "-p" || strings.HasSuffix(text[:i], "coproc "))
			i += len(word) - 1
		}
	}
	return false
}

// killScan remembers how far the searches for one rule went without a find: a search that starts later inside the same
// span cannot find more, so no text is searched twice.
type killScan struct{ imageSearched, substSearched, xargsTokens int }

func (s *killScan) at(text string, i int) string {
	rest := text[i:]
	switch {
	case opensWith(rest, "killall"):
		return "killall"
	case opensWith(rest, "pkill"):
		return "pkill"
	case strings.HasPrefix(rest, "taskkill"):
		if s.finds(text, i+len("taskkill"), &s.imageSearched, imageSwitchAt) {
			return "taskkill /IM"
		}
	case strings.HasPrefix(rest, "xargs"):
		if s.xargsKill(rest[len("xargs"):]) {
			return "xargs kill"
		}
	case strings.HasPrefix(rest, "kill") && len(rest) > 4 && isBlank(rest[4]):
		if s.finds(text, i+len("kill")+1, &s.substSearched, substitutionAt) {
			return "kill $(...)"
		}
	}
	return ""
}

// finds looks for at in text from i to the end of the span: the next `;`, `&`, `|` or line end.
func (s *killScan) finds(text string, i int, searched *int, at func(string, int) bool) bool {
	first := i
	i = max(i, *searched)
	for ; i < len(text); i++ {
		if at(text, i) {
			return true
		}
		if strings.IndexByte(";&|\n", text[i]) >= 0 && i > first {
			break
		}
	}
	*searched = i
	return false
}

func imageSwitchAt(text string, i int) bool {
	if !isBlank(text[i]) {
		return false
	}
	rest, ok := strings.CutPrefix(text[i+1:], "/")
	if !ok {
		return false
	}
	rest = strings.TrimPrefix(rest, "/")
	return len(rest) >= 2 && strings.EqualFold(rest[:2], "im") && (len(rest) == 2 || isBlank(rest[2]))
}

func substitutionAt(text string, i int) bool {
	return text[i] == '`' || strings.HasPrefix(text[i:], "$(")
}

// xargsTokenLimit bounds the words looked at behind all xargs of a text; a text with more is refused unseen.
const xargsTokenLimit = 10_000

// xargsKill reports whether some way of reading the words behind xargs as options leaves kill as the command.
func (s *killScan) xargsKill(rest string) bool {
	here, next := true, false
	for here || next {
		blank := len(rest) - len(strings.TrimLeft(rest, blanks))
		if blank == 0 {
			return false
		}
		rest = rest[blank:]
		if here && opensWith(rest, "kill") {
			return true
		}
		end := strings.IndexAny(rest, blanks+";&|")
		if end < 0 {
			end = len(rest)
		}
		word := rest[:end]
		rest = rest[end:]
		isOption := here && len(word) > 1 && word[0] == '-'
		takesValue := isOption && len(word) == 2 && strings.IndexByte("nPILsdEa", word[1]) >= 0
		here, next = isOption || next, takesValue
		if s.xargsTokens++; s.xargsTokens > xargsTokenLimit {
			return true
		}
	}
	return false
}

const blanks = " \t\n\v\f\r"

func isBlank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func isSeparator(c byte) bool {
	switch c {
	case ';', '&', '|', '(', '`', '\n':
		return true
	}
	return false
}

func wordLength(text string) int {
	n := 0
	for n < len(text) && !isBlank(text[n]) && !isSeparator(text[n]) {
		n++
	}
	return n
}

// introducesCommand reports whether a command can follow the reserved word.
func introducesCommand(word string) bool {
	switch word {
	case "if", "then", "elif", "else", "while", "until", "do", "{", "!", "coproc":
		return true
	}
	return false
}
