#!/usr/bin/env python3
"""Holds the CKAN view of a register to its own list and search: ckan.py BASE

A client that knows CKAN's API alone walks all packages; package_search must have the results of
the register's search and list for the same words and filters, in the same order.
"""

import json
import sys
import urllib.parse
import urllib.request

base = sys.argv[1]
faults = []


def read(path, **query):
    with urllib.request.urlopen(base + path + "?" + urllib.parse.urlencode(query)) as answer:
        return json.load(answer)


def action(name, **query):
    answer = read("/api/v1/ckan/api/3/action/" + name, **query)
    assert answer["success"], answer
    return answer["result"]


def must(what, good):
    if not good:
        faults.append(what)


def pages(name, size, key=lambda result: result, **query):
    """What all pages of an action have."""
    found = []
    while True:
        page = key(action(name, **query, **{"rows" if name == "package_search" else "limit": size, "start" if name == "package_search" else "offset": len(found)}))
        found += page
        if len(page) < size:
            return found


listed = read("/api/v1/entries", limit=1)["total"]
names = pages("package_list", 100_000)
packages = pages("package_search", 1000, key=lambda r: r["results"], sort="name asc")
full = pages("current_package_list_with_resources", 1000)
must(f"{len(names)} names, {len(packages)} packages and {len(full)} with resources of {listed} entries",
     len(names) == len(set(names)) == listed and {p["name"] for p in packages} == {p["name"] for p in full} == set(names) and len(packages) == len(full) == listed)
must("packages are sorted by name", [p["name"] for p in packages] == sorted(p["name"] for p in packages))

for group in action("group_list", all_fields="true"):
    count = sum(any(g["name"] == group["name"] for g in p["groups"]) for p in packages)
    must(f"the group {group['name']} has {group['package_count']} packages, {count} name it", group["package_count"] == count)
for organization in action("organization_list", all_fields="true", limit=20):
    count = sum((p["organization"] or {}).get("name") == organization["name"] for p in packages)
    must(f"{organization['name']} has {organization['package_count']} packages, {count} name it", organization["package_count"] == count)

searched = 0
for q in ("water", "air quality", "transport", "inspire"):
    found = action("package_search", q=q, rows=50)
    own = read("/api/v1/entries/search", q=q, limit=50)
    must(f"{q}: {found['count']} packages, the search has {own['total']}", found["count"] == own["total"])
    must(f"{q}: another order than the search", [p["id"] for p in found["results"]] == [i["entry"]["id"] for i in own["items"]])
    searched += 1
for fq, filters in (("res_format:CSV", {"format": "CSV"}), ("groups:envi", {"theme": "ENVI"}), ("dataset_type:dataset AND res_format:JSON", {"type": "DATASET", "format": "JSON"})):
    found, own = action("package_search", fq=fq, rows=0)["count"], read("/api/v1/entries", limit=1, **filters)["total"]
    must(f"{fq}: {found} packages, the list has {own}", found == own)
    searched += 1

for fault in faults[:20]:
    print("CKAN:", fault, file=sys.stderr)
print(f"CKAN: {len(packages)} packages with {sum(len(p['resources']) for p in packages)} resources, {searched} searches as the register's own, {len(faults)} faults")
sys.exit(bool(faults))
