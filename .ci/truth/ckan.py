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


def publisher(p, extras):
    """Whom the package names: (IRI, names in languages), "" where it names none."""
    said = p.get("publisher")
    if isinstance(said, str) and said.startswith("{"):
        said = json.loads(said)
    for v in many(said) + [p.get("publisher_name"), extras.get("publisher_name"), extras.get("publisher")]:
        name = v.get("name") if isinstance(v, dict) else v
        own = tuple(name.items()) if isinstance(name, dict) else (("", name),) if name and not web(name) else ()
        if own:
            iri = v.get("uri") or v.get("identifier") if isinstance(v, dict) else extras.get("publisher_uri") if v == extras.get("publisher_name") else ""
            return (iri if iri and web(iri) else "", own)
    return None


def covers(p, extras):
    """The period that a package covers, under the names of several schemas."""
    periods = [p.get("temporals"), p.get("temporal_coverage")]
    periods = [x for v in periods for x in many(json.loads(v) if isinstance(v, str) and v.startswith("[") else v) if isinstance(x, dict)]
    start = [x.get(k) for x in periods for k in ("start", "start_date", "temporal_start") if x.get(k)]
    end = [x.get(k) for x in periods for k in ("end", "end_date", "temporal_end") if x.get(k)]
    for side, keys in ((start, ("temporal_start", "temporal_coverage_from", "temporal_coverage-from", "time_period_coverage_start", "begin_datetime")),
                       (end, ("temporal_end", "temporal_coverage_to", "temporal_coverage-to", "time_period_coverage_end", "end_datetime"))):
        side += [text(v) for k in keys for v in (p.get(k), extras.get(k)) if v and isinstance(v, str)]
    return (min(start, default=""), max(end, default=""))


def package(p):
    r = Record(text(p.get("id") or p.get("name")), "DATASET")
    r.identify("identifier", p.get("id"))
    r.identify("identifier", p.get("name"))
    for lang, v in translated(p, "title"):
        r.tell("title", v, lang)
    for lang, v in translated(p, "notes") or translated(p, "description"):
        r.tell("description", v, lang)
    words = p.get("keywords")
    for lang, terms in words.items() if isinstance(words, dict) else ():
        for v in many(terms):
            r.tell("keyword", v, lang)
    for t in many(p.get("tags")):
        r.tell("keyword", t.get("display_name") or t.get("name") if isinstance(t, dict) else t)
    r.say("category", *(text(w) for g in many(p.get("groups")) if isinstance(g, dict) for k in ("title", "display_name", "name")
                        for w in (g[k].values() if isinstance(g.get(k), dict) else [g.get(k)])))
    extras = {e.get("key"): e.get("value") for e in many(p.get("extras")) if isinstance(e, dict)}
    o, said = p.get("organization"), publisher(p, extras)
    if said:
        r.say("publisher", said)
    elif isinstance(o, dict):
        own = [("", n) for k in ("title", "name") if isinstance(o.get(k), str) for n in o[k].split(" | ") if n.strip()]
        r.say("publisher", ("", tuple(own)) if own else None)
    # Its id, address and title are forms of one licence.
    r.say("licence", tuple(filter(None, (text(p.get(k)) for k in ("license_id", "license_url", "license_title")))))
    r.say("licence", *(text(x.get("license") or x.get("license_id")) for x in many(p.get("resources"))))
    right = text(p.get("access_rights") or extras.get("access_rights") or p.get("restrictions")).split("/")[-1]
    r.say("access right", "NON_PUBLIC" if p.get("private") is True else {"PUBLIC": "PUBLIC", "noLimitations": "PUBLIC", "unrestricted": "PUBLIC"}.get(right))
    # CKAN itself notes when the record was made; publishers state dates in extras.
    first = lambda keys: next((text(v) for k in keys for v in (p.get(k), extras.get(k)) if v), "")
    r.say("issued", first(("issued", "date_released", "date_published", "release_date", "metadata_created")))
    r.say("modified", first(("dateLastUpdated", "modified", "date_updated", "date_modified", "last_modified_date", "metadata_modified")))
    if first(("frequency", "accrual_periodicity")).startswith("http://publications.europa.eu"):
        r.say("frequency", first(("frequency", "accrual_periodicity")).split("/")[-1])
    r.say("temporal", *filter(any, [covers(p, extras)]))
    for v in many(p.get("geographical_coverage")) + many(p.get("spatial_value")) + many(extras.get("geographic_toponym")):
        r.say("spatial", (text(v),))
    people = [c for k in ("contact", "contact_points") for c in many(p.get(k)) if isinstance(c, dict)]
    reach = tuple(filter(None, [*(mail(p.get(k)) for k in ("maintainer_email", "author_email", "contact_email", "contact-email", "contact_point", "contact_point_email")), mail(extras.get("contact_email")),
                                *(mail(c.get("email")) for c in people)]))
    names = "\n".join(text(p.get(k)) for k in ("maintainer", "author", "contact_person", "contact_name"))
    r.say("contact", (names, reach) if reach else None)
    for x in many(p.get("resources")):
        found = tuple(dict.fromkeys(v.strip() for k in ("url", "access_url", "download_url") for v in many(x.get(k)) if web(v)))
        if found:
            r.say("distribution", found)
            r.say("address", *found)
            r.say("format", text(x.get("format") or x.get("mimetype")).split("/file-type/")[-1])
    return r
