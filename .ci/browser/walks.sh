#!/usr/bin/env bash
# Walks the paths of an owner and of a suggestion through a demo in a browser: walks.sh [FOLDER FOR PICTURES]
set -euo pipefail
pictures=${1:+$(realpath "$1")}
cd "$(dirname "$0")/../.."

. .ci/browser/programs.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ASSAY=${ASSAY_PROGRAM:-bin/assay}
node "$programs/owner.mjs" "$work" ${pictures:+"$pictures"}
ASSAY_SOAK=1 node "$programs/tour.mjs" "$work" ${pictures:+"$pictures"}
