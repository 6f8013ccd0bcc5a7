"""Compares what a catalogue states with what the register keeps or shows, field by field."""
import re
from collections import defaultdict

from person import personal
from shape import address, base, fold, letters, machine, mail, same_time, sensible, web

RIGHT, MISSING, DIFFERING, WITHHELD, UNSTATED, EXPOSED = "right", "missing", "differing", "withheld", "unstated", "exposed"
FIELDS = ["title", "title by machine", "description", "description by machine", "keyword", "keyword in its language", "publisher name", "publisher IRI",
          "licence", "access right", "theme", "issued", "modified", "frequency", "format", "distribution", "address", "landing page", "endpoint",
          "endpoint description", "contact", "spatial", "temporal", "series", "serves"]


# Under which name the register says where a field comes from.
ROWS = {"title": "name", "keyword": "tags", "publisher name": "publisher_name", "licence": "license_raw", "access right": "access_rights",
        "issued": "source_issued_at", "modified": "source_modified_at", "address": "dataset.distributions"}


class Tally:
    """Counts of outcomes by field, with the first examples of each."""

    def __init__(self, examples=5):
        self.n = defaultdict(lambda: defaultdict(int))
        self.examples, self.max = defaultdict(list), examples

    def add(self, field, outcome, record, stated, shown):
        self.n[field][outcome] += 1
        if outcome != RIGHT:
            self.examples[field, outcome].append((record.place, brief(stated), brief(shown)))
            if len(self.examples[field, outcome]) > self.max:
                self.examples[field, outcome].pop()

    def count(self, field, outcome=RIGHT):
        return self.n.get(field, {}).get(outcome, 0)

    def stated(self, field):
        return sum(n for outcome, n in self.n[field].items() if outcome != UNSTATED)


def brief(v):
    s = re.sub(r"\s+", " ", str(v))
    return s if len(s) <= 160 else s[:110] + " … " + s[-45:]


def compare(record, view, tally):
    """Adds the outcome of every stated value of a record."""
    for field, fn in COMPARERS:
        for name, outcome, stated, shown in fn(field, record, view):
            if outcome != UNSTATED or not view.ours(ROWS.get(name, name)):
                tally.add(name, outcome, record, stated, shown)


def judge(field, stated, shown, same):
    """Outcomes of a set of values: each stated one is shown, or another is, or none."""
    shown = list(shown)
    for s in stated:
        yield field, RIGHT if any(same(s, v) for v in shown) else DIFFERING if shown else MISSING, s, shown


def title(field, r, v):
    for lang, said in r.facts[field]:
        name = field + (" by machine" if machine(lang) else "")
        yield in_language(name, lang, said, v, v.titles, lambda a, b: letters(a) == letters(b), v.alternatives)
    said = [t for _, t in r.facts[field]]
    for lang, shown in v.titles.items():
        if not any(letters(shown) == letters(t) for t in said):
            yield field, UNSTATED, said, f"{lang}: {shown}"


def in_language(name, lang, said, v, shown, same, others=()):
    """Whether a text is there under its tag. A machine's is right under its own
    tag, or under that of its language if it is marked as a machine's."""
    here = {t: s for t, s in shown.items() if t == lang or base(t) == base(lang) or not lang or not t}
    for t, s in here.items():
        if same(said, s):
            marked = machine(t) or t in v.machine or base(t) in v.machine
            return name, RIGHT if not machine(lang) or marked else DIFFERING, f"{lang}: {said}", f"{t}: {s}" + ("" if not machine(lang) or marked else " (not marked)")
    if any(same(said, o) for o in others):
        return name, RIGHT, said, said
    return name, DIFFERING if here else MISSING, f"{lang}: {said}", here


def description(field, r, v):
    """Parts in one language belong to one text, in the order of the source."""
    parts = defaultdict(list)
    for lang, said in r.facts[field]:
        parts[lang].append(said)
    for lang, said in parts.items():
        name = field + (" by machine" if machine(lang) else "")
        yield in_language(name, lang, "\n".join(said), v, v.descriptions, lambda a, b: in_order(said, b))


