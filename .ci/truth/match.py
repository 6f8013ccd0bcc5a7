"""Finds the entry of each record of a catalogue.

Upstream identity: the first of a stated identifier, an IRI and a page that is
unique in the catalogue. Each identity must be an entry of its own, a merge that
the register tells, or a rejection; what is neither is lost.
"""
from collections import defaultdict

from shape import address, instant, letters, web


def key(value):
    return address(value) if web(value) else value.strip().lower()


def unique_identity(records):
    """Sets the identity of each record: its first id that no other record has."""
    count = defaultdict(set)
    for i, r in enumerate(records):
        for kind, v in r.ids:
            count[kind, key(v)].add(i)
    for r in records:
        single = [(kind, key(v)) for kind, v in r.ids if len(count[kind, key(v)]) == 1]
        shared = [(kind, key(v)) for kind, v in r.ids]
        r.identity = (single or shared or [("place", r.place)])[0]


def fold_repeated(records):
    """Records of one identity are one record that was listed again."""
    unique_identity(records)
    first, repeated = {}, []
    for r in records:
        held = first.get(r.identity)
        if held is None:
            first[r.identity] = r
        elif (changed(r), values(r)) > (changed(held), values(held)):  # the newer one counts, else the fuller
            first[r.identity] = r
            repeated.append((held, r))
        else:
            repeated.append((r, held))
    return list(first.values()), repeated


def changed(r):
    return max((t[0].isoformat() for t in map(instant, r.facts["modified"]) if t), default="")


def values(r):
    return sum(map(len, r.facts.values()))


def index(views):
    by = defaultdict(list)
    for v in views:
        for ref in v.refs:
            by[key(ref)].append(v)
        for p in {key(p) for p in v.pages + v.endpoints}:
            by["page", p].append(v)
    return by


def likeness(r, v):
    titles = {letters(t) for _, t in r.facts["title"]}
    shown = {letters(t) for t in list(v.titles.values()) + v.alternatives}
    return (r.kind == v.kind) + 2 * bool(titles & shown)


def assign(records, views):
    """Pairs records with entries; returns the pairs, and the records that are
    left with the entry, if any, that another record already has."""
    by = index(views)
    wishes = []
    for n, r in enumerate(records):
        candidates = {}
        for rank, (kind, value) in enumerate(r.ids):
            for v in by[key(value)]:
                candidates.setdefault(v.id, (4 - min(rank, 3), v))
            for v in by["page", key(value)]:
                candidates.setdefault(v.id, (0, v))
        for v in by[key(r.place)]:
            candidates.setdefault(v.id, (1, v))
        for strength, v in candidates.values():
            like = likeness(r, v)
            if strength or like > 1:
                wishes.append((-like, -strength, n, v.id, v))
    pairs, taken, rest = {}, {}, {}
    for like, strength, n, vid, v in sorted(wishes, key=lambda w: w[:4]):
        if n in pairs:
            continue
        if vid in taken:
            rest.setdefault(n, (v, records[taken[vid]]))
            continue
        pairs[n], taken[vid] = v, n
    left = [(r, *rest.get(n, (None, None))) for n, r in enumerate(records) if n not in pairs]
    return [(records[n], v) for n, v in sorted(pairs.items())], left
