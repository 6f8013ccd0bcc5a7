"""Reads the MCP registry: lists of servers in its forms, the newest version of each."""
from load import documents, items, many
from shape import Record, text, web


def read(paths):
    for path in paths:
        newest = {}
        for d in documents(path):
            for x in items(d, "servers"):
                s = x.get("server") if isinstance(x.get("server"), dict) else x
                meta = x.get("_meta") or s.get("_meta") or {}
                official = meta.get("io.modelcontextprotocol.registry/official") or {}
                detail = s.get("version_detail") or {}
                latest = official.get("isLatest", official.get("is_latest", detail.get("is_latest")))
                status = text(official.get("status") or s.get("status")).lower()
                name = text(s.get("name"))
                if name and (name not in newest or latest is not False):
                    newest[name] = server(name, s, official, status)
        yield from newest.values()


def server(name, s, official, status):
    r = Record(name, "MCP_SERVER")
    r.identify("identifier", name)
    r.tell("title", s.get("title") or name)
    r.tell("description", s.get("description"))
    # One server by several transports: streamable HTTP replaces SSE (MCP 2025-03-26, "Transports").
    remotes = sorted((x for x in many(s.get("remotes")) if web(x.get("url"))), key=lambda x: "sse" == text(x.get("type") or x.get("transport_type")))
    r.say("endpoint", *(x["url"] for x in remotes[:1]))
    r.say("landing page", *(u for u in ((s.get("repository") or {}).get("url"), s.get("websiteUrl") or s.get("website_url")) if web(u)))
    # A registry's dates are those of the version, which is what changed.
    r.say("modified", *(text(official.get(k)) for k in ("publishedAt", "published_at", "updatedAt", "updated_at")), text((s.get("version_detail") or {}).get("release_date")))
    r.status = status
    return r
