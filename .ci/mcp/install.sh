#!/usr/bin/env bash
# Installs the judges of the MCP endpoint, pinned, in .cache/mcp. Does nothing, quickly, when all is there.
set -euo pipefail
cd "$(dirname "$0")/../.."

cache=$PWD/.cache/mcp
if ! cmp -s .ci/mcp/package-lock.json "$cache/installed.json"; then
  mkdir -p "$cache"
  rm -f "$cache/installed.json"
  cp .ci/mcp/package.json .ci/mcp/package-lock.json .ci/mcp/.npmrc "$cache/"
  npm --prefix "$cache" ci --no-audit --no-fund --ignore-scripts --loglevel=error >&2
  cp .ci/mcp/package-lock.json "$cache/installed.json"
fi
