#!/usr/bin/env python3
"""Opens the register as a layer of QGIS: qgis_client.py BASE

The catalogue dialogue of QGIS (MetaSearch) reads OGC API - Records from version 3.24 on, and no
CSW stands here; so of an older QGIS, as Debian has it, its provider of OGC APIs is the client. It
reads the landing page, the description, the collection and all records, page by page.
The documents must name the address that they are served at: QGIS follows their links.
"""

import json
import os
import sys
import urllib.request

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
from qgis.core import QgsApplication, QgsFeatureRequest, QgsVectorLayer  # noqa: E402

base = sys.argv[1]


def total(query):
    with urllib.request.urlopen(base + "/api/v1/entries?limit=1" + query) as answer:
        return json.load(answer)["total"]


app = QgsApplication([], False)
app.initQgis()
layer = QgsVectorLayer(f"url='{base}/api/v1/ogc' typename='records' pageSize='100'", "register", "OAPIF")
if not layer.isValid():
    sys.exit("QGIS cannot open the collection: " + layer.error().message())
names = [f.name() for f in layer.fields()]
records = list(layer.getFeatures())
data = list(layer.getFeatures(QgsFeatureRequest().setFilterExpression("\"type\" = 'dataset'")))
faults = []
if not {"title", "type"} <= set(names) or any(not f["title"] for f in records):
    faults.append(f"records have no title or type: {names}")
for what, got, want in (("records", len(records), total("")), ("datasets", len(data), total("&type=DATASET"))):
    if got != want or want == 0:
        faults.append(f"{got} {what}, the register has {want}")
del layer
app.exitQgis()
if faults:
    sys.exit("\n".join(faults))
print(f"QGIS: {len(records)} records, {len(data)} of them datasets")
