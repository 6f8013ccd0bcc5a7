"""Writes the table of one catalogue and the page of all of them."""
from compare import DIFFERING, EXPOSED, FIELDS, MISSING, RIGHT, UNSTATED, WITHHELD


def row(*cells):
    return "| " + " | ".join(str(c) for c in cells) + " |"


def share(n, of):
    """A share in per cent, rounded so that only all is 100."""
    return "" if not of else "100" if n == of else f"{min(99.99, 100 * n / of):.2f}"


def fields(kept, shown):
    """The lines of one catalogue's table, a field each."""
    yield row("field", "stated", "kept", "shown", "differing", "missing", "withheld", "a person's, shown", "not stated", "kept %", "shown %")
    yield row(*["---"] * 11)
    for f in FIELDS:
        n, last = kept.n[f], (shown or kept).n[f]
        if not n and not last:
            continue
        said = kept.stated(f)
        yield row(f, kept.stated(f), n[RIGHT], shown.n[f][RIGHT] if shown else "–", last[DIFFERING], last[MISSING], last[WITHHELD], last[EXPOSED], last[UNSTATED],
                  share(n[RIGHT], said), share(shown.n[f][RIGHT], shown.stated(f)) if shown else "–")


def outcomes(r):
    yield row("records", "identities", "entries", "merged, and told", "listed again", "rejected", "**lost**", "entries without a record", "on a skolem IRI")
    yield row(*["---"] * 9)
    yield row(r["records"], r["identities"], r["entries"], r["merged"], r["repeated"], r["rejected"], r["lost"], r["strays"], r["skolem"])


def examples(tally):
    """What differs, for who mends it: kept out of the published page."""
    for f in FIELDS:
        for outcome in (DIFFERING, MISSING, EXPOSED, WITHHELD, UNSTATED):
            for place, stated, shown in tally.examples[f, outcome]:
                yield f"{f}, {outcome}: {place}\n    stated {stated}\n    shown  {shown}"


def catalogue(r, kept, shown):
    return "\n".join([f"## {r['name']}", "", *outcomes(r), "", *fields(kept, shown), ""])
