package rdf

import (
	"strings"
	"testing"
)

// right are documents and what they mean, in N-Triples with prefixes.
var right = []struct {
	name   string
	syntax Syntax
	in     string
	want   string
}{
	{"empty", Turtle, "", ""},
	{"only a comment, no line feed", Turtle, "# x", ""},
	{"prefix and base in both ways", Turtle, "@prefix a: <s:> . PREFIX b: <t:>\n@base <http://h/d/> . BASE <e/>\na:x b:y <f> .", "<s:x> <t:y> <http://h/d/e/f> ."},
	{"prefix declared anew", Turtle, "@prefix a: <s:> . a:x a:y a:z . @prefix a: <t:> . a:x a:y a:z .", "<s:x> <s:y> <s:z> . <t:x> <t:y> <t:z> ."},
	{"a word that begins like a directive", Turtle, "@prefix prefix: <s:> . @prefix base: <t:> . prefix:x base:y prefix: .", "<s:x> <t:y> <s:> ."},
	{"empty prefix and relative namespace", Turtle, "@prefix : <#> . :a :b :c .", "<http://example.org/#a> <http://example.org/#b> <http://example.org/#c> ."},
	{"dots in names", Turtle, "@prefix p.q: <s:> . p.q:a.b p.q:c..d p.q:d.", "<s:a.b> <s:c..d> <s:d> ."},
	{"names with all there is", Turtle, "@prefix p: <s:> . p:a:b p:0-9_é p:%41\\~\\.\\%.", `<s:a:b> <s:0-9_é> <s:%41~.%> .`},
	{"name that ends with an escaped dot", Turtle, "@prefix p: <s:> . p:a p:b p:c\\. .", "<s:a> <s:b> <s:c.> ."},
	{"a and names that begin with it", Turtle, "@prefix a: <s:> . @prefix ab: <t:> . a:a a ab:c ; ab:a a:b .", "<s:a> <" + RDFType + "> <t:c> . <s:a> <t:a> <s:b> ."},
	{"semicolons before the end and brackets", Turtle, "<s:a> <p:p> [ <p:q> 1 ; ; ] ;; <p:r> 2 ; .", `<s:a> <p:p> _:x . _:x <p:q> "1"^^xsd:integer . <s:a> <p:r> "2"^^xsd:integer .`},
	{"nested brackets and lists", Turtle, "([] (<s:a>)) <p:p> () .", "_:a <" + rdfFirst + "> _:b . _:a <" + rdfRest + "> _:c . _:c <" + rdfFirst + "> _:d . _:c <" + rdfRest + "> <" + rdfNil +
		"> . _:d <" + rdfFirst + "> <s:a> . _:d <" + rdfRest + "> <" + rdfNil + "> . _:a <p:p> <" + rdfNil + "> ."},
	{"properties without a predicate behind", Turtle, "[ <p:p> <s:a> ] .", "_:x <p:p> <s:a> ."},
	{"labels", Turtle, "_:a.b <p:p> _:0 . _:_é-1 <p:p> _:a.b.", "_:x <p:p> _:y . _:z <p:p> _:x ."},
	{"labels are not taken for those of brackets", Turtle, "[] <p:p> 1 . _:b1 <p:q> 1 . _:1 <p:r> 1 .", `_:x <p:p> "1"^^xsd:integer . _:y <p:q> "1"^^xsd:integer . _:z <p:r> "1"^^xsd:integer .`},
	{"numbers", Turtle, "<s:a> <p:p> 1, -2, +3, 1.5, .5, -.5e1, 1e0, 1.E5, 7 .", `<s:a> <p:p> "1"^^xsd:integer . <s:a> <p:p> "-2"^^xsd:integer . <s:a> <p:p> "+3"^^xsd:integer .
		<s:a> <p:p> "1.5"^^xsd:decimal . <s:a> <p:p> ".5"^^xsd:decimal . <s:a> <p:p> "-.5e1"^^xsd:double . <s:a> <p:p> "1e0"^^xsd:double . <s:a> <p:p> "1.E5"^^xsd:double . <s:a> <p:p> "7"^^xsd:integer .`},
	{"a number before the full stop", Turtle, "<s:a> <p:p> 1.<s:b> <p:p> true.", `<s:a> <p:p> "1"^^xsd:integer . <s:b> <p:p> "true"^^xsd:boolean .`},
	{"a line that begins with a decimal", Turtle, "<s:a> <p:p>\n.5 .", `<s:a> <p:p> ".5"^^xsd:decimal .`},
	{"quotes", Turtle, "<s:a> <p:p> 'a\"b', \"a'b\", '''a''b'c\n''', \"\"\"\n# d\\\\\"\"\", \"\", ''''''.", `<s:a> <p:p> "a\"b" . <s:a> <p:p> "a'b" . <s:a> <p:p> "a''b'c\n" . <s:a> <p:p> "\n# d\\" . <s:a> <p:p> "" .`},
	{"escapes", Turtle, `<s:\u0061> <p:p> "\t\b\n\r\f\"\'\\\u00e9\U0001F600" .`, "<s:a> <p:p> \"\\t\\b\\n\\r\\f\\\"'\\\\é😀\" ."},
	{"languages and datatypes", Turtle, "@prefix x: <x:> . <s:a> <p:p> \"a\" @en, 'b'@zh-Hant-TW, \"1\"^^x:byte, \"2\" ^^ <x:byte> .",
		`<s:a> <p:p> "a"@en . <s:a> <p:p> "b"@zh-Hant-TW . <s:a> <p:p> "1"^^<x:byte> . <s:a> <p:p> "2"^^<x:byte> .`},
	{"comments everywhere", Turtle, "<s:a>#\n<p:p>#x\n\"#y\"#z\n.#", `<s:a> <p:p> "#y" .`},
	{"no spaces", Turtle, "<s:a><p:p><s:b>,<s:c>;<p:q>_:x.", "<s:a> <p:p> <s:b> . <s:a> <p:p> <s:c> . <s:a> <p:q> _:x ."},
	{"IRIs beyond ASCII", Turtle, "<http://h/é?ü#ñ> <p:p> <s:😀> .", "<http://h/é?ü#ñ> <p:p> <s:😀> ."},
	{"carriage returns", NTriples, "<s:a> <p:p> <s:b> .\r\n\r\n<s:c> <p:p> <s:d> .\r", "<s:a> <p:p> <s:b> . <s:c> <p:p> <s:d> ."},
	{"tabs and comments", NTriples, "\t<s:a>\t<p:p>\t\"x\"@en\t.\t# c\n#\n", `<s:a> <p:p> "x"@en .`},
	{"node and property attributes", RDFXML, wrapXML(`<e:T rdf:about="s:a" e:p="x" rdf:type="s:T" xml:lang="en"><e:q e:r="y"/></e:T>`),
		`<s:a> <` + RDFType + `> <http://e/T> . <s:a> <http://e/p> "x"@en . <s:a> <` + RDFType + `> <s:T> . <s:a> <http://e/q> _:x . _:x <http://e/r> "y"@en .`},
	{"languages are inherited and ended", RDFXML, wrapXML(`<rdf:Description rdf:about="s:a" xml:lang="de"><e:p>x</e:p><e:p xml:lang="">y</e:p><e:p><e:T rdf:about="s:b"><e:q xml:lang="fr">z</e:q></e:T></e:p></rdf:Description>`),
		`<s:a> <http://e/p> "x"@de . <s:a> <http://e/p> "y" . <s:a> <http://e/p> <s:b> . <s:b> <` + RDFType + `> <http://e/T> . <s:b> <http://e/q> "z"@fr .`},
	{"bases", RDFXML, wrapXML(`<rdf:Description xml:base="http://h/d/e#f" rdf:about=""><e:p rdf:resource="x"/><e:p xml:base="/y/" rdf:resource="z"/><e:p rdf:resource="//i"/></rdf:Description>`),
		`<http://h/d/e> <http://e/p> <http://h/d/x> . <http://h/d/e> <http://e/p> <http://h/y/z> . <http://h/d/e> <http://e/p> <http://i> .`},
	{"text in parts", RDFXML, wrapXML(`<rdf:Description rdf:about="s:a"><e:p>a<!-- b -->c<![CDATA[<d>]]>&#101;<?f g?></e:p><e:p> </e:p></rdf:Description>`), `<s:a> <http://e/p> "ac<d>e" . <s:a> <http://e/p> " " .`},
	{"namespaces of inner elements", RDFXML, wrapXML(`<x:T xmlns:x="http://x/" rdf:about="s:a"><p xmlns="http://y/">1</p><x:p xmlns:x="http://z/">2</x:p></x:T>`),
		`<s:a> <` + RDFType + `> <http://x/T> . <s:a> <http://y/p> "1" . <s:a> <http://z/p> "2" .`},
	{"XML literal", RDFXML, wrapXML(`<rdf:Description rdf:about="s:a"><e:p rdf:parseType="Literal"><b c="&lt;&quot;" a="1"/>&gt;<e:i/></e:p></rdf:Description>`),
		`<s:a> <http://e/p> "<b a=\"1\" c=\"&lt;&quot;\"></b>&gt;<e:i xmlns:e=\"http://e/\"></e:i>"^^<` + XMLLiteral + `> .`},
	{"unknown parse type", RDFXML, wrapXML(`<rdf:Description rdf:about="s:a"><e:p rdf:parseType="other">x</e:p></rdf:Description>`), `<s:a> <http://e/p> "x"^^<` + XMLLiteral + `> .`},
	{"resource and collection", RDFXML, wrapXML(`<rdf:Description rdf:about="s:a"><e:p rdf:parseType="Resource"><e:q rdf:parseType="Collection"><rdf:Description rdf:about="s:b"/></e:q></e:p><e:r rdf:parseType="Collection"/></rdf:Description>`),
		`<s:a> <http://e/p> _:x . _:x <http://e/q> _:y . _:y <` + rdfFirst + `> <s:b> . _:y <` + rdfRest + `> <` + rdfNil + `> . <s:a> <http://e/r> <` + rdfNil + `> .`},
	{"one node without rdf:RDF", RDFXML, `<e:T xmlns:e="http://e/" xmlns:rdf="` + rdfNS + `" rdf:nodeID="n"><e:p rdf:nodeID="n"/></e:T>`, `_:x <` + RDFType + `> <http://e/T> . _:x <http://e/p> _:x .`},
	{"names of old, without a prefix", RDFXML, wrapXML(`<rdf:Description about="s:a"><e:p resource="s:b"/></rdf:Description>`), `<s:a> <http://e/p> <s:b> .`},
}

