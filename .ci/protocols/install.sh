#!/usr/bin/env bash
# Installs the clients of protocols that the judges use: OWSLib and HTTP::OAI of Debian, and the
# packages of npm in .cache/protocols. Does nothing, quickly, when all is there.
set -euo pipefail
cd "$(dirname "$0")/../.."

say() { printf 'protocols: %s\n' "$*" >&2; }
root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

# Debian's own python and perl see the packages of apt; others in PATH may not.
if ! /usr/bin/python3 -c 'import owslib, rdflib' 2>/dev/null || ! /usr/bin/perl -MHTTP::OAI -e1 2>/dev/null; then
  say "installing OWSLib, rdflib and HTTP::OAI"
  root apt-get -qq update >&2
  root env DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends python3-owslib python3-rdflib libhttp-oai-perl >&2
fi
cache=.cache/protocols
if ! cmp -s .ci/protocols/package-lock.json "$cache/installed.json"; then
  say "installing packages of npm"
  mkdir -p "$cache"
  rm -f "$cache/installed.json"
  cp .ci/protocols/package.json .ci/protocols/package-lock.json .ci/protocols/.npmrc "$cache/"
  npm --prefix "$cache" ci --no-audit --no-fund --ignore-scripts --loglevel=error >&2
  cp .ci/protocols/package-lock.json "$cache/installed.json"
fi
say "there"
