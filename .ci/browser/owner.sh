#!/usr/bin/env bash
# Walks the path of an owner through a demo in a browser: owner.sh [FOLDER FOR PICTURES]
set -euo pipefail
pictures=${1:+$(realpath "$1")}
cd "$(dirname "$0")/../.."

modules=$PWD/.cache/node/node_modules
[ -e "$modules/axe-core" ] || { echo "run .ci/install.sh first" >&2; exit 1; }
programs=$PWD/.cache/node/browser
mkdir -p "$programs"
cp -r .ci/browser/*.mjs "$programs/"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ASSAY=${ASSAY_PROGRAM:-bin/assay} node "$programs/owner.mjs" "$work" ${pictures:+"$pictures"}
