"""Recomputes the scores of entries from a built site: recompute.py SITE [COUNT [SEED]]

Written from /methodology alone: weights, points and bands are read there, and
each condition below is the sentence that stands there beside the rule. It
compares all axes, totals, the tier and two figures with what the site shows,
exactly, and ends with 1 if one differs. COUNT entries are drawn by SEED.
"""
import glob
import json
import os
import random
import sys
from datetime import date
from decimal import ROUND_HALF_UP, Decimal


def load(*path):
    with open(os.path.join(*path), encoding="utf-8") as f:
        return json.load(f)


def rounded(x, places="0.1"):
    return Decimal(x).quantize(Decimal(places), ROUND_HALF_UP)


def at(e, path):
    for name in path.split("."):
        e = (e or {}).get(name)
    return e


def there(e, *paths):
    return any(at(e, p) not in (None, "", [], {}) for p in paths)


def licensed(e):
    return there(e, "license", "license_raw") and at(e, "license.id") != "UNSPECIFIED"


def described(e):
    f = at(e, "api_details.spec_format") or ""
    return there(e, "api_details.openapi_url", "api_details.graphql_url") or f.startswith("ogc-") or f in ("arcgis-rest", "odata", "sdmx", "soap", "sparql")


def clarity(e):
    """The index of the level of licence clarity."""
    if not licensed(e):
        return 3
    if not e["license"]:
        return 2
    rights = ("commercial_use", "redistribution", "attribution_required", "share_alike")
    clear = e["license"]["open"] == "yes" and there(e, "license.url") and all(at(e, f"reuse.{r}.status") == "known" for r in rights)
    return 0 if clear else 1


def tests(method):
    home, docs, tags = (lambda e: there(e, "homepage_url")), (lambda e: there(e, "docs_url")), (lambda e: there(e, "tags"))
    run = lambda e: any(a.get("runnable") and a.get("direct") for a in at(e, "access.actions") or [])
    landing = lambda e: there(e, "dataset_details.landing_page", "homepage_url")
    files, tools, remote = (lambda e: there(e, "dataset_details.distributions")), (lambda e: there(e, "mcp_details.tools")), (lambda e: there(e, "mcp_details.endpoint_url"))
    known = lambda v: v not in (None, "", "UNKNOWN")
    return {
        "metadata.description": lambda e: there(e, "description"), "metadata.homepage": home, "metadata.landing_page": landing, "metadata.docs": docs,
        "metadata.repository": lambda e: there(e, "repo_url"), "metadata.tags": tags, "metadata.institution": lambda e: there(e, "publisher.name", "institution"),
        "metadata.country": lambda e: there(e, "country_code"), "metadata.base_url": lambda e: there(e, "api_details.base_url"),
        "metadata.machine_description": described, "metadata.endpoint": remote, "metadata.tools": tools, "metadata.auth": lambda e: known(e["auth_type"]),
        "metadata.terms": lambda e: licensed(e) or there(e, "api_details.terms_url"), "metadata.formats": lambda e: there(e, "formats"),
        "metadata.distribution": files, "metadata.licence": licensed, "metadata.modified": lambda e: there(e, "source_modified_at"),
        "metadata.frequency": lambda e: known(at(e, "dataset_details.frequency")),
        "metadata.coverage": lambda e: there(e, "dataset_details.spatial", "dataset_details.temporal_start", "dataset_details.temporal_end"),
        "metadata.contact": lambda e: there(e, "contact.name", "contact.url", "contact.email"),
        "agent.machine_description": described, "agent.known_format": lambda e: at(e, "api_details.spec_format") not in (None, "", "none"),
        "agent.docs": docs, "agent.homepage": home, "agent.tags": tags, "agent.runnable": run, "agent.landing_page": landing, "agent.distributions": files,
        "agent.documentation": docs, "agent.machine_format": lambda e: any(f.upper() in method["machine_formats"] for f in e["formats"] or []),
        "agent.profiled_fields": lambda e: there(e, "data_profile.fields"), "agent.example_query": lambda e: there(e, "data_profile.query_examples"),
        "agent.runnable_download": run, "agent.endpoint": remote, "agent.handshake": lambda e: there(e, "mcp_details.handshake_at"), "agent.tools": tools,
        "agent.mcp_docs": docs, "agent.mcp_tags": tags,
    }


