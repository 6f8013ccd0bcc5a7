"""Counts again what the pictures on entries' pages say: recount.py DIR

For each FILE in DIR there is FILE.LANG.html, its page in each language. The files are read with the standard
library of Python; words, tables and lengths in the pages are compared with what is counted. The pictures of
a file whose name says what it holds (NNN-table, -series, -bars, -points) must be there.
"""
import csv
import datetime
import gzip
import html.parser
import io
import json
import os
import re
import sys
import xml.etree.ElementTree
import zipfile
from collections import Counter
from fractions import Fraction

BINS, TOPS = 12, 5
# What the documentation calls no value: what offices, spreadsheets and databases write in its place.
NOTHING = set("na n/a n.a. null none nan - -- — – .. ... : #n/a \\n nil (null) k.a. n.d. nd".split())


# --- the files -------------------------------------------------------------

def decoded(data):
    """Text by its byte order mark, as UTF-8 where that is valid, else in a Greek or a Western encoding."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        greek, western = data.decode("cp1253", "replace"), data.decode("cp1252", "replace")
        return max(greek, western, key=lambda t: len(re.findall(r"[\u0370-\u03ff]{3}|[a-zA-Z][\u00c0-\u00ff][a-zA-Z]", t)))


def texts(data):
    """The records of a text table, by the separator that it has most of."""
    text = decoded(data)
    separator = max(",;|\t", key=text.count)
    rows = [[c.strip() for c in row] for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator)]
    rows = [r for r in rows if any(r)]
    # Offices write titles above the names: these begin where all cells are filled and as many as in most rows.
    usual = Counter(map(len, rows)).most_common(1)[0][0]
    while len(rows[0]) != usual or not all(rows[0]):
        rows.pop(0)
    return [dict(zip(rows[0], r + [""] * usual)) for r in rows[1:]]


def flat(value, path="", out=None):
    """The members of a JSON object by their paths; lists are left out, nobody draws them."""
    out = {} if out is None else out
    for key, v in value.items():
        if isinstance(v, dict):
            flat(v, path + key + ".", out)
        elif isinstance(v, bool):
            out[path + key] = "true" if v else "false"
        elif isinstance(v, str):
            out[path + key] = v.strip()
        elif isinstance(v, Number):
            out[path + key] = v.text
        elif v is None:
            out[path + key] = ""
    return out


class Number:
    def __init__(self, text):
        self.text = text


def parsed(text):
    return json.loads(text, parse_int=Number, parse_float=Number)


def positions(value):
    if isinstance(value, list) and value and isinstance(value[0], Number):
        yield float(value[0].text), float(value[1].text)
    elif isinstance(value, list):
        for v in value:
            yield from positions(v)


def longest(value):
    """The longest list of objects in a document."""
    best = []
    if isinstance(value, list):
        best = value if value and all(isinstance(v, dict) for v in value) else []
    elif isinstance(value, dict):
        best = max((longest(v) for v in value.values()), key=len, default=[])
    return best


def documents(text):
    root = parsed(text)
    if isinstance(root, dict) and root.get("type") == "FeatureCollection":
        places = [p for f in root["features"] for p in positions(f["geometry"]["coordinates"])]
        box = [min(p[0] for p in places), min(p[1] for p in places), max(p[0] for p in places), max(p[1] for p in places)]
        return [flat(f["properties"]) for f in root["features"]], box
    return [flat(v) for v in longest(root)], None


def elements(data):
    root = xml.etree.ElementTree.fromstring(data)
    tags = Counter(e.tag for e in root.iter())
    groups = [e for e in root.iter() if len(e) and any(tags[k.tag] > 1 for k in e)]
    parent = max(groups, key=lambda e: max(Counter(k.tag for k in e).values()))
    tag = Counter(k.tag for k in parent).most_common(1)[0][0]
    rows = []
    for e in parent.findall(tag):
        row = {"@" + k: v.strip() for k, v in e.attrib.items()}
        row.update({re.sub("^{.*}", "", k.tag): (k.text or "").strip() for k in e})
        rows.append(row)
    return rows


def workbook(data):
    """The first sheet of a workbook, below its titles; dates stay out, their form is in the styles."""
    space = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    with zipfile.ZipFile(io.BytesIO(data)) as z:
        shared = []
        if "xl/sharedStrings.xml" in z.namelist():
            shared = ["".join(t.text or "" for t in s.iter(space + "t")) for s in xml.etree.ElementTree.fromstring(z.read("xl/sharedStrings.xml"))]
        sheet = xml.etree.ElementTree.fromstring(z.read("xl/worksheets/sheet1.xml"))
    rows = []
    for r in sheet.iter(space + "row"):
        row = {}
        for c in r.iter(space + "c"):
            v = "".join(t.text or "" for t in c.iter() if t.tag in (space + "v", space + "t"))
            row[re.sub("[0-9]", "", c.get("r"))] = shared[int(v)] if c.get("t") == "s" else v
        rows.append(row)
    usual = Counter(map(len, rows)).most_common(1)[0][0]
    while len(rows[0]) != usual or not all(rows[0].values()):
        rows.pop(0)
    names = rows[0]
    return [{names[k]: r.get(k, "").strip() for k in names} for r in rows[1:]]


def records(path):
    """The records of a file as dicts of texts, and the box of its coordinates; None for a file that is no table."""
    with open(path, "rb") as f:
        data = f.read()
    if path.endswith(".gz"):
        data, path = gzip.decompress(data), path[:-3]
    ext = path.rsplit(".", 1)[1]
    if ext in ("csv", "tsv"):
        return texts(data), None
    if ext == "ndjson":
        return [flat(parsed(line)) for line in data.decode().splitlines() if line.strip()], None
    if ext in ("json", "geojson") and not path.endswith((".openapi.json", ".swagger.json")):
        return documents(data.decode())
    if ext == "xml":
        return elements(data), None
    if ext == "xlsx":
        return workbook(data), None
    return None, None


# --- the values ------------------------------------------------------------

def filled(v):
    return v != "" and v.lower() not in NOTHING


def number(text):
    """A number as an office writes it: a comma before the decimals where there is no point after it."""
    text = re.sub("[ '’\u00a0\u202f]", "", text.rstrip("% "))
    if "," in text and text.rfind(",") > text.rfind("."):
        text = text.replace(".", "").replace(",", ".")
    return Fraction(text.replace(",", ""))


def seconds(text, month_first=False):
    """The instant that a date, a month, a year or a time says, in seconds."""
    day, _, clock = text.replace("T", " ").partition(" ")
    if m := re.fullmatch(r"(\d{4})(?:[-/.](\d{1,2}))?(?:[-/.](\d{1,2}))?", day):
        y, mo, d = int(m[1]), int(m[2] or 1), int(m[3] or 1)
    elif m := re.fullmatch(r"(\d{4})(\d\d)(\d\d)", day):
        y, mo, d = int(m[1]), int(m[2]), int(m[3])
    elif m := re.fullmatch(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})", day):
        d, mo, y = int(m[1]), int(m[2]), int(m[3])
        if month_first:
            d, mo = mo, d
    else:
        raise ValueError(text)
    at = datetime.datetime(y, mo, d, tzinfo=datetime.timezone.utc)
    if clock:
        m = re.fullmatch(r"(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)? ?(Z|UTC|[-+]\d\d:?\d\d)?", clock)
        at += datetime.timedelta(hours=int(m[1]), minutes=int(m[2]), seconds=int(m[3] or 0))
        if m[4] and m[4][0] in "+-":
            off = datetime.timedelta(hours=int(m[4][1:3]), minutes=int(m[4][-2:]))
            at -= off if m[4][0] == "+" else -off
    return Fraction(int((at - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)).total_seconds()))


def measured(values, kind):
    if kind in ("integer", "decimal"):
        return [number(v) for v in values]
    if kind in ("date", "datetime", "year", "yearmonth"):
        try:
            return [seconds(v) for v in values]
        except ValueError:
            return [seconds(v, True) for v in values]
    return None


def histogram(places):
    low, high = min(places), max(places)
    if low == high:
        return None
    counts = [0] * BINS
    for v in places:
        counts[min(BINS - 1, (v - low) * BINS // (high - low))] += 1
    return counts


def tops(values):
    counts = Counter(values)
    if 2 * len(counts) > len(values):
        return []
    list_ = [(v, n) for v, n in counts.items() if n >= 2 and len(v.encode()) <= 60]
    return sorted(list_, key=lambda x: (-x[1], x[0].encode()))[:TOPS]


# --- the pages -------------------------------------------------------------

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class Node:
    def __init__(self, tag, attrs):
        self.tag, self.attrs, self.kids = tag, dict(attrs), []

    def all(self, tag, cls=None):
        for k in self.kids:
            if isinstance(k, Node):
                if k.tag == tag and (cls is None or cls in (k.attrs.get("class") or "").split()):
                    yield k
                yield from k.all(tag, cls)

    def one(self, tag, cls=None):
        return next(self.all(tag, cls), None)

    def text(self):
        return "".join(k if isinstance(k, str) else k.text() for k in self.kids)

    def own(self):
        return "".join(k for k in self.kids if isinstance(k, str)).strip()


# What the beginning of an element ends that its author did not, and where that stops (HTML, 13.1.2.4).
CELLS = {"td", "th"}
ENDS = {"li": ({"li"}, {"ul", "ol"}), "dt": ({"dt", "dd"}, {"dl"}), "dd": ({"dt", "dd"}, {"dl"}), "td": (CELLS, {"tr"}), "th": (CELLS, {"tr"}),
        "tr": (CELLS | {"tr"}, {"thead", "tbody"}), "tbody": (CELLS | {"tr", "thead", "tbody"}, {"table"})}


class Tree(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.root = Node("", {})
        self.open = [self.root]
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        n = Node(tag, attrs)
        ended, within = ENDS.get(tag, (set(), set()))
        last = next((i for i in range(len(self.open) - 1, 0, -1) if self.open[i].tag in within), 0)
        first = next((i for i in range(last + 1, len(self.open)) if self.open[i].tag in ended), None)
        if first is not None:
            del self.open[first:]
        self.open[-1].kids.append(n)
        if tag not in VOID:
            self.open.append(n)

    def handle_startendtag(self, tag, attrs):
        self.open[-1].kids.append(Node(tag, attrs))

    def handle_endtag(self, tag):
        for i in range(len(self.open) - 1, 0, -1):
            if self.open[i].tag == tag:
                del self.open[i:]
                return

    def handle_data(self, data):
        self.open[-1].kids.append(data)


def said(text, lang):
    """A number as a page in a language writes it."""
    text = re.sub("[\u00a0\u202f ]", "", text).replace("−", "-")
    text = text.replace(",", "") if lang == "en" else text.replace(".", "").replace(",", ".")
    return Fraction(text)


def clipped(page, whole):
    return page == whole or page.endswith("…") and whole.startswith(page[:-1].rstrip())


# --- the comparison --------------------------------------------------------

class Page:
    def __init__(self, name, lang, rows, box, faults, seen):
        self.name, self.lang, self.rows, self.box, self.faults, self.seen = name, lang, rows, box, faults, seen

    def fault(self, what):
        self.faults.append(f"{self.name} ({self.lang}): {what}")

    def same(self, what, page, counted):
        if page != counted:
            self.fault(f"{what}: the page says {page}, the file {counted}")

    def judge(self, root, columns):
        data = next((s for s in root.all("section") if s.attrs.get("id") == "data"), None)
        if data is None:
            return
        personal = {r.one("th").text().strip() for r in data.all("tr") if r.one("th") is not None and r.one("span", "warn") is not None}
        heads = [th for th in (data.one("thead", "asis") or Node("", {})).all("th")]
        for th in heads:
            self.column(th, personal, columns)
        for f in data.all("figure"):
            what = f.attrs.get("data-picture") or ""
            if what.endswith("-series"):
                self.series(f)
            elif what.endswith("-map"):
                self.map(f, heads)
            else:
                self.bars(f)

    def column(self, th, personal, columns):
        name, kind, spread = th.own(), th.one("small").text().strip(), th.one("div", "spread")
        whole = next((c for c in columns if clipped(name, c)), None)
        if whole is None or kind in ("array", "object", "geometry", "geo_point"):
            return
        cells = [r.get(whole, "") for r in self.rows]
        values = [v for v in cells if filled(v)]
        if spread is None:
            spread = Node("div", {})
        missing = len(cells) - len(values)
        share = [s for s in spread.all("small")]
        if self.made and bool(share) != bool(missing) and whole not in personal:
            self.fault(f"{name}: {missing} of {len(cells)} are missing, the page says {[s.text() for s in share]}")
        if share:
            self.share(name, share[0].text(), missing, len(cells))
        self.ranges(name, kind, spread, values, whole in personal)
        self.top(name, kind, spread, values, whole in personal)

    def share(self, name, text, missing, of):
        page, counted = said(text.split("%")[0].lstrip("<"), self.lang), Fraction(missing * 100, of)
        self.seen["shares"] += 1
        # Tenths; neither none nor all unless it is so.
        want = Fraction(int(counted * 10 + Fraction(1, 2)), 10)
        if missing:
            want = max(want, Fraction(1, 10))
        if missing < of:
            want = min(want, Fraction(999, 10))
        self.same(f"{name}, missing", page, want)

    def ranges(self, name, kind, spread, values, personal):
        picture = spread.one("svg", "c-col")
        places = measured(values, kind) if values else None
        want = histogram(places) if places else None
        if picture is None:
            if want and self.made and not personal:
                self.fault(f"{name}: no picture of {want}")
            return
        if not want:
            self.fault(f"{name}: a picture of {kind} where there are no ranges")
            return
        self.seen["ranges"] += 1
        title = picture.one("title").text()
        numbers = re.match(r"[\d.,\u00a0\u202f ]+", title[len(name):].lstrip(" :\u00a0\u202f"))[0]
        self.same(name, [int(said(n, self.lang)) for n in re.split(r",\s", numbers.strip())], want)
        most, bars = max(want), {}
        for x, high, wide in re.findall(r"M(\d+) 28v-(\d+)h(\d+)v\d+z", picture.one("path").attrs["d"]):
            bars[int(x) // 8] = int(high)
            self.same(f"{name}, width of a bar", int(wide), 7)
        for i, n in enumerate(want):
            if (n > 0) != (i in bars) or n and abs(bars[i] - max(1, Fraction(n * 28, most))) > Fraction(1, 2):
                self.fault(f"{name}: range {i} of {n} (most {most}) is {bars.get(i)} high")
        for text, place in zip([s.text() for s in spread.one("div", "ends").all("span")], (min(places), max(places))):
            if not text.endswith("…"):
                self.same(f"{name}, an end", measured([text], kind)[0], place)

    def top(self, name, kind, spread, values, personal):
        list_ = spread.one("div", "tops")
        want = tops(values) if kind in ("string", "id", "boolean") else []
        if list_ is None:
            if want and self.made and not personal:
                self.fault(f"{name}: nothing is said of {want}")
            return
        self.seen["tops"] += 1
        page, bars = [], re.findall(r"M0 (\d+)h(\d+)v8H0z", list_.one("path").attrs["d"])
        if [int(place) for place, _ in bars] != [10 * i + 1 for i in range(len(list(list_.all("li"))))]:
            self.fault(f"{name}: the bars {bars} are not one a line")
        for li, (_, wide) in zip(list_.all("li"), bars):
            count, wide = li.one("b").text(), int(wide)
            value = li.text().removesuffix(count).strip()
            page.append((value, int(said(count, self.lang))))
            if abs(wide - max(1, Fraction(page[-1][1] * 100, len(values)))) >= 1:
                self.fault(f"{name}: {page[-1]} of {len(values)} is {wide} wide")
        if len(page) != len(want) or any(p[1] != w[1] or not clipped(p[0], w[0]) for p, w in zip(page, want)):
            self.fault(f"{name}: the page has {page}, the file {want}")

    def table(self, figure):
        return [(tr.one("th").text().strip(), Fraction(tr.one("td").attrs["data-value"]), said(tr.one("td").text(), self.lang)) for tr in figure.one("tbody").all("tr")]

    def series(self, figure):
        self.seen["series"] += 1
        time, value = [th.text().strip() for th in figure.one("thead").all("th")]
        want = sorted((seconds(r[time]), number(r[value])) for r in self.rows if filled(r[value]) and filled(r[time]))
        page = self.table(figure)
        self.same("series", [(seconds(at), n) for at, n, _ in page], want)
        self.same("series in words", [w for *_, w in page], [n for _, n in want])
        svg = figure.one("svg")
        title = svg.one("title").text()
        for at, _, _ in (page[0], page[-1]):
            if f"({at})" not in title:
                self.fault(f"the title {title} lacks {at}")
        scale = sorted((int(t.attrs["y"]) - 4, said(t.text(), self.lang)) for t in svg.all("text", "c-y"))
        (y0, v0), (y1, v1) = scale[0], scale[-1]
        line = [(int(x), int(y)) for x, y in re.findall(r"[ML](\d+) (\d+)", svg.one("path", "c-line").attrs["d"])]
        self.same("points of the line", len(line), len(want))
        first, last = want[0][0], want[-1][0]
        for (x, y), (at, v) in zip(line, want):
            if abs(x - (46 + (at - first) / (last - first) * 306)) > 1 or abs(y - (y0 + (v - v0) / (v1 - v0) * (y1 - y0))) > Fraction(3, 2):
                self.fault(f"the point {v} lies at {x}, {y} on {scale}")

    def bars(self, figure):
        self.seen["bars"] += 1
        name, value = [th.text().strip() for th in figure.one("thead").all("th")]
        want = [(r[name], number(r[value])) for r in self.rows]
        page = self.table(figure)
        if len(page) != len(want) or any(not clipped(p[0], w[0]) or p[1] != w[1] or p[2] != w[1] for p, w in zip(page, want)):
            self.fault(f"the bars are {page}, the file has {want}")
        most = max(v for _, v in want)
        long = [int(n) for n in re.findall(r"h(\d+)v14", "".join(p.attrs["d"] for p in figure.one("svg").all("path", "c-bar")))]
        if len(long) != len(want) or any(abs(n - max(1, v / most * 170)) > Fraction(1, 2) for n, (_, v) in zip(long, want)):
            self.fault(f"the bars are {long} long, the file has {want}")

    def map(self, figure, heads):
        self.seen["maps"] += 1
        names = [th.own() for th in heads]
        words = [said(n, self.lang) for n in re.findall(r"(-?[\d.,]+)°", figure.one("figcaption").text().replace("−", "-"))]
        if self.box:
            self.same("box", [float(n) for n in words], [round(v, 2) for v in (self.box[0], self.box[2], self.box[1], self.box[3])])
        elif "latitude" in names and "longitude" in names:
            lon, lat = ([float(r[n]) for r in self.rows] for n in ("longitude", "latitude"))
            for page, counted in zip(words, (min(lon), max(lon), min(lat), max(lat))):
                if abs(float(page) - counted) > 0.005001:
                    self.fault(f"the map says {page}, the file {counted}")
            marks = figure.one("path", "c-mark")
            dots = len(re.findall(r"M\d+ \d+h0", marks.attrs["d"])) if marks is not None else 0
            self.same("points on the map", dots, min(20, len(self.rows)))


def main(folder):
    faults, seen, files = [], Counter(), 0
    names = sorted(n for n in os.listdir(folder) if not n.endswith(".html"))
    for name in [n for n in names if os.path.exists(os.path.join(folder, n + ".en.html"))]:
        rows, box = records(os.path.join(folder, name))
        if rows is None:
            continue
        files += 1
        columns = list(dict.fromkeys(k for r in rows for k in r))
        drawn = None
        for lang in ("en", "fr", "de", "nl"):
            with open(os.path.join(folder, f"{name}.{lang}.html"), encoding="utf-8") as f:
                root = Tree(f.read()).root
            before = Counter(seen)
            page = Page(name, lang, rows, box, faults, seen)
            page.made = bool(re.match(r"\d{3}-", name))
            try:
                page.judge(root, columns)
            except (AttributeError, KeyError, ValueError, IndexError, TypeError) as e:
                page.fault(f"cannot be compared: {e!r}")
            here = {k: seen[k] - before[k] for k in seen if seen[k] > before[k]}
            if drawn is not None and drawn != here:
                faults.append(f"{name} ({lang}): has the pictures {here}, another language {drawn}")
            drawn = here
        what = name[4:].split(".")[0] if page.made else ""
        wanted = {"series": "series", "bars": "bars", "points": "maps"}.get(what)
        if wanted and not drawn.get(wanted):
            faults.append(f"{name}: no {wanted}: {drawn}")
    for f in faults[:60]:
        print(f)
    print(f"recount: {files} files, {dict(seen)} pictures in four languages, {len(faults)} faults")
    return 1 if faults or files < 200 or not all(seen[k] for k in ("ranges", "tops", "shares", "series", "bars", "maps")) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
