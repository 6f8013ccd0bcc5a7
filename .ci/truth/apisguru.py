"""Reads list.json of APIs.guru."""
from load import documents, many
from shape import Record, mail, text, web


def read(paths):
    for path in paths:
        for d in documents(path):
            for name, x in d.items():
                if isinstance(x, dict) and isinstance(x.get("versions"), dict) and x["versions"]:
                    v = x["versions"].get(x.get("preferred")) or list(x["versions"].values())[-1]
                    yield api(name, {"added": x.get("added"), **v})


def api(name, v):
    info = v.get("info") or {}
    r = Record(name, "API")
    r.identify("identifier", name)
    r.tell("title", info.get("title"))
    r.tell("description", info.get("description"))
    # One description at several addresses: the provider's, and the directory's copy of it.
    places = [o.get("url") for o in many(info.get("x-origin")) if text(o.get("format")).lower() in ("openapi", "swagger")] + [v.get("swaggerUrl")]
    r.say("endpoint description", tuple(u for u in places if web(u)))
    r.say("category", *(info.get("x-apisguru-categories") or []), *(info.get("x-tags") or []))
    r.say("publisher", ("", (("", info["x-providerName"]),)) if info.get("x-providerName") else None)
    c, l = info.get("contact") or {}, info.get("license") or {}
    reach = tuple(filter(None, [mail(c.get("email")), c.get("url") if web(c.get("url")) else ""]))
    r.say("contact", (text(c.get("name")), reach) if reach else None)
    r.say("licence", text(l.get("url") or l.get("name")))
    r.say("modified", text(v.get("updated")))
    r.say("issued", text(v.get("added")))
    return r
