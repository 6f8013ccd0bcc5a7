#!/usr/bin/env bash
# Tells the usual clients of the Model Context Protocol of servers in the words of the register's pages, and asks
# each what it knows then: .ci/mcp/clients/run.sh. The clients take 900 MB, pinned, in .cache/mcp-clients; nothing
# is sent to anybody's service.
set -euo pipefail
cd "$(dirname "$0")/../../.."

cache=$PWD/.cache/mcp-clients
if ! cmp -s .ci/mcp/clients/package-lock.json "$cache/installed.json"; then
  mkdir -p "$cache"
  rm -f "$cache/installed.json"
  cp .ci/mcp/clients/package.json .ci/mcp/clients/package-lock.json .ci/mcp/clients/.npmrc "$cache/"
  npm --prefix "$cache" ci --no-audit --no-fund --ignore-scripts --loglevel=error >&2
  # This one puts its program in place by a script of its own.
  node "$cache/node_modules/@anthropic-ai/claude-code/install.cjs" >&2
  cp .ci/mcp/clients/package-lock.json "$cache/installed.json"
fi
MCP_CLIENTS=$cache/node_modules/.bin go test -vet=off -count=1 -run '^TestRealClients$' ./render/usage
