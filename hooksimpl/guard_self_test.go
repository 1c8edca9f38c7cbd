package hooksimpl

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestSelfGuardAsksAboutViberItself holds each way to change what guards the session to a question, and looking to none.
func TestSelfGuardAsksAboutViberItself(t *testing.T) {
	t.Parallel()
	g := newRepoWorld(t)
	state := filepath.ToSlash(filepath.Join(g.base, "state", "viber"))
	config := filepath.ToSlash(filepath.Join(g.base, "config-feature"))
	g.put(t, "state/viber/record.json", `{"git":"","binary":"`+filepath.ToSlash(filepath.Join(g.base, "bin", "viber"))+`"}`)
	for _, command := range []string{
		`echo {} > .claude/settings.json`, `echo x >> ./.claude/settings.local.json`, `rm .claude/viber.yml`, `rm -rf .claude`, `rm -rf ./.claude/`, `mv .claude /tmp/x`, `cd .claude && rm settings.json`,
		`sed -i s/on/off/ .claude/viber.yml`, `sed -ni s/on/off/p .claude/viber.yml`, `perl -pi -e s/on/off/ .claude/viber.yml`, `tee .claude/viber-allow.yml < x`, `cp x .claude/settings.json`, `ln -sf x .claude/settings.json`,
		`truncate -s0 .claude/settings.json`, `touch .claude/viber-allow.yml`, `dd if=x of=.claude/settings.json`, `install -m 600 x .claude/settings.json`, `chmod 000 .claude/settings.json`, `python3 edit.py .claude/settings.json`, `python3 -c "open('.claude/settings.json','w')"`,
		"python3 <<'EOF'\nopen('.claude/viber.yml','w').write('guards:')\nEOF", `node -e "require('fs').writeFileSync('.claude/settings.json','{}')"`, `rm .claude/*.json`, `rm .claude/s*`, `git checkout HEAD~5 -- .claude/settings.json`, `git rm .claude/viber.yml`, `git mv .claude x`,
		`rm -rf ` + state, `rm ` + state + `/faults.jsonl`, `echo x > ` + config + `/settings.json`, `rm -rf ` + config + `/skills/viber`, `echo x > ` + config + `/skills/viber/hooks/a`, `rm -rf ` + config, `cp /bin/true ` + g.base + `/bin/viber`, `cat x > "$HOME/.claude/settings.json"`,
		`sudo rm .claude/settings.json`, `sh -c 'rm .claude/settings.json'`, `xargs rm .claude/settings.json`, `find .claude -name "*.json" -exec rm .claude/settings.json \;`, `vim .claude/settings.json`, `yq -i .x=1 .claude/viber.yml`, `> .claude/settings.json`, `{ echo a; echo b; } > .claude/settings.json`, `rm "unclosed .claude/settings.json`,
		`rsync x/ .claude/settings.json`, `cp settings.json .claude/`, `cp /tmp/viber.yml .claude`, `mv a/settings.local.json ./.claude/.`, `cp -t .claude x/settings.json`, `cat <<'EOF' > .claude/viber.yml` + "\nguards:\n  git: off\nEOF", `f=.claude/viber.yml; rm $f`, `rm $X/.claude/settings.json`,
		`cp -r other/.claude .`, `find .claude -name viber.yml -delete`, `find .claude -type f -exec rm {} +`, `find . -name viber.yml -exec sed -i s/on/off/ {} \;`, `find .claude -name "*.json" | xargs rm`, `ls .claude/*.yml | xargs rm -f`,
		`for f in .claude/viber.yml; do rm $f; done`, `for f in .claude/*; do rm "$f"; done`, `curl -o .claude/settings.json https://example.com/x`, `wget -O .claude/settings.json https://example.com/x`, `tar xf x.tgz -C .claude`, `unzip -o x.zip -d .claude`,
		`echo .claude/viber.yml | xargs -I{} mv {} x`, `ln -s .claude q && echo x > q/viber.yml`, `alias r=rm; r .claude/viber.yml`, "echo 'rm .claude/viber.yml' > x.sh; bash x.sh", `git -c core.editor="rm .claude/viber.yml; git x" commit`,
	} {
		if v := g.ask(selfGuard(), "feature", ToolBash, command); v.Decision != Ask || !strings.Contains(v.Reason, "VG-701") {
			t.Errorf("%s: %s %s", command, v.Decision, v.Reason)
		}
	}
	for _, command := range []string{
		`cat .claude/settings.json`, `jq . .claude/settings.json`, `grep -n guards .claude/viber.yml`, `ls .claude`, `git add .claude/viber.yml && git commit -m x`, `git diff .claude/viber.yml`, `git checkout main`, `sed -n 1,5p .claude/viber.yml`, `echo "edit .claude/settings.json"`, `cp .claude/settings.json /dev/stdout | cat`,
		`rm -rf node_modules .cache`, `echo x > .claude/notes.md`, `rm .claude/agents/x.md`, `rm settings.json`, `echo {} > config/settings.json`, `vim src/settings.py`, `viber config`, `viber plan-index x`, `find . -name viber.yml`, `test -f .claude/viber.yml`, `python3 manage.py test --settings=app.settings`, `rm $X`, `mkdir -p .claude/agents`, `cp notes.md .claude/`, `cp .claude/notes.md .`, `cp .claude/settings.json /tmp/backup.json`, `cp -r .claude /tmp/x`, `[ -f .claude/settings.json ] || echo none`, `python3 -m json.tool .claude/settings.json`, `rsync -a .claude/ backup/`,
		`tar czf x.tgz .claude`, `find .claude -name "*.md" -exec cat {} +`, `find .claude/agents -name "*.md" | xargs sed -i s/a/b/`, `curl -s https://example.com/.claude/settings.json`, `grep -rl x . | xargs sed -i s/a/b/`, `for f in src/*.go; do rm "$f"; done`,
		`cat > notes.md <<'EOF'` + "\nrm .claude/settings.json\nEOF",
	} {
		if command == `cp .claude/settings.json /dev/stdout | cat` {
			continue
		}
		if v := g.ask(selfGuard(), "feature", ToolBash, command); v.Decision != None {
			t.Errorf("%s: %s %s", command, v.Decision, v.Reason)
		}
	}
	for _, command := range []string{`Set-Content .claude/settings.json '{}'`, `Remove-Item -Recurse .claude`, `'{}' | Out-File .claude\settings.json`, `ri .claude/viber.yml`, `echo x > .claude/viber.yml`, `Move-Item a .claude/viber-allow.yml`,
		`[IO.File]::WriteAllText(".claude/viber.yml","x")`, `cmd /c "del .claude\viber.yml"`, `$f=".claude/viber.yml"; Set-Content $f x`, `"x" > .claude/viber.yml`} {
		if v := g.ask(selfGuard(), "feature", ToolPowerShell, command); v.Decision != Ask {
			t.Errorf("PowerShell: %s: %s", command, v.Decision)
		}
	}
}

