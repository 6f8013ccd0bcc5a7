#!/usr/bin/env bash
# Looks for the data of random datasets of a register on a phone: downloads.sh SITE [HOW MANY [SEED]]
# SITE is the folder of its snapshots; ASSAY names the program.
set -euo pipefail
site=$(realpath "${1:?usage: downloads.sh SITE [HOW MANY [SEED]]}")
shift
cd "$(dirname "$0")/../.."

. .ci/browser/programs.sh
node "$programs/downloads.mjs" "$site" "$@"
