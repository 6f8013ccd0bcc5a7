#!/usr/bin/env python3
"""A public client of the export format, with the standard library only.

    client.py SOURCE DIRECTORY

Reads the entries of the JSON export at SOURCE, an http(s) address or a file,
sorts them by slug and writes entries.csv and entries.sqlite into DIRECTORY. It
knows nothing of the register but the names of the members.
"""

import csv
import gzip
import json
import pathlib
import sqlite3
import sys
import urllib.request

COLUMNS = (
    "id", "name", "slug", "type", "description", "country_code", "homepage_url", "docs_url", "repo_url",
    "free_access_class", "auth_type", "status", "verification_state", "tags", "created_at", "updated_at", "last_verified_at",
)
META = ("snapshot_date", "source", "license", "count")


def read(source):
    if source.startswith(("http://", "https://")):
        with urllib.request.urlopen(source, timeout=60) as answer:
            body = answer.read()
    else:
        body = pathlib.Path(source).read_bytes()
    if source.endswith(".gz"):
        body = gzip.decompress(body)
    return json.loads(body)


def rows(export):
    for entry in sorted(export["entries"], key=lambda e: e["slug"]):
        if set(entry) != set(COLUMNS):
            raise SystemExit(f"{entry.get('slug')}: other members than expected: {set(entry) ^ set(COLUMNS)}")
        yield [";".join(entry[c]) if c == "tags" else entry[c] for c in COLUMNS]


def write_csv(path, export):
    with open(path, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(COLUMNS)
        writer.writerows(rows(export))


def write_sqlite(path, export):
    path.unlink(missing_ok=True)
    db = sqlite3.connect(path)
    with db:
        db.execute(f"CREATE TABLE entries ({', '.join(c + ' TEXT' for c in COLUMNS)}, PRIMARY KEY (id))")
        db.execute("CREATE TABLE snapshot_meta (key TEXT PRIMARY KEY, value TEXT)")
        db.executemany(f"INSERT INTO entries VALUES ({', '.join('?' for _ in COLUMNS)})", rows(export))
        db.executemany("INSERT INTO snapshot_meta VALUES (?, ?)", [(k, str(export[k])) for k in META])
    db.close()


def main(source, directory):
    export = read(source)
    if export["count"] != len(export["entries"]):
        raise SystemExit(f"count is {export['count']}, there are {len(export['entries'])} entries")
    out = pathlib.Path(directory)
    out.mkdir(parents=True, exist_ok=True)
    write_csv(out / "entries.csv", export)
    write_sqlite(out / "entries.sqlite", export)
    print(f"{export['count']} entries of {export['snapshot_date']} from {export['source']}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
