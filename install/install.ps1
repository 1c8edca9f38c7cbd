# Installs viber for the current user: downloads the release for this system, checks its sha256 and, where minisign is
# installed, its signature, and puts viber.exe into %LOCALAPPDATA%\Programs\viber. Never asks for administrator rights.
#
#   $env:VIBER_VERSION = '1.2.3'   a version instead of the newest release
#   $env:VIBER_BIN = 'DIR'         another folder
#   $env:VIBER_SOURCE = 'URL'      another release page
#   $env:VIBER_KEYS = 'RW...'      its minisign public keys

# Everything happens in functions: a script that was cut off on its way does nothing, and the session's settings stay.
function Install-Viber {
    Set-StrictMode -Version 2
    $ErrorActionPreference = 'Stop'
    $ProgressPreference = 'SilentlyContinue'

    $source = if ($env:VIBER_SOURCE) { $env:VIBER_SOURCE } else { '@SOURCE@' }
    $source = $source.TrimEnd('/')
    $keys = if ($env:VIBER_KEYS) { $env:VIBER_KEYS } else { '@KEYS@' }
    $keys = @($keys -split ' ' | Where-Object { $_ -and -not $_.StartsWith('@') })
    $bin = if ($env:VIBER_BIN) { $env:VIBER_BIN } else { Join-Path $env:LOCALAPPDATA 'Programs\viber' }
    if (-not $source.StartsWith('https://')) { throw 'viber: this copy of the script names no release page; set $env:VIBER_SOURCE' }
    [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12

    # PROCESSOR_ARCHITEW6432 is set where a 32-bit PowerShell runs on a 64-bit system.
    $native = if ($env:PROCESSOR_ARCHITEW6432) { $env:PROCESSOR_ARCHITEW6432 } else { $env:PROCESSOR_ARCHITECTURE }
    $arch = @{ 'AMD64' = 'amd64'; 'ARM64' = 'arm64' }[$native]
    if (-not $arch) { throw "viber: no release for $native" }

    $version = if ($env:VIBER_VERSION) { $env:VIBER_VERSION -replace '^v', '' } else { Get-ViberNewest $source }
    if ($version -notmatch '^[0-9A-Za-z.+-]+$') { throw "viber: ${version}: not a version" }
    $page = "$source/releases/download/v$version"
    $archive = "viber_${version}_windows_$arch.zip"
    $sums = "viber_${version}_checksums.txt"
    $work = Join-Path ([IO.Path]::GetTempPath()) ('viber-' + [Guid]::NewGuid().ToString('N'))
    New-Item -ItemType Directory -Path $work | Out-Null
    try {
        Get-ViberFile $page $archive $work
        Get-ViberFile $page $sums $work
        $minisign = Get-Command minisign -CommandType Application -ErrorAction SilentlyContinue | Select-Object -First 1
        $checked = 'sha256'
        $hint = ''
        if ($keys.Count -eq 0) {
            $hint = 'this copy of the script names no signing key; set $env:VIBER_KEYS to have the signature checked too'
        } elseif ($minisign) {
            foreach ($file in $sums, $archive) {
                Get-ViberFile $page "$file.minisig" $work
                Confirm-ViberSignature $minisign.Path $keys $work $file $version
            }
            $checked = 'sha256 and signature'
        } else {
            $hint = 'install minisign to have the signature checked too'
        }
        $sum = (Get-FileHash -Algorithm SHA256 -LiteralPath (Join-Path $work $archive)).Hash.ToLowerInvariant()
        if (@(Get-Content -LiteralPath (Join-Path $work $sums)) -cnotcontains "$sum  $archive") {
            throw "viber: ${archive}: sha256 is $sum, which the release does not list; nothing was installed"
        }

        Expand-Archive -LiteralPath (Join-Path $work $archive) -DestinationPath (Join-Path $work 'out')
        $program = Join-Path $work 'out\viber.exe'
        if (-not (Test-ViberProgram $program @('version'))) { throw "viber: viber $version does not start here; nothing was installed" }
        New-Item -ItemType Directory -Force -Path $bin | Out-Null
        $bin = (Resolve-Path -LiteralPath $bin).ProviderPath
        $target = Join-Path $bin 'viber.exe'
        Move-ViberProgram $program $target

        Write-Output "viber: viber $version is in $target ($checked checked)"
        if ($hint) { Write-Output "viber: $hint" }
        $found = Get-Command viber -CommandType Application -ErrorAction SilentlyContinue | Select-Object -First 1
        if (-not $found) { Write-Output "viber: $bin is not on your PATH; add it, or call $target" }
        elseif ($found.Path -ne $target) { Write-Output "viber: another viber comes first on your PATH: $($found.Path)" }
        Write-Output 'viber: next: cd into a project and run viber setup'
    } finally {
        Remove-Item -Recurse -Force -LiteralPath $work -ErrorAction SilentlyContinue
    }
}

# The release page redirects to the newest release.
function Get-ViberNewest([string] $source) {
    $request = [Net.WebRequest]::Create("$source/releases/latest")
    $request.AllowAutoRedirect = $false
    try { $response = $request.GetResponse() } catch { throw "viber: $source/releases/latest: not reachable ($($_.Exception.Message)); behind a proxy set it in the system's settings" }
    $location = $response.Headers['Location']
    $response.Close()
    if ($location -notmatch '/tag/v([0-9][^/]*)$') { throw "viber: $source has no release yet" }
    return $Matches[1]
}

function Get-ViberFile([string] $page, [string] $file, [string] $work) {
    try { Invoke-WebRequest -UseBasicParsing -MaximumRedirection 5 -Uri "$page/$file" -OutFile (Join-Path $work $file) }
    catch { throw "viber: ${file}: cannot be downloaded from $page ($($_.Exception.Message)); nothing was installed" }
}

# The third line of a signature is its trusted comment, which is signed too: it names the version and the file.
function Confirm-ViberSignature([string] $minisign, [string[]] $keys, [string] $work, [string] $file, [string] $version) {
    $path = Join-Path $work $file
    $good = $false
    foreach ($key in $keys) {
        if (Test-ViberProgram $minisign @('-Vqm', $path, '-x', "$path.minisig", '-P', $key)) { $good = $true }
    }
    if (-not $good) { throw "viber: ${file}: its signature does not hold; nothing was installed" }
    if (@(Get-Content -LiteralPath "$path.minisig")[2] -cne "trusted comment: viber $version $file") {
        throw "viber: ${file}: its signature is for another file; nothing was installed"
    }
}

# Runs a program and says whether it ended well. What a program writes to stderr is an error where errors stop the script.
function Test-ViberProgram([string] $program, [string[]] $arguments) {
    $ErrorActionPreference = 'SilentlyContinue'
    $global:LASTEXITCODE = 1
    try { & $program @arguments *> $null } catch { return $false }
    return $global:LASTEXITCODE -eq 0
}

# A running program can be renamed but not replaced: the present one makes room, and comes back when the new one cannot move in.
function Move-ViberProgram([string] $program, [string] $target) {
    $aside = "$target.old-$([Guid]::NewGuid().ToString('N').Substring(0, 12))"
    $there = Test-Path -LiteralPath $target
    if ($there) { Move-Item -LiteralPath $target -Destination $aside }
    try { Move-Item -LiteralPath $program -Destination $target } catch {
        if ($there) { Move-Item -LiteralPath $aside -Destination $target }
        throw
    }
    Get-ChildItem -Path (Split-Path -Parent $target) -Filter 'viber.exe.old-*' | Remove-Item -Force -ErrorAction SilentlyContinue
}

Install-Viber
