"""Holds every form of a built site to the publisher's name.

    publisher.py SITE

The name that a line of entries.ndjson has as stated, else one of the institution's,
must stand in the citation and the schema.org JSON-LD of the entry's page, in its
DCAT and in its OKF concept. truth.py asks the same with what the source states.
"""
import html
import json
import os
import re
import sys
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from shape import letters  # noqa: E402

CITATION = re.compile(r'<section[^>]* id="cite".*?</section>', re.S)
SCRIPT = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.S)


def read(site, *at):
    path = os.path.join(site, *at)
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as f:
        return f.read()


def squeeze(text):
    return re.sub(r"\s+", " ", text).strip()


def cited(page, _):
    """The text of the citation, in which the name comes first."""
    found = CITATION.search(page)
    return squeeze(html.unescape(re.sub(r"<[^>]+>", " ", found[0]))) if found else ""


def structured(page, _):
    """The publisher's names in schema.org terms."""
    for script in SCRIPT.findall(page):
        for thing in everything(json.loads(html.unescape(script) if "&quot;" in script else script)):
            for role in ("publisher", "creator", "provider"):
                if isinstance(thing.get(role), dict) and thing[role].get("name") and thing.get("@type") not in ("DataCatalog", "WebSite"):
                    yield role, thing[role]["name"]


def everything(v):
    """All objects below a value, and itself."""
    if isinstance(v, dict):
        yield v
        v = list(v.values())
    for w in v if isinstance(v, list) else ():
        yield from everything(w)


def dcat(document, entry):
    """All foaf:names of the agents that are dct:publisher of the entry."""
    nodes = [n for n in everything(json.loads(document)) if "@id" in n]
    publishers = {link["@id"] for n in nodes if n["@id"].endswith("/id/" + entry) for link in listed(n, "publisher")}
    for agent in nodes:
        if agent["@id"] in publishers:
            yield from (x if isinstance(x, str) else x.get("@value", "") for x in listed(agent, "name"))


def listed(node, term):
    for key, v in node.items():
        if re.split(r"[:/#]", key)[-1] == term:
            yield from v if isinstance(v, list) else [v]


def okf(document, _):
    """The publisher in the front matter of a concept."""
    found = re.search(r"^publisher: (.*)$", document.split("\n---", 1)[0], re.M)
    if not found:
        return []
    text = found[1].strip()
    return [json.loads(text) if text.startswith('"') else text[1:-1].replace("''", "'") if text.startswith("'") else text]


def same(a, b):
    return letters(a) == letters(b)


class Look:
    """What the forms of a site call the publisher: how many say a name that they should, and examples of the others."""

    def __init__(self, site):
        self.site, self.right, self.wrong, self.examples = site, Counter(), Counter(), {}
        folder = os.path.join(site, "api/v1/okf")
        self.concepts = {f[:-3]: os.path.join(d, f) for d, _, files in os.walk(folder) for f in files if f.endswith(".md")}

    def at(self, entry, slug, names):
        """Looks for one of the names in every form of an entry."""
        page = read(self.site, "entry", slug, "index.html")
        if page:
            self.count("citation", slug, any(letters(n) in letters(cited(page, slug)) for n in names), names, cited(page, slug)[:200])
            roles = list(structured(page, slug))
            self.count("schema.org", slug, bool(roles) and all(any(same(n, v) for n in names) for _, v in roles), names, roles)
        document = read(self.site, "id", entry + ".jsonld")
        if document:
            said = list(dcat(document, entry))
            self.count("DCAT", slug, any(same(n, v) for n in names for v in said), names, said)
        if slug in self.concepts:
            said = okf(read(self.concepts[slug]), slug)
            self.count("OKF", slug, any(same(n, v) for n in names for v in said), names, said)

    def count(self, form, slug, right, names, said):
        (self.right if right else self.wrong)[form] += 1
        if not right:
            self.examples.setdefault(form, []).append((slug, names, said))

    def tell(self, out=sys.stdout):
        for form in ("citation", "schema.org", "DCAT", "OKF"):
            print(f"publisher in {form}: {self.right[form]} right, {self.wrong[form]} wrong", file=out)
            for e in self.examples.get(form, [])[:3]:
                print(f"  {e[0]}: {e[1]} is called {e[2]}", file=out)
        return not self.wrong and all(self.right[form] for form in ("citation", "schema.org", "DCAT", "OKF"))


def main(site):
    look = Look(site)
    with open(os.path.join(site, "api/v1/export/entries.ndjson"), encoding="utf-8") as f:
        for line in f:
            e = json.loads(line)
            body = e["institution"] or {}
            names = [e["publisher_name"]] if e["publisher_name"] else [n for n in (body.get("name"), body.get("name_en")) if n]
            if names:
                look.at(e["id"], e["slug"], names)
    return look.tell()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if not main(sys.argv[1]):
        sys.exit(1)
