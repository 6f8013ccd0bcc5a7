#!/usr/bin/env bash
# Has rapper read pages of DCAT-AP in Turtle and in RDF/XML without a warning, as the same statements:
# rapper.sh PAGE.ttl..., beside each its .rdf
set -euo pipefail
command -v rapper >/dev/null || { echo "dcat: MISSING JUDGE: rapper (.ci/dcat/install.sh)" >&2; [ "${CI:-}" != true ]; exit; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for page in "$@"; do
  page=${page%.ttl}
  for form in turtle:ttl rdfxml:rdf; do
    LC_ALL=C rapper -q -i "${form%:*}" -o ntriples "$page.${form#*:}" 2>"$work/err" | sed 's/\.\(ttl\|rdf\)>/>/g' | LC_ALL=C sort -u >"$work/${form#*:}" || true
    [ ! -s "$work/err" ] || { echo "rapper, $page.${form#*:}:" >&2; head -5 "$work/err" >&2; exit 1; }
  done
  cmp "$work/ttl" "$work/rdf" || { echo "$page: rapper reads other statements in RDF/XML than in Turtle" >&2; exit 1; }
done
echo "rapper: $# pages, the same in Turtle and RDF/XML"
