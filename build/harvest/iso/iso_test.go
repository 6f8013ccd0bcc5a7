package iso

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/feedtest"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/render/catalog"
)

const portal = "https://geo.example.gov/waf/"

// record is a record that says little.
func record(id, title string) string {
	return fmt.Sprintf(`<MD_Metadata><fileIdentifier><CharacterString>%s</CharacterString></fileIdentifier><identificationInfo><MD_DataIdentification>`+
		`<citation><CI_Citation><title><CharacterString>%s</CharacterString></title></CI_Citation></citation></MD_DataIdentification></identificationInfo></MD_Metadata>`, id, title)
}

func TestPagePattern(t *testing.T) {
	t.Parallel()
	in := feedtest.File("r.xml", []byte(record("a b", "Rivers")), portal)
	in.Source.Filters = map[string]string{FilterPage: "https://geo.example.gov/#/records/{id}"}
	o := sourcetest.Run(t, Connector{}, in)
	feedtest.CheckOutcome(t, o)
	if got := o.ByName(t, "Rivers").Entry.PrimarySourceURL; got != "https://geo.example.gov/#/records/a%20b" {
		t.Error(got)
	}
}

func pages() map[string]string { return map[string]string{FilterPage: portal + "{id}"} }

func TestFolderAndArchive(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.xml": record("1", "A"), "below/b.XML": record("2", "B"), "broken.xml": "<MD_Metadata>", "notes.txt": "x", "rdf.xml": "<RDF/>"}
	folder := fstest.MapFS{}
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for name, text := range files {
		folder[name] = &fstest.MapFile{Data: []byte(text)}
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(w, text)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	archive := feedtest.File("dump.zip", packed.Bytes(), portal)
	archive.Files, archive.Source.Filters = fstest.MapFS{"other.xml": {Data: []byte(record("3", "C"))}}, pages()
	for _, in := range []source.Input{{Name: "dump", Files: folder, Source: catalog.Source{ID: "s", URL: portal, Filters: pages()}}, archive} {
		o := sourcetest.Run(t, Connector{}, in)
		feedtest.CheckOutcome(t, o)
		want := map[source.Code]int{source.CodeBrokenXML: 1, source.CodeNoRecords: 1}
		if len(o.Drafts) != 2 || o.Drafts[1].Entry.Name != "B" || fmt.Sprint(o.Codes()) != fmt.Sprint(want) {
			t.Errorf("%s: %d drafts, %v", in.Name, len(o.Drafts), o.Rejections)
		}
	}
}

// site is a web-accessible folder of n records in a folder below the first.
func site(n int) *feedtest.Site {
	return &feedtest.Site{Answer: func(raw string) string {
		at := strings.TrimPrefix(raw, portal)
		var out strings.Builder
		switch {
		case at == "":
			return `<!DOCTYPE html><html><a href="?C=M;O=A">Date</a><a href="../">Up</a><a href="part/">part/</a><a href="/else/x.xml">x</a><a href="readme.txt">r</a>` +
				`<a href="missing.xml">missing</a><a href="https://other.example.gov/waf/y.xml">y</a></html>`
		case at == "part/":
			out.WriteString(`<html><body><a href="/waf/">Parent</a><a href="/waf/part/">self</a>`)
			for i := range n {
				fmt.Fprintf(&out, `<a href="r%03d.xml">r</a>`, i)
			}
			return out.String()
		case strings.HasPrefix(at, "part/r"):
			id := strings.TrimSuffix(strings.TrimPrefix(at, "part/"), ".xml")
			return record(id, "Record "+id)
		}
		return ""
	}}
}

func TestWebFolder(t *testing.T) {
	t.Parallel()
	s := site(45)
	in := s.Input(portal, pages())
	o := sourcetest.Run(t, Connector{}, in)
	feedtest.CheckOutcome(t, o)
	if len(o.Drafts) != 45 || o.Codes()[source.CodeUnreadable] != 1 || len(o.Rejections) != 1 || len(s.Asked) != 2+1+45 {
		t.Errorf("%d drafts, %v, asked %d", len(o.Drafts), o.Rejections, len(s.Asked))
	}
	if d := o.ByName(t, "Record r007"); d.Entry.SourceSeedURL != portal+"part/r007.xml" || d.Entry.UpstreamRef != "geo.example.gov:iso:r007" {
		t.Errorf("%+v", d.Entry)
	}
	if len(s.Marks) != 2 {
		t.Fatalf("marks %v", s.Marks)
	}
	again := site(45)
	in = again.Input(portal, pages())
	in.Cursor = s.Marks[1]
	rest := sourcetest.Run(t, Connector{}, in)
	if len(rest.Drafts) != 45-39 || rest.Drafts[0].Entry.Name != "Record r039" {
		t.Errorf("after the cursor: %d drafts", len(rest.Drafts))
	}
}

func TestTooManyFiles(t *testing.T) {
	t.Parallel()
	s := site(45)
	in := s.Input(portal, pages())
	in.Limits.Files = 10
	// The first file that is listed is missing.
	if o := sourcetest.Run(t, Connector{}, in); len(o.Drafts) != 9 || o.Codes()[source.CodeInputTooLarge] != 1 {
		t.Errorf("%d drafts, %v", len(o.Drafts), o.Rejections)
	}
}

func TestLiveDocument(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, body string
		drafts     int
		code       source.Code
	}{
		{"one record", record("1", "A"), 1, ""},
		{"several records", "<?xml version='1.0'?><x>" + record("1", "A") + record("2", "B") + "</x>", 2, ""},
		{"page without files", "<html>nothing</html>", 0, source.CodeNoRecords},
	} {
		s := &feedtest.Site{Answer: func(string) string { return c.body }}
		o := sourcetest.Run(t, Connector{}, s.Input(portal+"index", pages()))
		if len(o.Drafts) != c.drafts || c.code != "" && o.Codes()[c.code] != 1 {
			t.Errorf("%s: %d drafts, %v", c.name, len(o.Drafts), o.Rejections)
		}
	}
}

