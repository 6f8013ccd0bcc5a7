package dcatap

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
)

const czechCatalogue = `{"@context": "https://ofn.gov.cz/rozhraní-katalogů-otevřených-dat/2021-01-11/kontexty/rozhraní-katalogů-otevřených-dat.jsonld", "typ": "Katalog",
 "iri": "http://data.example.org/catalogue", "název": {"cs": "Katalog kraje"}, "poskytovatel": "https://rpp.example.cz/ovm/70890650",
 "datová_sada": [%s]}`

// listing is a catalogue of so many datasets, each under its own address.
func listing(n int) *paged {
	p := &paged{media: "application/ld+json", pages: map[string]string{}}
	var list []string
	for i := range n {
		at := fmt.Sprintf("http://data.example.org/ds/%03d", i)
		list = append(list, `"`+at+`"`)
		p.pages[at] = fmt.Sprintf(`{"@context": "https://ofn.gov.cz/rozhraní-katalogů-otevřených-dat/2021-01-11/kontexty/rozhraní-katalogů-otevřených-dat.jsonld", "typ": "Datová sada",
 "iri": %q, "název": {"cs": "Sada %03d"}, "poskytovatel": "https://rpp.example.cz/ovm/70890650", "distribuce": [{"typ": "Distribuce", "soubor_ke_stažení": "http://data.example.org/f/%03d.csv"}]}`, at, i, i)
	}
	p.pages["http://data.example.org/catalogue"] = fmt.Sprintf(czechCatalogue, strings.Join(list, ", "))
	return p
}

// TestListedDatasets follows the addresses of a catalogue that describes no dataset itself, tells of those that are not
// there, and goes on where a run broke off.
func TestListedDatasets(t *testing.T) {
	p := listing(45)
	delete(p.pages, "http://data.example.org/ds/007")
	in := p.input()
	forgotten := false
	in.Forget = func() { forgotten = true }
	o := sourcetest.Run(t, Connector{}, in)
	if len(o.Drafts) != 44 || len(o.Rejections) != 1 || !strings.Contains(o.Rejections[0].Reason, "lists it") || len(o.Rejections[0].Refs) != 0 || !forgotten {
		t.Fatalf("%d drafts, rejections %+v, forgotten %v", len(o.Drafts), o.Rejections, forgotten)
	}
	if d := o.ByName(t, "Sada 008"); d.Entry.UpstreamRef != "data.example.org:dataset:http://data.example.org/ds/008" || d.Entry.SourceSeedURL != "http://data.example.org/ds/008" {
		t.Errorf("%+v", d.Entry)
	}
	if !slices.Equal(p.marks, []string{listedCursor + "http://data.example.org/ds/019", listedCursor + "http://data.example.org/ds/039"}) {
		t.Errorf("marks %q", p.marks)
	}
	again := listing(45)
	in = again.input()
	in.Cursor = p.marks[1]
	if o := sourcetest.Run(t, Connector{}, in); len(o.Drafts) != 5 || len(again.asked) != 6 {
		t.Errorf("%d drafts, asked %q", len(o.Drafts), again.asked)
	}
}

// TestListedByFile tells of a captured catalogue that its datasets are elsewhere.
func TestListedByFile(t *testing.T) {
	o := sourcetest.Run(t, Connector{}, input("catalogue.jsonld", []byte(listing(2).pages["http://data.example.org/catalogue"])))
	if len(o.Drafts) != 0 || len(o.Rejections) != 1 || o.Rejections[0].Code != source.CodeNoRecords || !strings.Contains(o.Rejections[0].Reason, "2 datasets") {
		t.Errorf("%+v", o.Rejections)
	}
}

// TestListedThatFail: single datasets that a server cannot give stay; a server that gives none ends the run.
func TestListedThatFail(t *testing.T) {
	for failing, ends := range map[int]bool{3: false, 30: true} {
		p := listing(45)
		in := p.input()
		fetch := in.Fetch
		in.Fetch = func(ctx context.Context, r source.Request) (*source.Response, error) {
			for i := range failing {
				if r.URL == fmt.Sprintf("http://data.example.org/ds/%03d", i) {
					return nil, &source.FetchError{URL: r.URL, Code: source.CodeUnreadable, Status: 500, Attempts: 1, Err: errors.New("broken")}
				}
			}
			return fetch(ctx, r)
		}
		var refs, drafts int
		err := (Connector{}).Run(t.Context(), in, func(source.Draft) error { drafts++; return nil }, func(x source.Rejection) error { refs += len(x.Refs); return nil })
		if (err != nil) != ends || !ends && (refs != failing || drafts != 45-failing) {
			t.Errorf("%d failing: error %v, %d refs, %d drafts", failing, err, refs, drafts)
		}
	}
}
