"""Reads DCAT: rapper parses Turtle and RDF/XML, rdflib JSON-LD."""
import gzip
import re
import subprocess
import sys
import threading
from collections import defaultdict

from shape import Record, mail, skolem, text, web

DCT, DCAT = "http://purl.org/dc/terms/", "http://www.w3.org/ns/dcat#"
FOAF, VCARD = "http://xmlns.com/foaf/0.1/", "http://www.w3.org/2006/vcard/ns#"
SKOS, ADMS, ORG = "http://www.w3.org/2004/02/skos/core#", "http://www.w3.org/ns/adms#", "http://www.w3.org/ns/org#"
RDFS, RDF = "http://www.w3.org/2000/01/rdf-schema#", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
SCHEMA = ("http://schema.org/", "https://schema.org/")
ITALY, GERMANY = "http://dati.gov.it/onto/dcatapit#", "http://dcat-ap.de/def/dcatde/"
TIME, LOCN, GEO = "http://www.w3.org/2006/time#", "http://www.w3.org/ns/locn#", "http://www.opengis.net/ont/geosparql#"
NAMES = [SKOS + "prefLabel", FOAF + "name", VCARD + "fn", VCARD + "organization-name", RDFS + "label",
         DCT + "title", ORG + "name"] + [s + "name" for s in SCHEMA]
STATEMENT = re.compile(r'(<[^>]*>|_:\S+) <([^>]*)> (?:<([^>]*)>|(_:\S+)|"(.*)"(?:@([A-Za-z0-9-]+)|\^\^<([^>]*)>)?) \.$', re.S)
ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.S)
SHORT = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}


def unescape(s):
    if "\\" not in s:
        return s
    return ESCAPE.sub(lambda m: chr(int(m[1] or m[2], 16)) if m[1] or m[2] else SHORT.get(m[3], m[3]), s)


class Value(str):
    """An object of a statement: its text, its language, and whether it is a node."""
    __slots__ = ("lang", "node")

    def __new__(cls, s, lang="", node=False):
        v = str.__new__(cls, s)
        v.lang, v.node = lang, node
        return v


class Graph:
    """Statements by subject and property, in the order of the document."""

    def __init__(self):
        self.nodes = defaultdict(dict)

    def add(self, line):
        m = STATEMENT.match(line)
        if not m:
            raise ValueError("not N-Triples: " + line[:200])
        s, p, iri, blank, literal, lang, _ = m.groups()
        s = unescape(s[1:-1]) if s[0] == "<" else s
        if literal is None:
            v = Value(unescape(iri) if blank is None else blank, node=True)
        else:
            v = Value(unescape(literal), lang or "")
        self.nodes[s].setdefault(sys.intern(p), []).append(v)

    def all(self, s, *properties):
        node = self.nodes.get(s, {})
        return [v for p in properties for v in node.get(p, [])]

    def literals(self, s, *properties):
        """Texts of properties; a node among the values gives its labels."""
        for v in self.all(s, *properties):
            if not v.node:
                yield v
            else:
                yield from (w for w in self.all(v, *NAMES, RDFS + "label", RDF + "value") if not w.node)


def syntax(path):
    name = re.sub(r"\.gz$", "", path.split("@earlier")[0])
    if name.endswith((".rdf", ".xml", ".owl")):
        return "rdfxml"
    return "jsonld" if name.endswith((".jsonld", ".json")) else "turtle"


def read_graph(paths):
    g = Graph()
    for path in paths:
        raw = (gzip.open if path.endswith(".gz") else open)(path, "rb")
        kind = syntax(path)
        if kind == "jsonld":
            program = ["/usr/bin/python3", "-c", "import sys,rdflib,logging;logging.disable(50);rdflib.NORMALIZE_LITERALS=False;sys.stdout.buffer.write("
                       "rdflib.Graph().parse(data=sys.stdin.buffer.read(),format='json-ld',publicID='http://localhost/').serialize(format='nt',encoding='utf-8'))"]
        else:
            program = ["rapper", "-q", "-i", kind, "-o", "ntriples", "-", "http://localhost/"]
        p = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        feeder = threading.Thread(target=feed, args=(raw, p.stdin), daemon=True)
        feeder.start()
        drain = []
        errors = threading.Thread(target=lambda: drain.append(p.stderr.read()), daemon=True)
        errors.start()
        for line in p.stdout:
            line = line.decode("utf-8").rstrip("\n")
            if line and not line.startswith("#"):
                g.add(line)
        errors.join()
        if p.wait() != 0:
            print(f"{path}: {drain[0].decode(errors='replace').splitlines()[:1]}: what stands before the fault is compared", file=sys.stderr)
    return g


