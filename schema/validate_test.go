package schema

import (
	"strconv"
	"strings"
	"testing"
)

func TestValidateNamesWhatReadsOtherwise(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		Template(Newest):                                                       "",
		"schema: 3\nbuild:\n  qa: \"true\"\n":                                  `3:7: build.qa: "true" reads as false. Write true.`,
		"schema: 3\nbuild:\n  qa: yes # c\n":                                   `3:7: build.qa: yes # c reads as false. Write true.`,
		"schema: 3\nbuild:\n  qa: no\n":                                        `3:7: build.qa: no reads as false only because it is not understood. Write false.`,
		"schema: 3\nbuild:\n  qa: maybe\n":                                     `3:7: build.qa: maybe is not understood and reads as false. Takes true or false.`,
		"schema: 3\nbuild:\n  qa:\n":                                           `3:6: build.qa has no value, so it reads as false. Takes true or false.`,
		"schema: 3\ntiers:\n  min: 'sonnet'\n":                                 `3:8: tiers.min: 'sonnet' reads as haiku. Write sonnet.`,
		"schema: 3\ndirectories:\n  runs: 'builds'\n":                          `3:9: directories.runs: 'builds' reads as _specs. Write builds.`,
		"schema: 3\nbuild:\n  adr: true\n":                                     `3:3: adr is not read in build; it belongs to planning. Move it there.`,
		"schema: 3\nbuild:\n  clenup: true\n":                                  `3:3: build.clenup is not known. Did you mean build.cleanup?`,
		"schema: 3\nplaning:\n  adr: true\n":                                   `2:1: planing is no group viber knows. Did you mean planning?`,
		"schema: 3\nqa: true\n":                                                `2:1: qa is not read at column 0; it belongs to build.qa. Run 'viber migrate'.`,
		"schema: 3\nbuild:\n  qa: true\n  qa: false\n":                         `4:3: build.qa stands here a second time; line 3 counts. Remove one of them.`,
		"schema: 3\nbuild:\n  'qa': true\n":                                    `3:3: a key in quotes is not read: 'qa': true. Write it without quotes.`,
		"schema: 3\nbuild:\n\tqa: true\n":                                      `3:1: tabs are not allowed in YAML: viber reads the line, editors do not. Indent with blanks.`,
		"\ufeffbuild:\n  qa: true\n":                                           "1:1: a byte order mark hides the key on this line. Save the file without one.",
		"schema: 3\r\nbuild:\r\n  qa: true\n":                                  "3:11: the line ends in LF, others in CR LF. Use one line end in the whole file.",
		"schema: 3\n- x\n":                                                     "2:1: - x is no key; it closes the group above it. Indent it, comment it out, or remove it.",
		"schema: 3\nbuild:\n  extensions:\n    qa: true\n":                     "4:5: qa reads as an extension, not as the switch build.qa. Indent it like extensions itself.",
		"schema: 3\nbuild:\n  extensions: a\n    b:\n":                         "4:5: nothing below build.extensions is read while a value follows it. Take the value off the extensions line.",
		"schema: 3\nbuild: x\n":                                                "2:1: build has a value; setup and migrate leave such a group alone. Put the keys below it, on lines of their own.",
		"schema: 3\nbuild: {qa: true}\n":                                       "2:1: build has a value; setup and migrate leave such a group alone. Put the keys below it, on lines of their own.",
		"schema: 3\nbuild:\n  {qa: true}\n":                                    "3:3: this line is not read: {qa: true}. Write one key: value a line, or remove it.",
		"schema: 3\nbuild:\n  qa: &on true\n":                                  "3:7: build.qa: &on true is not understood and reads as false. Takes true or false.",
		"schema: 3\ngithub:\n  pr-title: >\n    x\n":                           "3:3: github.pr-title uses an anchor or a block of text, which viber does not read. Write the value itself behind the colon.",
		"schema: 3\ngithub:\n  pr-title: 'it''s'\n":                            "3:13: github.pr-title reads as it, in YAML as it's. Use the other kind of quotes around it.",
		"schema: 3\ntiers:\n  min: opus\n  max: haiku\n":                       "3:1: tiers.min opus is above tiers.max haiku, so both read as their defaults. Lower tiers.min or raise tiers.max.",
		"schema: 3\nbranching:\n  mode: allowed\n":                             "2:1: no valid branching.work entry. See docs/viber-yml.md, branching.",
		"schema: 3\nrequires: soon\n":                                          "2:11: requires: soon is no version constraint. Write one like \">=1.4\".",
		"schema: 4\nguards:\n  git: off\n":                                     "3:8: guards.git: off has no effect, for a project can only tighten a guard. Take the line out; for yourself use 'viber config set --user'.",
		"schema: 4\nforge:\n  hosts: a.example\n":                              "3:1: forge.hosts counts in your own viber.yml only. Set it with 'viber config set --user'.",
		"schema : 3\n":                                                         "1:1: with a blank before the colon the number is not seen. Write schema: 3.",
		"schema: 2\n":                                                          "1:1: the file is at schema 2, this viber writes " + strconv.Itoa(Newest) + ". Run 'viber migrate'.",
		"schema: 99\n":                                                         "1:1: the file is at schema 99, this viber knows " + strconv.Itoa(Newest) + ". Run 'viber upgrade'.",
		"build:\n":                                                             "1:1: there is no schema line, so the file counts as schema 0. Run 'viber migrate'.",
		"schema: 3\n  adr: true\n":                                             "2:1: the file is no valid YAML (line 2: mapping values are not allowed in this context). viber reads it by lines; mend it if you edit it with YAML tools.",
		"\xff\xfes\x00":                                                        "1:1: the file is UTF-16. Save it as UTF-8 and run the command again",
		"schema: 3\nbranching:\n  mode: off\n  work:\n    m:\n      base: a\n": "5:1: work entry m: missing name. See docs/viber-yml.md, branching.",
	} {
		var got []string
		for _, f := range ValidateText(text) {
			got = append(got, strings.TrimPrefix(f.String(), shown+":"))
		}
		if want == "" && len(got) > 0 || want != "" && !contains(got, want) {
			t.Errorf("%q:\n got  %s\n want %s", text, strings.Join(got, "\n      "), want)
		}
	}
}

