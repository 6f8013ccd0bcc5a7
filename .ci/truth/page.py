"""Writes site/docs/truth.md from measured.json: page.py [--check]

measured.json holds what the last comparison of each catalogue counted; truth.py
updates those that it compared.
"""
import json
import os
import sys

from compare import DIFFERING, EXPOSED, FIELDS, MISSING, RIGHT, UNSTATED, WITHHELD
from table import row, share

HERE = os.path.dirname(os.path.abspath(__file__))
MEASURED = os.path.join(HERE, "measured.json")
PAGE = os.path.join(HERE, "..", "..", "site", "docs", "truth.md")
BEGIN = "<!-- make truth writes what follows -->\n"


def measured():
    with open(MEASURED, encoding="utf-8") as f:
        return json.load(f)


def keep(numbers):
    """Takes over what was counted for some catalogues."""
    m = measured()
    m.update({n["name"]: {k: v for k, v in n.items() if k != "seconds"} for n in numbers})
    with open(MEASURED, "w", encoding="utf-8") as f:
        json.dump(m, f, indent=0, sort_keys=True)
        f.write("\n")


def worse(now):
    """What is worse than it was when the catalogue was last measured."""
    was = measured().get(now["name"])
    if not was:
        return [f"{now['name']}: never measured; make truth does it"]
    out = [f"{now['name']}: scores cannot be recomputed from the methodology"] if now.get("recomputed") is False else []
    out += [f"{now['name']}: {k} {now[k]}, was {was[k]}" for k in ("lost", "strays") if now[k] > was[k]]
    out += [f"{now['name']}: {now['records']} records read, were {was['records']}"] if now["records"] != was["records"] else []
    for f in FIELDS:
        old, new = was["fields"].get(f, {}), now["fields"].get(f, {})
        if said(was, f) and new.get(RIGHT, 0) * said(was, f) < old.get(RIGHT, 0) * max(1, said(now, f)):
            out.append(f"{now['name']}: {f} right in {new.get(RIGHT, 0)} of {said(now, f)}, was {old.get(RIGHT, 0)} of {said(was, f)}")
        if new.get(EXPOSED, 0) > old.get(EXPOSED, 0):
            out.append(f"{now['name']}: {f} is a person's and shown in {new[EXPOSED]}, was {old.get(EXPOSED, 0)}")
        if new.get(UNSTATED, 0) > old.get(UNSTATED, 0):
            out.append(f"{now['name']}: {f} shown but not stated in {new[UNSTATED]}, was {old.get(UNSTATED, 0)}")
    return out


def said(n, field):
    """How many values are stated, those that are withheld among them."""
    return sum(v for k, v in n["fields"].get(field, {}).items() if k != UNSTATED)


def open_to(n, field):
    """How many of them are nobody's own address, so that they may be shown."""
    return said(n, field) - sum(n["fields"].get(field, {}).get(k, 0) for k in (WITHHELD, EXPOSED))


def records(m):
    yield row("catalogue", "records", "identities", "entries", "merged, and told", "listed again", "rejected", "lost")
    yield row("---", *["---:"] * 7)
    for name, n in sorted(m.items()):
        yield row(name, *(n[k] for k in ("records", "identities", "entries", "merged", "repeated", "rejected", "lost")))


def fields(n):
    yield row("field", "stated", "right", "differing", "missing", "withheld", "a person's, but shown", "shown, not stated", "right of 100")
    yield row("---", *["---:"] * 8)
    for f in FIELDS:
        c = n["fields"].get(f)
        if c:
            yield row(f, said(n, f), *(c.get(k, 0) for k in (RIGHT, DIFFERING, MISSING, WITHHELD, EXPOSED, UNSTATED)), share(c.get(RIGHT, 0), said(n, f)))


def families(m):
    """The share that is right by field, a column for each kind of catalogue."""
    kinds = sorted({n["kind"] for n in m.values()})
    yield row("field", *kinds)
    yield row("---", *["---:"] * len(kinds))
    for f in FIELDS:
        for name, of in ((f, said), ("– that is no person's", open_to))[:2 if f == "contact" else 1]:
            cells = [share(sum(n["fields"].get(f, {}).get(RIGHT, 0) for n in m.values() if n["kind"] == k), sum(of(n, f) for n in m.values() if n["kind"] == k)) for k in kinds]
            if any(cells):
                yield row(name, *cells)


def text():
    m = {name: n for name, n in measured().items() if not name.startswith("own-")}
    lines = [*records(m), "", "## By field and protocol", "", "Of 100 stated values, how many are right:", "", *families(m)]
    for name in ("belgium", "norway"):
        if name in m:
            lines += ["", f"## {name.capitalize()}", "", *fields(m[name])]
    return "\n".join(lines) + "\n"


def main():
    with open(PAGE, encoding="utf-8") as f:
        head, old = f.read().split(BEGIN)
    new = "\n" + text()
    if "--check" in sys.argv and new != old:
        sys.exit("site/docs/truth.md is not what .ci/truth/measured.json says: run make truth")
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(head + BEGIN + new)


if __name__ == "__main__":
    main()
