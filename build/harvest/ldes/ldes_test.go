package ldes

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/assay-register/assay/build/harvest/dcatap"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/feedtest"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/render/catalog"
)

const (
	feed     = "https://feed.example.gov/ldes"
	prefixes = `@prefix as: <https://www.w3.org/ns/activitystreams#> . @prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> . @prefix ldes: <https://w3id.org/ldes#> . @prefix prov: <http://www.w3.org/ns/prov#> .
@prefix tree: <https://w3id.org/tree#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
`
)

var connector = Connector{RDF: dcatap.Connector{}}

// activity is one of a feed of DCAT-AP.
func activity(n int, kind, of, at, title string) string {
	m := fmt.Sprintf("<%s/m/%d>", feed, n)
	s := fmt.Sprintf("<%s#s> tree:member %s .\n%s a as:%s ; as:object <https://data.example.gov/d/%s> ; as:published \"%s\"^^xsd:dateTime .\n", feed, m, m, kind, of, at)
	if title == "" {
		return s
	}
	return s + fmt.Sprintf(`%s { <https://data.example.gov/d/%s> a dcat:Dataset ; dct:title "%s"@en ; dct:publisher [ a foaf:Agent ; foaf:name "Office" ] ; dcat:landingPage <https://data.example.gov/p/%s> . }`, m, of, title, of) + "\n"
}

// leads is a page of relations: to a page, of what is from before an instant or not.
func leads(to map[string]string) string {
	s := prefixes + fmt.Sprintf("<%s#s> a ldes:EventStream ; ldes:timestampPath as:published ; tree:view <%s> .\n<%s> a tree:Node .\n", feed, feed, feed)
	for _, page := range slices.Sorted(maps.Keys(to)) {
		s += fmt.Sprintf("<%s> tree:relation [ a tree:GreaterThanOrEqualToRelation ; tree:path as:published ; tree:value \"2020-01-01T00:00:00Z\"^^xsd:dateTime ; tree:node <%s> ] .\n", feed, page)
		if before := to[page]; before != "" {
			s += fmt.Sprintf("<%s> tree:relation [ a tree:LessThanRelation ; tree:path as:published ; tree:value \"%s\"^^xsd:dateTime ; tree:node <%s> ] .\n", feed, before, page)
		}
	}
	return s
}

func site(pages map[string]string) *feedtest.Site {
	return &feedtest.Site{Answer: func(at string) string { return pages[at] }}
}

// three is a feed of three pages; the newest is read first.
func three() *feedtest.Site {
	return site(map[string]string{
		feed: leads(map[string]string{feed + "/1": "2026-11-12T00:00:00Z", feed + "/0": ""}),
		feed + "/1": prefixes + activity(1, "Create", "a", "2026-11-10T10:00:00Z", "Old rivers") + activity(2, "Create", "b", "2026-11-10T10:00:00Z", "Lakes") +
			activity(3, "Create", "c", "2026-11-11T10:00:00Z", "Ponds") + fmt.Sprintf("<%s/1> tree:relation [ tree:node <%s> ] .\n", feed, feed),
		feed + "/0": prefixes + activity(4, "Update", "a", "2026-11-20T10:00:00Z", "Rivers") + activity(5, "Delete", "b", "2026-11-20T10:00:00Z", ""),
	})
}

