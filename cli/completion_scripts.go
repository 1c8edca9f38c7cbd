package cli

import (
	"fmt"
	"strings"
)

// completionScript returns the script of one shell. The words stand in the script itself: completing starts no process.
//
// All scripts do the same: they take the words before the cursor apart into commands and options, look up what follows
// them, and where words are arguments that the table does not know, offer the command's options; a value of an option that
// is not in the table, and what nothing is known of, is left to the shell's completion of files.
func completionScript(env Env, shell string) (script string, ok bool) {
	table, valued := completionTable(env)
	switch shell {
	case "bash":
		return bashCompletion(table, valued), true
	case "zsh":
		return zshCompletion(table, valued), true
	case "fish":
		return fishCompletion(table, valued), true
	case "powershell":
		return powershellCompletion(table, valued), true
	}
	return "", false
}

func bashCompletion(table []completion, valued []string) string {
	return `# bash completion of viber
_viber_words() {
  case "$1" in
` + rows(table, "    %q) words=%q ;;\n") + `    *) return 1 ;;
  esac
}
_viber() {
  local cur=${COMP_WORDS[COMP_CWORD]} path= word words= option= fewer=
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [ -n "$option" ]; then option=; continue; fi
    case $word in
      -*) case " ` + strings.Join(valued, " ") + ` " in *" $word "*) option=$word ;; esac ;;
      *) path="$path $word" ;;
    esac
  done
  path=${path# }
  COMPREPLY=()
  if [ -n "$option" ]; then path="$path $option"; fi
  until _viber_words "$path"; do
    if [ -n "$option" ] || [ "$path" = "${path% *}" ]; then return; fi
    path=${path% *} fewer=1
  done
  if [ -n "$fewer" ]; then case $cur in -*) ;; *) return ;; esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _viber viber
`
}

func zshCompletion(table []completion, valued []string) string {
	return `#compdef viber
_viber_words() {
  case "$1" in
` + rows(table, "    %q) candidates=(%s) ;;\n") + `    *) return 1 ;;
  esac
}
_viber() {
  local -a candidates
  local path_= word= option= fewer=
  for word in ${words[2,CURRENT-1]}; do
    if [[ -n $option ]]; then option=; continue; fi
    case $word in
      -*) if [[ " ` + strings.Join(valued, " ") + ` " == *" $word "* ]]; then option=$word; fi ;;
      *) path_="${path_:+$path_ }$word" ;;
    esac
  done
  if [[ -n $option ]]; then path_="$path_ $option"; fi
  until _viber_words "$path_"; do
    if [[ -n $option || $path_ != *' '* ]]; then _files; return; fi
    path_=${path_% *} fewer=1
  done
  if [[ -n $fewer && ${words[CURRENT]} != -* ]]; then _files; return; fi
  compadd -- $candidates
}
if [ "$funcstack[1]" = _viber ]; then _viber "$@"; else compdef _viber viber; fi
`
}

func fishCompletion(table []completion, valued []string) string {
	return `# fish completion of viber
function __viber_words
  switch "$argv[1]"
` + rows(table, "    case %q\n      string split ' ' -- %q; return 0\n") + `    case '*'
      return 1
  end
end
function __viber_complete
  set -l above
  set -l option
  set -l fewer
  for word in (commandline -opc)[2..]
    if test -n "$option"
      set option
    else if not string match -q -- '-*' $word
      set -a above $word
    else if contains -- $word ` + strings.Join(valued, " ") + `
      set option $word
    end
  end
  set -l path (string join ' ' -- $above)
  test -n "$option"; and set path "$path $option"
  while true
    set -l found (__viber_words "$path"); and break
    test -n "$option"; and return
    string match -q '* *' -- "$path"; or return
    set path (string replace -r ' [^ ]*$' '' -- "$path")
    set fewer 1
  end
  if test -n "$fewer"
    __viber_words "$path" | string match -- '-*'
  else
    __viber_words "$path"
  end
end
complete -c viber -a '(__viber_complete)'
`
}

func powershellCompletion(table []completion, valued []string) string {
	return `# PowerShell completion of viber
Register-ArgumentCompleter -Native -CommandName viber -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $table = @{
` + rows(table, "    '%s' = '%s'\n") + `  }
  $valued = '` + strings.Join(valued, " ") + `' -split ' '
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
  if ($wordToComplete -and $words.Count) { $words = @($words | Select-Object -First ($words.Count - 1)) }
  $above = @()
  $option = ''
  foreach ($word in $words) {
    if ($option) { $option = '' }
    elseif ($word -notlike '-*') { $above += $word }
    elseif ($valued -ccontains $word) { $option = $word }
  }
  $path = $above -join ' '
  if ($option) { $path = "$path $option" }
  $fewer = $false
  while (-not $table.ContainsKey($path)) {
    if ($option -or $path -notlike '* *') { return }
    $path = $path -replace ' [^ ]*$', ''
    $fewer = $true
  }
  $table[$path] -split ' ' | Where-Object { $_ -like "$wordToComplete*" -and (-not $fewer -or $_ -like '-*') } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`
}

func rows(table []completion, format string) string {
	var b strings.Builder
	for _, c := range table {
		fmt.Fprintf(&b, format, c.After, strings.Join(c.Words, " "))
	}
	return b.String()
}
