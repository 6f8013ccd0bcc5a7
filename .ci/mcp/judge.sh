#!/usr/bin/env bash
# Judges the MCP endpoint of a built site with programs of others, pinned: the
# conformance suite, the inspector, and an agent that counts its tokens. judge.sh SITE_DIR, after make build and
# .ci/install.sh. A judge that cannot be had is a failure.
set -euo pipefail
site=$(realpath "${1:?usage: judge.sh SITE_DIR}")
cd "$(dirname "$0")/../.."

.ci/mcp/install.sh
cache=$PWD/.cache/mcp
# The judges need node 22; the pinned one goes first.
for pinned in "${ASSAY_NODE:-$PWD/.cache/node}"/node_modules/node-linux-*/bin; do
  [ -x "$pinned/node" ] && PATH="$pinned:$PATH"
done
MCP_MODULES=$cache/node_modules MCP_JUDGES=$cache/node_modules/.bin exec node .ci/mcp/judge.mjs bin/assay "$site"