def in_order(parts, shown):
    shown, at, parts = letters(shown), 0, [letters(p) for p in parts]
    for i, p in enumerate(parts):
        found = shown.find(p, at)
        if found < 0:
            if p in shown and any(p in q for j, q in enumerate(parts) if j != i):
                continue  # another part repeats it
            return False
        at = found + len(p)
    return True


def keyword(field, r, v):
    for lang, said in r.facts[field]:
        k = fold(said)
        yield field, RIGHT if k in v.tags else DIFFERING if v.tags else MISSING, said, sorted(v.tags)
        here = [w for t, w in v.keywords.items() if t == lang or base(t) == base(lang) or not lang]
        yield field + " in its language", RIGHT if any(k in w for w in here) else DIFFERING if here else MISSING, f"{lang}: {said}", here
    # A tag may be made of a category, which is not a keyword but stated, too.
    said = {letters(k) for _, k in r.facts[field]} | {letters(k) for k in r.facts["category"]}
    for k in v.tags:
        if letters(k) not in said:
            yield field, UNSTATED, sorted(said), k


def publisher(field, r, v):
    said = r.facts[field]
    every = [n for _, own in said for _, n in own]
    if every:
        main = v.publisher[:1]
        yield field + " name", RIGHT if main and any(letters(main[0]) == letters(n) for n in every) else DIFFERING if main else MISSING, every, main
    elif v.publisher and not v.publisher_ours:
        yield field + " name", UNSTATED, said, v.publisher[:1]
    iris = [i for i, _ in said if i]
    if iris:
        yield field + " IRI", RIGHT if v.publisher_iri in iris else DIFFERING if v.publisher_iri else MISSING, iris, v.publisher_iri


def licence(field, r, v):
    said, shown = r.facts[field], v.licences
    yield from judge(field, said, shown, lambda a, b: any(same_term(x, b) for x in (a if isinstance(a, tuple) else (a,))))
    for x in shown:
        if not said and x in v.licences[:1]:
            yield field, UNSTATED, said, x


def same_term(a, b):
    if web(a) and web(b):
        strip = lambda u: re.sub(r"^https?://(www\.)?", "", address(u)).rstrip("/#").casefold()
        return strip(a) == strip(b)
    return letters(a) == letters(b) or mail(a) != "" and mail(a) == mail(b)


def access(field, r, v):
    said = r.facts[field]
    if said:
        yield field, RIGHT if v.access in said else DIFFERING if v.access else MISSING, said, v.access
    elif v.access:
        yield field, UNSTATED, said, v.access


def theme(field, r, v):
    yield from judge(field, r.facts[field], v.themes, lambda a, b: a == b)


def date(field, r, v):
    shown = getattr(v, field)
    said = [d for d in r.facts[field] if sensible(d)]
    if said:
        yield field, RIGHT if shown and any(same_time(d, shown) for d in said) else DIFFERING if shown else MISSING, said, shown
    elif shown and not r.facts[field]:
        yield field, UNSTATED, said, shown


def frequency(field, r, v):
    for said in r.facts[field][:1]:
        yield field, RIGHT if v.frequency and pace(v.frequency) in map(pace, r.facts[field]) else DIFFERING if v.frequency else MISSING, said, v.frequency


# What catalogues call the codes of the frequency table: its former names, those of
# udata (where "punctual" is a dataset that is never updated), words in Dutch.
PACES = {"yearly": "annual", "continual": "cont", "continuous": "cont", "updatecont": "cont", "punctual": "never", "completelyirregular": "irreg", "irregular": "irreg", "semiannual": "annual2", "biannual": "annual2", "driejaarlijks": "triennial"}


def pace(s):
    """A code of the frequency table however it is written; YEARLY is ANNUAL's old name."""
    s = re.sub(r"[^a-z0-9]", "", s.casefold())
    return PACES.get(s, s)


