#!/usr/bin/env bash
# Has Debian's QGIS, which is installed if it is missing (some 250 MB), open the sample register:
# qgis.sh, after make build.
set -euo pipefail
cd "$(dirname "$0")/../.."
if ! /usr/bin/python3 -c 'import qgis.core' 2>/dev/null; then
  as=
  [ "$(id -u)" = 0 ] || as=sudo
  $as apt-get -qq update >&2
  $as env DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends python3-qgis >&2
fi
node .ci/protocols/served.mjs bin/assay /usr/bin/python3 .ci/protocols/qgis_client.py
