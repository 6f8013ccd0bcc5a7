package dcat

import (
	"strings"
	"testing"
)

// TestStart: a directory has the first page under a route that does not change, and its
// links lead to the pinned pages.
func TestStart(t *testing.T) {
	r := New(Options{})
	c := freeze(t, r, fixture())
	all := files(t, r, c)
	start, err := r.Start(c)
	if err != nil || len(start) != 3 {
		t.Fatalf("%d documents, %v", len(start), err)
	}
	for _, f := range start {
		ext := f.Route[strings.LastIndexByte(f.Route, '.')+1:]
		if f.Route != StartRoute(ext) || f.Cache != 0 || string(f.Body) != all[PageRoute(c.ID, 1, ext)] {
			t.Errorf("%s is not page 1 of %s", f.Route, c.ID)
		}
	}
}

// TestRDFXMLRefuses: what this package did not write is refused, never half written.
func TestRDFXMLRefuses(t *testing.T) {
	const about = `{"@id":"https://a.example/1"`
	good, err := RDFXML([]byte(jsonldHead + about + `,"@type":["dcat:Dataset","dct:Standard"],"dct:title":["a <b> & \"c\" \u001B\n"]}` + "\n]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<dcat:Dataset rdf:about="https://a.example/1">`, `rdf:resource="http://purl.org/dc/terms/Standard"/>`, "a &lt;b&gt; &amp; &quot;c&quot; \uFFFD\n</dct:title>"} {
		if !strings.Contains(string(good), want) {
			t.Errorf("no %s in\n%s", want, good)
		}
	}
	for _, doc := range []string{"", "{}", `{"@context":{},"@graph":[]}`} {
		if _, err := RDFXML([]byte(doc)); err == nil {
			t.Errorf("%q is taken", doc)
		}
	}
	for _, node := range []string{about, about + `,"@type":"dcat:Dataset"}`, about + `,"dct:title":["a"}`, about + `,"dct:title":["\x"]}`, about + `,"dct:title":["\u12"]}`,
		about + `,"dct:title":[{"@value":"a"}]}`, about + `,"dct:title":[{"@list":[]}]}`, about + `,"dct:title":["a"`, about + `,"dct:title":["a\`} {
		if out, err := RDFXML([]byte(jsonldHead + node + "\n]}\n")); err == nil {
			t.Errorf("%s is taken as\n%s", node, out)
		}
	}
}

// FuzzRDFXML: no input is too strange to be refused.
func FuzzRDFXML(f *testing.F) {
	f.Add(`{"@id":"https://a.example/1","@type":["dcat:Dataset"],"dct:title":["a",{"@value":"b","@language":"en"},{"@id":"x"}]}`)
	f.Fuzz(func(_ *testing.T, node string) { _, _ = RDFXML([]byte(jsonldHead + node)) })
}
