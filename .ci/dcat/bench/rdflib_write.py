"""Times rdflib's Turtle serializer: rdflib_write.py TTL; parsing is not counted."""
import sys
import time

import rdflib

rdflib.NORMALIZE_LITERALS = False
graph = rdflib.Graph().parse(sys.argv[1], format="turtle")
best = min(
    (lambda began: (graph.serialize(format="turtle", encoding="utf-8"), time.process_time() - began)[1])(time.process_time())
    for _ in range(2)
)
print(len(graph), best)
