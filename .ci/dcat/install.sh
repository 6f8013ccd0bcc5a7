#!/usr/bin/env bash
# Installs two readers of RDF that judge the DCAT-AP documents, when missing:
# rapper, and rdflib and a reader of YAML for the Python of the system.
set -euo pipefail
command -v rapper >/dev/null && /usr/bin/python3 -c 'import rdflib, yaml' 2>/dev/null && exit
command -v apt-get >/dev/null || { echo 'install by hand: rapper (raptor2-utils), python3-rdflib, python3-yaml' >&2; exit 1; }
as=
[ "$(id -u)" = 0 ] || as=sudo
$as apt-get -qq update >&2
$as env DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends raptor2-utils python3-rdflib python3-yaml >&2
