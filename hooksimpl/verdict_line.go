package hooksimpl

import "bytes"

// verdictAt returns the verdict whose label ends with the colon at buf[i], empty when there is none. The text is raw JSON:
// a line of the report opens after an escaped line end or where the text begins, and ends at an escaped line end, at the
// end of the text, or at a tag. Emphasis marks around label and value are skipped; anything else beside them, as in a
// quoted "VERDICT: PASS is not ...", is no verdict.
func verdictAt(buf []byte, i int) string {
	label := VerdictLabel[:len(VerdictLabel)-1]
	before := trimMarksRight(buf[:i])
	before, ok := bytes.CutSuffix(before, []byte(label))
	if !ok || !opensReportLine(bytes.TrimRight(trimMarksRight(before), " \t")) {
		return ""
	}
	rest := trimMarksLeft(buf[i+1:])
	value := bytes.TrimLeft(rest, " \t")
	if len(value) == len(rest) {
		return ""
	}
	value = trimMarksLeft(value)
	for _, word := range []string{VerdictPass, VerdictFail, VerdictDenied} {
		if after, ok := bytes.CutPrefix(value, []byte(word)); ok && endsReportLine(after) {
			return word
		}
	}
	return ""
}

func opensReportLine(before []byte) bool {
	if bytes.HasSuffix(before, []byte(`\n`)) {
		backslashes := len(before) - 1 - len(bytes.TrimRight(before[:len(before)-1], `\`))
		return backslashes%2 == 1
	}
	return bytes.HasSuffix(before, []byte(`"text":"`)) || bytes.HasSuffix(before, []byte(`"content":"`)) ||
		bytes.HasSuffix(before, []byte(`<result>`))
}

func endsReportLine(after []byte) bool {
	after = bytes.TrimLeft(trimMarksLeft(after), " \t")
	after = bytes.TrimPrefix(after, []byte(`\r`))
	return bytes.HasPrefix(after, []byte(`\n`)) || bytes.HasPrefix(after, []byte(`"`)) || bytes.HasPrefix(after, []byte(`<`))
}

func trimMarksRight(text []byte) []byte { return bytes.TrimRight(text, "*_`") }

func trimMarksLeft(text []byte) []byte { return bytes.TrimLeft(text, "*_`") }