# Names of one format: a media type, what catalogues write, and codes of the
# authority table that differ in how the bytes are served.
ALIASES = {"geojson": ["application/geo+json", "application/vnd.geo+json"], "json": ["application/json", "text/json"], "csv": ["text/csv"],
           "wms": ["wms_srvc", "ogc:wms"], "wfs": ["wfs_srvc", "ogc:wfs"], "wcs": ["wcs_srvc", "ogc:wcs"], "wmts": ["wmts_srvc", "ogc:wmts"],
           "xlsx": ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"], "xls": ["application/vnd.ms-excel", "excel"],
           "pdf": ["application/pdf"], "xml": ["application/xml", "text/xml"], "html": ["text/html", "htm", "web page", "webpage", "page web", "www"], "zip": ["application/zip", "application/x-zip-compressed"],
           "kml": ["application/vnd.google-earth.kml+xml"], "kmz": ["application/vnd.google-earth.kmz"], "shp": ["shapefile", "esri shapefile", "application/vnd.shp", "application/x-shapefile"],
           "txt": ["text/plain", "text"], "gpkg": ["geopackage", "application/geopackage+sqlite3"], "jpeg": ["jpg", "image/jpeg"], "tiff": ["tif", "image/tiff"],
           "png": ["image/png"], "rdf_xml": ["application/rdf+xml", "rdf"], "json_ld": ["application/ld+json", "jsonld", "json-ld"], "rdf_turtle": ["text/turtle", "ttl", "turtle"],
           "rest": ["esri rest", "arcgis geoservice", "arcgis geoservices rest api"], "dwca": ["dwc-a", "darwin core archive"], "bin": ["application/octet-stream"],
           "rss": ["application/rss+xml"], "px": ["pc-axis", "pc_axis", "pcaxis", "text/x-pcaxis"], "doc": ["application/msword", "word"], "docx": ["application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
           "tsv": ["text/tab-separated-values"], "ods": ["application/vnd.oasis.opendocument.spreadsheet"], "n3": ["text/n3"], "parquet": ["application/vnd.apache.parquet", "application/parquet"],
           "rdf_n_triples": ["application/n-triples", "n-triples", "nt"], "netcdf": ["application/netcdf", "nc"], "grid_ascii": ["asc"], "tar": ["tar_gz", "tar_xz"], "dbf": ["dbase"], "mpeg4": ["mp4", "video/mp4"], "geotiff": ["geotif"]}
FORMS = {form: code for code, forms in ALIASES.items() for form in forms + [code]}


def code(f):
    f = re.sub(r"(?<=\w)\.(gz|bz2|xz|zip)$", "", f.strip().casefold().split(";")[0].lstrip("."))  # what is inside a compressed file
    return FORMS.get(f) or FORMS.get(f.split("/")[-1]) or re.sub(r"[^a-z0-9]+", "_", f)


# Labels that say where a file is, or nothing, and not what is in it.
NO_FORMATS = {"url", "link", "website", "external resource", "external resources", "unknown", "other", "n/a", "none"}


def format_(field, r, v):
    shown = sorted(v.formats)
    codes = {code(f) for f in v.formats} | {f.casefold() for f in v.formats}
    for said in r.facts[field]:  # a format in words and as a media type is one
        forms = [f for f in (said if isinstance(said, tuple) else (said,)) if f.strip().casefold() not in NO_FORMATS]
        if not forms:
            continue
        yield field, RIGHT if any(code(f) in codes or f.casefold() in codes for f in forms) else DIFFERING if codes else MISSING, said, shown


def distributions(field, r, v):
    shown = [{address(u) for u in d} for d in v.addresses()]
    flat = set().union(*shown, {address(u) for u in v.pages + v.endpoints}) if shown or v.pages or v.endpoints else set()
    for d in r.facts[field]:
        said = {address(u) for u in d}
        yield field, RIGHT if any(said <= s for s in shown) or r.kind != "DATASET" and said <= flat else DIFFERING if any(said & s for s in shown) else MISSING, d, shown[:4]
    files = set().union(*shown) if shown else set()
    for u in r.facts["address"]:
        yield "address", RIGHT if address(u) in (flat if r.kind != "DATASET" or r.mixed else files) else MISSING if not shown else DIFFERING, u, sorted(files)[:4]
    described = [u for d in r.facts["endpoint description"] for u in (d if isinstance(d, tuple) else (d,))]
    said = {address(u) for u in r.facts["address"] + r.facts["landing page"] + r.facts["endpoint"] + described}
    for u in files - said:
        yield "address", UNSTATED, sorted(said)[:4], u


def pages(field, r, v):
    shown = v.pages + v.endpoints
    yield from judge(field, r.facts[field], shown, lambda a, b: any(page(x) == page(b) for x in (a if isinstance(a, tuple) else (a,))))


def page(u):
    """An address; git leaves the suffix of a repository's out (git-clone, "URLs")."""
    u = address(u).rstrip("/")
    return u[:-4] if re.search(r"^https?://(github\.com|gitlab\.com|bitbucket\.org)/[^/]+/[^/]+\.git$", u) else u


def contact(field, r, v):
    """An address that is a person's is withheld; what is shown must be none."""
    said = r.facts[field]
    if not said:
        for x in v.contact[:1]:
            yield field, UNSTATED, said, x
        return
    reach = {c for _, forms in said for c in forms}
    shown = [mail(x) or x for x in v.contact]
    exposed = [c for names, forms in said for c in forms if personal(c, names) and any(same_term(c, s) for s in shown)]
    if exposed and not any(not personal(c, names) for names, forms in said for c in forms if c in exposed):
        yield field, EXPOSED, said, exposed
    elif any(same_term(a, b) for a in reach for b in shown):
        yield field, RIGHT, reach, shown
    elif shown:
        yield field, DIFFERING, reach, shown
    elif all(personal(c, names) for names, forms in said for c in forms):
        yield field, WITHHELD, said, v.refused("contact")
    else:
        yield field, MISSING, said, v.refused("contact")


def spatial(field, r, v):
    shown = {fold(s) for s in v.spatial}
    for forms in r.facts[field]:
        hit = any(fold(f) in shown for f in forms) or any(close(f, s) for f in forms for s in v.spatial)
        yield field, RIGHT if hit else DIFFERING if shown else MISSING, forms, v.spatial


def close(a, b):
    """The same numbers, in any order: one geometry in two notations."""
    number = lambda s: {round(float(n), 3) for n in re.findall(r"-?\d+(?:\.\d+)?(?:[eE]-?\d+)?", re.sub(r"<[^>]*>|https?://\S+|EPSG\D*\d+", " ", s))}
    x, y = number(a), number(b)
    return len(y) >= 2 and len(x) >= 2 and (x == y or y <= x)


def temporal(field, r, v):
    said = [(a, b) for a, b in r.facts[field] if (sensible(a) or sensible(b)) and not (sensible(a) and sensible(b) and a[:10] > b[:10])]
    if not said:
        return
    start, end = v.temporal
    ok = any(whole(a, start) and whole(b, end) for a, b in said) or whole(min(a for a, _ in said), start) and whole(max(b for _, b in said), end)
    yield field, RIGHT if ok else DIFFERING if start or end else MISSING, said, v.temporal


def whole(said, shown):
    """An end of a period: a date that cannot be read is shown by none."""
    return same_time(said, shown) if sensible(said) else not shown


def links(field, r, v):
    """A link is right if it leads to the entry of the record that is meant; to one
    that the catalogue does not describe, its name is enough."""
    shown = v.series if field == "series" else v.serves
    entries = {e for _, e in shown if e}
    for said in r.facts[field]:
        target = r.entry_of(said) if r.entry_of else None
        ok = target.id in entries if target else any(said == ref for ref, _ in shown)
        yield field, RIGHT if ok else DIFFERING if shown else MISSING, said, shown[:4]


COMPARERS = [("title", title), ("description", description), ("keyword", keyword), ("publisher", publisher), ("licence", licence),
             ("access right", access), ("theme", theme), ("issued", date), ("modified", date), ("frequency", frequency), ("format", format_),
             ("distribution", distributions), ("landing page", pages), ("endpoint", pages), ("endpoint description", pages), ("contact", contact),
             ("spatial", spatial), ("temporal", temporal), ("series", links), ("serves", links)]
