#!/usr/bin/env bash
# Judges the pages of a built site in a real browser and as HTML: judge.sh DIR
set -euo pipefail
dir=$(realpath "${1:?usage: judge.sh DIR}")
cd "$(dirname "$0")/../.."

modules=$PWD/.cache/node/node_modules
[ -e "$modules/axe-core" ] || { echo "run .ci/install.sh first" >&2; exit 1; }
# Modules are looked up beside the program that asks for them.
[ -e .ci/browser/node_modules ] || ln -s ../../.cache/node/node_modules .ci/browser/node_modules
for pinned in "$modules"/node-linux-*/bin; do
  [ -x "$pinned/node" ] && PATH="$pinned:$PATH"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

node .ci/browser/valid.mjs "$dir"
node .ci/browser/extremes.mjs >"$work/extremes.csv"
bin/assay harvest --db "sqlite:$work/extremes.db" --kind csv --file "$work/extremes.csv" --official "extremes for the judges" --country FR >/dev/null 2>&1
bin/assay build --db "sqlite:$work/extremes.db" --out "$work/site" >/dev/null 2>&1
node .ci/browser/judge.mjs "$dir" "$work/site"
node .ci/browser/journeys.mjs "$dir"
