#!/usr/bin/env bash
# Compares our Turtle writer with rdflib's and rapper's on one graph, in
# processor time: run.sh [ENTRIES]
#   ours     entries to Turtle (BenchmarkTurtleFromEntries: mapping and writing)
#   writer   terms to Turtle (BenchmarkTurtle), what the other two do
#   rdflib   graph in memory to Turtle, its parsing not counted
#   rapper   N-Triples to Turtle; "net" leaves out what only reading takes
# Required: ours at least 20 times rdflib, 3 times rapper.
set -euo pipefail
entries=${1:-1000}
cd "$(dirname "$0")/../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python=
for p in python3 /usr/bin/python3; do
  "$p" -c 'import rdflib' 2>/dev/null && python=$p && break
done
if [ -z "$python" ] || ! command -v rapper >/dev/null; then
  echo 'dcat bench: rdflib or rapper is missing (.ci/dcat/install.sh)' >&2
  [ "${CI:-}" != true ]
  exit
fi

# cpu runs a command and prints the processor seconds that it took.
cpu() {
  local TIMEFORMAT='%U %S'
  { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{print $1 + $2}'
}
rate() { awk -v n="$1" -v s="$2" 'BEGIN {printf "%.0f", n / s}'; }

DCAT_DUMP=$work/dump.ttl DCAT_DUMP_ENTRIES=$entries go test -count=1 -run '^TestDump$' ./render/dcat >/dev/null
rapper -q -i turtle -o ntriples "$work/dump.ttl" >"$work/dump.nt"
triples=$(wc -l <"$work/dump.nt")

go test -run '^$' -bench '^BenchmarkTurtle(FromEntries)?$' -benchtime 1s -cpu 1 ./render/dcat >"$work/go.log"
metric() { awk -v b="$1" '$1 == b {for (i = 2; i <= NF; i++) if ($i == "triples/cpu-s") printf "%.0f", $(i - 1)}' "$work/go.log"; }
writer=$(metric BenchmarkTurtle)
ours=$(metric BenchmarkTurtleFromEntries)

read -r n seconds < <("$python" .ci/dcat/bench/rdflib_write.py "$work/dump.ttl")
rdflib=$(rate "$n" "$seconds")
write=$(cpu rapper -q -i ntriples -o turtle "$work/dump.nt")
read_only=$(cpu rapper -q -i ntriples -c "$work/dump.nt")
rapper=$(rate "$triples" "$write")
net=$(awk -v n="$triples" -v a="$write" -v b="$read_only" 'BEGIN {printf "%.0f", n / (a > b ? a - b : a)}')

printf '%-8s %12s  triples/s, %s entries, %s triples\n' writer "$writer" "$entries" "$triples"
printf '%-8s %12s\n' ours "$ours" rdflib "$rdflib" rapper "$rapper" net "$net"
awk -v o="$ours" -v l="$rdflib" -v r="$rapper" -v n="$net" 'BEGIN {
  printf "ours is %.1f times rdflib, %.1f times rapper (%.1f times its writing alone)\n", o / l, o / r, o / n
  exit !(o >= 20 * l && o >= 3 * r)
}'
