package rdf

import "testing"

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		head, media, name string
		want              Syntax
		html              bool
	}{
		{"@prefix dcat: <x:> .", "", "catalog", Turtle, false},
		{"<http://h/a> <http://h/b> <http://h/c> .", "application/n-triples; charset=utf-8", "", NTriples, false},
		{"<http://h/a> <http://h/b> <http://h/c> .", "text/plain", "dump.nt.gz", NTriples, false},
		{"<http://h/a> <http://h/b> <http://h/c> .", "text/plain", "dump", Turtle, false},
		{"<http://h/a> a <http://h/c> .", "application/octet-stream", "https://h/x.ttl?page=2", Turtle, false},
		{"[ a <http://h/c> ] .", "", "x", Turtle, false},
		{"[ ] <p:p> 1 .", "text/turtle", "", Turtle, false},
		{"# {\n<a> <b> <c> .", "", "", Turtle, false},
		{"<?xml version='1.0'?><rdf:RDF>", "text/turtle", "x.ttl", RDFXML, false},
		{"<!-- c --><rdf:RDF xmlns:rdf='x'>", "", "", RDFXML, false},
		{"\n<rdf:RDF xmlns:rdf='x'", "text/plain", "", RDFXML, false},
		{"<dcat:Catalog xmlns:dcat='x' rdf:about='y'>", "", "", RDFXML, false},
		{"{\"@context\": {}}", "text/html", "", JSONLD, false},
		{"[\n {\"@id\": \"x\"}]", "", "x.ttl", JSONLD, false},
		{"[]", "application/ld+json", "", JSONLD, false},
		{"", "application/rdf+xml", "", RDFXML, false},
		{"<!DOCTYPE html><html>", "text/turtle", "x.ttl", Unknown, true},
		{"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>", "", "", RDFXML, true},
		{"<HTML><body>", "", "", Unknown, true},
	} {
		if got, html := Detect([]byte(c.head), c.media, c.name); got != c.want || html != c.html {
			t.Errorf("%q, %q, %q: %v, %v", c.head, c.media, c.name, got, html)
		}
	}
}

func TestResolve(t *testing.T) {
	// RFC 3986, section 5.4, and a few more.
	const base = "http://a/b/c/d;p?q"
	for ref, want := range map[string]string{
		"g:h": "g:h", "g": "http://a/b/c/g", "./g": "http://a/b/c/g", "g/": "http://a/b/c/g/", "/g": "http://a/g", "//g": "http://g",
		"?y": "http://a/b/c/d;p?y", "g?y": "http://a/b/c/g?y", "#s": "http://a/b/c/d;p?q#s", "": "http://a/b/c/d;p?q",
		".": "http://a/b/c/", "./": "http://a/b/c/", "..": "http://a/b/", "../g": "http://a/b/g", "../..": "http://a/", "../../g": "http://a/g",
		"../../../g": "http://a/g", "/./g": "http://a/g", "/../g": "http://a/g", "g.": "http://a/b/c/g.", "..g": "http://a/b/c/..g",
		"./../g": "http://a/b/g", "g/./h": "http://a/b/c/g/h", "g/../h": "http://a/b/c/h", "g?y/../x": "http://a/b/c/g?y/../x", "g#s/../x": "http://a/b/c/g#s/../x",
	} {
		if got := resolve(base, ref); got != want {
			t.Errorf("%s: %s, not %s", ref, got, want)
		}
	}
	if got := resolve("http://a", "b"); got != "http://a/b" {
		t.Error(got)
	}
}
