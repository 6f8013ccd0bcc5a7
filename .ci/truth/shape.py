"""The shape in which both sides state what is known about a record.

A reader of a catalogue yields Records: what the publisher wrote, under the
names of fields below, in as many values as it wrote. Nothing here or in the
readers is shared with the program that harvests.
"""
import html
import re
import unicodedata
from collections import defaultdict
from datetime import datetime, timezone
from functools import lru_cache
from urllib.parse import quote, unquote, urlsplit


class Record:
    """One dataset, service or server as its catalogue states it."""

    def __init__(self, place, kind):
        self.place, self.kind = place, kind
        self.ids = []  # (kind, value), best first: identifier, iri, page
        self.facts = defaultdict(list)  # field -> values
        self.mixed = False  # whether its addresses are of files and pages alike
        self.entry_of = None  # finds the entry of another record by its place

    def identify(self, kind, value):
        value = text(value)
        if value and (kind, value) not in self.ids and not skolem(value):
            self.ids.append((kind, value))

    def say(self, field, *values):
        """Adds values that are there to a field; a value may be a tuple."""
        for v in values:
            if isinstance(v, str):
                v = v.strip()
            if v not in (None, "", [], ()) and v not in self.facts[field]:
                self.facts[field].append(v)

    def tell(self, field, value, lang=""):
        """Adds a text in a language, "" where the catalogue names none."""
        if isinstance(value, str) and letters(value):
            self.say(field, (lang.lower(), value.strip()))


def text(v):
    return "" if v is None else str(v).strip()


def skolem(iri):
    """A name that the exporter made up for a node without one (RDF 1.1, 3.5)."""
    return iri.startswith("_:") or bool(re.search(r"/\.well[-_]known/genid/", iri))


def counted(s):
    """A text whose lists that say 1., 1., 1. count, as they are shown (CommonMark, 5.3)."""
    lines, last, shown, gap = [], None, 0, False
    for line in s.split("\n"):
        m = re.match(r"( {0,3})(\d{1,9})([.)]\s)", line)
        if m:
            shown = shown + 1 if last == int(m[2]) else int(m[2])
            last = int(m[2])
            line = f"{m[1]}{shown}{line[m.end(2):]}"
        elif gap and line[:1].strip():
            last = None  # a paragraph ends the list
        gap = not line.strip()
        lines.append(line)
    return "\n".join(lines)


def plain(s):
    """Text without mark-up, for comparing."""
    s = html.unescape(html.unescape(str(s)))
    s = re.sub(r"^ {0,3}(```+|~~~+)[^`\n]*$", " ", s, flags=re.M)  # a fence and the language of its code (CommonMark, 4.5)
    s = re.sub(r"<(https?://[^\s<>]+|[^\s<>@]+@[^\s<>]+)>", r" \1 ", s)  # an autolink shows its address (CommonMark, 6.5)
    s = re.sub(r"^ {0,3}\[[^\]\n]+\]:[ \t]*\S+[^\n]*$", " ", s, flags=re.M)  # the definition of a reference is not shown (CommonMark, 4.7)
    s = re.sub(r"(?<=[^\s\]]\])\[\w*\]", "", s)  # nor is the name of it
    s = counted(s)
    s = re.sub(r"<(script|style)\b.*?</\1\s*>", " ", s, flags=re.S | re.I)
    s = re.sub(r"\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)", "]", s)  # the address of a Markdown link
    return re.sub(r"</?[a-zA-Z][^<>]*>|<!--.*?-->", " ", s, flags=re.S)


@lru_cache(1 << 18)
def letters(s):
    """Letters and digits only, in one case: what must be the same however a
    text is laid out."""
    s = unicodedata.normalize("NFKC", plain(s)).casefold()
    return "".join(c for c in s if c.isalnum() or unicodedata.category(c)[0] == "M")