def feed(src, dst):
    try:
        while chunk := src.read(1 << 20):
            dst.write(chunk)
        dst.close()
    except BrokenPipeError:
        pass


def read(paths):
    g = read_graph(paths)
    default = catalogue_language(g)
    for s in list(g.nodes):
        types = {t[len(space):] for t in g.all(s, RDF + "type") for space in (DCAT, ITALY) if t.startswith(space)}
        if types & {"Dataset", "DatasetSeries", "DataService"}:
            service = "DataService" in types and "Dataset" not in types
            r = Record(s, "API" if service else "DATASET")
            describe(g, s, r, default)
            yield r


def catalogue_language(g):
    tags = {language(v) for s in g.nodes if DCAT + "Catalog" in g.all(s, RDF + "type") for v in g.all(s, DCT + "language")}
    return tags.pop() if len(tags) == 1 else ""


# The authority table's codes of the languages that the catalogues here declare (ISO 639-3 to 639-1).
CODES = dict(ENG="en", FRA="fr", NLD="nl", DEU="de", SPA="es", ITA="it", SWE="sv", NOB="nb", NNO="nn", NOR="no", POR="pt",
             CAT="ca", GLG="gl", EUS="eu", DAN="da", FIN="fi", POL="pl", CES="cs", ELL="el", LAV="lv", LIT="lt", EST="et")


def language(v):
    last = text(v).rstrip("/#").split("/")[-1].split("#")[-1]
    return CODES.get(last.upper(), last.lower() if len(last) == 2 else last.lower()[:2] if re.fullmatch("[a-z]{2}[-_][A-Za-z]{2}", last) else "")


def describe(g, s, r, default):
    own = {language(v) for v in g.all(s, DCT + "language")} - {""}
    lang = own.pop() if len(own) == 1 else "" if own else default
    for v in g.literals(s, DCT + "identifier"):
        r.identify("identifier", v)
    for v in g.all(s, ADMS + "identifier"):
        for w in g.all(v, SKOS + "notation") if v.node else [v]:
            r.identify("identifier", w)
    r.identify("iri", s)
    for field, p in (("title", DCT + "title"), ("description", DCT + "description"), ("keyword", DCAT + "keyword")):
        for v in g.all(s, p):
            if not v.node:
                r.tell(field, str(v), v.lang or lang)
    publisher(g, s, r)
    contact(g, s, r)
    distributions(g, s, r)
    pages = [v for v in g.all(s, DCAT + "landingPage") if web(v)]
    r.say("landing page", *map(str, pages))
    for v in pages:
        r.identify("page", v)
    r.say("endpoint", *(str(v) for v in g.all(s, DCAT + "endpointURL") if web(v)))
    for v in g.all(s, DCAT + "endpointURL"):
        r.identify("page", v)
    r.say("endpoint description", *(str(v) for v in g.all(s, DCAT + "endpointDescription") if web(v)))
    licence(g, s, r)
    for v in g.all(s, DCT + "accessRights"):
        r.say("access right", right(v, list(g.literals(s, DCT + "accessRights"))))
    r.say("theme", *(v.split("#")[0].rstrip("/").split("/")[-1] for v in g.all(s, DCAT + "theme") if "/authority/data-theme/" in v))
    r.say("issued", *map(str, g.literals(s, DCT + "issued")))
    r.say("modified", *map(str, g.literals(s, DCT + "modified", DCT + "updated")))
    r.say("frequency", *(v.rstrip("/").split("/")[-1] for v in g.all(s, DCT + "accrualPeriodicity") if "/authority/frequency/" in v or "/cld/freq/" in v))
    r.say("frequency", *filter(None, (pace(g, v) for v in g.all(s, DCT + "accrualPeriodicity") if v.node)))
    r.say("spatial", *filter(None, (place(g, v) for v in g.all(s, DCT + "spatial"))))
    r.say("spatial", *((str(v),) for v in g.all(s, GERMANY + "politicalGeocodingURI")))
    r.say("temporal", *filter(None, (period(g, v) for v in g.all(s, DCT + "temporal"))))
    r.say("series", *map(str, g.all(s, DCAT + "inSeries")))
    r.say("serves", *map(str, g.all(s, DCAT + "servesDataset")))


def publisher(g, s, r):
    for v in g.all(s, DCT + "publisher"):
        if not v.node:
            r.say("publisher", ("", ((v.lang, str(v)),)))
            continue
        own = tuple(dict.fromkeys((w.lang, str(w)) for w in g.all(v, *NAMES) if not w.node and w.strip()))
        iri = "" if skolem(v) else str(v)
        if own or iri:
            r.say("publisher", (iri, own))


