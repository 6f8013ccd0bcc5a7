"""Reads the Socrata Discovery API: results one a line, or an answer."""
import re

from load import documents, items, many
from shape import Record, mail, text, web


def read(paths):
    for path in paths:
        for d in documents(path):
            yield from (result(x) for x in items(d, "results") if isinstance(x.get("resource"), dict))


def result(x):
    s, c, m = x["resource"], x.get("classification") or {}, x.get("metadata") or {}
    r = Record(text(s.get("id")), "DATASET")
    r.identify("identifier", s.get("id"))
    r.tell("title", s.get("name"))
    r.tell("description", s.get("description"))
    for t in many(c.get("domain_tags")) + many(c.get("tags")):
        r.tell("keyword", t)
    r.say("category", *many(c.get("categories")), text(c.get("domain_category")), text(s.get("type")))
    said = {e.get("key"): text(e.get("value")) for e in many(c.get("domain_metadata")) if isinstance(e, dict)}
    # The agency in the portal's own fields is who publishes; attribution names whom to credit.
    own = [("", v) for v in [text(s.get("attribution"))] + [v for k, v in said.items() if agency(k)] if v]
    r.say("publisher", ("", tuple(own)) if own else None)
    level = next((v for k, v in said.items() if text(k).lower().endswith("public-access-level")), "").lower()
    r.say("access right", {"public": "PUBLIC", "restricted public": "RESTRICTED", "non-public": "NON_PUBLIC"}.get(level))
    r.say("licence", text(m.get("license")))
    r.say("issued", text(s.get("publication_date")), text(s.get("createdAt")))
    r.say("modified", text(s.get("data_updated_at")), text(s.get("updatedAt")))
    person = "\n".join(v for k, v in said.items() if re.search(r"contact-(name|person)$", text(k).lower()))
    reach = [mail(v) for v in [s.get("contact_email")] + [v for k, v in said.items() if text(k).lower().endswith("contact-email")]]
    r.say("contact", *((person, (v,)) for v in reach if v))
    r.say("landing page", *(x[k] for k in ("permalink", "link") if web(x.get(k))))
    return r


def agency(key):
    """A portal's own field that names the body, as <group>_<field>."""
    field = text(key).lower().split("_")[-1]
    return field in ("agency", "agency-name", "publisher", "department", "department/agency", "department-name", "owner-department", "entidad", "nombre-de-la-entidad", "data-owner")
