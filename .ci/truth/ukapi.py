"""Reads catalogue.csv of the UK's API catalogue, with organisation.csv beside it."""
import csv
import io
import os

from load import opened
from shape import Record, mail, text, web


def read(paths):
    for path in paths:
        side = os.path.join(os.path.dirname(path), "organisation.csv")
        names = {o["id"]: o["name"] for o in rows(side)} if os.path.exists(side) else {}
        for n, x in enumerate(rows(path), 2):
            yield api(n, x, names)


def rows(path):
    return csv.DictReader(io.StringIO(opened(path)))


def api(n, x, names):
    r = Record(text(x.get("name")) or f"line {n}", "API")
    # A catalogue without ids: an API is its address and its name.
    r.identify("identifier", f"{text(x.get('url'))} {text(x.get('name'))}")
    r.identify("page", x.get("url"))
    r.identify("page", x.get("documentation"))
    r.tell("title", x.get("name"), "en")
    r.tell("description", text(x.get("description")).replace("\\n", "\n"), "en")
    own = names.get(text(x.get("provider"))) or text(x.get("provider"))
    r.say("publisher", ("", (("", own),)) if own else None)
    r.say("licence", text(x.get("license")))
    r.say("endpoint", x["url"].strip() if web(x.get("url")) else None)
    r.say("landing page", x["documentation"].strip() if web(x.get("documentation")) else None)
    reach = mail(x.get("maintainer")) or (text(x.get("maintainer")) if web(x.get("maintainer")) else "")
    r.say("contact", ("", (reach,)) if reach else None)
    r.say("issued", text(x.get("startDate") or x.get("dateAdded")))
    r.say("modified", text(x.get("dateUpdated")))
    return r
