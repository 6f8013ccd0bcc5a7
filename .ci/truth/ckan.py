"""Reads CKAN: package_show results one a line, or package_search answers."""
import json

from load import documents, items, many
from shape import Record, mail, text, web


def read(paths):
    for path in paths:
        for d in documents(path):
            for p in items(d, "result", "results"):
                if "resources" in p or "notes" in p:
                    yield package(p)


def translated(p, field):
    """A value that may be a text, or texts by language (ckanext-fluent), beside
    which <field>_translated holds the same."""
    v = p.get(field + "_translated") or p.get(field)
    if isinstance(v, str) and v.startswith("{"):
        try:
            v = json.loads(v)
        except ValueError:
            pass
    if isinstance(v, dict):
        return [(lang, w) for lang, w in v.items() if isinstance(w, str)]
    return [("", v)] if isinstance(v, str) else []


def package(p):
    r = Record(text(p.get("id") or p.get("name")), "DATASET")
    r.identify("identifier", p.get("id"))
    r.identify("identifier", p.get("name"))
    for lang, v in translated(p, "title"):
        r.tell("title", v, lang)
    for lang, v in translated(p, "notes"):
        r.tell("description", v, lang)
    for t in many(p.get("tags")):
        r.tell("keyword", t.get("display_name") or t.get("name") if isinstance(t, dict) else t)
    r.say("category", *(text(g.get(k)) for g in many(p.get("groups")) if isinstance(g, dict) for k in ("title", "display_name", "name")))
    o = p.get("organization")
    if isinstance(o, dict):
        own = [("", o[k]) for k in ("title", "name") if isinstance(o.get(k), str) and o[k].strip()]
        r.say("publisher", ("", tuple(own)) if own else None)
    r.say("licence", *(text(p.get(k)) for k in ("license_id", "license_url", "license_title") if k == "license_id" or not p.get("license_id")))
    r.say("access right", "NON_PUBLIC" if p.get("private") is True else None)
    # CKAN itself notes when the record was made; publishers state dates in extras.
    extras = {e.get("key"): e.get("value") for e in many(p.get("extras")) if isinstance(e, dict)}
    r.say("issued", text(p.get("issued") or extras.get("issued") or p.get("metadata_created")))
    r.say("modified", text(p.get("dateLastUpdated") or p.get("modified") or extras.get("modified") or p.get("metadata_modified")))
    reach = tuple(filter(None, (mail(p.get(k)) for k in ("maintainer_email", "author_email", "contact_email"))))
    names = "\n".join(text(p.get(k)) for k in ("maintainer", "author", "contact_person", "contact_name"))
    r.say("contact", (names, reach) if reach else None)
    for x in many(p.get("resources")):
        if web(x.get("url")):
            r.say("distribution", (x["url"].strip(),))
            r.say("address", x["url"])
            r.say("format", text(x.get("format") or x.get("mimetype")))
    return r
