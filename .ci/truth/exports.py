"""Compares what a source states with the table of full records, entries.full.csv.

A table has no place for all that a page has: the fields of COMPARED are what it
must say as well as the pages do.
"""
import csv
import json
import os

import compare
import register

csv.field_size_limit(1 << 30)
COMPARED = ["title", "title by machine", "description", "description by machine", "keyword", "keyword in its language", "publisher name", "publisher IRI", "licence",
            "access right", "theme", "issued", "modified", "frequency", "landing page", "spatial", "temporal", "contact"]
LISTS = ["alternative_titles", "languages", "formats", "themes", "hvd_categories", "subjects", "conforms_to", "identifiers", "other_pages", "api_other_urls", "download_urls", "access_urls", "distribution_licenses", "spatial"]
MAPS = ["titles", "descriptions", "keywords"]
DETAILS = ["frequency", "spatial", "temporal_start", "temporal_end", "landing_page", "other_pages"]
APIS = ["openapi_url", "graphql_url", "terms_url"]


def rows(site):
    """The rows of the table as pages are: an empty cell is null, lists and maps are JSON."""
    with open(os.path.join(site, "api/v1/export/entries.full.csv"), encoding="utf-8", newline="") as f:
        for row in csv.DictReader(f, strict=True):
            e = {column: json.loads(cell) if cell and column in LISTS + MAPS else cell or None for column, cell in row.items()}
            e["publisher"] = {"name": e["publisher_name"], "iri": e["publisher_iri"]}
            e["license"] = {"url": e["license_url"]}
            e["contact"] = {m: e["contact_" + m] for m in ("name", "url", "email")}
            e["dataset_details"] = {m: e[m] for m in DETAILS} | {"distributions": [{"license": x} for x in e["distribution_licenses"] or []]}
            e["api_details"] = {m: e[m] for m in APIS} | {"base_url": e["api_base_url"], "other_urls": e["api_other_urls"]}
            yield e


def look(site, pairs, shown):
    """The fields that the table says worse than the pages, with their counts; pairs are of records and kept views."""
    records = {v.id: (r, v) for r, v in pairs}
    said, n = compare.Tally(), 0
    for e in rows(site):
        if e["id"] in records:
            record, kept = records.pop(e["id"])
            compare.compare(record, register.View(e, kept.rows), said)
            n += 1
    worse = {f: (shown.count(f), said.count(f)) for f in COMPARED if said.count(f) < shown.count(f)}
    return n, worse, said
