"""Reads the pages of api.gouv.fr: YAML between dashes, then Markdown."""
import os
import re

import yaml

from load import many, opened
from shape import Record, mail, text, web


def read(paths):
    producers = {}
    for p in paths:
        if os.path.basename(os.path.dirname(p)) == "producteurs":
            producers[os.path.basename(p)[:-3]] = front(p)
    for p in paths:
        if os.path.basename(os.path.dirname(p)) == "api" and p.endswith(".md"):
            x = front(p)
            if isinstance(x, dict):
                yield api(os.path.basename(p)[:-3], x, producers)


def front(path):
    parts = re.split(r"^---[ \r]*(?:\n|$)", opened(path), maxsplit=2, flags=re.M)
    try:
        return yaml.safe_load(parts[1].replace("\t", "  ")) if len(parts) == 3 else None
    except yaml.YAMLError:
        return None


def api(name, x, producers):
    r = Record(name, "API")
    r.identify("identifier", name)
    r.tell("title", x.get("title"), "fr")
    r.tell("description", x.get("tagline"), "fr")
    for k in many(x.get("keywords")):
        r.tell("keyword", text(k), "fr")
    r.say("category", *(text(k) for k in many(x.get("themes"))))
    p = producers.get(text(x.get("producer"))) or {}
    own = [("", text(n)) for n in (p.get("name"), p.get("acronym"), x.get("producer") if not p else None) if n]
    r.say("publisher", ("", tuple(own)) if own else None)
    r.say("endpoint description", *(x[k] for k in ("doc_tech_link",) if web(x.get(k))))
    r.say("landing page", *(x[k] for k in ("external_site", "doc_tech_external") if web(x.get(k))))
    day = re.fullmatch(r"(\d\d)/(\d\d)/(\d{4})", text(x.get("last_update")))
    r.say("modified", f"{day[3]}-{day[2]}-{day[1]}" if day else None)
    # is_open is 1 for all, 0 with an account, -1 with an authorisation that few bodies get.
    r.say("access right", "RESTRICTED" if text(x.get("is_open")) == "-1" else None)
    link = text(x.get("contact_link"))
    reach = tuple(v for v in ([link] if web(link) and not mail(link) else map(mail, link.split(","))) if v)
    r.say("contact", ("", reach) if reach else None)
    return r
