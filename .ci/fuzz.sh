#!/usr/bin/env bash
# Runs every fuzz target for a while, one after the other: fuzz.sh [TIME] [PACKAGES].
# TIME is as `go test -fuzztime` takes it, ten minutes if none is given.
set -euo pipefail
time=${1:-10m}
packages=${2:-./...}
cd "$(dirname "$0")/.."
failed=0
while read -r package target; do
  printf 'fuzz: %s in %s for %s\n' "$target" "$package" "$time"
  # Shrinking a finding may take as many tries as this, not minutes of them.
  go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 20x "$package" || failed=1
done < <(go list -f '{{$p := .ImportPath}}{{range .TestGoFiles}}{{$p}} {{$.Dir}}/{{.}}{{"\n"}}{{end}}{{range .XTestGoFiles}}{{$p}} {{$.Dir}}/{{.}}{{"\n"}}{{end}}' "$packages" |
  while read -r package file; do
    [ -n "$file" ] || continue
    sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$file" | sed "s|^|$package |"
  done)
exit "$failed"
