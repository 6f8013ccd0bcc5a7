"""The comparison must see what is wrong: each case breaks one thing.

    python3 -m unittest discover -s .ci/truth -p '*_test.py'
"""
import copy
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import compare
import page
import publisher
import register
import truth
from shape import Record, address, letters, same_time, skolem

ENTRY = {"id": "e1", "slug": "tides", "type": "DATASET", "status": "ACTIVE", "name": "Getijden", "native_lang": "nl", "upstream_ref": "h.example:dataset:tides",
         "titles": {"nl": "Getijden", "en-t-nl": "Tides"}, "descriptions": {"nl": "Eerst. Dan."}, "keywords": {"nl": ["water, zout"]}, "publisher_name": "Havendienst",
         "publisher": {"iri": "https://h.example/o"}, "license_raw": "https://l.example/by", "access_rights": "PUBLIC", "source_issued_at": "2019-05-01T00:00:00Z",
         "contact": {"email": "info@h.example"}, "dataset": {"landing_page": "https://h.example/p", "temporal_start": "2019-01-01T00:00:00Z",
         "distributions": [{"access_url": "https://h.example/p", "download_url": "https://h.example/f.csv", "format": "CSV"}]}}


def record():
    r = Record("https://h.example/d/1", "DATASET")
    r.identify("identifier", "tides")
    r.tell("title", "Getijden", "nl")
    r.tell("title", "Tides", "en-t-nl")
    r.tell("description", "Eerst.", "nl")
    r.tell("description", "Dan.", "nl")
    r.tell("keyword", "water, zout", "nl")
    r.say("publisher", ("https://h.example/o", (("nl", "Havendienst"),)))
    r.say("licence", "http://l.example/by/")
    r.say("access right", "PUBLIC")
    r.say("issued", "2019-05-01")
    r.say("contact", ("", ("info@h.example",)))
    r.say("distribution", ("https://h.example/f.csv", "https://h.example/p"))
    r.say("address", "https://h.example/f.csv", "https://h.example/p")
    r.say("format", "http://x/CSV".split("/")[-1])
    r.say("temporal", ("2019-01-01", ""))
    return r


def outcome(entry):
    t = compare.Tally()
    compare.compare(record(), register.View(entry), t)
    return {(f, o): n for f, by in t.n.items() for o, n in by.items() if o != compare.RIGHT}


