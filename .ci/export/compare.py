#!/usr/bin/env python3
"""Compares what the client wrote with the register's own CSV and SQLite.

    compare.py CLIENT_DIRECTORY CSV SQLITE

The rows must be the same ones, in whatever order; our database has further columns behind those.
"""

import csv
import pathlib
import sqlite3
import sys


def table(path):
    with open(path, encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file, strict=True)
    return header, sorted(rows)


def database(path, width=None):
    db = sqlite3.connect(f"{pathlib.Path(path).resolve().as_uri()}?mode=ro", uri=True)
    columns = [c[1] for c in db.execute("PRAGMA table_info(entries)")][:width]
    entries = db.execute(f"SELECT {', '.join(columns)} FROM entries ORDER BY id").fetchall()
    meta = dict(db.execute("SELECT key, value FROM snapshot_meta WHERE key IN ('count', 'license', 'snapshot_date', 'source')"))
    check = db.execute("PRAGMA integrity_check").fetchone()
    db.close()
    return columns, entries, meta, check


def main(client, ours_csv, ours_sqlite):
    client = pathlib.Path(client)
    pairs = {
        "CSV": (table(client / "entries.csv"), table(ours_csv)),
        "SQLite": (database(client / "entries.sqlite"), database(ours_sqlite, 17)),
    }
    for form, (theirs, ours) in pairs.items():
        if theirs != ours:
            raise SystemExit(f"{form} differs")
    if len(pairs["CSV"][0][1]) != len(pairs["SQLite"][0][1]):
        raise SystemExit("CSV and SQLite have different numbers of rows")
    print(f"{len(pairs['CSV'][0][1])} rows are the same")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
