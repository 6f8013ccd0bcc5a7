#!/usr/bin/env bash
# Compares our readers of RDF with rapper's and rdflib's on one graph, in
# processor time: bench.sh [ENTRIES]. The three take turns, five times; what is
# printed is the median. Required of Turtle: 150,000 triples/s, at least the
# speed of rapper and 20 times that of rdflib.
set -euo pipefail
entries=${1:-500}
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python=
for p in python3 /usr/bin/python3; do
  "$p" -c 'import rdflib' 2>/dev/null && python=$p && break
done
if [ -z "$python" ] || ! command -v rapper >/dev/null; then
  echo 'rdf bench: rdflib or rapper is missing (.ci/dcat/install.sh)' >&2
  [ "${CI:-}" != true ]
  exit
fi

DCAT_DUMP=$work/graph.ttl DCAT_DUMP_ENTRIES=$entries go test -count=1 -run '^TestDump$' ./render/dcat >/dev/null
rapper -q -i turtle -o ntriples "$work/graph.ttl" >"$work/graph.nt"
rapper -q -i turtle -o rdfxml "$work/graph.ttl" >"$work/graph.rdf"
go test -c -o "$work/rdf.test" ./build/rdf
triples=$(wc -l <"$work/graph.nt")

# cpu runs a command and prints the processor seconds that it took.
cpu() {
  local TIMEFORMAT='%U %S'
  { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{print $1 + $2}'
}
ours() { (cd build/rdf && RDF_FILE=$1 GOMAXPROCS=1 cpu "$work/rdf.test" -test.run '^TestReadFile$'); }
median() { sort -g | sed -n 3p; }

echo "$entries entries, $triples triples; triples/s"
status=0
for syntax in 'turtle ttl turtle' 'ntriples nt nt' 'rdfxml rdf xml'; do
  read -r name extension rdflib <<<"$syntax"
  file=$work/graph.$extension
  for _ in 1 2 3 4 5; do
    ours "$file" >>"$work/$name.ours"
    cpu rapper -q -c -i "$name" "$file" >>"$work/$name.rapper"
    "$python" .ci/rdf/rdflib_read.py "$file" "$rdflib" >>"$work/$name.rdflib"
  done
  awk -v name="$name" -v n="$triples" -v o="$(median <"$work/$name.ours")" -v r="$(median <"$work/$name.rapper")" \
    -v l="$(median <"$work/$name.rdflib")" 'BEGIN {
    printf "%-9s ours %9.0f   rapper %9.0f (ours %.1f times)   rdflib %7.0f (ours %.1f times)\n", name, n / o, n / r, r / o, n / l, l / o
    exit name == "turtle" && (n / o < 150000 || o > r || l < 20 * o)
  }' || status=1
done
exit $status
