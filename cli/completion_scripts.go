package cli

import (
	"fmt"
	"strings"
)

// completionScript returns the script of one shell. The words stand in the script itself: completing starts no process.
func completionScript(env Env, shell string) (script string, ok bool) {
	words := completionWords(Tree(env))
	switch shell {
	case "bash":
		return bashCompletion(words), true
	case "zsh":
		return zshCompletion(words), true
	case "fish":
		return fishCompletion(words), true
	case "powershell":
		return powershellCompletion(words), true
	}
	return "", false
}

// completion is what can follow the command words After.
type completion struct {
	After string
	Words []string
}

// completionWords lists, for every command of the tree and for none, the commands and flags that can follow.
func completionWords(tree []Line) []completion {
	all := []completion{{After: ""}}
	index := map[string]int{"": 0}
	for _, line := range tree {
		index[line.Words] = len(all)
		all = append(all, completion{After: line.Words, Words: flagWords(line.Flags)})
		above, name := "", line.Words
		if i := strings.LastIndexByte(line.Words, ' '); i >= 0 {
			above, name = line.Words[:i], line.Words[i+1:]
		}
		all[index[above]].Words = append(all[index[above]].Words, name)
	}
	return all
}

func flagWords(names []string) []string {
	var words []string
	for _, name := range names {
		if len(name) > 1 {
			words = append(words, "--"+name)
		}
	}
	return append(words, "--help")
}

func bashCompletion(words []completion) string {
	return `# bash completion of viber
_viber() {
  local cur=${COMP_WORDS[COMP_CWORD]} path= word words=
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) ;; *) path="$path $word" ;; esac
  done
  case "${path# }" in
` + cases(words, "    %q) words=%q ;;\n") + `  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _viber viber
`
}

func zshCompletion(words []completion) string {
	return `#compdef viber
_viber() {
  local -a above candidates
  above=(${${words[2,CURRENT-1]}:#-*})
  case "${(j: :)above}" in
` + cases(words, "    %q) candidates=(%s) ;;\n") + `  esac
  if (( $#candidates )); then compadd -- $candidates; else _files; fi
}
if [ "$funcstack[1]" = _viber ]; then _viber "$@"; else compdef _viber viber; fi
`
}

func cases(words []completion, format string) string {
	var b strings.Builder
	for _, c := range words {
		fmt.Fprintf(&b, format, c.After, strings.Join(c.Words, " "))
	}
	return b.String()
}

func fishCompletion(words []completion) string {
	var b strings.Builder
	b.WriteString(`# fish completion of viber
function __viber_above
  set -l above
  for word in (commandline -opc)[2..]
    string match -q -- '-*' $word; or set -a above $word
  end
  test "$above" = "$argv[1]"
end
`)
	for _, c := range words {
		fmt.Fprintf(&b, "complete -c viber -n '__viber_above %q' -a %q\n", c.After, strings.Join(c.Words, " "))
	}
	return b.String()
}

func powershellCompletion(words []completion) string {
	var b strings.Builder
	b.WriteString(`# PowerShell completion of viber
Register-ArgumentCompleter -Native -CommandName viber -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $table = @{
`)
	for _, c := range words {
		fmt.Fprintf(&b, "    '%s' = '%s'\n", c.After, strings.Join(c.Words, " "))
	}
	b.WriteString(`  }
  $above = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" } |
    Where-Object { $_ -notlike '-*' -and $_ -ne $wordToComplete }) -join ' '
  "$($table[$above])" -split ' ' | Where-Object { $_ -like "$wordToComplete*" } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`)
	return b.String()
}