def contact(g, s, r):
    for c in g.all(s, DCAT + "contactPoint", ADMS + "contactPoint"):
        reach = set()
        for v in g.all(c, VCARD + "hasEmail", VCARD + "email", VCARD + "hasURL", VCARD + "url", FOAF + "mbox"):
            for w in [v] + (g.all(v, VCARD + "value", VCARD + "hasValue") if v.node else []):
                reach.add(mail(w.removeprefix("http://localhost/")) or (str(w) if web(w) else ""))
        names = "\n".join([str(n) for n in g.literals(c, VCARD + "fn")] + [" ".join(str(n) for n in g.literals(c, VCARD + "given-name", VCARD + "family-name"))])
        reach.discard("")
        if reach:
            r.say("contact", (names, tuple(sorted(reach))))


def distributions(g, s, r):
    for d in g.all(s, DCAT + "distribution"):
        found = [str(v) for v in g.all(d, DCAT + "downloadURL", DCAT + "accessURL") if web(v)]
        for v in found:
            r.say("address", v)
        if found:
            r.say("distribution", tuple(found))
            formats = [last(g, v) for v in g.all(d, DCT + "format")]
            r.say("format", *filter(None, formats or [media(v) for v in g.all(d, DCAT + "mediaType")]))
        licence(g, d, r)


def last(g, v):
    if not v.node:
        return str(v)
    labels = g.all(v, RDFS + "label", RDF + "value", SKOS + "prefLabel")
    return str(labels[0]) if labels else media(v) if "media-types/" in v else "" if v.startswith("_:") else v.rstrip("/#").split("/")[-1]


def media(v):
    return str(v).split("media-types/")[-1].split("mediatype/")[-1] if not v.startswith("_:") else ""


def licence(g, s, r):
    # A licence that is named by an empty reference is none; without one, the rights count.
    said = [v for v in g.all(s, DCT + "license") if str(v) != "http://localhost/"]
    for v in said or g.all(s, DCT + "rights"):
        if not v.startswith("_:"):
            r.say("licence", str(v))
        else:
            r.say("licence", *map(str, list(g.literals(s, DCT + "license"))[:1] if said else []))


def right(v, labels):
    """The code of the authority table, or of the INSPIRE list that says the same."""
    code = v.rstrip("/").split("/")[-1].upper()
    if "/authority/access-right/" in v:
        return code
    if v.endswith("/noLimitations"):
        return "PUBLIC"
    words = {"public", "restricted", "non-public", "non_public"}
    # What the catalogues here say in their own words.
    if {str(v), *labels} & {"Es gelten keine Zugriffsbeschränkungen", "Ej begränsad", "öffentlich"}:
        return "PUBLIC"
    return next((w.upper().replace("-", "_") for w in [str(v), *labels] if w.strip().lower() in words), None)


def place(g, v):
    """What a place may be shown as: its IRI, labels, geometries."""
    if not v.node:
        return (str(v),)
    forms = [] if v.startswith("_:") else [str(v)]
    for w in g.all(v, DCAT + "bbox", LOCN + "geometry", DCAT + "centroid", GEO + "asWKT", SKOS + "prefLabel", RDFS + "label", LOCN + "geographicName", LOCN + "adminUnitL2", ITALY + "geographicalIdentifier"):
        forms.append(str(w))
    return tuple(forms)


# What a length in months is called in the frequency table, as far as it is met here.
PACES = {12: "ANNUAL", 6: "ANNUAL_2", 3: "QUARTERLY", 1: "MONTHLY"}


def pace(g, v):
    """The code of a frequency that is described by its length (NTI-RISP)."""
    for d in [v, *g.all(v, RDF + "value")]:
        years, months = (sum(float(x) for x in g.all(d, TIME + unit)) for unit in ("years", "months"))
        if years or months:
            return PACES.get(years * 12 + months)
    return None


def period(g, v):
    if not v.node:
        return None
    ends = []
    for names in (["startDate"], ["hasBeginning"]), (["endDate"], ["hasEnd"]):
        found = g.all(v, *(space + n for space in (DCAT, ITALY, *SCHEMA) for n in names[0]))
        for t in g.all(v, *(TIME + n for n in names[1])):
            found += g.all(t, TIME + "inXSDDateTime", TIME + "inXSDDate", TIME + "inXSDDateTimeStamp", TIME + "inXSDgYear")
        ends.append(str(found[0]) if found else "")
    return tuple(ends) if any(ends) else None
