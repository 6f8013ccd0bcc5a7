"""Reads udata: lists of datasets and of dataservices."""
from load import documents, items, many
from shape import Record, mail, text, web


def read(paths):
    for path in paths:
        for d in documents(path):
            for x in items(d, "data"):
                if isinstance(x.get("dataset"), dict):  # a page: a dataset with what belongs to it
                    yield dataset({"organization": x.get("organization"), "resources": x.get("resources"), **{k: v for k, v in x["dataset"].items() if v not in (None, {}, [])}})
                    yield from (service(s) for s in many(x.get("dataservices")))
                else:
                    yield service(x) if "base_api_url" in x else dataset(x)


def common(x, kind):
    r = Record(text(x.get("id")), kind)
    r.identify("identifier", x.get("id"))
    r.tell("title", x.get("title"))
    r.tell("description", x.get("description"))
    for t in many(x.get("tags")):
        r.tell("keyword", t)
    o = x.get("organization")
    own = [("", o["name"])] if isinstance(o, dict) and o.get("name") else []
    r.say("publisher", ("", tuple(own)) if own else None)
    r.say("licence", text(x.get("license")))
    r.say("access right", "NON_PUBLIC" if x.get("private") is True else None)
    r.say("issued", text(x.get("created_at")), text(x.get("created_at_internal")))
    reach = [(text(c.get("name")), tuple(filter(None, (mail(c.get("email")), text(c.get("contact_form")))))) for k in ("contact_points", "contact_point") for c in many(x.get(k)) if isinstance(c, dict)]
    r.say("contact", *(c for c in reach if c[1]))
    return r


def dataset(x):
    r = common(x, "DATASET")
    harvest = x.get("harvest") or {}
    r.say("issued", text(harvest.get("issued_at") or harvest.get("created_at")))
    r.say("modified", text(x.get("last_modified")), text(x.get("last_update")), text(x.get("last_modified_internal")), text(x.get("metadata_modified_at")), text(harvest.get("modified_at")))
    r.say("landing page", x.get("page") if web(x.get("page")) else None)
    if x.get("frequency") and x["frequency"] != "unknown":
        r.say("frequency", x["frequency"])
    t = x.get("temporal_coverage")
    if isinstance(t, dict):
        r.say("temporal", (text(t.get("start")), text(t.get("end"))))
    resources = x.get("resources")
    for d in many(resources) if not isinstance(resources, dict) else []:
        if isinstance(d, dict) and web(d.get("url")):
            r.say("distribution", (d["url"].strip(),))
            r.say("address", d["url"])
            r.say("format", text(d.get("format") or d.get("mime")))
    return r


def service(x):
    r = common(x, "API")
    r.say("modified", text(x.get("metadata_modified_at")), text(x.get("last_modified")))
    r.say("endpoint", x["base_api_url"] if web(x.get("base_api_url")) else None)
    r.say("endpoint description", *(x[k] for k in ("machine_documentation_url", "endpoint_description_url") if web(x.get(k))))
    return r
