# Installs viber for the current user: downloads the release for this system, checks its sha256 and, where minisign is
# installed, its signature, and puts viber.exe into %LOCALAPPDATA%\Programs\viber. Never asks for administrator rights.
#
#   $env:VIBER_VERSION = '1.2.3'   a version instead of the newest release
#   $env:VIBER_BIN = 'DIR'         another folder
#   $env:VIBER_SOURCE = 'URL'      another release page
Set-StrictMode -Version 2
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

function Install-Viber {
    $source = if ($env:VIBER_SOURCE) { $env:VIBER_SOURCE } else { '@SOURCE@' }
    $keys = '@KEYS@' -split ' '
    $bin = if ($env:VIBER_BIN) { $env:VIBER_BIN } else { Join-Path $env:LOCALAPPDATA 'Programs\viber' }
    if (-not $source.StartsWith('https://')) { throw 'this copy of the script names no release page; set $env:VIBER_SOURCE' }
    [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12

    # PROCESSOR_ARCHITEW6432 is set where a 32-bit PowerShell runs on a 64-bit system.
    $native = if ($env:PROCESSOR_ARCHITEW6432) { $env:PROCESSOR_ARCHITEW6432 } else { $env:PROCESSOR_ARCHITECTURE }
    $arch = switch ($native) { 'AMD64' { 'amd64' } 'ARM64' { 'arm64' } default { throw "no release for $native" } }

    $version = $env:VIBER_VERSION
    if (-not $version) {
        $request = [Net.WebRequest]::Create("$source/releases/latest")
        $request.AllowAutoRedirect = $false
        $response = $request.GetResponse()
        $location = $response.Headers['Location']
        $response.Close()
        if ($location -notmatch '/tag/v([0-9][^/]*)$') { throw "$source has no release yet" }
        $version = $Matches[1]
    }

    $archive = "viber_${version}_windows_$arch.zip"
    $sums = "viber_${version}_checksums.txt"
    $work = Join-Path ([IO.Path]::GetTempPath()) ('viber-' + [Guid]::NewGuid().ToString('N'))
    New-Item -ItemType Directory -Path $work | Out-Null
    try {
        foreach ($file in $archive, $sums) {
            Invoke-WebRequest -UseBasicParsing -Uri "$source/releases/download/v$version/$file" -OutFile (Join-Path $work $file)
        }
        $sum = (Get-FileHash -Algorithm SHA256 (Join-Path $work $archive)).Hash.ToLowerInvariant()
        if (@(Get-Content (Join-Path $work $sums)) -notcontains "$sum  $archive") {
            throw "${archive}: sha256 is $sum, which the release does not list; nothing was installed"
        }
        $checked = 'sha256'
        $minisign = Get-Command minisign -ErrorAction SilentlyContinue
        if ($minisign) {
            foreach ($file in $archive, $sums) {
                $path = Join-Path $work $file
                Invoke-WebRequest -UseBasicParsing -Uri "$source/releases/download/v$version/$file.minisig" -OutFile "$path.minisig"
                $good = $false
                foreach ($key in $keys) {
                    & $minisign.Source -Vqm $path -x "$path.minisig" -P $key 2>&1 | Out-Null
                    if ($LASTEXITCODE -eq 0) { $good = $true }
                }
                if (-not $good) { throw "${file}: its signature does not hold; nothing was installed" }
                if (@(Get-Content "$path.minisig") -notcontains "trusted comment: viber $version $file") {
                    throw "${file}: its signature is for another file; nothing was installed"
                }
            }
            $checked = 'sha256 and signature'
        }

        Expand-Archive -Path (Join-Path $work $archive) -DestinationPath (Join-Path $work 'out')
        New-Item -ItemType Directory -Force -Path $bin | Out-Null
        $target = Join-Path $bin 'viber.exe'
        # A running program can be renamed but not replaced.
        if (Test-Path $target) { Move-Item -Force $target "$target.old-$([Guid]::NewGuid().ToString('N').Substring(0, 8))" }
        Move-Item (Join-Path $work 'out\viber.exe') $target
        Get-ChildItem -Path $bin -Filter 'viber.exe.old-*' | Remove-Item -ErrorAction SilentlyContinue

        Write-Output "viber: viber $version is in $target ($checked checked)"
        if (-not $minisign) { Write-Output 'viber: install minisign to have the signature checked too' }
        $found = Get-Command viber -ErrorAction SilentlyContinue
        if (-not $found) { Write-Output "viber: $bin is not on your PATH; add it, or call $target" }
        elseif ($found.Source -ne $target) { Write-Output "viber: another viber comes first on your PATH: $($found.Source)" }
        Write-Output 'viber: next: cd into a project and run viber setup'
    } finally {
        Remove-Item -Recurse -Force $work -ErrorAction SilentlyContinue
    }
}

Install-Viber
