"""Reads Turtle, JSON-LD and RDF/XML with rdflib and compares them: jsonld.py TTL...

The JSON-LD of a document lies beside its Turtle, and so does its RDF/XML if it is a page.

A reader of JSON-LD that shares no code with the one that wrote it. Warnings
count as faults. Nothing is fetched: the documents carry their context.
"""
import logging
import os
import sys
import warnings

import rdflib

# rdflib 6 itself triggers deprecation warnings of Python; those are not ours.
warnings.simplefilter("error")
warnings.filterwarnings("ignore", category=DeprecationWarning)


class Strict(logging.Handler):
    """Strict turns what rdflib logs into a failure."""

    def emit(self, record):
        sys.exit("rdflib: " + record.getMessage())


logging.getLogger().addHandler(Strict(level=logging.WARNING))
# Values are compared as they were written, not in a normal form of rdflib.
rdflib.NORMALIZE_LITERALS = False


def read(path, form):
    """Pages of a form link to pages of the same form, which is no difference."""
    graph = rdflib.Graph().parse(path, format=form)
    ext = "." + path.rsplit(".", 1)[1]

    def own(x):
        return rdflib.URIRef(x.removesuffix(ext)) if isinstance(x, rdflib.URIRef) and "/api/v1/catalog/dcat/" in x else x

    return {tuple(own(x) for x in t) for t in graph}


def compare(turtle):
    stem = turtle.removesuffix(".ttl")
    a = read(turtle, "turtle")
    for path, form in [(stem + ".jsonld", "json-ld"), (stem + ".rdf", "xml")]:
        if form == "json-ld" or os.path.exists(path):
            same(turtle, a, path, read(path, form))
    return len(a)


def same(turtle, a, linked, b):
    for t in sorted(a - b)[:5]:
        print("only in Turtle:", *(x.n3() for x in t), file=sys.stderr)
    for t in sorted(b - a)[:5]:
        print(f"only in {linked}:", *(x.n3() for x in t), file=sys.stderr)
    if any(isinstance(x, rdflib.BNode) for t in a | b for x in t):
        sys.exit(f"{turtle}: blank node")
    if a != b:
        sys.exit(f"{turtle} and {linked} differ: {len(a - b)} and {len(b - a)} statements")


counts = [compare(turtle) for turtle in sys.argv[1:]]
print(f"rdflib: {sum(counts)} statements of {len(counts)} documents, the same in all forms")
