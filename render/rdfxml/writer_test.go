package rdfxml

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// head begins a document that knows some vocabularies.
const head = `{"@context":{"dcat":"http://www.w3.org/ns/dcat#","dct":"http://purl.org/dc/terms/","foaf":"http://xmlns.com/foaf/0.1/"},"@graph":[` + "\n"

// TestDocument: the bytes belong to the form of snapshot files, which hold such documents as the JSON-LD of which
// they are made. Who changes them changes the form (package pack).
func TestDocument(t *testing.T) {
	const in = head + `{"@id":"https://a.example/1","@type":["dcat:Dataset","dct:Standard"],"dct:title":["a <b> & \"c\" \u001B\n",{"@value":"é\uFFFF","@language":"fr"}],` +
		`"dct:issued":[{"@value":"2026","@type":"dct:Year"}],"dct:source":[{"@id":"https://a.example/?a&b"}],"@type":["foaf:Agent"]},` + "\n" +
		`{"@id":"https://a.example/2","dct:title":["\t"]}` + "\n\n]}\n"
	const want = `<?xml version="1.0" encoding="UTF-8"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    xmlns:dcat="http://www.w3.org/ns/dcat#"
    xmlns:dct="http://purl.org/dc/terms/"
    xmlns:foaf="http://xmlns.com/foaf/0.1/">
<dcat:Dataset rdf:about="https://a.example/1">
  <rdf:type rdf:resource="http://purl.org/dc/terms/Standard"/>
  <dct:title>a &lt;b&gt; &amp; &quot;c&quot; ` + "\uFFFD\n" + `</dct:title>
  <dct:title xml:lang="fr">é` + "\uFFFD" + `</dct:title>
  <dct:issued rdf:datatype="http://purl.org/dc/terms/Year">2026</dct:issued>
  <dct:source rdf:resource="https://a.example/?a&amp;b"/>
  <rdf:type rdf:resource="http://xmlns.com/foaf/0.1/Agent"/>
</dcat:Dataset>
<rdf:Description rdf:about="https://a.example/2">
  <dct:title>` + "\t" + `</dct:title>
</rdf:Description>
</rdf:RDF>
`
	got, err := Document([]byte(strings.ReplaceAll(in, `\uFFFF`, "\uFFFF")))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Error(d)
	}
}

// TestRefuses: what this package did not write is refused, never half written.
func TestRefuses(t *testing.T) {
	const about = `{"@id":"https://a.example/1"`
	for _, doc := range []string{"", "{}", `{"@context":{},"@graph":[]}`} {
		if _, err := Document([]byte(doc)); err == nil {
			t.Errorf("%q is taken", doc)
		}
	}
	for _, node := range []string{about, about + `,"@type":"dcat:Dataset"}`, about + `,"dct:title":["a"}`, about + `,"dct:title":["\x"]}`, about + `,"dct:\u0041":["a"]}`, about + `,"dct:title":["\u12"]}`,
		about + `,"dct:title":[{"@value":"a"}]}`, about + `,"dct:title":[{"@list":[]}]}`, about + `,"dct:title":["a"`, about + `,"dct:title":["a\`} {
		if out, err := Document([]byte(head + node + "\n]}\n")); err == nil {
			t.Errorf("%s is taken as\n%s", node, out)
		}
	}
}

// FuzzDocument: no input is too strange to be refused.
func FuzzDocument(f *testing.F) {
	f.Add(`{"@id":"https://a.example/1","@type":["dcat:Dataset"],"dct:title":["a",{"@value":"b","@language":"en"},{"@id":"x"}]}`)
	f.Fuzz(func(_ *testing.T, node string) { _, _ = Document([]byte(head + node)) })
}
