#!/usr/bin/python3
"""Harvests two captures of a DCAT catalogue and compares what the second run says with a diff.

The second capture is made of the first one, statement by statement: some datasets leave, some
get another title, some are new, and every skolem IRI and every blank node has another name,
as in the next export of a portal. What must then be created, changed, gone and unchanged is
known from how it was made, not from the harvest.

    python3 .ci/truth/twice.py belgium
"""
import argparse
import collections
import gzip
import os
import random
import re
import shutil
import subprocess
import sys

import rdf
import register
import truth

SKOLEM = re.compile(r"<([^>]*/\.well-known/genid/)([^>]*)>")
BLANK = re.compile(r"(?<=\s)_:|^_:")
TITLE, IDENTIFIER = f"<{rdf.DCT}title>", {f"<{rdf.DCT}identifier>", f"<{rdf.ADMS}identifier>"}
LISTS = {f"<{rdf.DCAT}dataset>", f"<{rdf.DCAT}service>", f"<{rdf.FOAF}primaryTopic>", f"<{rdf.DCAT}record>"}


def statements(path):
    """The capture as N-Triples, a line each."""
    raw = (gzip.open if path.endswith(".gz") else open)(path, "rb").read()
    p = subprocess.run(["rapper", "-q", "-i", rdf.syntax(path), "-o", "ntriples", "-", "http://localhost/"], input=raw, stdout=subprocess.PIPE, check=False)
    return [line for line in p.stdout.decode("utf-8").split("\n") if line and not line.startswith("#")]


def part(line):
    s, p, rest = line.split(" ", 2)
    return s, p, rest[:-2]


def choose(lines, pairs, seed):
    """Datasets that nothing but a list names and that name no other, in three parts."""
    subjects = {f"<{r.place}>" for r, _ in pairs if r.kind == "DATASET" and "/.well-known/genid/" not in r.place}
    named = set()
    for s, p, o in map(part, lines):
        if o in subjects and p not in LISTS and o != s:
            named.update((s, o))
    free = sorted(subjects - named)
    random.Random(seed).shuffle(free)
    n = max(1, len(free) // 100)
    return set(free[:n]), set(free[n:2 * n]), set(free[2 * n:3 * n])


def renamed(line):
    return BLANK.sub("_:again", SKOLEM.sub(lambda m: f"<{m[1]}again-{m[2]}>", line))


def second(lines, gone, changed, copied):
    """The next export. A copy is another dataset: it has names of its own."""
    out = []
    for line in lines:
        s, p, o = part(line)
        if s in gone or o in gone:
            continue
        if s in changed and p == TITLE:
            line = line.replace('"', '"Again: ', 1)
        out.append(renamed(line))
        if s in copied:
            if p in IDENTIFIER and o.startswith('"'):
                o = o.replace('"', '"again-', 1)
            out.append(renamed(f"{s[:-1]}-again> {p} {o} ."))
        if o in copied and p in LISTS and not (p.endswith("primaryTopic>")):
            out.append(renamed(f"{s} {p} {o[:-1]}-again> ."))
    return out


def two(c, data, out, assay, seed=17):
    path = os.path.join(truth.ROOT, c["file"]) if c["file"].startswith("./") else os.path.join(data, c["file"])
    if not os.path.exists(path):
        return None
    work = os.path.join(out, "twice-" + c["name"])
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    lines = statements(path)
    capture = os.path.join(work, "capture.nt")
    truth.write(capture, "\n".join(lines) + "\n")
    first, export, _ = truth.harvest(dict(c, file=capture), capture, os.path.join(work, "register"), assay, False)
    records, views = list(rdf.read([capture])), list(register.kept(export))
    _, pairs, _ = truth.account(records, views, first)
    gone, changed, copied = choose(lines, pairs, seed)
    truth.write(capture, "\n".join(second(lines, gone, changed, copied)) + "\n")
    again = truth.harvest_again(c, os.path.join(work, "register"), assay)
    want = dict(new=len(copied), updated=len(changed), missing=len(gone), unchanged=len(pairs) - len(changed) - len(gone),
                rejected=first["rejected"], repeated=first["repeated"])
    got = dict(collections.Counter({k: again.get(k, 0) for k in want if k != "new"}), new=again["created"] + again["quarantined"])
    return want, got


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--data", default=os.environ.get("ASSAY_CAPTURES", os.path.join(truth.ROOT, "..", "shared", "data")), help="folder of the captures")
    p.add_argument("--out", default=os.path.join(truth.ROOT, "out", "truth"))
    p.add_argument("--assay", default=os.path.join(truth.ROOT, "bin", "assay"))
    p.add_argument("names", nargs="+", help="DCAT catalogues of catalogues.tsv")
    a = p.parse_args()
    wrong = []
    for c in truth.catalogues():
        if c["name"] not in a.names or c["reader"] != "rdf":
            continue
        found = two(c, os.path.abspath(a.data), os.path.abspath(a.out), os.path.abspath(a.assay))
        if not found:
            print(f"{c['name']}: no such file, left out", flush=True)
            continue
        want, got = found
        print(f"{c['name']}, the second capture: " + ", ".join(f"{k} {got[k]}" + ("" if got[k] == want[k] else f" (not {want[k]})") for k in want), flush=True)
        if got != want:
            wrong.append(c["name"])
    if wrong:
        sys.exit("the second run says something else than the diff: " + ", ".join(wrong))


if __name__ == "__main__":
    main()
