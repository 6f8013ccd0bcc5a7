#!/usr/bin/env bash
# Installs the interpreters of the code that pages show: Python with pandas, R, and for
# node DuckDB and the packages that samples import. Does nothing, quickly, when all is there.
set -euo pipefail
cd "$(dirname "$0")/../.."

say() { printf 'samples: %s\n' "$*" >&2; }
root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

missing=()
for package in python3-pandas python3-requests python3-openpyxl python3-rdflib r-base-core r-cran-jsonlite r-cran-readxl unzip; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  say "installing ${missing[*]}"
  root apt-get -qq update >&2
  root env DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends "${missing[@]}" >&2
fi

stamp=.cache/samples/installed.json
if ! cmp -s .ci/samples/package-lock.json "$stamp"; then
  say "npm packages: installing"
  mkdir -p .cache/samples
  rm -f "$stamp"
  cp .ci/samples/package.json .ci/samples/package-lock.json .ci/samples/.npmrc .cache/samples/
  npm --prefix .cache/samples ci --no-audit --no-fund --ignore-scripts --loglevel=error >&2
  cp .ci/samples/package-lock.json "$stamp"
fi
say "there"
