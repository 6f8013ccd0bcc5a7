package dcat

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/knakk/rdf"
	"github.com/piprate/json-gold/ld"

	"github.com/assay-register/assay/render/rdfxml"
)

// offline is a loader that has nothing: a document that names a context to be
// fetched fails.
type offline struct{}

func (offline) LoadDocument(u string) (*ld.RemoteDocument, error) {
	return nil, errors.New("the document refers to " + u)
}

// ofJSONLD reads JSON-LD with json-gold as sorted N-Triples.
func ofJSONLD(t testing.TB, doc []byte) []string {
	t.Helper()
	var parsed any
	if err := json.Unmarshal(doc, &parsed); err != nil {
		t.Fatalf("%v\n%s", err, doc)
	}
	options := ld.NewJsonLdOptions("")
	options.DocumentLoader, options.Format = offline{}, "application/n-quads"
	quads, err := ld.NewJsonLdProcessor().ToRDF(parsed, options)
	if err != nil {
		t.Fatalf("%v\n%s", err, doc)
	}
	return ofNTriples(t, quads.(string))
}

// known drops the statements that json-gold drops in silence: its check of
// addresses refuses some good ones, such as hosts with two hyphens (its
// IsURL). rdflib reads them, see .ci/dcat/judge.sh.
func known(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
		for i, part := range strings.SplitN(line, " ", 3) {
			part = strings.TrimSuffix(part, " .\n")
			if i == 2 && strings.HasPrefix(part, `"`) {
				continue
			}
			if part = strings.Trim(part, "<>"); !isURL(part) {
				return true
			}
		}
		return false
	})
}

var judged sync.Map

// isURL remembers what json-gold makes of an address, which costs it more than
// reading a document.
func isURL(address string) bool {
	if ok, known := judged.Load(address); known {
		return ok.(bool)
	}
	ok := ld.IsURL(address)
	judged.Store(address, ok)
	return ok
}

// ofNTriples reads lines through one decoder, so that two ways to escape a
// character are the same.
func ofNTriples(t testing.TB, lines string) []string {
	t.Helper()
	return decode(t, strings.NewReader(lines), rdf.NTriples)
}

// ofTurtle reads our own Turtle with the library, which is safe with it.
func ofTurtle(t testing.TB, doc []byte) []string {
	t.Helper()
	return decode(t, bytes.NewReader(doc), rdf.Turtle)
}

func decode(t testing.TB, in io.Reader, format rdf.Format) []string {
	t.Helper()
	dec := rdf.NewTripleDecoder(in, format)
	var out []string
	for {
		triple, err := dec.Decode()
		if err == io.EOF {
			slices.Sort(out)
			return slices.Compact(out)
		}
		if err != nil {
			t.Fatal(err)
		}
		if triple.Subj.Type() == rdf.TermBlank || triple.Obj.Type() == rdf.TermBlank {
			t.Fatalf("blank node: %v", triple)
		}
		out = append(out, triple.Serialize(rdf.NTriples))
	}
}

func TestFormsAreOneGraph(t *testing.T) {
	r := New(Options{})
	all := files(t, r, freeze(t, r, append(fixture(), hostile(0)...)))
	pairs := 0
	for route, doc := range all {
		name, isTurtle := strings.CutSuffix(route, ".ttl")
		other, both := all[name+".jsonld"]
		if !isTurtle || !both {
			continue
		}
		pairs++
		if strings.HasPrefix(route, "/s/") {
			other = strings.ReplaceAll(other, ".jsonld\"", ".ttl\"")
		}
		if d := cmp.Diff(known(ofTurtle(t, []byte(doc))), ofJSONLD(t, []byte(other))); d != "" {
			t.Errorf("%s (-Turtle +JSON-LD):\n%s", route, d)
		}
		xml, page := all[name+".rdf"]
		if page {
			xml = strings.ReplaceAll(xml, `.rdf"`, `.ttl"`)
		} else {
			made, err := rdfxml.Document([]byte(all[name+".jsonld"]))
			if err != nil {
				t.Fatalf("%s: %v", route, err)
			}
			xml = string(made)
		}
		if d := cmp.Diff(ofTurtle(t, []byte(doc)), decode(t, strings.NewReader(xml), rdf.RDFXML)); d != "" {
			t.Errorf("%s (-Turtle +RDF/XML):\n%s", route, d)
		}
	}
	if pairs < 20 {
		t.Errorf("%d pairs of documents", pairs)
	}
}

// TestSiteIsOneGraph compares the documents of a built site: JSON-LD as
// json-gold reads it, Turtle as n3 does. .ci/dcat/judge.sh names the site, .ci/protocols/belgium.mjs
// some of its pages by their file names (DCAT_PAGES).
func TestSiteIsOneGraph(t *testing.T) {
	dir := os.Getenv("DCAT_SITE")
	if dir == "" {
		t.Skip("DCAT_SITE names no site")
	}
	pages, err := filepath.Glob(filepath.Join(dir, "s", "*", "api", "v1", "catalog", "dcat", "*.ttl"))
	if err != nil {
		t.Fatal(err)
	}
	only := os.Getenv("DCAT_PAGES")
	if only != "" {
		names := strings.Split(only, ",")
		if pages = slices.DeleteFunc(pages, func(path string) bool { return !slices.Contains(names, filepath.Base(path)) }); len(pages) != len(names) {
			t.Fatalf("%d pages of %s", len(pages), only)
		}
	}
	full := filepath.Join(dir, "api", "v1", "catalog", "dcat.ttl")
	if info, err := os.Stat(full); only == "" && (err != nil || info.Size() < 5<<20) { // json-gold slows down with size; rdflib reads the rest
		pages = append(pages, full)
	}
	for _, path := range pages {
		turtle, err := exec.Command("node", filepath.Join("..", "..", ".ci", "dcat", "ntriples.mjs"), path).Output()
		if err != nil {
			t.Fatal(err)
		}
		doc, err := os.ReadFile(strings.TrimSuffix(path, ".ttl") + ".jsonld")
		if err != nil {
			t.Fatal(err)
		}
		if path != full {
			// Pages name the next in their own form; a file of a publisher may be named alike, in both.
			doc = bytes.ReplaceAll(doc, []byte(`.jsonld"`), []byte(`.ttl"`))
			turtle = bytes.ReplaceAll(bytes.ReplaceAll(turtle, []byte(`.jsonld"`), []byte(`.ttl"`)), []byte(`.jsonld>`), []byte(`.ttl>`))
		}
		a, b := ofNTriples(t, string(turtle)), ofJSONLD(t, doc)
		if d := cmp.Diff(known(a), b); d != "" {
			t.Errorf("%s (-Turtle +JSON-LD):\n%.4000s", path, d)
		}
		t.Logf("%s: %d statements in both forms", path, len(a))
	}
}
