"""Reads what the register keeps (`assay export`) and shows (its entry JSON)."""
import json
import os
import re

from shape import base, fold, web


class View:
    """One entry, kept or shown, in the terms of shape.Record."""

    def __init__(self, e, rows=()):
        self.id, self.slug, self.kind, self.status = e["id"], e["slug"], e["type"], e.get("status")
        self.merged_into = e.get("merged_into_id") or e.get("merged_into_entry_id")
        self.rows = rows
        self.refs = [upstream(x) for x in [e.get("upstream_ref")] + list(e.get("upstream_aliases") or []) if x]
        self.titles = texts(e, "titles", "name")
        self.descriptions = texts(e, "descriptions", "description")
        self.machine = {t.lower() for t in e.get("machine_translated") or []}
        self.alternatives = [t if isinstance(t, str) else t.get("value") or t.get("title", "") for t in e.get("alternative_titles") or []]
        self.keywords = {tag(t): {fold(k) for k in v} for t, v in (e.get("keywords") or {}).items()}
        self.tags = {fold(t) for t in e.get("tags") or []} | {k for v in self.keywords.values() for k in v}
        p = e.get("publisher") or {}
        self.publisher = [n for n in [e.get("publisher_name") or p.get("name"), *names(p.get("names"))] if n]
        self.publisher_iri = p.get("iri")
        self.publisher_ours = p.get("basis") not in (None, "publisher_stated")
        self.access = e.get("access_rights")
        self.themes = set(e.get("themes") or [])
        self.issued, self.modified = e.get("source_issued_at"), e.get("source_modified_at")
        self.series, self.serves = relations(e)
        self.contact = [v for k, v in (e.get("contact") or {}).items() if v and k != "name"]
        d = e.get("dataset") or e.get("dataset_details") or {}
        a = e.get("api") or e.get("api_details") or {}
        m = e.get("mcp") or e.get("mcp_details") or {}
        self.frequency = d.get("frequency") or a.get("frequency")
        self.spatial = [s if isinstance(s, str) else json.dumps(s) for s in (d.get("spatial") or []) + (a.get("spatial") or [])]
        self.temporal = [d.get("temporal_start"), d.get("temporal_end")]
        self.distributions = d.get("distributions") or []
        self.formats = set(e.get("formats") or []) | {f for x in self.distributions for f in (x.get("format"), x.get("media_type")) if f}
        self.licences = [x for x in [e.get("license_raw"), *(x for y in self.distributions for x in own_licence(y)), *licence_forms(e)] if x]
        self.endpoints = [x for x in [a.get("base_url"), m.get("endpoint_url"), *(a.get("other_urls") or [])] if x]
        self.pages = [x for x in [d.get("landing_page"), *(d.get("other_pages") or []), e.get("homepage_url"), e.get("docs_url"), e.get("repo_url"), e.get("primary_source_url"),
                                  a.get("openapi_url"), a.get("graphql_url"), a.get("terms_url"), a.get("ping_url")] if x]

    def addresses(self):
        for d in self.distributions:
            yield [v for k, w in d.items() if "url" in k and "license" not in k for v in every_string(w) if web(v)]

    def ours(self, field):
        """Whether the register says of a field that it, not the publisher, made it."""
        bases = {r["basis"] for r in self.rows if r["field"] == field}
        return bool(bases) and "publisher_stated" not in bases

    def refused(self, field):
        """Why the harvest says that it left a stated value out."""
        return next((r.get("note") or "refused" for r in self.rows if r["field"] == field and r["basis"] == "not_delivered"), None)


def tag(t):
    """A tag as the readers write it: none for a language that nobody states."""
    return "" if t.lower() == "und" else t.lower()


def upstream(ref):
    """The upstream id in `<catalogue>:<kind>:<upstream id>`, also where the
    catalogue has a port or a key with a colon."""
    return ref.split(":dataset:", 1)[-1].split(":service:", 1)[-1] if ":dataset:" in ref or ":service:" in ref else ref.split(":", 2)[-1]


def every_string(v):
    if isinstance(v, str):
        yield v
    elif isinstance(v, (dict, list)):
        for w in v.values() if isinstance(v, dict) else v:
            yield from every_string(w)


def names(v):
    """Names by language: a map to a name or to several."""
    for w in (v or {}).values():
        yield from [w] if isinstance(w, str) else w


def texts(e, by_tag, single):
    """Texts by tag; of an entry without the map, its two single ones."""
    if e.get(by_tag):
        return {tag(t): v if isinstance(v, str) else "\n".join(v) for t, v in e[by_tag].items()}
    out = {}
    if e.get(single):
        out[base(e.get("native_lang") or "")] = e[single]
    if e.get(single + "_en"):
        out["en"] = e[single + "_en"]
    return out


def licence_forms(e):
    l = e.get("license")
    return [l.get("eu_uri"), l.get("url")] if isinstance(l, dict) else []


def own_licence(file):
    """The licence that a file has of its own: as it is stated where that is kept, else the id or the text of its page, the id of a
    licence of Creative Commons with the address that it stands for."""
    shown = file.get("license") or ""
    parts = re.fullmatch(r"CC-(BY(?:-NC)?(?:-SA|-ND)?)-(\d\.\d)(?:-([A-Z]{2}))?", shown)
    address = parts and "/".join(["https://creativecommons.org/licenses", *(p.lower() for p in parts.groups() if p)])
    return [x for x in (file.get("license_raw"), shown, "https://creativecommons.org/publicdomain/zero/1.0" if shown == "CC0-1.0" else address) if x]


def relations(e):
    """Series and served datasets: the upstream id and the entry of each."""
    series, serves = [], []
    for r in e.get("relations") or []:
        link = upstream(r.get("ref") or ""), r.get("entry_id")
        if r.get("kind") == "in_series":
            series.append(link)
        elif r.get("kind") == "serves_dataset":
            serves.append(link)
    for m in e.get("members") or e.get("datasets") or []:
        serves.append((m.get("url") or m.get("name") or "", m.get("entry_id")))
    return series, serves


def kept(path):
    """The entries of an export."""
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line.startswith('{"kind":"entry"'):
                d = json.loads(line)
                yield View(d["entry"], (d.get("provenance") or {}).get("rows") or ())


def shown(site, views):
    """The pages of kept entries, None for one that has no page."""
    for v in views:
        path = os.path.join(site, "api/v1/entries", v.slug, "index.json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as f:
                e = json.load(f)
            yield View(e.get("entry", e) if "id" not in e else e, v.rows)
        else:
            yield None
