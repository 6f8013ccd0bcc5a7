#!/usr/bin/env bash
# Looks for the data of random datasets of a register on a phone: downloads.sh SITE [HOW MANY [SEED]]
# SITE is the folder of its snapshots; ASSAY names the program.
set -euo pipefail
site=$(realpath "${1:?usage: downloads.sh SITE [HOW MANY [SEED]]}")
shift
cd "$(dirname "$0")/../.."

modules=$PWD/.cache/node/node_modules
[ -e "$modules/axe-core" ] || { echo "run .ci/install.sh first" >&2; exit 1; }
programs=$PWD/.cache/node/browser
mkdir -p "$programs"
cp -r .ci/browser/*.mjs "$programs/"
node "$programs/downloads.mjs" "$site" "$@"
