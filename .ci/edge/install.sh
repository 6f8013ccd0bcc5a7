#!/usr/bin/env bash
# Installs what the tests of publishing and of the edge need and is missing:
# nginx and Caddy, which run with the configuration that a build writes; promtool,
# which judges the alert rules; versitygw, an object store behind the S3 protocol,
# compiled from its module. Does nothing, quickly, when all is there.
set -euo pipefail
cd "$(dirname "$0")/../.."

say() { printf 'install: %s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }
root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

packages=()
[ -x /usr/sbin/nginx ] || have nginx || packages+=(nginx)
have caddy || packages+=(caddy)
have promtool || packages+=(prometheus)
if [ ${#packages[@]} -gt 0 ]; then
  say "${packages[*]}: installing"
  root apt-get -qq update >&2
  # RUNLEVEL keeps the packages from starting the servers.
  root env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get -qq install --yes --no-install-recommends "${packages[@]}" >&2
fi

gateway=v1.8.0
if [ -x .cache/bin/versitygw ] && go version -m .cache/bin/versitygw | grep -q "versitygw[[:space:]]$gateway"; then
  say "versitygw $gateway: there"
else
  say "versitygw $gateway: compiling"
  GOBIN="$PWD/.cache/bin" go install "github.com/versity/versitygw/cmd/versitygw@$gateway"
fi
if [ ! -x .cache/bin/actionlint ]; then
  say "actionlint: compiling"
  GOBIN="$PWD/.cache/bin" go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.7
fi
