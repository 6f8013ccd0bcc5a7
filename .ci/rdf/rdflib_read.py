"""Reads a file with rdflib and prints the processor seconds that took."""
import sys
import time

import rdflib

before = time.process_time()
graph = rdflib.Graph().parse(sys.argv[1], format=sys.argv[2])
print(time.process_time() - before)
