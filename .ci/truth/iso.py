"""Reads ISO 19139 and 19115-3 in any profile: XML files, or tar archives of them."""
import gzip
import io
import re
import tarfile
import xml.etree.ElementTree as ET

from rdf import CODES
from shape import Record, mail, text, web


def read(paths):
    for path in paths:
        raw = (gzip.open if path.endswith(".gz") else open)(path, "rb").read()
        for name, data in members(path, raw):
            try:
                root = ET.fromstring(data)
            except ET.ParseError:
                continue  # the harvest rejects it
            if local(root) in ("RDF", "Capabilities"):
                continue
            for n, m in enumerate(x for x in root.iter() if local(x) in ("MD_Metadata", "CHE_MD_Metadata", "MI_Metadata")):
                yield record(m, f"{name}#{n}")


def members(path, raw):
    if ".tar" in path:
        with tarfile.open(fileobj=io.BytesIO(raw)) as t:
            for m in t.getmembers():
                if m.isfile() and m.name.endswith(".xml"):
                    yield m.name, t.extractfile(m).read()
    else:
        yield path, raw


def local(e):
    return e.tag.rsplit("}", 1)[-1] if isinstance(e.tag, str) else ""


def find(e, path):
    """Descendants along local names; * stands for any one element."""
    here = [e]
    for step in path.split("/"):
        here = [c for x in here for c in x if step == "*" or local(c) == step]
    return here


def own(e):
    """The text of a value: a string, an anchor, a code."""
    return next((text(x.text) for x in e if local(x) in ("CharacterString", "Anchor", "URL", "Date", "DateTime", "LinkageURL") and text(x.text)), "")


def anchor(e):
    return next((v for x in e if local(x) == "Anchor" for k, v in x.attrib.items() if k.endswith("}href")), "")


def code(e):
    return next((v for x in e.iter() for k, v in x.attrib.items() if k == "codeListValue"), "") or own(e) or text(e.text)


def iso1(tag):
    t = text(tag).lower()[:3]
    return CODES.get({"GER": "DEU", "FRE": "FRA", "DUT": "NLD", "CZE": "CES"}.get(t.upper(), t.upper()), "rm" if t == "roh" else t[:2])