func contains(lines []string, want string) bool {
	for _, l := range lines {
		if l == want {
			return true
		}
	}
	return false
}

func TestValidateLocal(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	put(t, LocalPath(root), "tiers:\n  min: big\ngithub: x\nbuild:\n  qa: true\n  baseline-tests: fast\n  colour: red\n")
	var got []string
	for _, f := range Validate(root, "") {
		got = append(got, f.String())
	}
	same(t, strings.Join(got, "\n"), strings.Join([]string{
		".claude/viber.local.yml:2:1: tiers.min: big is not understood, so the shared value stands. Takes haiku, sonnet, opus or fable.",
		".claude/viber.local.yml:3:1: github opens no group because a value follows it. Put the keys below it, on lines of their own.",
		".claude/viber.local.yml:5:1: build.qa cannot be overridden here; only build.baseline-tests, github.issues, tiers.min and tiers.max can. Set it in .claude/viber.yml.",
		".claude/viber.local.yml:7:1: build.colour is not known. Remove it, or see 'viber config list'.",
	}, "\n"))
}

func FuzzValidate(f *testing.F) {
	for seed := range uint64(10) {
		f.Add(makeFile(seed))
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, finding := range ValidateText(text) {
			if finding.Line < 1 || finding.Col < 1 || finding.Line > strings.Count(text, "\n")+2 {
				t.Fatalf("%q: %v", text, finding)
			}
		}
	})
}

func TestValidateNamesAFileThatIsTooLarge(t *testing.T) {
	root := t.TempDir()
	put(t, Path(root), "schema: 4\n"+strings.Repeat("# a line\n", maxSize/9)+"guards:\n  git: off\n")
	found := Validate(root, "")
	if len(found) != 1 || !strings.Contains(found[0].Text, "larger than 1 MiB") || found[0].Fix == "" {
		t.Errorf("found %+v", found)
	}
}
