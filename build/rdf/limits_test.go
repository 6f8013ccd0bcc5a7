package rdf

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// small are limits that short documents can reach.
var small = Limits{Token: 1 << 16, Depth: 20, Names: 10, Document: 1 << 17, Faults: 5}

// endless repeats a text up to n bytes.
func endless(head, text string, n int64) io.Reader {
	return io.MultiReader(strings.NewReader(head), io.LimitReader(&repeat{text: text}, n))
}

type repeat struct {
	text string
	at   int
}

// Read implements io.Reader.
func (r *repeat) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = r.text[r.at]
		r.at = (r.at + 1) % len(r.text)
	}
	return len(p), nil
}

// TestLimits gives the readers documents that never end where they should: the
// fault names the limit, and memory stays small.
func TestLimits(t *testing.T) {
	xmlHead := `<rdf:RDF xmlns:rdf="` + rdfNS + `" xmlns:e="http://e/">`
	for _, c := range []struct {
		name   string
		syntax Syntax
		head   string
		text   string
		want   string
	}{
		{"literal", Turtle, `<s:a> <p:p> "`, "x", "longer than 65536"},
		{"long literal", Turtle, `<s:a> <p:p> """`, "x\n", "longer than 65536"},
		{"IRI", NTriples, "<s:", "x", "longer than 65536"},
		{"name", Turtle, "@prefix p: <p:> . p:", "x", "65536"},
		{"escaped name", Turtle, "@prefix p: <p:> . p:", `\-`, "longer than 65536"},
		{"label", Turtle, "_:", "x", "65536"},
		{"number", Turtle, "<s:a> <p:p> ", "1", "65536"},
		{"brackets", Turtle, "<s:a> <p:p> ", "[ <p:p> ", "deeper than 20"},
		{"lists", Turtle, "<s:a> <p:p> ", "(", "deeper than 20"},
		{"XML text", RDFXML, xmlHead + "<e:a><e:b>", "x", "longer than 65536"},
		{"XML text between comments", RDFXML, xmlHead + "<e:a><e:b>", "xxxxxxxxxxxxxxxxxxxxxxxxxxx<!-- -->", "longer than 65536"},
		{"XML comment", RDFXML, xmlHead + "<!-- ", "x", "longer than 65536"},
		{"XML literal", RDFXML, xmlHead + `<e:a><e:b rdf:parseType="Literal">`, "<i>x</i>", "longer than 65536"},
		{"XML attribute", RDFXML, xmlHead + `<e:a e:b="`, "x", "longer than 65536"},
		{"XML attributes", RDFXML, xmlHead + "<e:a", " a='' a=''", "longer than 65536"},
		{"XML depth", RDFXML, xmlHead, "<e:a><e:b>", "deeper than 20"},
		{"XML doctype", RDFXML, "<!DOCTYPE a [", "<!ENTITY a 'b'>", "longer than 65536"},
		{"JSON text", JSONLD, `[{"@id":"`, "x", "longer than 65536"},
		{"JSON depth", JSONLD, "", "[", ""},
		{"JSON object", JSONLD, `{"a":[`, `{"b":1},`, "longer than 131072"},
		{"JSON numbers", JSONLD, "[", "1", "longer than 65536"},
	} {
		for _, mode := range []string{"strict", "lenient"} {
			o := Options{Base: "http://h/", Limits: small}
			if mode == "lenient" {
				o.Lenient = func(Problem) error { return nil }
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := Read(endless(c.head, c.text, 4<<20), c.syntax, o, func(Triple) error { return nil })
			runtime.ReadMemStats(&after)
			var p *Problem
			if mode == "strict" && (!errors.As(err, &p) || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%s: %v, not a problem with %q", c.name, err, c.want)
			}
			if grown := after.HeapSys - before.HeapSys; grown > 24<<20 && after.HeapSys > before.HeapSys {
				t.Errorf("%s, %s: the heap grew by %d bytes", c.name, mode, grown)
			}
		}
	}
}

// TestXMLSearches bounds what is searched for each element.
func TestXMLSearches(t *testing.T) {
	var attrs, spaces strings.Builder
	for i := range attrsMax + 1 {
		fmt.Fprintf(&attrs, " e:a%d=''", i)
	}
	for i := range 10 {
		spaces.WriteString("<e:a")
		for j := range 500 {
			fmt.Fprintf(&spaces, " xmlns:n%d.%d='x:'", i, j)
		}
		spaces.WriteString("><e:b>")
	}
	for want, body := range map[string]string{"more than 1000 attributes": "<e:a" + attrs.String() + "/>", "more than 4096 namespaces": spaces.String()} {
		if _, err := read(RDFXML, wrapXML(body), ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not %q", err, want)
		}
	}
}

// TestFaultLimit checks that a lenient reader gives up on what is no RDF.
func TestFaultLimit(t *testing.T) {
	for syntax, text := range map[Syntax]string{
		Turtle: strings.Repeat("nonsense.\n", 10), NTriples: strings.Repeat("nonsense\n", 10),
		RDFXML: wrapXML(strings.Repeat("<e:a rdf:ID='1'/>", 10)), JSONLD: "[" + strings.Repeat(`{"@id":7},`, 10) + "{}]",
	} {
		_, problems, err := lenientWith(syntax, text, Options{Limits: small})
		if err == nil || !strings.Contains(err.Error(), "more than 5") || len(problems) != 5 {
			t.Errorf("%v: %v after %d problems", syntax, err, len(problems))
		}
	}
}

func TestEntities(t *testing.T) {
	lol := `<!ENTITY a0 "0123456789">`
	for i := 1; i < 9; i++ {
		lol += fmt.Sprintf(`<!ENTITY a%d "%s">`, i, strings.Repeat(fmt.Sprintf("&a%d;", i-1), 10))
	}
	doc := func(dtd, text string) string {
		return "<!DOCTYPE rdf:RDF [" + dtd + "]>" + strings.TrimPrefix(wrapXML("<rdf:Description rdf:about='s:a'><e:p>"+text+"</e:p></rdf:Description>"), "<?xml version=\"1.0\"?>\n")
	}
	for _, c := range []struct{ name, in, want, fault string }{
		{"namespace", doc(`<!ENTITY ns "http://h/"><!ENTITY both "&ns;x&#45;&#x79;">`, "&both; &amp; &ns;"), "http://h/x-y & http://h/", ""},
		{"predefined", doc(`<!ENTITY lt "&#38;#60;">`, "&lt;"), "<", ""},
		{"first declaration counts", doc(`<!ENTITY a "1"><!ENTITY a "2">`, "&a;"), "1", ""},
		{"external", doc(`<!ENTITY x SYSTEM "file:///etc/passwd">`, "&x;"), "", "not well-formed"},
		{"external with a public name", doc(`<!ENTITY x PUBLIC "p" "http://h/">`, "&x;"), "", "not well-formed"},
		{"parameter", doc(`<!ENTITY % x "y"> %x;`, "&x;"), "", "not well-formed"},
		{"undeclared", doc("", "&nbsp;"), "", "not well-formed"},
		{"markup", doc(`<!ENTITY x "<b/>">`, "x"), "", "holds markup"},
		{"hidden markup", doc(`<!ENTITY x "&#60;b/>">`, "x"), "", "holds markup"},
		{"itself", doc(`<!ENTITY x "&x;">`, "&x;"), "", "not declared before"},
		{"a billion laughs", doc(lol, "&a8;"), "", "longer than 4096"},
		{"quadratic", doc(`<!ENTITY x "`+strings.Repeat("x", 4000)+`">`, strings.Repeat("&x;", 2000)), "", "entities counted"},
	} {
		g, err := read(RDFXML, c.in, "")
		if c.fault != "" {
			if err == nil || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%s: %v, not %q", c.name, err, c.fault)
			}
			continue
		}
		if err != nil || !g[Triple{iriTerm("s:a"), iriTerm("http://e/p"), textTerm(c.want, "")}] {
			t.Errorf("%s: %v\n%s", c.name, err, dump(g))
		}
	}
}

