"""Reads the catalogue of Opendatasoft (Explore v2.1)."""
from load import documents, items, many
from shape import Record, text


def read(paths):
    for path in paths:
        for d in documents(path):
            yield from (dataset(x) for x in items(d, "results", "datasets") if x.get("dataset_id"))


def dataset(x):
    m = x.get("metas") or {}
    d, dcat = m.get("default") or {}, m.get("dcat") or {}
    r = Record(text(x["dataset_id"]), "DATASET")
    r.identify("identifier", x["dataset_id"])
    lang = text(d.get("metadata_languages")[0] if d.get("metadata_languages") else d.get("language"))
    for field, key in (("title", "title"), ("description", "description")):
        v = d.get(key)
        for tag, w in v.items() if isinstance(v, dict) else [(lang, v)]:
            r.tell(field, w, tag)
    for k in many(d.get("keyword")):
        r.tell("keyword", k, lang)
    own = [("", text(v)) for v in (d.get("publisher"),) if text(v)]
    r.say("publisher", ("", tuple(own)) if own else None)
    r.say("licence", text(d.get("license_url") or d.get("license")))
    r.say("modified", text(d.get("modified")))
    r.say("issued", text(dcat.get("issued")))
    r.say("frequency", text(dcat.get("accrualperiodicity")))
    return r
