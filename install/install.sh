#!/bin/sh
# Installs viber for the current user: downloads the release for this system, checks its sha256 and, where minisign is
# installed, its signature, and puts the program into ~/.local/bin. Never asks for root.
#
#   VIBER_VERSION=1.2.3   a version instead of the newest release
#   VIBER_BIN=DIR         a folder instead of ~/.local/bin
#   VIBER_SOURCE=URL      another release page
#   VIBER_KEYS="RW..."    its minisign public keys
set -eu

say() { printf 'viber: %s\n' "$*"; }
die() { printf 'viber: %s\n' "$*" >&2; exit 1; }

platform() {
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
}

downloader() {
	if command -v curl >/dev/null 2>&1; then
		get() { curl --proto '=https' --tlsv1.2 -fsSL --max-redirs 5 -o "$2" "$1"; }
		final() { curl --proto '=https' --tlsv1.2 -fsSL --max-redirs 5 -o /dev/null -w '%{url_effective}' "$1"; }
	elif command -v wget >/dev/null 2>&1; then
		case $(wget --help 2>&1) in
		*--https-only*) ;;
		*) die "this wget cannot be kept to https; install curl or GNU wget" ;;
		esac
		get() { wget -q --https-only --max-redirect=5 -O "$2" "$1"; }
		final() { wget -q --https-only --max-redirect=5 -O /dev/null -S "$1" 2>&1 | sed -n 's/^ *[Ll]ocation: *\([^ ]*\).*/\1/p' | tail -n 1; }
	else
		die "curl or wget is needed"
	fi
}

newest() {
	page=$(final "$source/releases/latest") || die "$source/releases/latest: not reachable; behind a proxy set https_proxy"
	case $page in
	*/tag/v[0-9]*) version=${page##*/tag/v} ;;
	*) die "$source has no release yet" ;;
	esac
}

check_sum() { # check_sum FILE LIST
	if command -v sha256sum >/dev/null 2>&1; then
		sum=$(sha256sum <"$work/$1")
	elif command -v shasum >/dev/null 2>&1; then
		sum=$(shasum -a 256 <"$work/$1")
	else
		sum=$(openssl dgst -sha256 -r <"$work/$1")
	fi
	sum=${sum%% *}
	grep -qxF "$sum  $1" "$work/$2" || die "$1: sha256 is $sum, which the release does not list; nothing was installed"
}

# The third line of a signature is its trusted comment, which is signed too: it names the version and the file.
check_signature() { # check_signature FILE
	get "$source/releases/download/v$version/$1.minisig" "$work/$1.minisig" || die "$1.minisig: cannot be downloaded; nothing was installed"
	good=no
	for key in $keys; do
		if minisign -Vqm "$work/$1" -x "$work/$1.minisig" -P "$key" >/dev/null 2>&1; then good=yes; fi
	done
	[ $good = yes ] || die "$1: its signature does not hold; nothing was installed"
	[ "$(sed -n 3p "$work/$1.minisig")" = "trusted comment: viber $version $1" ] || die "$1: its signature is for another file; nothing was installed"
}

# Everything happens in here, so that a script that was cut off on its way does nothing.
main() {
	source=${VIBER_SOURCE:-@SOURCE@}
	source=${source%/}
	keys=${VIBER_KEYS:-@KEYS@}
	case $keys in @*) keys= ;; esac
	bin=${VIBER_BIN:-$HOME/.local/bin}
	case $source in
	https://*) ;;
	*) die "this copy of the script names no release page; set VIBER_SOURCE=https://..." ;;
	esac
	platform
	downloader
	version=${VIBER_VERSION:-}
	version=${version#v}
	[ -n "$version" ] || newest
	case $version in
	*[!0-9A-Za-z.+-]*) die "$version: not a version" ;;
	esac

	archive=viber_${version}_${os}_${arch}.tar.gz
	sums=viber_${version}_checksums.txt
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	trap 'exit 1' HUP INT TERM
	for file in "$archive" "$sums"; do
		get "$source/releases/download/v$version/$file" "$work/$file" || die "$file: cannot be downloaded from $source; nothing was installed"
	done
	checked="sha256"
	if [ -z "$keys" ]; then
		hint="this copy of the script names no signing key; set VIBER_KEYS to have the signature checked too"
	elif command -v minisign >/dev/null 2>&1; then
		check_signature "$sums"
		check_signature "$archive"
		checked="sha256 and signature"
		hint=
	else
		hint="install minisign to have the signature checked too"
	fi
	check_sum "$archive" "$sums"

	mkdir -p "$bin" 2>/dev/null || die "$bin: cannot be made; set VIBER_BIN to a folder of yours"
	bin=$(cd "$bin" && pwd)
	tar xzf "$work/$archive" -C "$work" viber
	cp "$work/viber" "$bin/.viber.new" 2>/dev/null || die "$bin: cannot be written; set VIBER_BIN to a folder of yours"
	chmod 755 "$bin/.viber.new"
	if ! "$bin/.viber.new" version >/dev/null 2>&1; then
		rm -f "$bin/.viber.new"
		die "viber $version does not start here; nothing was installed"
	fi
	mv -f "$bin/.viber.new" "$bin/viber"

	say "viber $version is in $bin/viber ($checked checked)"
	[ -z "$hint" ] || say "$hint"
	found=$(command -v viber || true)
	if [ -z "$found" ]; then
		say "$bin is not on your PATH; add it, or call $bin/viber"
	elif ! [ "$found" -ef "$bin/viber" ]; then
		say "another viber comes first on your PATH: $found"
	fi
	say "next: cd into a project and run viber setup"
}

main
