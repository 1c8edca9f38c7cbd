#!/bin/sh
# Installs viber for the current user: downloads the release for this system, checks its sha256 and, where minisign is
# installed, its signature, and puts the program into ~/.local/bin. Never asks for root.
#
#   VIBER_VERSION=1.2.3   a version instead of the newest release
#   VIBER_BIN=DIR         a folder instead of ~/.local/bin
#   VIBER_SOURCE=URL      another release page
set -eu

source=${VIBER_SOURCE:-@SOURCE@}
keys="@KEYS@"
bin=${VIBER_BIN:-$HOME/.local/bin}

say() { printf 'viber: %s\n' "$*"; }
die() { printf 'viber: %s\n' "$*" >&2; exit 1; }

case $source in
https://*) ;;
*) die "this copy of the script names no release page; set VIBER_SOURCE=https://..." ;;
esac

case $(uname -s) in
Linux) os=linux ;;
Darwin) os=darwin ;;
*) die "no release for $(uname -s); on Windows use install.ps1" ;;
esac
case $(uname -m) in
x86_64 | amd64) arch=amd64 ;;
aarch64 | arm64) arch=arm64 ;;
*) die "no release for $(uname -m)" ;;
esac

if command -v curl >/dev/null 2>&1; then
	get() { curl --proto '=https' --tlsv1.2 -fsSL --max-redirs 5 -o "$2" "$1"; }
	final() { curl --proto '=https' --tlsv1.2 -fsSL --max-redirs 5 -o /dev/null -w '%{url_effective}' "$1"; }
elif command -v wget >/dev/null 2>&1; then
	get() { wget -q --https-only --max-redirect=5 -O "$2" "$1"; }
	final() { wget -q --https-only --max-redirect=5 -O /dev/null -S "$1" 2>&1 | sed -n 's/^ *[Ll]ocation: *//p' | tail -n 1; }
else
	die "curl or wget is needed"
fi

version=${VIBER_VERSION:-}
if [ -z "$version" ]; then
	page=$(final "$source/releases/latest") || die "$source/releases/latest: not reachable; behind a proxy set HTTPS_PROXY"
	version=${page##*/tag/v}
	case $version in
	[0-9]*) ;;
	*) die "$source has no release yet" ;;
	esac
fi

archive=viber_${version}_${os}_${arch}.tar.gz
sums=viber_${version}_checksums.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
for file in "$archive" "$sums"; do
	get "$source/releases/download/v$version/$file" "$work/$file" || die "$file: cannot be downloaded from $source"
done

if command -v sha256sum >/dev/null 2>&1; then
	sum=$(sha256sum "$work/$archive")
elif command -v shasum >/dev/null 2>&1; then
	sum=$(shasum -a 256 "$work/$archive")
else
	sum=$(openssl dgst -sha256 -r "$work/$archive")
fi
sum=${sum%% *}
grep -qx "$sum  $archive" "$work/$sums" || die "$archive: sha256 is $sum, which the release does not list; nothing was installed"

checked="sha256"
if command -v minisign >/dev/null 2>&1; then
	for file in "$archive" "$sums"; do
		get "$source/releases/download/v$version/$file.minisig" "$work/$file.minisig" || die "$file.minisig: cannot be downloaded"
		good=no
		for key in $keys; do
			if minisign -Vqm "$work/$file" -x "$work/$file.minisig" -P "$key" >/dev/null 2>&1; then good=yes; fi
		done
		[ $good = yes ] || die "$file: its signature does not hold; nothing was installed"
		grep -qx "trusted comment: viber $version $file" "$work/$file.minisig" || die "$file: its signature is for another file; nothing was installed"
	done
	checked="sha256 and signature"
fi

mkdir -p "$bin" 2>/dev/null || die "$bin: cannot be made; set VIBER_BIN to a folder of yours"
tar xzf "$work/$archive" -C "$work" viber
cp "$work/viber" "$bin/.viber.new" 2>/dev/null || die "$bin: cannot be written; set VIBER_BIN to a folder of yours"
chmod 755 "$bin/.viber.new"
mv -f "$bin/.viber.new" "$bin/viber"

say "viber $version is in $bin/viber ($checked checked)"
[ "$checked" = sha256 ] && say "install minisign to have the signature checked too"
found=$(command -v viber || true)
case $found in
"$bin/viber") ;;
"") say "$bin is not on your PATH; add it, or call $bin/viber" ;;
*) say "another viber comes first on your PATH: $found" ;;
esac
say "next: cd into a project and run viber setup"