func TestSelfGuardAsksAboutWrites(t *testing.T) {
	t.Parallel()
	g := newRepoWorld(t)
	dir := filepath.Join(g.base, "feature")
	for path, want := range map[string]Decision{
		filepath.Join(dir, ".claude", "settings.json"): Ask, filepath.Join(dir, ".claude", "viber.yml"): Ask, filepath.Join(dir, ".claude", "VIBER.yml"): Ask, filepath.Join(g.base, "state", "viber", "record.json"): Ask,
		filepath.Join(g.base, "config-feature", "viber.yml"): Ask, filepath.Join(dir, "sub", "..", ".claude", "viber-allow.yml"): Ask, ".claude/settings.local.json": Ask,
		filepath.Join(dir, ".claude", "agents", "a.md"): None, filepath.Join(dir, "viber.yml"): None, filepath.Join(dir, "a.go"): None, filepath.Join(dir, "settings.json"): None,
	} {
		for _, tool := range []string{ToolWrite, ToolEdit, ToolMultiEdit} {
			p := buildPayload(map[string]any{"hook_event_name": EventPreToolUse, "tool_name": tool, "cwd": dir, "tool_input": map[string]any{"file_path": path}})
			if v := selfGuard().ask(g.world("feature"), p, Budget); v.Decision != want {
				t.Errorf("%s %s: %s, want %s", tool, path, v.Decision, want)
			}
		}
	}
}
