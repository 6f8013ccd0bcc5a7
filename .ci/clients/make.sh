#!/usr/bin/env bash
# Generates clients from the interface description of the sample register, and tries them on it:
# make.sh OUT. OUT gets a Go module and an npm package, and an archive of each.
set -euo pipefail
rm -rf "${1:?usage: make.sh OUT}" && mkdir -p "$1"
out=$(realpath "$1")
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
bin/assay demo --addr 127.0.0.1:0 --db "sqlite:$work/assay.db" --site "$work/site" --mail-dir "$work/mail" >"$work/log" 2>&1 &
server=$!
trap 'kill "$server"; wait "$server" || true; rm -rf "$work"' EXIT
for _ in $(seq 300); do grep -q '^serving' "$work/log" && break || sleep 0.2; done
base=$(sed -n 's|^serving .* at \(http://[^ ]*\).*|\1|p' "$work/log")
for _ in $(seq 100); do curl -fs "$base/health" -o "$work/health" && break || sleep 0.2; done
for name in openapi openapi-3.0; do curl -fsS "$base/$name.json" -o "$work/$name.json"; done

generator=github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2
runtime=github.com/oapi-codegen/runtime@v1.8.0
version=$(sed -n 's/.*"version":"\([0-9.]*\)".*/\1/p' <(head -c 2000 "$work/openapi.json"))

modules=.cache/clients
if ! cmp -s .ci/clients/package-lock.json "$modules/installed.json"; then
  mkdir -p "$modules"
  cp .ci/clients/package.json .ci/clients/package-lock.json .ci/clients/.npmrc "$modules/"
  npm --prefix "$modules" ci --no-audit --no-fund --ignore-scripts --loglevel=error >&2
  cp .ci/clients/package-lock.json "$modules/installed.json"
fi

mkdir -p "$out/go/example" "$out/npm"
go run "$generator" -generate types,client -package assay -o "$out/go/client.go" "$work/openapi-3.0.json"
cp .ci/clients/example.go.txt "$out/go/example/main.go"
cp LICENSE "$out/go/" && cp LICENSE "$out/npm/"
(cd "$out/go" && printf 'module github.com/assay-register/assay-go\n\ngo 1.26.0\n' >go.mod && go get "$runtime" && go mod tidy && go vet ./...) >"$out/log" 2>&1 || { cat "$out/log" >&2; exit 1; }

node "$modules/node_modules/openapi-typescript/bin/cli.js" "$work/openapi.json" --output "$out/npm/schema.d.ts" >"$out/log" 2>&1 || { cat "$out/log" >&2; exit 1; }
sed "s/VERSION/${version:-0.0.0}/" .ci/clients/npm.json >"$out/npm/package.json"
cp .ci/clients/index.js .ci/clients/index.d.ts .ci/clients/example.ts "$out/npm/"
ln -sfn "$PWD/$modules/node_modules" "$out/npm/node_modules"
node "$modules/node_modules/typescript/bin/tsc" --strict --module nodenext --target es2022 "$out/npm/example.ts"

# openapi-generator, whose last version that npm has whole is of 2020, makes a third one, which is only tried.
if ! command -v java >"$out/log"; then
  as=
  [ "$(id -u)" = 0 ] || as=sudo
  $as apt-get -qq update >&2
  $as env DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends default-jre-headless >&2
fi
generate() { java -Xmx1g -jar "$modules/node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar" "$@" >"$out/log" 2>&1 || { tail -40 "$out/log" >&2; exit 1; }; }
generate validate -i "$work/openapi-3.0.json"
generate generate -g typescript-fetch -i "$work/openapi-3.0.json" -o "$work/third" --additional-properties=enumPropertyNaming=original,typescriptThreePlus=true
cp .ci/clients/example-generator.ts "$work/third/example.ts"
node "$modules/node_modules/typescript/bin/tsc" --strict --module commonjs --target es2022 --lib es2022,dom "$work/third/example.ts"

(cd "$out/go" && go run ./example "$base") | tee "$out/go.txt"
(cd "$out/npm" && node example.js "$base") | tee "$out/npm.txt"
node "$work/third/example.js" "$base" | tee "$out/third.txt"
cmp "$out/go.txt" "$out/npm.txt"
cmp "$out/go.txt" "$out/third.txt"

rm "$out/npm/node_modules" "$out/npm/example.js" "$out"/*.txt "$out/log"
tar -C "$out" --sort=name --owner=0 --group=0 --mtime=@0 -czf "$out/assay-client-go.tar.gz" go
tar -C "$out" --sort=name --owner=0 --group=0 --mtime=@0 --transform 's/^npm/package/' -czf "$out/assay-client-npm.tgz" npm
