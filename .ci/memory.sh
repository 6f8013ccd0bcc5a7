#!/usr/bin/env bash
# Prints a folder for the temporary files of the tests: /dev/shm where it has 4 GiB
# free, the machine 8, and programs and extended attributes (of the object store that
# is published into) work there; else that of the system. The tests write some
# hundred thousand files, and end processes, never the machine: what they show is the
# same in memory.
set -euo pipefail
fallback=${TMPDIR:-/tmp}
[ -z "${TMPDIR:-}" ] && [ -w /dev/shm ] || { echo "$fallback"; exit; }
room=$(df --output=avail -k /dev/shm | tail -1)
memory=$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo)
work=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$work"' EXIT
printf '#!/bin/sh\n' >"$work/program"
chmod +x "$work/program"
if [ "$room" -ge $((4 << 20)) ] && [ "$memory" -ge $((8 << 20)) ] && "$work/program" 2>/dev/null &&
  python3 -c 'import os, sys; os.setxattr(sys.argv[1], "user.assay", b"1")' "$work" 2>/dev/null; then
  echo /dev/shm
else
  echo "$fallback"
fi
