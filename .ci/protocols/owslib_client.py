#!/usr/bin/env python3
"""Searches a register by OGC API - Records with OWSLib: owslib_client.py BASE"""

import contextlib
import io
import json
import pathlib
import re
import sys
import urllib.parse
import urllib.request

from owslib.ogcapi.records import Records

base = sys.argv[1]
faults = []


def must(what, good):
    if not good:
        faults.append(what)


# The addresses in answers are those of the register's site; what is asked goes to the server.
client = Records(base + "/api/v1/ogc")
must("the landing page has links", {l["rel"] for l in client.links} >= {"conformance", "data", "service-desc"})
must("records conform", any(c.endswith("/record-core") for c in client.conformance()["conformsTo"]))
must("one collection of records", client.records() == ["records"])
must("the collection", client.collection("records")["itemType"] == "record")
must("queryables", "geometry" in client.collection_queryables("records")["properties"])

with urllib.request.urlopen(base + "/api/v1/entries?limit=1") as answer:
    listed = json.load(answer)["total"]


def every(limit=500, **query):
    """The records of all pages."""
    found, page = [], {"links": [{"rel": "next"}]}
    while any(l["rel"] == "next" for l in page["links"]):
        page = client.collection_items("records", limit=limit, offset=len(found), **query)
        found += page["features"]
    must(f"{len(found)} records are paged for {query}, {page['numberMatched']} are said to match", len(found) == page["numberMatched"])
    return found


records = every(limit=100, sortby="title")
must(f"{len(records)} records are paged of {listed}", len({r["id"] for r in records}) == len(records) == listed)

boxed = [r for r in records if r["geometry"]]


def bounds(r):
    ring = r["geometry"]["coordinates"][0]
    return [min(p[0] for p in ring), min(p[1] for p in ring), max(p[0] for p in ring), max(p[1] for p in ring)]


europe = [-10, 35, 30, 60]
found = {r["id"] for r in every(bbox=europe)}
want = {r["id"] for r in boxed if (b := bounds(r))[0] <= europe[2] and b[2] >= europe[0] and b[1] <= europe[3] and b[3] >= europe[1]}
must(f"{len(found)} records are in the box, {len(want)} by their own boxes", found == want)

timed = [r for r in records if r["time"]]
found = {r["id"] for r in every(datetime="2020-01-01/2020-12-31")}
want = {r["id"] for r in timed if r["time"]["interval"][0] in ("..",) or r["time"]["interval"][0][:10] <= "2020-12-31"}
want &= {r["id"] for r in timed if r["time"]["interval"][1] in ("..",) or r["time"]["interval"][1][:10] >= "2020-01-01"}
must(f"{len(found)} records are of 2020, {len(want)} by their own periods", found == want)

with urllib.request.urlopen(base + "/api/v1/entries/search?" + urllib.parse.urlencode({"q": "air quality", "limit": 1})) as answer:
    first = json.load(answer)["items"][0]["entry"]["id"]
found = client.collection_items("records", q="air quality", limit=5)
must("a search finds first what the register's own finds", found["features"][0]["id"] == first)

filtered = {r["id"] for r in every(filter="type = 'service' AND title LIKE '%api%'")}
want = {r["id"] for r in records if r["properties"]["type"] == "service" and "api" in r["properties"]["title"].lower()}
must(f"{len(filtered)} services are filtered, {len(want)} by their titles", want <= filtered and want)

one = client.collection_item("records", records[0]["id"])
must("a record alone is that of the list", one == records[0])
must("the description is OpenAPI 3.0", json.load(urllib.request.urlopen(base + "/api/v1/ogc/api"))["openapi"].startswith("3.0"))

# The example of the guide, as it stands, with the address of this register.
guide = (pathlib.Path(__file__).parents[2] / "site/docs/ogc-records.md").read_text()
example = re.search(r"```python\n(.*?)```", guide, re.S)[1].replace("https://register.example", base)
with contextlib.redirect_stdout(io.StringIO()) as printed:
    exec(compile(example, "ogc-records.md", "exec"), {})
must("the example of the guide finds something", int(printed.getvalue()) > 0)

for fault in faults:
    print("OWSLib:", fault, file=sys.stderr)
print(f"OWSLib: {len(records)} records, {len(boxed)} with a box, {len(timed)} with a period, {len(faults)} faults")
sys.exit(bool(faults))
