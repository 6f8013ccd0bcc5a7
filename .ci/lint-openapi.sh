#!/usr/bin/env bash
# Judges an OpenAPI document with two linters: lint-openapi.sh FILE
set -euo pipefail
file=$(realpath "${1:?usage: lint-openapi.sh FILE}")
cd "$(dirname "$0")/.."

modules=$PWD/.cache/node/node_modules
[ -e "$modules/.bin/redocly" ] || { echo "run .ci/install.sh first" >&2; exit 1; }
export PATH="$modules/.bin:$PATH" REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
# The pinned node goes first; a system without a package for it uses its own.
for pinned in "$modules"/node-linux-*/bin; do
  [ -x "$pinned/node" ] && PATH="$pinned:$PATH"
done

redocly lint --config .ci/redocly.yaml "$file"
spectral lint --ruleset .ci/.spectral.yaml --fail-severity=warn "$file"
