#!/usr/bin/env bash
# Measures the main pages of a built site with Lighthouse's mobile preset:
# lighthouse.sh DIR. Performance must reach 98, the rest 100.
set -euo pipefail
dir=$(realpath "${1:?usage: lighthouse.sh DIR}")
cd "$(dirname "$0")/../.."
modules=$PWD/.cache/node/node_modules
[ -e "$modules/lighthouse" ] || { echo "run .ci/install.sh first" >&2; exit 1; }
programs=$PWD/.cache/node/browser
mkdir -p "$programs"
cp .ci/browser/*.mjs "$programs/"
for pinned in "$modules"/node-linux-*/bin; do
  [ -x "$pinned/node" ] && PATH="$pinned:$PATH"
done
node "$programs"/lighthouse.mjs "$dir"
