package rdf

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func TestJSON(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"context first", `{"@context":{"e":"http://e/","n":"e:n"},"@graph":[{"@id":"e:a","n":"x"},{"@id":"e:b","n":{"@id":"e:a"}}]}`,
			`<http://e/a> <http://e/n> "x" . <http://e/b> <http://e/n> <http://e/a> .`},
		{"context last", `{"@graph":[{"@id":"e:a","n":"x"}],"@context":{"e":"http://e/","n":"e:n"}}`, `<http://e/a> <http://e/n> "x" .`},
		{"graph with a name and properties", `{"@context":{"e":"http://e/"},"@id":"e:g","@graph":[{"@id":"e:a","e:n":1}],"e:n":2}`,
			`<http://e/a> <http://e/n> 1 . <http://e/g> <http://e/n> 2 .`},
		{"graph of one node", `{"@context":{"e":"http://e/"},"@graph":{"@id":"e:a","e:n":"x"}}`, `<http://e/a> <http://e/n> "x" .`},
		{"one node", `{"@context":{"e":"http://e/"},"@id":"e:a","@type":["e:T","e:U"],"e:n":{"e:m":[true,1.5,1e30]}}`,
			`<http://e/a> a <http://e/T>, <http://e/U> ; <http://e/n> [ <http://e/m> true, 1.5E0, 1.0E30 ] .`},
		{"array", `[{"@id":"e:a","e:n":[{"@value":"x","@language":"de"}]},{"@id":"e:b","e:n":[{"@id":"_:b"}]}]`,
			`<e:a> <e:n> "x"@de . <e:b> <e:n> _:x .`},
		{"languages and types", `{"@context":{"t":{"@id":"e:t","@container":"@language"},"d":{"@id":"e:d","@type":"http://www.w3.org/2001/XMLSchema#date"},"u":{"@id":"e:u","@type":"@id"}},
			"@id":"e:a","t":{"de":"eins","fr":["un","une"]},"d":"2020-01-01","u":"x y?"}`,
			`<e:a> <e:t> "eins"@de, "un"@fr, "une"@fr ; <e:d> "2020-01-01"^^<http://www.w3.org/2001/XMLSchema#date> ; <e:u> <http://example.org/x%20y?> .`},
		{"lists", `{"@id":"e:a","e:l":{"@list":["x",{"@id":"e:b"}]},"e:m":{"@list":[]}}`, `<e:a> <e:l> ("x" <e:b>) ; <e:m> () .`},
		{"reverse and included", `{"@context":{"in":{"@reverse":"e:has"}},"@id":"e:a","in":[{"@id":"e:b"}],"@included":[{"@id":"e:c","e:n":"x"}]}`,
			`<e:b> <e:has> <e:a> . <e:c> <e:n> "x" .`},
		{"JSON literal", `{"@id":"e:a","e:n":{"@value":{"b":[1]},"@type":"@json"}}`, `<e:a> <e:n> "{\"b\":[1]}"^^<` + rdfNS + `JSON> .`},
		{"labels that look like the reader's", `[{"@id":"_:#1","e:n":"x"},{"e:n":"y"}]`, `[] <e:n> "x" . [] <e:n> "y" .`},
	} {
		got, problems, err := lenient(JSONLD, c.in, "http://example.org/")
		if want := parse(t, Turtle, c.want); err != nil || !isomorphic(got, want) {
			t.Errorf("%s: %v, %v\n%swant\n%s", c.name, err, problems, dump(got), dump(want))
		}
	}
}

// TestJSONBatches refers across the nodes that are expanded at once: labels
// mean the same throughout a document.
func TestJSONBatches(t *testing.T) {
	var b bytes.Buffer
	b.WriteString(`{"@context":{"e":"http://e/"},"@graph":[`)
	const n = 3000
	for i := range n {
		fmt.Fprintf(&b, `{"@id":"_:n%d","e:next":{"@id":"_:n%d"},"e:text":"%s"},`, i, (i+1)%n, strings.Repeat("x", 400))
	}
	b.WriteString(`{"@id":"e:first","e:next":{"@id":"_:n0"}}]}`)
	next := map[string]string{}
	start := ""
	if b.Len() < 4*jsonBatch {
		t.Fatal("the document fits a batch")
	}
	err := Read(&b, JSONLD, Options{}, func(x Triple) error {
		switch {
		case x.Predicate.Value != "http://e/next":
		case x.Subject.Kind == IRI:
			start = x.Object.Value
		default:
			next[x.Subject.Value] = x.Object.Value
		}
		return nil
	})
	steps := 0
	for at := start; steps < n && at != ""; steps++ {
		at = next[at]
	}
	if err != nil || steps != n || len(next) != n {
		t.Errorf("%v: %d steps, %d nodes", err, steps, len(next))
	}
}