def axes(method, e, checks, test):
    rules = {}
    for r in method["rules"]:
        for p in r["points"]:
            if p["type"] == e["type"]:
                rules.setdefault(r["axis"], []).append((r, Decimal(str(p["points"]))))
    held = {s["kind"] for s in e["signals"] or [] if s["held"]}
    official = sum(p for r, p in rules["officialness"] if r["id"].split(".")[1] in held) if e["signals"] else None
    judged = rules["metadata_completeness"]
    levels = next(r for r, _ in rules["licence_clarity"])["levels"]
    steps = [s["points"] for s in next(r for r, _ in rules["availability"])["levels"]]
    return {
        "officialness": official if e["is_public_sector"] else Decimal(50),
        "availability": next(Decimal(str(p)) for p in steps if 100 * checks["up"] >= p * checks["total"]) if checks["total"] else None,
        "metadata_completeness": rounded(Decimal(100 * sum(test[r["id"]](e) for r, _ in judged)) / len(judged)),
        "licence_clarity": Decimal(levels[clarity(e)]["points"]),
        "agent_readiness": sum(p for r, p in rules["agent_readiness"] if test[r["id"]](e)),
    }


def recompute(method, e, checks, day, test):
    v = axes(method, e, checks, test)
    out = {"axes": {k: None if x is None else rounded(x) for k, x in v.items()}}
    keep = Decimal(0)
    if e["source_modified_at"]:
        days = max(0, (date.fromisoformat(day) - date.fromisoformat(e["source_modified_at"][:10])).days)
        days = max(s for s in method["freshness"]["age_steps_days"] if s <= days)
        keep = rounded(Decimal(0.5 ** (days / method["freshness"]["half_life_days"])), "0.0001")
    out["maintenance_score"] = keep
    v["freshness"] = rounded(100 * keep)
    v["verification"] = Decimal(str(next(s["points"] for s in method["verification_points"] if s["state"] == e["verification_state"])))
    # In a register that has counted no uses popularity is unknown; e shows 0 then too.
    used = Decimal(e["popularity_score"])
    v["popularity"] = rounded(100 * used)
    for f in method["formulas"]:
        if f["applies_to"] in (None, "official" if e["is_public_sector"] else "not official"):
            terms = [t for t in f["terms"] if t["input"] != "popularity" or COUNTED]
            out[f["score"]] = rounded(sum(t["weight"] * (v[t["input"]] or 0) for t in terms) / sum(t["weight"] for t in terms))
    out["mqa_tier"] = next((b["tier"] for b in method["mqa_tiers"] if out["mqa_score"] >= Decimal(str(b["from"]))), "unranked")
    return out


def main(site, count=None, seed=1):
    global COUNTED
    method = load(site, "api/v1/methodology/index.json")
    test, day = tests(method), load(site, "api/v1/status/index.json")["as_of"][:10]
    found = sorted(glob.glob(os.path.join(site, "api/v1/entries/*/quality-score/index.json")))
    # A register that counts uses shows one somewhere.
    COUNTED = any(Decimal(load(os.path.dirname(os.path.dirname(p)), "index.json")["popularity_score"]) > 0 for p in found[:: max(1, len(found) // 2000)])
    drawn = random.Random(int(seed)).sample(found, min(len(found), int(count or len(found))))
    wrong = 0
    for path in drawn:
        quality, home = load(path), os.path.dirname(os.path.dirname(path))
        e = load(home, "index.json")
        got = recompute(method, e, load(home, "checks/index.json"), day, test)
        want = {**{k: quality[k] for k in ("mqa_score", "trust_score", "ranking_score", "mqa_tier")}, "maintenance_score": e["maintenance_score"],
                **{a["id"]: a["value"] for a in quality["axes"]}}
        got.update(got.pop("axes"))
        for k, w in want.items():
            g = got[k]
            if not (g == w if w is None or g is None or k == "mqa_tier" else g == Decimal(str(w))):
                wrong += 1
                print(f"{e['slug']}: {k} is {w}, recomputed {g}")
    print(f"{len(drawn)} entries recomputed, {wrong} values differ")
    return 1 if wrong or not drawn else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
