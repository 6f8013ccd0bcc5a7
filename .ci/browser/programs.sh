# Sets programs to a folder in which node, the pinned one where it is installed, finds the judges of pages and all
# that they import. To be read from the root of the repository.
modules=$PWD/.cache/node/node_modules
[ -e "$modules/axe-core" ] || { echo "run .ci/install.sh first" >&2; exit 1; }
# Modules are looked up above the program that asks for them.
programs=$PWD/.cache/node/browser
mkdir -p "$programs"
cp -r .ci/browser/*.mjs .ci/browser/testdata "$programs/"
for pinned in "$modules"/node-linux-*/bin; do
  if [ -x "$pinned/node" ]; then PATH="$pinned:$PATH"; fi
done
