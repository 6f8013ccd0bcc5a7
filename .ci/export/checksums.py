#!/usr/bin/env python3
"""Fetches every file of a list of checksums and compares the hashes.

    checksums.py ADDRESS

Names are addresses relative to the list, which is in the form of sha256sum.
"""

import hashlib
import sys
import urllib.parse
import urllib.request


def fetch(address):
    with urllib.request.urlopen(address, timeout=60) as answer:
        return answer.read()


def main(address):
    lines = fetch(address).decode().splitlines()
    for line in lines:
        digest, name = line.split("  ", 1)
        if hashlib.sha256(fetch(urllib.parse.urljoin(address, name))).hexdigest() != digest:
            raise SystemExit(f"{name} has another hash")
    if not lines:
        raise SystemExit("the list is empty")
    print(f"{len(lines)} files have the hashes of the list")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
