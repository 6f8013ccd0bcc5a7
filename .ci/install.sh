#!/usr/bin/env bash
# Installs what the tests need and is missing: the programs of a PostgreSQL
# server (the tests start their own), a C compiler for the race detector, a
# browser, node with npm, and the pinned npm packages; with the argument node, only the last
# two. Does nothing, quickly, when all is there.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'install: %s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }

# retry runs a command up to three times; networks fail.
retry() {
  local n
  for n in 1 2 3; do
    "$@" && return
    [ "$n" = 3 ] || { say "attempt $n failed, again: $*"; sleep $((n * 5)); }
  done
  return 1
}

# root runs a command as root, by sudo when it must.
root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif have sudo; then sudo "$@"; else
    say "needs root and finds no sudo: $*"
    return 1
  fi
}

updated=
apt() {
  have apt-get || { say "no apt-get here; install by hand: $*"; return 1; }
  [ -n "$updated" ] || retry root apt-get -qq update >&2
  updated=yes
  retry root env DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends "$@" >&2
}

# postgres tells where a complete set of server programs lies: in PATH, or in
# one of Debian's folders.
postgres() {
  local dir program
  for dir in ${PATH//:/ } /usr/lib/postgresql/*/bin; do
    for program in initdb postgres createdb dropdb pg_isready; do
      [ -x "$dir/$program" ] || continue 2
    done
    echo "$dir"
    return
  done
  return 1
}

have go || { say "Go is missing; go.mod names the version"; exit 1; }

compiler_and_server() {
  if have cc; then
    say "C compiler for the race detector: there"
  else
    say "C compiler for the race detector: installing"
    apt gcc libc6-dev
  fi

  if dir=$(postgres); then
    say "PostgreSQL server: $dir"
  else
    say "PostgreSQL server: installing"
    # Debian starts a cluster on installation unless it is told not to.
    root mkdir -p /etc/postgresql-common/createcluster.d
    echo 'create_main_cluster = false' | root tee /etc/postgresql-common/createcluster.d/assay-tests.conf >/dev/null
    apt postgresql
    dir=$(postgres)
    say "PostgreSQL server: $dir"
  fi
}
[ "${1:-}" = node ] || compiler_and_server

# A browser for the judges of pages, with letters of other scripts than Latin.
browser() {
  local path
  for path in "${CHROMIUM:-}" /usr/lib/chromium/chromium /usr/bin/chromium /usr/bin/chromium-browser /usr/bin/google-chrome; do
    [ -z "$path" ] || [ ! -x "$path" ] || { echo "$path"; return; }
  done
  return 1
}
if path=$(browser); then
  say "browser: $path"
else
  say "browser: installing"
  apt chromium fonts-noto-core
fi

have curl || { say "curl: installing"; apt curl; } # runs the command lines that the proxy shows
have jq || { say "jq: installing"; apt jq; } # runs the filters among the query examples
have node || { say "node: installing"; apt nodejs; }
have npm || { say "npm: installing"; apt npm; }
version=$(node --version)
say "node: $version"

# The packages hold the node that the linters run on, so that of the system
# may be older. The stamp says which lock file is installed.
stamp=.cache/node/installed.json
if cmp -s .ci/node/package-lock.json "$stamp" && [ -e .cache/node/node_modules/.bin/redocly ]; then
  say "npm packages: there"
else
  say "npm packages: installing"
  mkdir -p .cache/node
  rm -f "$stamp"
  cp .ci/node/package.json .ci/node/package-lock.json .ci/node/.npmrc .cache/node/
  retry npm --prefix .cache/node ci --no-audit --no-fund --ignore-scripts --loglevel=error >&2
  cp .ci/node/package-lock.json "$stamp"
  say "npm packages: installed"
fi