func TestRight(t *testing.T) {
	for _, c := range right {
		got, err := read(c.syntax, c.in, "http://example.org/")
		want := parse(t, NTriples, lines(c.want))
		if err != nil || !isomorphic(got, want) {
			t.Errorf("%s: %v\n%swant\n%s", c.name, err, dump(got), dump(want))
		}
	}
}

// lines puts statements that follow each other on lines of their own.
func lines(s string) string {
	return strings.NewReplacer(" . ", " .\n", "xsd:integer", "<"+xsdNS+"integer>", "xsd:decimal", "<"+xsdNS+"decimal>",
		"xsd:double", "<"+xsdNS+"double>", "xsd:boolean", "<"+xsdNS+"boolean>").Replace(s)
}

// TestWrong gives each reader what breaks a rule: the fault names its place.
func TestWrong(t *testing.T) {
	for syntax, documents := range map[Syntax]map[string]string{
		Turtle: {
			"<s:a> <p:p>": "1:12", "<s:a> <p:p> <s:b>": "1:18", "<s:a> <p:p> .": "1:13", "<s:a> .": "1:7", "<s:a> <p:p> <s:b> ; <p:q> .": "1:27",
			"[] .": "1:4", "<s:a> <p:p> [ <p:q> 1 .": "1:23", "<s:a> <p:p> ( 1 .": "1:17", "\"x\" <p:p> 1 .": "1:1", "<s:a> \"p\" 1 .": "1:7", "<s:a> _:p 1 .": "1:7",
			"<s:a> <p:p> <s b> .": "1:13", "<s:a> <p:p> <s:\nb> .": "1:13", "<s:a> <p:p> \"a\nb\" .": "1:13", "<s:a> <p:p> \"\"\"a\"\" .": "1:13", "<s:a> <p:p> 'a\\x' .": "1:13",
			"<s:a> <p:p> \"\\u12\" .": "1:13", "<s:a> <p:p> \"\\uD800\" .": "1:13", "<s:a> <p:p> \"a\"@1 .": "1:16", "<s:a> <p:p> \"a\"@en-- .": "1:16", "<s:a> <p:p> \"a\"^<x:y> .": "1:16",
			"<s:a> <p:p> \"a\"^^_:x .": "1:18", "<s:a> <p:p> p:x .": "1:13", "@prefix p: <s:> .\n p:%4 a p:x .": "2:4", "@prefix p <s:> .": "1:9", "@prefix 1: <s:> .": "1:9",
			"@prefix p: <s:>\n<s:a> <p:p> 1 .": "2:1", "@base .": "1:7", "@PREFIX p: <s:> .": "1:2", "@other <s:> .": "1:2", "<s:a> <p:p> 1e .": "1:14", "<s:a> <p:p> +x .": "1:13",
			"<s:a> <p:p> True .": "1:13", "_: <p:p> 1 .": "1:1", "_:-a <p:p> 1 .": "1:1", "<s:a> <p:p> <s:b> . }": "1:21", "<s:a> a <s:b> <s:c> .": "1:15", "\x00": "1:1",
		},
		NTriples: {
			"<s:a> <p:p> <s:b>": "1:18", "<s:a> <p:p> 1 .": "1:13", "<s:a> <p:p> 'x' .": "1:13", "<s:a> <p:p> <s:b> . <s:c> <p:p> <s:d> .": "1:21", "<a> <p:p> <s:b> .": "1:1",
			"<s:a> a <s:b> .": "1:7", "@prefix p: <s:> .": "1:1", "<s:a>\n<p:p> <s:b> .": "1:6", "<s:a> <p:p> \"a\"^^x:y .": "1:16", "<s:a> <p:p> \"\"\"a\"\"\" .": "1:15",
			"<s:a> <p:p> \"caf\xe9\" .": "1:13", "_:a:b <p:p> <s:b> .": "1:4",
		},
		RDFXML: {
			"": "1:1", "x": "1:2", "<a>": "1:4", "<a></b>": "1:4", "<e:a/>": "1:7", "<e:T xmlns:e='e:'></e:U>": "1:25", wrapXML("</e:x>"): "2:", wrapXML("x"): "2:", wrapXML("<rdf:li/>"): "2:",
			wrapXML("<e:T>x</e:T>"): "2:", wrapXML("<e:T><rdf:Description/></e:T>"): "2:", wrapXML("<e:T rdf:about='s:a' rdf:nodeID='n'/>"): "2:", wrapXML("<e:T rdf:nodeID='1'/>"): "2:",
			wrapXML("<e:T rdf:ID='a'/><e:T rdf:ID='a'/>"): "2:", wrapXML("<e:T rdf:bagID='a'/>"): "2:", wrapXML("<e:T x='1'/>"): "2:", wrapXML("<e:T e:p='1' e:p='2'/>"): "2:",
			wrapXML("<e:T><e:p><e:U/><e:V/></e:p></e:T>"): "2:", wrapXML("<e:T><e:p>x<e:U/></e:p></e:T>"): "2:", wrapXML("<e:T><e:p rdf:resource='s:a'><e:U/></e:p></e:T>"): "2:",
			wrapXML("<e:T><e:p rdf:parseType='Resource' rdf:datatype='s:d'/></e:T>"): "2:", wrapXML("<e:T xmlns:x=''/>"): "2:", wrapXML("<e:T><e:p rdf:datatype='s:d'><e:U/></e:p></e:T>"): "2:",
			wrapXML("<e:T/>") + "<e:U/>": "2:", "<?xml version='1.0' encoding='none-such'?><a/>": "1:", "<!ELEMENT a><a/>": "1:",
		},
		JSONLD: {"": "", "7": "", "{": "", "[": "", "{\"@id\":": "", "{} {}": "", "[{\"@id\":7}]": "", "{\"@context\":{},\"@graph\":7}": "", "[{\"a:b\":{\"@value\":[]}}]": ""},
	} {
		for in, place := range documents {
			_, err := read(syntax, in, map[Syntax]string{Turtle: "http://example.org/", RDFXML: "http://example.org/"}[syntax])
			if err == nil {
				t.Errorf("%v: %q was read", syntax, in)
				continue
			}
			if line, column, _ := strings.Cut(place, ":"); err != nil && place != "" && !strings.HasPrefix(err.Error(), "line "+line+", column "+column) {
				t.Errorf("%v: %q: %v, not at %s", syntax, in, err, place)
			}
		}
	}
}
