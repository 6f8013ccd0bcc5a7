"""Reads data.json: DCAT-US 1.1, DCAT-US 3 and the Argentinian profile."""
import re

from load import documents, many
from shape import Record, mail, text, web


def read(paths):
    for path in paths:
        for d in documents(path):
            yield from catalogue(d)


def catalogue(d):
    for x in many(d.get("dataset")) if isinstance(d, dict) else d:
        if isinstance(x, dict):
            yield dataset(x, "DATASET")
    if isinstance(d, dict):
        for x in many(d.get("datasetSeries")):
            if isinstance(x, dict):
                yield from (dataset(m, "DATASET") for m in many(x.get("seriesMember")) if isinstance(m, dict))
        for x in many(d.get("service")):
            if isinstance(x, dict):
                yield dataset(x, "API")
        for x in many(d.get("catalog")):
            if isinstance(x, dict):
                yield from catalogue(x)


LANGUAGES = {"en": "en", "eng": "en", "es": "es", "spa": "es", "fr": "fr", "pt": "pt", "de": "de"}

INTERVALS = {"R/P1Y": "ANNUAL", "R/P6M": "ANNUAL_2", "R/P3M": "QUARTERLY", "R/P1M": "MONTHLY", "R/P2W": "BIWEEKLY", "R/P1W": "WEEKLY", "R/P1D": "DAILY",
             "R/PT1S": "UPDATE_CONT"}


def labels(v, *keys):
    """Texts of a member that is a text, or an object with one of the keys."""
    for x in many(v):
        for y in [x] if isinstance(x, str) else [x.get(k) for k in keys] if isinstance(x, dict) else []:
            if isinstance(y, str) and y.strip():
                yield y.strip()


def dataset(x, kind):
    ids = list(labels(x.get("identifier"), "@id", "notation", "schemaAgency")) or list(labels(x.get("@id")))
    r = Record((ids or [text(x.get("title"))])[0], kind)
    for v in ids + list(labels(x.get("@id"))):
        r.identify("identifier", v)
    said = {re.split("[-_]", v.lower())[0] for v in labels(x.get("language"))}
    lang = LANGUAGES.get(said.pop(), "") if len(said) == 1 else ""
    for v in labels(x.get("title"), "@value"):
        r.tell("title", v, lang)
    for v in labels(x.get("description"), "@value"):
        if not re.fullmatch(r"\{\{\w+\}\}", v):  # ArcGIS Hub exports the gap of its template
            r.tell("description", v, lang)
    for v in many(x.get("keyword")):
        r.tell("keyword", v if isinstance(v, str) else "", lang)
    r.say("category", *labels(x.get("theme"), "@id", "prefLabel"), *labels(x.get("superTheme")))
    p = x.get("publisher")
    own = [("", n) for n in labels(p, "name", "prefLabel", "@value")]
    r.say("publisher", ("", tuple(own)) if own else None)
    for k in ("license", "rights") if not x.get("license") else ("license",):
        r.say("licence", *(v for v in labels(x.get(k), "@id", "title") if k == "license" or web(v)))
    level = text(x.get("accessLevel")).lower()
    r.say("access right", {"public": "PUBLIC", "restricted public": "RESTRICTED", "non-public": "NON_PUBLIC"}.get(level))
    r.say("issued", *labels(x.get("issued")))
    r.say("modified", *(v for v in labels(x.get("modified")) if not v.startswith("R/")))
    # An interval in place of the date is how often the data changes (DCAT-US 1.1).
    often = [*labels(x.get("accrualPeriodicity")), *(v for v in labels(x.get("modified")) if v.startswith("R/"))]
    r.say("frequency", *(INTERVALS[v] for v in often[:1] if v in INTERVALS))
    r.say("landing page", *(v for v in labels(x.get("landingPage"), "@id", "accessURL") if web(v)))
    for v in r.facts["landing page"]:
        r.identify("page", v)
    r.say("endpoint", *(v for v in labels(x.get("endpointURL"), "@id") if web(v)))
    r.say("endpoint description", *(v for v in labels(x.get("endpointDescription"), "@id") if web(v)))
    for c in many(x.get("contactPoint")):
        if isinstance(c, dict):
            reach = tuple(filter(None, (mail(v) or (v if web(v) else "") for v in list(labels(c.get("hasEmail"))) + list(labels(c.get("hasURL"))))))
            r.say("contact", (text(c.get("fn")), reach) if reach else None)
    # The Argentinian profile states how to reach the publisher (publisher.mbox).
    reach = tuple(filter(None, map(mail, labels(p, "mbox"))))
    r.say("contact", ("\n".join(n for _, n in own), reach) if reach else None)
    for d in many(x.get("distribution")):
        if isinstance(d, dict):
            found = tuple(v for k in ("downloadURL", "accessURL") for v in labels(d.get(k), "@id") if web(v))
            if found:
                r.say("distribution", found)
                r.say("address", *found)
                # "API" is what DCAT-US 1.1 has written for an address that is no file.
                r.say("format", tuple(f for f in [*labels(d.get("format"), "@id", "label"), *labels(d.get("mediaType"))] if f not in ("application/unknown", "API")))
    t = text(x.get("temporal")) if isinstance(x.get("temporal"), str) else ""
    if t.count("/") == 1 and all(t.split("/")) and "P" not in t:
        r.say("temporal", tuple(p.strip() for p in t.split("/")))
    for t in many(x.get("temporal")):
        if isinstance(t, dict) and (t.get("startDate") or t.get("endDate")):
            r.say("temporal", (text(t.get("startDate")), text(t.get("endDate"))))
    if isinstance(x.get("spatial"), str):
        where = re.sub(r"\{\{\w+\}\}", "", x["spatial"]).strip()  # nor is the gap of its template a place
        r.say("spatial", (where,) if where else None)
    r.say("series", *labels(x.get("inSeries"), "@id", "identifier"), text(x.get("isPartOf")) if isinstance(x.get("isPartOf"), str) else None)
    r.say("serves", *(v for v in labels(x.get("servesDataset"), "@id", "identifier")))
    return r
