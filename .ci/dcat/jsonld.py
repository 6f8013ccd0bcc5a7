"""Reads Turtle and JSON-LD with rdflib and compares them: jsonld.py TTL...

The JSON-LD of a document lies beside its Turtle.

A reader of JSON-LD that shares no code with the one that wrote it. Warnings
count as faults. Nothing is fetched: the documents carry their context.
"""
import logging
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


def compare(turtle):
    linked = turtle.removesuffix(".ttl") + ".jsonld"
    a, b = set(rdflib.Graph().parse(turtle, format="turtle")), set(rdflib.Graph().parse(linked, format="json-ld"))
    for t in sorted(a - b)[:5]:
        print("only in Turtle:", *(x.n3() for x in t), file=sys.stderr)
    for t in sorted(b - a)[:5]:
        print("only in JSON-LD:", *(x.n3() for x in t), file=sys.stderr)
    if any(isinstance(x, rdflib.BNode) for t in a | b for x in t):
        sys.exit(f"{turtle}: blank node")
    if a != b:
        sys.exit(f"{turtle} and {linked} differ: {len(a - b)} and {len(b - a)} statements")
    return len(a)


counts = [compare(turtle) for turtle in sys.argv[1:]]
print(f"rdflib: {sum(counts)} statements of {len(counts)} documents, the same in both forms")
