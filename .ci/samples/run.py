"""Runs samples of Python: reads a list of {id, code} and tells what each printed.

Each sample is executed as it stands, in a namespace and a folder of its own. The console of
QGIS is replaced by a double that reads where the layer is and fetches it.
"""

import contextlib
import io
import json
import os
import sys
import tempfile
import traceback
import urllib.parse
import urllib.request

import pandas


class Interface:
    """What of QGIS's iface the samples call."""

    def addVectorLayer(self, source, name, provider):
        self.add(source, name, provider, ("ogr", "WFS", "OAPIF", "arcgisfeatureserver"))

    def addRasterLayer(self, source, name, provider):
        self.add(source, name, provider, ("wms", "wcs"))

    def add(self, source, name, provider, known):
        if provider not in known or not name:
            raise ValueError(f"{provider!r} is no provider for {name!r}")
        address = place(source, provider)
        with urllib.request.urlopen(address, timeout=10) as answer:
            print(name, provider, answer.read()[:2000].decode("latin-1"))


def place(source, provider):
    """The address in a data source, read by the rules of the provider."""
    if provider == "ogr":
        return source.rsplit("/vsicurl/", 1)[1]
    if provider in ("wms", "wcs"):
        return urllib.parse.parse_qs(source, strict_parsing=True, keep_blank_values=True)["url"][0]
    return quoted(source)["url"]


def quoted(source):
    """The values of QgsDataSourceUri: name='value', with backslashes before quotes."""
    values, rest = {}, source
    while rest:
        name, _, rest = rest.partition("='")
        value = ""
        while rest[0] != "'":
            if rest[0] == "\\":
                rest = rest[1:]
            value, rest = value + rest[0], rest[1:]
        values[name.strip()], rest = value, rest[1:]
    return values


def parquet(file):
    """Debian has no reader of Parquet for pandas; the sample's bytes are looked at instead."""
    data = file.read()
    if data[:4] != b"PAR1" or data[-4:] != b"PAR1":
        raise ValueError("not a Parquet file")
    return pandas.DataFrame({"bytes": [len(data)], "magic": ["PAR1"]})


pandas.read_parquet = parquet
pandas.set_option("display.max_columns", 50, "display.width", 1000)
os.environ["TOKEN"], os.environ["USERNAME"], os.environ["PASSWORD"] = "token", "user", "secret"

with open(sys.argv[1], encoding="utf-8") as file:
    cases = json.load(file)
for case in cases:
    out, error = io.StringIO(), ""
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(out):
        os.chdir(folder)
        try:
            exec(compile(case["code"], case["id"], "exec"), {"iface": Interface(), "__name__": "__main__"})
        except Exception:
            error = traceback.format_exc()
    os.chdir("/")
    print(json.dumps({"id": case["id"], "output": out.getvalue(), "error": error}))