func names(o sourcetest.Outcome) string {
	var list []string
	for i := range o.Drafts {
		list = append(list, o.Drafts[i].Entry.Name)
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// Of each record the last version counts, wherever the tree has it.
func TestLastVersions(t *testing.T) {
	t.Parallel()
	s := three()
	o := sourcetest.Run(t, connector, s.Input(feed, nil))
	feedtest.CheckOutcome(t, o)
	if names(o) != "Ponds, Rivers" || len(s.Asked) != 3 || o.Codes()[source.CodeDeleted] != 1 || len(o.Rejections) != 1 || o.Rejections[0].UpstreamRef != "" {
		t.Errorf("%s, %v, asked %v", names(o), o.Rejections, s.Asked)
	}
	d := o.ByName(t, "Rivers")
	if d.Entry.UpstreamRef != "feed.example.gov:dataset:https://data.example.gov/d/a" || d.PublisherName != "Office" || d.Place != feed+"/0 "+feed+"/m/4" {
		t.Errorf("%s %s %s", d.Entry.UpstreamRef, d.PublisherName, d.Place)
	}
}

// Who was here before skips what the tree says is older.
func TestSince(t *testing.T) {
	t.Parallel()
	s := three()
	in := s.Input(feed, nil)
	in.Since = time.Date(2026, 11, 14, 0, 0, 0, 0, time.UTC)
	if o := sourcetest.Run(t, connector, in); names(o) != "Rivers" || len(s.Asked) != 2 || o.Codes()[source.CodeDeleted] != 1 {
		t.Errorf("%s, asked %v", names(o), s.Asked)
	}
	in.Since = time.Date(2026, 11, 12, 9, 0, 0, 0, time.UTC) // a day before which the third was published
	if o := sourcetest.Run(t, connector, in); names(o) != "Ponds, Rivers" {
		t.Error(names(o))
	}
}

// A run that was interrupted hands nothing on twice.
func TestResumes(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	all.WriteString(prefixes)
	for i := range 250 {
		all.WriteString(activity(i, "Create", fmt.Sprint("d", i), fmt.Sprintf("2026-11-10T10:%02d:00Z", i%60), fmt.Sprint("Title ", i)))
	}
	s := site(map[string]string{feed: all.String()})
	o := sourcetest.Run(t, connector, s.Input(feed, nil))
	if len(o.Drafts) != 250 || len(s.Marks) != 2 {
		t.Fatalf("%d drafts, marks %v", len(o.Drafts), s.Marks)
	}
	in := s.Input(feed, nil)
	in.Cursor = s.Marks[1]
	rest := sourcetest.Run(t, connector, in)
	if len(rest.Drafts) != 50 || rest.Drafts[0].Entry.UpstreamRef != o.Drafts[200].Entry.UpstreamRef {
		t.Errorf("%d drafts after the cursor %s", len(rest.Drafts), in.Cursor)
	}
}

// Streams of version objects have what they say beside them, and name their own properties.
func TestVersionObjects(t *testing.T) {
	t.Parallel()
	page := prefixes + `@prefix x: <https://x.example/> .
x:s a ldes:EventStream ; ldes:timestampPath x:when ; ldes:versionOfPath x:what ; ldes:versionDeleteObject x:Gone ; tree:view <> ; tree:member x:a1, x:a2, x:b1, x:b2, x:whole .
x:a1 a dcat:Dataset ; x:what x:a ; x:when "2026-01-02" ; dct:title "New"@en ; dcat:landingPage x:page ; dcat:distribution x:file ; dct:publisher [ foaf:name "Office \"North\"\nof \\" ] .
x:file a dcat:Distribution ; dcat:downloadURL <https://x.example/a.csv> .
x:a2 a dcat:Dataset ; x:what x:a ; x:when "2026-01-01" ; dct:title "Old"@en ; dcat:landingPage x:page .
x:b1 a dcat:Dataset ; x:what x:b ; x:when "2026-01-01" ; dct:title "B"@en ; dcat:landingPage x:pb .
x:b2 a x:Gone ; x:what x:b ; x:when "2026-01-02" .
x:whole a dcat:Dataset ; dct:title "Without versions"@en ; dcat:landingPage x:pw .
`
	o := sourcetest.Run(t, connector, site(map[string]string{feed: page}).Input(feed, nil))
	feedtest.CheckOutcome(t, o)
	if names(o) != "New, Without versions" || o.Codes()[source.CodeDeleted] != 1 {
		t.Fatalf("%s %v", names(o), o.Rejections)
	}
	d := o.ByName(t, "New")
	if files := d.Entry.Dataset.Distributions; len(files) != 1 || files[0].DownloadURL != "https://x.example/a.csv" || d.PublisherName != `Office "North" of \` ||
		!strings.HasSuffix(d.Entry.UpstreamRef, "https://x.example/a") {
		t.Errorf("%+v, %q, %s", files, d.PublisherName, d.Entry.UpstreamRef)
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	one := activity(1, "Create", "a", "2026-11-10T10:00:00Z", "Rivers")
	for _, c := range []struct {
		name, page string
		want       map[source.Code]int
		drafts     int
	}{
		{"a window", prefixes + fmt.Sprintf(`<%s> ldes:retentionPolicy [ a ldes:DurationAgoPolicy ; tree:value "P30D" ] .`, feed) + one, map[source.Code]int{source.CodeWindow: 1}, 1},
		{"a fault", prefixes + "<a:a> <b:b> ^ .\n" + one, map[source.Code]int{CodeSyntax: 1}, 1},
		{"no stream", prefixes + "<a:a> <b:b> <c:c> .", map[source.Code]int{source.CodeNoRecords: 1}, 0},
		{"a stream that is empty", leads(nil), map[source.Code]int{}, 0},
		{"a record that is no data", prefixes + fmt.Sprintf("<%s#s> tree:member <m:1> . <m:1> a as:Create ; as:object <x:1> . <m:1> { <x:1> a foaf:Person . }", feed), map[source.Code]int{source.CodeNoRecords: 1}, 0},
	} {
		o := sourcetest.Run(t, connector, site(map[string]string{feed: c.page}).Input(feed, nil))
		feedtest.CheckOutcome(t, o)
		if len(o.Drafts) != c.drafts || fmt.Sprint(o.Codes()) != fmt.Sprint(c.want) {
			t.Errorf("%s: %d drafts, %v", c.name, len(o.Drafts), o.Rejections)
		}
	}
	for name, page := range map[string]string{"a web page": "<!doctype html><html>", "a page that leads nowhere": prefixes + "<a:a> tree:relation [ tree:node <urn:x> ] .",
		"a page that is not there": leads(map[string]string{feed + "/9": ""})} {
		in := site(map[string]string{feed: page}).Input(feed, nil)
		err := connector.Run(context.Background(), in, func(source.Draft) error { return nil }, func(source.Rejection) error { return nil })
		if err == nil {
			t.Errorf("%s: a listing that is not complete must be an error", name)
		}
	}
}

// Captured pages are read each by itself, in any order.
func TestFolder(t *testing.T) {
	t.Parallel()
	s := three()
	in := source.Input{Name: "dump", Source: catalog.Source{ID: "s", URL: feed}, Files: fstest.MapFS{
		"a/1.trig": {Data: []byte(s.Answer(feed + "/0"))}, "b/2.trig": {Data: []byte(s.Answer(feed + "/1"))}, "root.ttl": {Data: []byte(s.Answer(feed))}, "3.ttl": {Data: []byte("<!doctype html>")}}}
	if o := sourcetest.Run(t, connector, in); names(o) != "Ponds, Rivers" || o.Codes()["not_rdf"] != 1 {
		t.Errorf("%s %v", names(o), o.Rejections)
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	sourcetest.Failures(t, connector, "a.trig", prefixes+activity(1, "Create", "a", "2026-11-10T10:00:00Z", "Rivers"))
}

func FuzzLDES(f *testing.F) {
	f.Add([]byte(leads(map[string]string{feed + "/1": "2026-11-12T00:00:00Z"}) + activity(1, "Create", "a", "2026-11-10T10:00:00Z", "Rivers") + activity(2, "Delete", "b", "x", "")))
	f.Add([]byte(prefixes + `<a:s> tree:member [ dct:isVersionOf [] ] , "x" , <a:s> . <a:s> a dcat:Dataset ; dct:title "T" .`))
	f.Fuzz(func(t *testing.T, data []byte) {
		in := feedtest.File("a.trig", data, feed)
		in.Now = sourcetest.Now
		var o sourcetest.Outcome
		err := connector.Run(context.Background(), in, func(d source.Draft) error { o.Drafts = append(o.Drafts, d); return nil },
			func(r source.Rejection) error { o.Rejections = append(o.Rejections, r); return nil })
		if err != nil {
			t.Fatal(err)
		}
		feedtest.CheckOutcome(t, o)
	})
}
