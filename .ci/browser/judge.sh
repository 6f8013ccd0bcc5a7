#!/usr/bin/env bash
# Judges the pages of a built site in a real browser and as HTML: judge.sh DIR
set -euo pipefail
dir=$(realpath "${1:?usage: judge.sh DIR}")
cd "$(dirname "$0")/../.."

. .ci/browser/programs.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

node "$programs"/valid.mjs "$dir"
node "$programs"/extremes.mjs >"$work/extremes.csv"
quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; return 1; }; }
quietly bin/assay harvest --db "sqlite:$work/extremes.db" --kind csv --file "$work/extremes.csv" --official "extremes for the judges" --country FR
quietly bin/assay build --db "sqlite:$work/extremes.db" --out "$work/site"
node "$programs"/judge.mjs "$dir" "$work/site"
node "$programs"/journeys.mjs "$dir"
node "$programs"/tools.mjs "$dir"
node "$programs"/desk.mjs "$work"
node "$programs"/queue.mjs "$work"
node "$programs"/tour.mjs "$work"
