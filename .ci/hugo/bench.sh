#!/usr/bin/env bash
# Compares a build of an HTML page and a JSON document for each entry with
# Hugo's build of the same pages: the same data, a template of the same
# sections, whole processes: bench.sh [ENTRIES]
#   ours   reads the entries from the store, scores them, finds neighbours,
#          renders and writes, and writes its dumps
#   hugo   reads the finished answers of each entry as JSON, renders and writes
# Required: ours at least twice as fast, by the clock.
set -euo pipefail
entries=${1:-2000}
cd "$(dirname "$0")/../.."
version=v0.165.0
hugo=$PWD/.cache/bin/hugo
[ -x "$hugo" ] || GOBIN=$PWD/.cache/bin go install "github.com/gohugoio/hugo@$version"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

go build -o "$work/bench" ./cmd/internal/bench
go build -o "$work/assay" ./cmd/assay
"$work/bench" generate -n "$entries" -checks 40 -out "$work/register.ndjson"
"$work/bench" import -db "sqlite:$work/register.db" -in "$work/register.ndjson"
"$work/bench" build -db "sqlite:$work/register.db" -out "$work/full" >/dev/null
cp -r .ci/hugo/site "$work/site"
mkdir -p "$work/site/assets/entries"
"$work/bench" hugo -site "$work/full" -out "$work/site/assets/entries"
rm -rf "$work/full"

# took runs a command and prints its seconds by the clock and of processors.
took() {
  local TIMEFORMAT='%R %U %S'
  { time "$@" >"$work/log" 2>&1 || touch "$work/failed"; } 2>&1 | awk '{print $1, $2 + $3}'
  [ ! -e "$work/failed" ] || { cat "$work/log" >&2; return 1; }
}
best() { sort -g -k "$1,$1" "$2" | awk -v c="$1" 'NR == 1 {print $c}'; }
# sizes lists those of the pages of entries, in bytes.
sizes() {
  case $1 in
  */ours) "$work/assay" snapshot ls "$1" /entry/ | awk '/text\/html/ {print $2}' ;;
  *) find "$1" -name index.html -path '*/entry/*' -printf '%s\n' ;;
  esac
}
count() { sizes "$1" | wc -l; }
bytes() { sizes "$1" | awk '{s += $1} END {print int(s / NR)}'; }

for _ in 1 2 3; do
  rm -rf "$work/ours" "$work/hugo"
  sync
  took "$work/bench" build -pages -db "sqlite:$work/register.db" -out "$work/ours" >>"$work/ours.times"
  sync
  took "$hugo" --source "$work/site" --destination "$work/hugo" --quiet >>"$work/hugo.times"
done
for side in ours hugo; do
  pages=$(count "$work/$side")
  printf '%-5s %6s s by the clock, %6s s of processors, %s pages of %s bytes\n' "$side" "$(best 1 "$work/$side.times")" "$(best 2 "$work/$side.times")" "$pages" "$(bytes "$work/$side")"
  [ "$pages" -ge "$((entries * 9 / 10))" ] || { echo "hugo bench: $side made too few pages" >&2; exit 1; }
done
awk -v o="$(best 1 "$work/ours.times")" -v h="$(best 1 "$work/hugo.times")" 'BEGIN {
  printf "ours is %.1f times as fast by the clock\n", h / o
  exit !(h >= 2 * o)
}'
