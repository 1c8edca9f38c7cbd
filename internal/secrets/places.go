package secrets

import "bytes"

// optionPassword finds what -p or --password gives to a program that logs in.
func optionPassword(line []byte, at int) (int, int, bool) {
	end := at + min(len(line)-at, 200)
	if i := bytes.IndexAny(line[at:end], "|;&"); i >= 0 {
		end = at + i
	}
	mysql := bytes.HasPrefix(line[at:], []byte("mysql"))
	for _, option := range []string{" -p", " --password"} {
		i := bytes.Index(line[at:end], []byte(option))
		if i < 0 {
			continue
		}
		start := at + i + len(option)
		switch {
		case start >= end:
			continue
		case line[start] == '=' && option == " --password", line[start] == ' ' && !mysql: // of mysql, a word apart is the database
			start = blanks(line, start+1)
		case option == " --password":
			continue
		}
		stop := start
		for stop < len(line) && stop-start < 80 && line[stop] > ' ' && (stop == start || line[stop] != line[start] || line[start] != '"' && line[start] != '\'') {
			stop++
		}
		if start < stop && (line[start] == '"' || line[start] == '\'') {
			start++
		}
		if value := line[start:stop]; len(value) >= 8 && value[0] != '-' && (rule{entropy: 2.8, human: true}).holds(value) {
			return start, stop, true
		}
	}
	return 0, 0, false
}

// privateWebKey finds the private part of a JSON web key, in one line with its kind.
func privateWebKey(line []byte, at int) (int, int, bool) {
	rest := line[at:window(line, at)]
	for _, name := range []string{`"d"`, `"k"`} {
		i := bytes.Index(rest, []byte(name))
		if i < 0 {
			continue
		}
		start := blanks(line, at+i+len(name))
		if start >= len(line) || line[start] != ':' {
			continue
		}
		start = blanks(line, start+1) + 1
		end := start
		for end < len(line) && end-start < valueLimit && (isWord(line[end]) || line[end] == '-') {
			end++
		}
		if end-start > 21 && entropy(line[start:end]) > 3.5 {
			return start, end, true
		}
	}
	return 0, 0, false
}
