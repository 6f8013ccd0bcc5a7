#!/usr/bin/env bash
# Judges the DCAT-AP documents of a built site: judge.sh SITE_DIR [--publish]
#   1. SHACL, with the official shapes of DCAT-AP 3.0.1: no violation (shapes.sh,
#      which leaves its report in the site with --publish)
#   2. Turtle, JSON-LD and, of pages, RDF/XML are the same graph
#   3. rapper, n3 and rdflib read all of it without a warning
# A judge that .ci/install.sh and .ci/dcat/install.sh can install is a failure
# when it is missing and CI=true, else it is said aloud.
set -euo pipefail
site=$(realpath "${1:?usage: judge.sh SITE_DIR [--publish]}")
cd "$(dirname "$0")/../.."
root=$PWD
modules=$root/.cache/node/node_modules
for pinned in "$modules"/node-linux-*/bin; do
  [ -x "$pinned/node" ] && PATH="$pinned:$PATH"
done
export PATH NODE_MODULES=$modules
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { printf 'dcat: %s\n' "$*" >&2; }
missing() {
  say "MISSING JUDGE: $*"
  [ "${CI:-}" != true ] || exit 1
}

full=$site/api/v1/catalog/dcat.ttl
[ -s "$full" ] || { say "$full is not there"; exit 1; }
mapfile -t pages < <(find "$site/s" -path '*/api/v1/catalog/dcat/*.ttl' | sort)
mapfile -t entries < <(find "$site/id" -maxdepth 1 -name '*.ttl' | sort | awk 'NR % 10 == 1' | head -50)
mapfile -t small < <(find "$site/catalog.ttl" "$site/def" "$site/def.ttl" "$site/id/institution" -name '*.ttl' | sort | head -50)
say "${#pages[@]} pages, ${#entries[@]} entries and ${#small[@]} other documents"

.ci/dcat/shapes.sh "$site" ${2:-}

if [ -d "$modules/n3" ]; then
  node .ci/dcat/ntriples.mjs "$full" "$site/api/v1/catalog/dcat-quality.ttl" "${pages[@]}" "${entries[@]}" "${small[@]}" >"$work/n3.nt"
  say "n3 reads all of it"
else
  missing "n3 (.ci/install.sh)"
fi

if command -v rapper >/dev/null; then
  for f in "$full" "$site/api/v1/catalog/dcat-quality.ttl" "${pages[@]}" "${entries[@]}" "${small[@]}"; do
    LC_ALL=C rapper -q -i turtle -o ntriples "$f" >"$work/rapper.nt" 2>"$work/rapper.err" || true
    [ ! -s "$work/rapper.err" ] || { say "rapper, $f:"; head -5 "$work/rapper.err" >&2; exit 1; }
  done
  .ci/dcat/rapper.sh "${pages[@]}" >&2
  say "rapper reads all of it without a warning, and the same in Turtle and RDF/XML"
else
  missing "rapper (.ci/dcat/install.sh)"
fi

python=
for p in python3 /usr/bin/python3; do
  "$p" -c 'import rdflib' 2>/dev/null && python=$p && break
done
if [ -n "$python" ]; then
  "$python" .ci/dcat/jsonld.py "$full" "${pages[@]:0:3}" "${entries[@]:0:10}" "${small[@]:0:10}" >&2
else
  missing "rdflib (.ci/dcat/install.sh)"
fi

DCAT_SITE=$site go test -count=1 -run '^TestSiteIsOneGraph$' ./render/dcat
