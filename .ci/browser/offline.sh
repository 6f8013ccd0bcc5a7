#!/usr/bin/env bash
# Verifies the evidence about entries of the sample register in a browser without a network: offline.sh [HOW MANY]
set -euo pipefail
cd "$(dirname "$0")/../.."

. .ci/browser/programs.sh
assay=${ASSAY_PROGRAM:-bin/assay}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$assay" key create "$work/key" --base-url https://register.example >"$work/public"
"$assay" demo --build-only --db "sqlite:$work/a.db" --out "$work/www" --signing-key "$work/key" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
mkdir "$work/bundles"
# The ids of the first entries of the snapshot, from its list of routes.
grep -o '"route":"/api/v1/entries/[0-9a-f-]\{36\}"' "$work/www/routes.ndjson" | cut -d/ -f5 | tr -d '"' | sort -u >"$work/ids"
for id in $(head -n "${1:-50}" "$work/ids"); do
  "$assay" bundle "$id" --file "$work/bundles/$id.zip" --db "sqlite:$work/a.db" --site "$work/www" >/dev/null 2>&1
done
ASSAY=$assay node "$programs/offline.mjs" "$work/www" "$work/bundles" "$(cat "$work/public")"
