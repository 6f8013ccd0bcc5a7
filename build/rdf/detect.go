package rdf

import (
	"bytes"
	"mime"
	"net/url"
	"path"
	"regexp"
	"strings"
)

// Accept is the Accept header of a request for RDF, the syntaxes that are read
// fastest first.
const Accept = "text/turtle, application/n-triples;q=0.9, application/rdf+xml;q=0.8, application/ld+json;q=0.7, */*;q=0.1"

var mediaTypes = map[string]Syntax{
	"text/turtle": Turtle, "application/x-turtle": Turtle, "application/turtle": Turtle, "text/n3": Turtle, "text/rdf+n3": Turtle,
	"application/n-triples": NTriples, "text/ntriples": NTriples,
	"application/rdf+xml": RDFXML, "application/ld+json": JSONLD, "application/trig": TriG, "application/x-trig": TriG,
}

var extensions = map[string]Syntax{
	".ttl": Turtle, ".n3": Turtle, ".turtle": Turtle, ".trig": TriG, ".nt": NTriples, ".rdf": RDFXML, ".owl": RDFXML, ".xml": RDFXML,
	".jsonld": JSONLD, ".json": JSONLD,
}

// Extension is the syntax that the extension of a path or URL names; that of a
// gzip file does not count.
func Extension(name string) Syntax {
	if u, err := url.Parse(name); err == nil && u.Path != "" {
		name = u.Path
	}
	name = strings.TrimSuffix(strings.ToLower(name), ".gz")
	return extensions[path.Ext(name)]
}

var (
	htmlHead = regexp.MustCompile(`(?i)^(<!doctype\s+html|<html|<head|<body)`)
	xmlHead  = regexp.MustCompile(`^(<\?xml|<!DOCTYPE\s|<!--|<[A-Za-z_][\w.-]*:[\w.-]+(\s[^<]*)?\s(xmlns|rdf:))`)
	jsonHead = regexp.MustCompile(`^(\{\s*["}]|\[\s*[\[{])`)
	xmlns    = regexp.MustCompile(`xmlns(:[\w.-]+)?\s*=`)
)

// Detect tells the syntax of a document from its first bytes, the media type
// that came with it, and its name. What the bytes show plainly wins: servers
// often name the wrong type. The second result tells that it is an HTML page,
// a login or an error most likely, which no reader should be given.
func Detect(head []byte, contentType, name string) (syntax Syntax, html bool) {
	text := bytes.TrimLeft(head, " \t\r\n")
	media, _, _ := mime.ParseMediaType(contentType)
	declared, known := mediaTypes[media]
	if !known {
		declared = Extension(name)
	}
	switch {
	case htmlHead.Match(text) || (media == "text/html" || media == "application/xhtml+xml") && htmlLike(text):
		return Unknown, true
	case xmlHead.Match(text) || bytes.HasPrefix(text, []byte("<")) && xmlns.Match(firstTag(text)):
		return RDFXML, htmlLike(text)
	case jsonHead.Match(text):
		return JSONLD, false
	case declared == Turtle, declared == TriG, declared == NTriples, len(text) == 0, declared == JSONLD && text[0] == '[':
		return declared, false
	}
	// Turtle is a superset of N-Triples, and neither XML nor JSON.
	return Turtle, false
}

// htmlLike tells that the root of an XML document is html.
func htmlLike(text []byte) bool {
	return bytes.Contains(bytes.ToLower(text), []byte("<html"))
}

// firstTag is the text up to the first closing bracket.
func firstTag(text []byte) []byte {
	if i := bytes.IndexByte(text, '>'); i >= 0 {
		return text[:i]
	}
	return text
}
