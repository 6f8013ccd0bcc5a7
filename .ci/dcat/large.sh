#!/usr/bin/env bash
# Builds a large register out of the sample register and lets the SHACL shapes
# and `assay check` judge all of it, and clients of Parquet and SQLite read at most
# 2 % of its exports: large.sh [ENTRIES], 5000 by default.
# More than 5 % of entries left out is a failure.
set -euo pipefail
cd "$(dirname "$0")/../.."
entries=${1:-5000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ASSAY_BASE_URL=https://register.example/assay
go build -o "$work/bench" ./cmd/internal/bench
go build -o "$work/assay" ./cmd/assay
"$work/bench" generate -n "$entries" -out "$work/register.ndjson"
"$work/assay" import "$work/register.ndjson" --strict --db "sqlite:$work/assay.db"
"$work/assay" build --db "sqlite:$work/assay.db" --out "$work/site" --at 2026-11-21T06:00:00Z
.ci/dcat/shapes.sh "$work/site" --publish
"$work/assay" check "$work/site"
.ci/protocols/install.sh
node .ci/protocols/served.mjs "$work/assay" --site "$work/site" node .ci/protocols/remote.mjs --share 0.02
