#!/usr/bin/env python3
"""Holds the exports of full records to what the pages of the entries say.

    full.py SITE

SITE is a directory with every document of a site. Each column of entries.full.csv and
entries.sqlite, and each line of entries.ndjson, is compared with the page of its entry.
"""

import csv
import json
import pathlib
import sqlite3
import sys

csv.field_size_limit(1 << 30)
NARROW = (
    "id", "name", "slug", "type", "description", "country_code", "homepage_url", "docs_url", "repo_url",
    "free_access_class", "auth_type", "status", "verification_state", "tags", "created_at", "updated_at", "last_verified_at",
)
# Where a column is not the member of its own name.
PATHS = {
    "publisher_name": "publisher.name", "publisher_iri": "publisher.iri", "publisher_type": "publisher.type", "publisher_basis": "publisher.basis",
    "institution_name": "institution.name", "institution_state": "institution.state", "license_id": "license.id", "license_title": "license.title",
    "license_url": "license.url", "license_open": "license.open", "landing_page": "dataset_details.landing_page", "other_pages": "dataset_details.other_pages",
    "download_urls": "dataset_details.distributions.*.download_url", "access_urls": "dataset_details.distributions.*.access_url",
    "distribution_licenses": "dataset_details.distributions.*.license",
    "api_base_url": "api_details.base_url", "openapi_url": "api_details.openapi_url", "graphql_url": "api_details.graphql_url",
    "api_other_urls": "api_details.other_urls", "terms_url": "api_details.terms_url", "api_spec_format": "api_details.spec_format",
    "mcp_endpoint_url": "mcp_details.endpoint_url", "frequency": "dataset_details.frequency|api_details.frequency",
    "spatial": "dataset_details.spatial|api_details.spatial", "temporal_start": "dataset_details.temporal_start",
    "temporal_end": "dataset_details.temporal_end", "version": "dataset_details.version", "contact_name": "contact.name",
    "contact_email": "contact.email", "contact_url": "contact.url", "maturity": "maturity.level",
}
# What lists say of a title that several entries have stands only there.
NOT_ON_THE_PAGE = {"title_qualifier"}


def along(value, path):
    if not path:
        return value
    if path[0] == "*":
        return [v for v in (along(e, path[1:]) for e in value or []) if v is not None]
    return along(value.get(path[0]), path[1:]) if isinstance(value, dict) else None


def member(page, column):
    for path in PATHS.get(column, column).split("|"):
        value = along(page, path.split("."))
        if value not in (None, [], {}, ""):
            return value
    return None


def said(cell, like):
    """The value of a cell of the kind of what the page says."""
    if cell in (None, ""):
        return None
    if isinstance(like, bool):
        return str(cell) in ("true", "1")
    if isinstance(like, (int, float)):
        return float(cell)
    if isinstance(like, (list, dict)):
        return json.loads(cell)
    return cell


def compare(form, row, page, columns, faults):
    for column in columns:
        if column in NOT_ON_THE_PAGE:
            continue
        want = member(page, column)
        if column == "tags":
            want = ";".join(t.replace(";", ",") for t in page["tags"]) or None
        if column == "maturity" and want is None:
            want = page.get("maturity")
        got = said(row[column], want)
        if got != want:
            faults.append(f"{form}: {page['slug']}: {column} is {got!r}, the page says {want!r}")


def main(site):
    root = pathlib.Path(site) / "api/v1"
    faults, rows = [], 0
    with open(root / "export/entries.full.csv", encoding="utf-8", newline="") as file:
        table = csv.DictReader(file, strict=True)
        columns = table.fieldnames
        if tuple(columns[: len(NARROW)]) != NARROW:
            raise SystemExit(f"the first columns are {columns[:len(NARROW)]}")
        pages = {}
        for row in table:
            rows += 1
            page = json.loads((root / "entries" / row["id"] / "index.json").read_bytes())
            pages[row["id"]] = page
            compare("CSV", row, page, columns, faults)
    db = sqlite3.connect(f"{(root / 'export/entries.sqlite').resolve().as_uri()}?mode=ro", uri=True)
    db.row_factory = sqlite3.Row
    found = 0
    for row in db.execute("SELECT * FROM entries"):
        found += 1
        compare("SQLite", row, pages[row["id"]], columns, faults)
    lines = 0
    with open(root / "export/entries.ndjson", encoding="utf-8") as file:
        for line in file:
            record, lines = json.loads(line), lines + 1
            page = pages[record["id"]]
            for name, value in record.items():
                if name in page and name != "maturity" and page[name] != value:
                    faults.append(f"NDJSON: {page['slug']}: {name} is {value!r}, the page says {page[name]!r}")
    if not rows == found == lines > 0:
        faults.append(f"{rows} rows of CSV, {found} of SQLite, {lines} lines")
    for fault in faults[:20]:
        print(fault[:400], file=sys.stderr)
    if faults:
        raise SystemExit(f"{len(faults)} values of the exports differ from the pages")
    print(f"{rows} full records with {len(columns)} columns say what the pages say")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])