// A server that fails in the middle ends the run, so that nothing is taken for
// gone.
func TestServerFails(t *testing.T) {
	t.Parallel()
	s := site(3)
	in := s.Input(portal, pages())
	real := in.Fetch
	in.Fetch = func(ctx context.Context, r source.Request) (*source.Response, error) {
		if strings.HasSuffix(r.URL, "r001.xml") {
			return nil, &source.FetchError{URL: r.URL, Status: 503, Err: errors.New("busy")}
		}
		return real(ctx, r)
	}
	err := Connector{}.Run(t.Context(), in, func(source.Draft) error { return nil }, func(source.Rejection) error { return nil })
	var e *source.FetchError
	if !errors.As(err, &e) || e.Status != 503 {
		t.Errorf("got %v", err)
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	good := strings.Replace(record("1", "A"), "<identificationInfo>", `<metadataLinkage><CI_OnlineResource><linkage><CharacterString>https://geo.example.gov/1</CharacterString></linkage></CI_OnlineResource></metadataLinkage><identificationInfo>`, 1)
	sourcetest.Failures(t, Connector{}, "a.xml", good)
}

func FuzzListing(f *testing.F) {
	f.Add(`<a href="a.xml"><a href="b/"><a href=":">`)
	f.Fuzz(func(t *testing.T, page string) {
		asked := 0
		s := &feedtest.Site{Answer: func(string) string {
			if asked++; asked > 50 {
				return ""
			}
			return "<html>" + page
		}}
		_ = Connector{}.Run(t.Context(), s.Input(portal, nil), func(source.Draft) error { return nil }, func(source.Rejection) error { return nil })
		for _, at := range s.Asked {
			if !strings.HasPrefix(at, portal) {
				t.Errorf("asked for %s", at)
			}
		}
	})
}
