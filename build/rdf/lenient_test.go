package rdf

import (
	"strings"
	"testing"
)

func lenientWith(syntax Syntax, text string, o Options) (graph, []Problem, error) {
	g := graph{}
	var problems []Problem
	o.Lenient = func(p Problem) error { problems = append(problems, p); return nil }
	err := Read(strings.NewReader(text), syntax, o, func(x Triple) error { g[x] = true; return nil })
	return g, problems, err
}

// TestLenient shows what a harvester can live with: each place is reported, and
// the rest of the document is read.
func TestLenient(t *testing.T) {
	for _, c := range []struct {
		name   string
		syntax Syntax
		in     string
		// triples are what remains, in any order; reasons are parts of the reports.
		triples []string
		reasons []string
	}{
		{"space in an IRI", Turtle, `<http://h/a b> <p:p> <http://h/x|y>, <http://h/ok>.`,
			[]string{"<http://h/a%20b> <p:p> <http://h/x%7Cy> .", "<http://h/a%20b> <p:p> <http://h/ok> ."}, []string{"line 1, column 1:", "percent-encoded"}},
		{"undeclared prefix", Turtle, "<s:a> <p:p> 1 .\n<s:b> x:y 2 .\n<s:c> <p:p> 3 .\n",
			[]string{`<s:a> <p:p> "1"^^<` + xsdNS + `integer> .`, `<s:c> <p:p> "3"^^<` + xsdNS + `integer> .`}, []string{"line 2, column 7: the prefix x: is not declared"}},
		{"statement that breaks in the middle", Turtle, "<s:b> <p:p> \"one\" ;\n <p:q> ??? ;\n <p:r> \"x\" .\n<s:c> <p:p> \"two\" .\n",
			[]string{`<s:b> <p:p> "one" .`, `<s:c> <p:p> "two" .`}, []string{"line 2, column 8"}},
		{"literal without end", Turtle, "<s:b> <p:p> \"one ;\n <p:q> 1 .\n<s:c> <p:p> \"two\" .\n",
			[]string{`<s:c> <p:p> "two" .`}, []string{"a line break within a literal"}},
		{"underscore in a language", Turtle, `<s:b> <p:p> "x"@pt_BR .`, []string{`<s:b> <p:p> "x"@pt-BR .`}, []string{"underscore"}},
		{"no language", Turtle, `<s:b> <p:p> "x"@1 .`, []string{`<s:b> <p:p> "x" .`}, []string{"column 16", "no language tag"}},
		{"surrogates", Turtle, `<s:b> <p:p> "\uD83D\uDE00" .`, []string{`<s:b> <p:p> "😀" .`}, []string{"surrogate"}},
		{"half a surrogate", NTriples, `<s:b> <p:p> "\uD83D" .`, []string{`<s:b> <p:p> "` + "\ufffd" + `" .`}, []string{"no character"}},
		{"a bad line", NTriples, "<s:a> <p:p> <s:b> .\nnonsense\n<s:b> <p:p> <s:c> .", []string{"<s:a> <p:p> <s:b> .", "<s:b> <p:p> <s:c> ."}, []string{"line 2, column 1: this is no subject"}},
		{"relative without base", NTriples, "<a> <p:p> <s:b> .", []string{"<a> <p:p> <s:b> ."}, []string{"relative"}},
		{"latin-1 text", Turtle, "<s:a> <p:p> \"caf\xe9\" .", []string{"<s:a> <p:p> \"caf\\xe9\" ."}, []string{"not UTF-8"}},
		{"IRIs in XML", RDFXML, wrapXML(`<rdf:Description rdf:about="http://h/a b"><e:p rdf:resource=" http://h/c"/></rdf:Description>`),
			[]string{"<http://h/a%20b> <http://e/p> <http://h/c> ."}, []string{"percent-encoded", "percent-encoded"}},
		{"a bad element", RDFXML, wrapXML(`<e:T rdf:about="s:a"><e:p rdf:ID="1"/><e:q>x</e:q></e:T><e:T rdf:about="s:b"><e:q>y</e:q></e:T>`),
			[]string{"<s:a> <" + RDFType + "> <http://e/T> .", `<s:a> <http://e/p> "" .`, `<s:a> <http://e/q> "x" .`, "<s:b> <" + RDFType + "> <http://e/T> .", `<s:b> <http://e/q> "y" .`},
			[]string{`"1" is no name for rdf:ID`}},
		{"undeclared prefix in XML", RDFXML, wrapXML(`<e:T rdf:about="s:a"><x:p>y</x:p><e:q>x</e:q></e:T>`),
			[]string{"<s:a> <" + RDFType + "> <http://e/T> .", `<s:a> <http://e/q> "x" .`}, []string{"the prefix x: is not declared"}},
		{"control characters in XML", RDFXML, wrapXML("<e:T rdf:about='s:a'><e:q>x\x0by</e:q></e:T>"),
			[]string{"<s:a> <" + RDFType + "> <http://e/T> .", `<s:a> <http://e/q> "x y" .`}, []string{"control characters"}},
		{"a bad node in JSON", JSONLD, `{"@context":{"p":"q:p"},"@graph":[{"@id":"s:a","p":"x"},{"@id":7,"p":"y"},{"@id":"s:c","p":{"@id":"h:i j"}}]}`,
			[]string{`<s:a> <q:p> "x" .`, "<s:c> <q:p> <h:i%20j> ."}, []string{"@id", "percent-encoded"}},
	} {
		g, problems, err := lenientWith(c.syntax, c.in, Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var reports []string
		for _, p := range problems {
			reports = append(reports, p.Error())
		}
		all := strings.Join(reports, "\n")
		for _, want := range c.reasons {
			if !strings.Contains(all, want) {
				t.Errorf("%s: reported %q, not %q", c.name, all, want)
			}
		}
		got := dump(g)
		for _, want := range c.triples {
			if !strings.Contains(got, want+"\n") {
				t.Errorf("%s: no %s in\n%s", c.name, want, got)
			}
		}
		if len(g) != len(c.triples) {
			t.Errorf("%s: read\n%s", c.name, got)
		}
		if _, err := read(c.syntax, c.in, ""); err == nil {
			t.Errorf("%s: a strict reader takes it", c.name)
		}
	}
}

func wrapXML(body string) string {
	return `<?xml version="1.0"?>` + "\n" + `<rdf:RDF xmlns:rdf="` + rdfNS + `" xmlns:e="http://e/">` + body + "</rdf:RDF>"
}

// TestLostSubject checks that the harvester learns whose statement was lost.
func TestLostSubject(t *testing.T) {
	for _, c := range []struct {
		syntax Syntax
		in     string
		want   string
	}{
		{Turtle, "<s:a> <p:p> ?? .\n", "<s:a>"},
		{NTriples, "<s:a> <p:p> ?? .\n", "<s:a>"},
		{RDFXML, wrapXML(`<e:T rdf:about="s:a"><e:p rdf:resource="s:b" rdf:nodeID="c"/></e:T>`), "<s:a>"},
		{JSONLD, `[{"@id":"s:a","@type":7}]`, "<s:a>"},
	} {
		_, problems, err := lenientWith(c.syntax, c.in, Options{})
		if err != nil || len(problems) != 1 || !problems[0].Lost || problems[0].Subject.String() != c.want {
			t.Errorf("%v: %v, %+v", c.syntax, err, problems)
		}
	}
}
