#!/usr/bin/env bash
# Has a built site read by clients of its protocols, written by others:
# judge.sh SITE_DIR, after make build. A client that cannot be had is a failure.
set -euo pipefail
site=$(realpath "${1:?usage: judge.sh SITE_DIR}")
cd "$(dirname "$0")/../.."
.ci/protocols/install.sh

scratch=$(mktemp -d)
bin/assay serve --site "$site" --addr 127.0.0.1:0 --db "sqlite:$scratch/assay.db" >"$scratch/out" 2>"$scratch/log" &
server=$!
trap 'kill $server 2>/dev/null; wait $server 2>/dev/null || true; rm -rf "$scratch"' EXIT
for _ in $(seq 100); do
  base=$(grep -ho 'http://127\.0\.0\.1:[0-9]*' "$scratch/out" "$scratch/log" 2>/dev/null | head -1 || true)
  [ -n "$base" ] && curl -fs -o /dev/null "$base/health" && break
  sleep 0.2
done
[ -n "${base:-}" ] || { cat "$scratch/log" >&2; exit 1; }

/usr/bin/python3 .ci/protocols/owslib_client.py "$base"
/usr/bin/perl .ci/protocols/oai.pl "$base"
# The table of some 200 entries is smaller than what clients ask for at once; .ci/dcat/large.sh holds a larger one to 2 %.
node .ci/protocols/remote.mjs --share 0.3 "$base"
LOG_LEVEL=error node .ci/protocols/ldes.mjs bin/assay
