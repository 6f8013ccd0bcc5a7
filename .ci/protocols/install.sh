#!/usr/bin/env bash
# Installs the clients of protocols that the judges use: OWSLib of Debian. Does nothing, quickly, when all is there.
set -euo pipefail
cd "$(dirname "$0")/../.."

say() { printf 'protocols: %s\n' "$*" >&2; }
root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

# Debian's own python sees the packages of apt; another one in PATH may not.
if ! /usr/bin/python3 -c 'import owslib' 2>/dev/null; then
  say "installing OWSLib"
  root apt-get -qq update >&2
  root env DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends python3-owslib >&2
fi
say "there"