def fold(s):
    """A term with its white space and case folded."""
    s = unicodedata.normalize("NFC", str(s))
    return re.sub(r"\s+", " ", s).strip().casefold()


def base(tag):
    """The language of a tag, without region, script and extensions."""
    return tag.split("-")[0].lower()


def machine(tag):
    """Whether a tag says that a machine wrote the text (BCP 47, extension t)."""
    return "-t-" in tag.lower()


@lru_cache(1 << 19)
def address(u):
    """An address with what never tells two apart folded: the case of scheme and
    host, the default port, percent-encoding of what needs none."""
    u = re.sub(r"[\s\u200b\ufeff]+", "", str(u))
    u = html.unescape(u)
    try:
        p = urlsplit(u)
        host = (p.hostname or "").lower()
        port = p.port
    except ValueError:
        return u
    try:
        host = host.encode("idna").decode() if not host.isascii() else host
    except UnicodeError:
        pass
    if port and (p.scheme.lower(), port) not in (("http", 80), ("https", 443)):
        host += f":{port}"
    rest = (p.path or "/") + ("?" + p.query if p.query else "") + ("#" + p.fragment if p.fragment else "")
    rest = re.sub(r"\s+", "", unquote(rest))
    return f"{p.scheme.lower()}://{host}{quote(rest, safe='/?&=#%:+,;@~!$()*[]|{}^')}"


# Networks whose names no public resolver knows: the French state's (RIE).
CLOSED = re.compile(r"[/.]rie\.gouv\.fr(?=[:/?#]|$)", re.I)


def web(u):
    """Whether a text is an address that somebody outside can ask."""
    return bool(re.match(r"(https?|ftp)://[^/\s]", text(u), re.I)) and not CLOSED.search(text(u).split("?")[0])


def mail(v):
    v = unquote(re.sub(r"^(mailto:(//)?|https?://(?=[^/]+@[^/]+$))", "", text(v), flags=re.I)).split("?")[0].strip().lower()
    return v if re.fullmatch(r"[^\s@,;]+@[^\s@,;]+\.[a-z]{2,}", v) else ""


def instant(v):
    """A date as (UTC instant or None, the digits as written, precision)."""
    v = re.sub(r"^(\d\d)[.-](\d\d)[.-](\d{4})$", r"\3-\2-\1", text(v))  # day first
    v = re.sub(r"^(\d\d)/(\d\d)/(\d{4})$", r"\3-\2-\1", v)
    if re.fullmatch(r"1\d{9}(\d{3})?", v):  # since the epoch
        v = datetime.fromtimestamp(int(v[:10]), timezone.utc).replace(tzinfo=None).isoformat()
    m = re.match(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?(?:[T ](\d\d):(\d\d)(?::(\d\d))?(?:[.,]\d+)?)?\s*(Z|UTC|[+-]\d\d:?\d\d)?", v)
    if not m or m.end() != len(v):
        return None
    y, mo, d, h, mi, s, zone = m.groups()
    precision = "second" if h else "day" if d else "month" if mo else "year"
    try:
        t = datetime(int(y), int(mo or 1), int(d or 1), int(h or 0), int(mi or 0), int(s or 0))
        if zone and zone not in ("Z", "UTC") and h:
            t = datetime.fromisoformat(t.isoformat() + zone[:3] + ":" + zone[-2:]).astimezone(timezone.utc).replace(tzinfo=None)
    except (ValueError, OverflowError):
        return None
    return t, precision


def sensible(v):
    """Whether a date can be one of a dataset: exporters write year 1 for none."""
    t = instant(v)
    return bool(t) and t[0].year >= 1000


def same_time(stated, shown):
    """Whether a shown date is the stated one, as precisely as it was stated."""
    a, b = instant(stated), instant(shown)
    if not a or not b:
        return False
    size = {"second": 19, "day": 10, "month": 7, "year": 4}[a[1]]
    return a[0].isoformat()[:size] == b[0].isoformat()[:size]