// TestSmallReads feeds a byte at a time: no token depends on where the buffer
// ends.
func TestSmallReads(t *testing.T) {
	for syntax, text := range map[Syntax]string{
		Turtle:   "# c\n@prefix p: <p:> .\np:a.b\\-c p:q \"\"\"x\\n\"\" y\"\"\"@en-GB, '\\u00e9', 1.5e3, (_:a.b [ p:r true ]) ; .\n",
		NTriples: "<s:\\u0061> <p:p> \"a\\tb\"^^<d:d> . # c\n\n_:b <p:p> _:c.\n",
		RDFXML:   wrapXML("<e:a rdf:about='s:a'><e:b xml:lang='de'>ü &lt;</e:b><e:c rdf:resource='s:c'/></e:a>"),
		JSONLD:   `{"@context":{"@language":"de"},"@graph":[{"@id":"s:a","p:p":["x",1.5,true,{"@list":[1,2]}]}]}`,
	} {
		want := parse(t, syntax, text)
		got := graph{}
		err := Read(iotest.OneByteReader(strings.NewReader(text)), syntax, Options{Base: "http://example.org/"}, func(x Triple) error { got[x] = true; return nil })
		if err != nil || len(want) < 2 || !isomorphic(got, want) {
			t.Errorf("%v: %v\n%swant\n%s", syntax, err, dump(got), dump(want))
		}
	}
}

// TestErrorsOfOthers checks that the errors of the input and of the receiver
// come back.
func TestErrorsOfOthers(t *testing.T) {
	full, broken := errors.New("full"), errors.New("broken")
	for syntax, text := range map[Syntax]string{
		Turtle: "<s:a> <p:p> <s:b> . ", NTriples: "<s:a> <p:p> <s:b> .\n",
		RDFXML: wrapXML("<e:a/>"), JSONLD: `[{"@id":"s:a","p:p":"x"}]`,
	} {
		o := Options{Lenient: func(Problem) error { return nil }}
		if err := Read(strings.NewReader(text), syntax, o, func(Triple) error { return full }); !errors.Is(err, full) {
			t.Errorf("%v: %v", syntax, err)
		}
		r := io.MultiReader(strings.NewReader(text[:len(text)/2]), iotest.ErrReader(broken))
		if err := Read(r, syntax, o, func(Triple) error { return nil }); !errors.Is(err, broken) {
			t.Errorf("%v: %v", syntax, err)
		}
	}
}
