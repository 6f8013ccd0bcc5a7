#!/usr/bin/env bash
# Fetches what others publish to judge by: the official SHACL shapes of DCAT-AP
# 3.0.1 (SEMIC) and the test suites of RDF 1.1 (W3C), each at one commit, into
# $ASSAY_STANDARDS (by default .cache/standards). Every file must have the hash
# that standards.sha256 names; what is there already with its hash stays.
# SEMIC_BASE and W3C_ARCHIVE name other places to fetch from.
set -euo pipefail
cd "$(dirname "$0")/.."
list=$PWD/.ci/standards.sha256
target=${ASSAY_STANDARDS:-$PWD/.cache/standards}
semic=${SEMIC_BASE:-https://raw.githubusercontent.com/SEMICeu/DCAT-AP/7c531da7f154794da620fd0e57a3e8afe0286c0f/releases/3.0.1}
w3c=${W3C_ARCHIVE:-https://codeload.github.com/w3c/rdf-tests/tar.gz/ad541a5f0479f0798608c4801369d97b8e08b36f}

say() { printf 'standards: %s\n' "$*" >&2; }
complete() { (cd "$target" && sha256sum --check --quiet --status "$list") 2>/dev/null; }

complete && { say "$target: there"; exit; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fetch() { curl --fail --silent --show-error --location --retry 3 --max-time 300 --max-filesize 200000000 --output "$2" "$1"; }

shapes=$target/dcat-ap-3.0.1/shapes
mkdir -p "$shapes" "$target/rdf-tests"
fetch "$semic/html/shacl/shapes.ttl" "$shapes/shapes.ttl"
fetch "$semic/shacl/dcat-ap-SHACL.ttl" "$shapes/dcat-ap-SHACL.ttl"
fetch "$w3c" "$work/suites.tar.gz"
mkdir "$work/suites"
tar -xzf "$work/suites.tar.gz" -C "$work/suites" --strip-components=1 --no-same-owner
for suite in rdf-n-triples rdf-turtle rdf-xml; do
  rm -rf "${target:?}/rdf-tests/$suite"
  cp -r "$work/suites/rdf/rdf11/$suite" "$target/rdf-tests/$suite"
done

if ! (cd "$target" && sha256sum --check --quiet "$list" >&2); then
  say "what was fetched is not what standards.sha256 names; nothing may be judged by it"
  rm -rf "$target/dcat-ap-3.0.1" "$target/rdf-tests"
  exit 1
fi
say "$target: $(wc -l <"$list") files fetched"
