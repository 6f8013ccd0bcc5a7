#!/usr/bin/env bash
# Validates the DCAT-AP pages of a built site with the official SHACL shapes of
# DCAT-AP 3.0.1: shapes.sh SITE_DIR [--publish]. With --publish the report
# becomes a part of the site, which `assay check` verifies.
#
# The shapes are no part of the project. They lie in $ASSAY_STANDARDS, which
# .ci/standards.sh fills, or in ../shared/standards. Where they were promised,
# by that variable or on GitHub, it is a failure when they are missing; anywhere
# else, as in a clone without a network, it is said aloud.
set -euo pipefail
site=$(realpath "${1:?usage: shapes.sh SITE_DIR [--publish]}")
report=
[ "${2:-}" != --publish ] || report=$site/reports/dcat-ap-shacl.jsonld
cd "$(dirname "$0")/../.."
root=$PWD
modules=$root/.cache/node/node_modules
for pinned in "$modules"/node-linux-*/bin; do
  [ -x "$pinned/node" ] && PATH="$pinned:$PATH"
done
export PATH NODE_MODULES=$modules
say() { printf 'dcat: %s\n' "$*" >&2; }

standards=${ASSAY_STANDARDS:-$root/../shared/standards}
official=$standards/dcat-ap-3.0.1
if [ ! -e "$official/shapes/shapes.ttl" ] || [ ! -e "$official/shapes/dcat-ap-SHACL.ttl" ]; then
  say "MISSING JUDGE: the official shapes ($official/shapes). NOTHING WAS VALIDATED; .ci/standards.sh fetches them."
  [ -z "${ASSAY_STANDARDS:-}" ] && [ "${GITHUB_ACTIONS:-}" != true ] || exit 1
  exit 0
fi
if [ ! -d "$modules/rdf-validate-shacl" ]; then
  say "MISSING JUDGE: rdf-validate-shacl (.ci/install.sh)"
  [ "${CI:-}" != true ] || exit 1
  exit 0
fi
node --max-old-space-size=3072 .ci/dcat/shacl.mjs "$site" "$official/shapes" $report

# A second validator, with shapes of its own, may lie beside the shapes. It
# finds its packages beside itself, so it runs as a copy.
[ -e "$official/validate.mjs" ] || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$official" "$standards/vocabularies" "$work/"
chmod -R u+w "$work"
ln -sfn "$modules" "$work/dcat-ap-3.0.1/node_modules"
full=$site/api/v1/catalog/dcat.ttl
mapfile -t entries < <(find "$site/id" -maxdepth 1 -name '*.ttl' | sort | awk 'NR % 10 == 1' | head -50)
validate() { node --max-old-space-size=3072 "$work/dcat-ap-3.0.1/validate.mjs" "$@"; }
validate --profile base,generated,project "$full" >&2
validate --profile base,project --max 5 "${entries[@]}" >"$work/log" 2>&1 || { tail -40 "$work/log" >&2; exit 1; }
say "SHACL: the second validator finds 0 violations in the whole catalogue and in ${#entries[@]} entries"
