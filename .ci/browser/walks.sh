#!/usr/bin/env bash
# Walks the paths of an owner and of a suggestion through a demo in a browser: walks.sh [FOLDER FOR PICTURES]
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
export ASSAY=${ASSAY_PROGRAM:-bin/assay}
node "$programs/owner.mjs" "$work" ${pictures:+"$pictures"}
ASSAY_SOAK=1 node "$programs/tour.mjs" "$work" ${pictures:+"$pictures"}
