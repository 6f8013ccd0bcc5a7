#!/usr/bin/env bash
# Measures the main pages of a built site with Lighthouse's mobile preset:
# lighthouse.sh DIR. Performance must reach 98, the rest 100.
set -euo pipefail
dir=$(realpath "${1:?usage: lighthouse.sh DIR}")
cd "$(dirname "$0")/../.."
. .ci/browser/programs.sh
node "$programs"/lighthouse.mjs "$dir"