def record(m, place):
    scope = next((code(x) for p in ("hierarchyLevel", "metadataScope/*/resourceScope") for x in find(m, p)), "")
    r = Record(place, "API" if scope == "service" else "DATASET")
    for p in ("fileIdentifier", "metadataIdentifier/*/code", "identificationInfo/*/citation/*/identifier/*/code"):
        if r.ids:
            break
        for x in find(m, p[:-len("/code")] if p.endswith("/code") else p):
            value, space = (own(c) for c in (next(iter(find(x, "code")), x), next(iter(find(x, "codeSpace")), ())))
            # A code within a namespace that is an address is one address (ISO 19115-1, B.2.7).
            r.identify("identifier", space + value if web(space) and (space[-1] in "/#=" or value[:1] in ("/", "#")) and not web(value) and not value.startswith("10.") else value)
            r.identify("identifier", value)
    main = next((iso1(code(x)) for p in ("language", "defaultLocale/*/language") for x in find(m, p)), "")
    locales = {x.get("id"): iso1(next((code(l) for l in x if local(l) in ("languageCode", "language")), "")) for x in m.iter() if local(x) == "PT_Locale"}
    for i in find(m, "identificationInfo/*"):
        for field, path in (("title", "citation/*/title"), ("description", "abstract"), ("keyword", "descriptiveKeywords/*/keyword")):
            for x in find(i, path):
                for lang, v in localised(x, main, locales):
                    r.tell(field, v, lang)
        created = ""
        for d in find(i, "citation/*/date/*"):
            kind = next((code(t) for t in d if local(t) == "dateType"), "")
            when = next((own(t) for t in d if local(t) == "date"), "")
            r.say({"publication": "issued", "revision": "modified", "lastRevision": "modified", "lastUpdate": "modified"}.get(kind, ""), when)
            created = created or (when if kind == "creation" else "")
        if not r.facts["issued"]:  # the date of creation stands in, as in GeoDCAT-AP 2, B.6.7
            r.say("issued", created)
        r.facts.pop("", None)
        r.say("access right", next(access(i), None))
        # A record states conditions in several places; a licence is the clearest of them.
        said = [v for p in ("otherConstraints", "useLimitation", "reference/*/title") for x in find(i, "resourceConstraints/*/" + p) for v in [anchor(x), own(x), *(s for _, s in localised(x, main, locales))] if v and "inspire.ec.europa.eu/metadata-codelist" not in v]
        clear = [v for v in said if "creativecommons.org" in v and web(v)] or [v for v in said if web(v) and ("/licen" in v.lower() or "opendata.swiss" in v and "terms" in v)]
        r.say("licence", tuple(dict.fromkeys(clear or said)))
        for box in (b for b in i.iter() if local(b) in ("EX_GeographicBoundingBox",)):
            r.say("spatial", (" ".join(text(n.text) for c in box for n in c if re.fullmatch(r"-?\d+(\.\d+)?", text(n.text))),))
    bodies = [w for p in ("identificationInfo/*/pointOfContact", "identificationInfo/*/citation/*/citedResponsibleParty", "contact", "distributionInfo/*/distributor") for c in find(m, p)
              for x in c.iter() if local(x) in ("organisationName", "name") for w in localised(x, main, locales)]
    r.say("publisher", ("", tuple(bodies)) if bodies else None)
    r.mixed = True  # CI_OnLineFunctionCode tells data and information apart, and few records state it
    found = [u for o in m.iter() if local(o) == "CI_OnlineResource" and inside(m, o) for l in o if local(l) == "linkage" for u in [own(l), *(s for _, s in localised(l, main, locales))]]
    r.say("address", *(u for u in found if web(u)))
    for p in (x for x in m.iter() if local(x) in ("CI_ResponsibleParty", "CHE_CI_ResponsibleParty", "CI_Responsibility")):
        reach = {mail(own(x)) for x in p.iter() if local(x) == "electronicMailAddress"} - {""}
        reach |= {v for c in p.iter() if local(c) == "CI_Contact" for x in c.iter() if local(x) == "linkage" for v in [own(x), *(s for _, s in localised(x, main, locales))] if web(v)}
        names = [own(x) for x in p.iter() if local(x) in ("individualName", "individualFirstName", "individualLastName", "organisationName", "name")]
        r.say("contact", ("\n".join(dict.fromkeys(names)), tuple(sorted(reach))) if reach else None)
    return r


def access(i):
    """Who may have the resource: by the code list of INSPIRE, then those of the standard."""
    for x in find(i, "resourceConstraints/*/otherConstraints"):
        a = anchor(x).lower()
        if "/limitationsonpublicaccess/" in a:
            yield "PUBLIC" if a.endswith("/nolimitations") else "RESTRICTED"
    for p in ("classification", "accessConstraints"):
        codes = {code(x).lower() for x in find(i, "resourceConstraints/*/" + p)}
        if codes & {"secret", "topsecret", "confidential", "private", "in-confidence"}:
            yield "NON_PUBLIC"
        if codes & {"restricted", "statutory", "sensitivebutunclassified", "forofficialuseonly", "protected", "limiteddistribution"}:
            yield "RESTRICTED"
        if "unrestricted" in codes:
            yield "PUBLIC"


def inside(m, online):
    """Whether an address belongs to the distribution, not to a contact."""
    return any(o is online for p in ("distributionInfo/*/transferOptions/*/onLine/*", "distributionInfo/*/distributor/*/distributorTransferOptions/*/onLine/*") for o in find(m, p))


def localised(x, main, locales):
    said = own(x)
    if said:
        yield main, said
    for s in x.iter():
        if local(s) in ("LocalisedCharacterString", "LocalisedURL") and text(s.text):
            yield locales.get(text(s.get("locale")).lstrip("#"), ""), text(s.text)
