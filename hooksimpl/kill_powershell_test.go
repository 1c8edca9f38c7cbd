package hooksimpl

import "testing"

func TestPowerShellKill(t *testing.T) {
	t.Parallel()
	refused := []string{
		`Stop-Process -Name node`,
		`stop-process -name:node -Force`,
		`Stop-Process -N node`,
		`spps -Name node`,
		`kill -Name node`,
		"Stop-Pro`cess -Name node",
		"Stop-Process `\n  -Name node",
		`Get-Process node | Stop-Process`,
		`Get-Process | Where-Object { $_.Path -like "*x*" } | Stop-Process -Force`,
		`gps node | kill`,
		`Get-Content pids.txt | Stop-Process`,
		`Stop-Process -Id (Get-Process node).Id`,
		`Stop-Process -InputObject $(Get-Process node)`,
		`kill (Get-Content app.pid)`,
		`Get-Process node | ForEach-Object { $_.Kill() }`,
		`Get-Process node | % { Stop-Process -Id $_.Id }`,
		`(Get-Process node).Kill()`,
		`foreach ($p in Get-Process node) { $p.Kill() }`,
		`foreach ($p in Get-Process node) { Stop-Process -Id $p.Id }`,
		`taskkill /IM node.exe /F`,
		`TASKKILL.EXE /im node.exe`,
		`& taskkill /IM node.exe`,
		`& "taskkill" "/IM" node.exe`,
		`npm stop; Stop-Process -Name node`,
		`if ($true) { Stop-Process -Name node }`,
		`$x = Stop-Process -Name node -PassThru`,
		`echo a | Out-Null; pkill node`,
		"Write-Host 'x'\nkillall node",
	}
	for _, command := range refused {
		if findKill(ToolPowerShell, command).rule == "" {
			t.Errorf("passed: %s", command)
		}
	}
	passed := []string{
		``,
		`Stop-Process -Id 4242`,
		`Stop-Process 4242 -Force`,
		`kill 4242`,
		`kill -Id 4,5`,
		`$p.Kill()`,
		`$p = Start-Process node -PassThru; Stop-Process -Id $p.Id`,
		`Get-Process -Id 4242 | Stop-Process`,
		`taskkill /PID 4242 /T /F`,
		`Get-Process node`,
		`Get-Process node; Stop-Process -Id 4242`,
		`if (Get-Process node) { Stop-Process -Id 4242 }`,
		`Write-Host "Stop-Process -Name node"`,
		`Select-String -Pattern 'taskkill /IM' notes.md`,
		"# Stop-Process -Name node",
		"<# killall node #> Get-ChildItem",
		"@'\nStop-Process -Name node\n'@ | Set-Content n.txt",
		`git commit -m "pkill is gone; killall too"`,
		`"killall" | Out-Null`,
		`Get-Help Stop-Process`,
		`npm run killall`,
	}
	for _, command := range passed {
		if found := findKill(ToolPowerShell, command); found.rule != "" {
			t.Errorf("refused as %s: %s", found.rule, command)
		}
	}
}