class Breaks(unittest.TestCase):
    def test_right(self):
        self.assertEqual(outcome(ENTRY), {})

    def test_each(self):
        for want, change in {
            ("title", "differing"): lambda e: e["titles"].update(nl="Vloed"), ("title by machine", "missing"): lambda e: e["titles"].pop("en-t-nl"),
            ("title", "unstated"): lambda e: e["titles"].update(fr="Marées"), ("description", "differing"): lambda e: e["descriptions"].update(nl="Dan. Eerst."),
            ("keyword", "differing"): lambda e: e.update(keywords={"nl": ["water", "zout"]}), ("keyword in its language", "missing"): lambda e: e.update(keywords={"fr": ["water, zout"]}),
            ("publisher name", "differing"): lambda e: e.update(publisher_name="Vlaanderen"), ("publisher IRI", "missing"): lambda e: e.pop("publisher"),
            ("licence", "differing"): lambda e: e.update(license_raw="https://l.example/by-nc"), ("access right", "differing"): lambda e: e.update(access_rights="NON_PUBLIC"),
            ("issued", "differing"): lambda e: e.update(source_issued_at="2019-05-02T00:00:00Z"), ("contact", "missing"): lambda e: e.pop("contact"),
            ("distribution", "differing"): lambda e: e["dataset"]["distributions"][0].pop("access_url"), ("address", "unstated"): lambda e: e["dataset"]["distributions"][0].update(other_urls=["https://z.example/"]),
            ("format", "differing"): lambda e: e["dataset"]["distributions"][0].update(format="PDF"), ("temporal", "differing"): lambda e: e["dataset"].update(temporal_end="2020-01-01T00:00:00Z"),
        }.items():
            e = copy.deepcopy(ENTRY)
            change(e)
            self.assertIn(want, outcome(e), want)

    def test_lost(self):
        other = record()
        other.place, other.ids = "https://h.example/d/2", [("identifier", "depths")]
        summary, pairs, lost = truth.account([record(), other], [register.View(ENTRY)], {"rejections": []})
        self.assertEqual((summary["lost"], len(pairs), lost[0][0].place), (1, 1, other.place))
        summary, _, _ = truth.account([record(), other], [register.View(ENTRY)], {"rejections": [{"place": "f " + other.place, "reason": "no title", "code": "x"}]})
        self.assertEqual((summary["lost"], summary["rejected"]), (0, 1))
        merged = dict(ENTRY, id="e2", upstream_ref="h.example:dataset:depths", merged_into_id="e1")
        summary, _, _ = truth.account([record(), other], [register.View(ENTRY), register.View(merged)], {})
        self.assertEqual((summary["lost"], summary["merged"]), (0, 1))

    def test_floor(self):
        was = {"name": "x", "records": 2, "lost": 0, "strays": 0, "fields": {"title": {"right": 3, "missing": 1}}}
        page.measured = lambda: {"x": was}
        self.assertEqual(page.worse(copy.deepcopy(was)), [])
        for change in ({"lost": 1}, {"records": 1}, {"fields": {"title": {"right": 2, "missing": 2}}}, {"fields": {"title": {"right": 3, "missing": 1, "unstated": 1}}}):
            self.assertEqual(len(page.worse({**was, **change})), 1, change)

    def test_persons(self):
        for form, names, want in (("jane.roe@a.example", "Jane Roe", True), ("jroe@a.example", "Roe, Jane", True), ("x1@gmail.com", "廖泫銘", True), ("x1@gmail.com", "", True), ("a.other@b.example", "Jane Roe", True),
                                  ("no-reply@a.example", "Jane Roe", False), ("demandas.ti@a.example", "GTEFI", False), ("the.secretary@a.example", "Budget Office", False), ("a.b@c.example", "", False),
                                  ("harbour@gmail.com", "Harbour", False), ("stad.brugge@brugge.example", "Stad Brugge", False)):
            self.assertEqual(compare.personal(form, names), want, form)

    def test_contact(self):
        r = record()
        r.facts["contact"] = [("Jane Roe", ("jane.roe@h.example",)), ("", ("info@h.example",))]
        for shown, want in (({}, "missing"), ({"email": "info@h.example"}, "right"), ({"email": "jane.roe@h.example"}, "exposed")):
            t = compare.Tally()
            compare.compare(r, register.View(dict(ENTRY, contact=shown)), t)
            self.assertEqual(dict(t.n["contact"]), {want: 1})
        r.facts["contact"].pop()
        t = compare.Tally()
        compare.compare(r, register.View(dict(ENTRY, contact={})), t)
        self.assertEqual(dict(t.n["contact"]), {"withheld": 1})
        n = {"fields": {"contact": {"right": 1, "withheld": 3, "unstated": 1}}}
        self.assertEqual((page.said(n, "contact"), page.open_to(n, "contact")), (4, 1))

    def test_words(self):
        self.assertEqual(letters("<p>Één&nbsp;[link](https://a.b/c) </p>"), letters("Één link"))
        self.assertEqual(address("HTTP://A.example:80/x%7Ey"), address("http://a.example/x~y"))
        self.assertNotEqual(address("https://a.example/#/metadata/1"), address("https://a.example/#/metadata/2"))
        self.assertTrue(same_time("2019-05", "2019-05-01T00:00:00Z") and same_time("2020-01-01T01:00:00+01:00", "2020-01-01T00:00:00Z"))
        self.assertTrue(skolem("https://a.example/.well-known/genid/1") and not skolem("https://a.example/1"))


class Publishers(unittest.TestCase):
    PAGE = ('<script type="application/ld+json">{"@type":"Dataset","creator":{"name":"%s"}}</script>'
            '<section id="cite"><h2>Cite</h2><pre>%s. Tides. In: Register</pre></section>')
    GRAPH = '{"@graph":[{"@id":"https://r.example/id/e1","dct:publisher":[{"@id":"https://r.example/b"}]},{"@id":"https://r.example/b","foaf:name":[{"@value":"%s"}]}]}'
    CONCEPT = "---\ntitle: Tides\npublisher: %s\n---\n"

    def look(self, schema, cited, graph, concept):
        with tempfile.TemporaryDirectory() as site:
            for path, text in {"entry/tides/index.html": self.PAGE % (schema, cited), "id/e1.jsonld": self.GRAPH % graph, "api/v1/okf/datasets/tides.md": self.CONCEPT % concept}.items():
                os.makedirs(os.path.dirname(os.path.join(site, path)), exist_ok=True)
                with open(os.path.join(site, path), "w", encoding="utf-8") as f:
                    f.write(text)
            look = publisher.Look(site)
            look.at("e1", "tides", ["Havendienst"])
        return sorted(look.wrong), sum(look.right.values())

    def test_each(self):
        right = ["Havendienst"] * 4
        self.assertEqual(self.look(*right), ([], 4))
        for i, form in enumerate(["schema.org", "citation", "DCAT", "OKF"]):
            self.assertEqual(self.look(*right[:i], "Vlaanderen", *right[i + 1:]), ([form], 3))


if __name__ == "__main__":
    unittest.main()
