package harvest_test

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// turtle harvests a Turtle document.
func (w *world) turtle(opts harvest.Options, text string) harvest.Report {
	w.t.Helper()
	w.now = w.now.Add(time.Hour)
	opts.Now = w.now
	in := source.Input{Name: "catalogue.ttl", Source: w.official, Open: func(context.Context) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> .\n" + text)), nil
	}}
	r, err := harvest.Run(w.ctx, w.st, harvest.Connectors()["dcat"], in, opts)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func dataset(subject, identifier, title, page, modified string) string {
	s := fmt.Sprintf("%s a dcat:Dataset ; dct:title %q ; dct:modified %q ; dcat:landingPage <%s>", subject, title, modified, page)
	if identifier != "" {
		s += fmt.Sprintf(" ; dct:identifier %q", identifier)
	}
	return s + " .\n"
}

const marine = "https://marine.example.gov/catalogue"

// refs are the upstream refs of all entries, sorted.
func (w *world) refs() (list []string) {
	for _, e := range w.entries() {
		list = append(list, e.UpstreamRef)
	}
	slices.Sort(list)
	return list
}

// counted compares created, updated, unchanged, merged and repeated.
func counted(t *testing.T, what string, r harvest.Report, created, updated, unchanged, merged, repeated int) {
	t.Helper()
	if r.Created != created || r.Updated != updated || r.Unchanged != unchanged || r.Merged != merged || r.Repeated != repeated {
		t.Errorf("%s: want created %d, updated %d, unchanged %d, merged %d, repeated %d\n%s", what, created, updated, unchanged, merged, repeated, r.Summary())
	}
}

func TestPagesOfOneScriptAreSeveralRecords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	text := dataset("[]", "", "Sea level", marine+"#/metadata/1", "2024-01-01") + dataset("[]", "", "Sea level", marine+"#/metadata/2", "2024-01-01") +
		dataset("[]", "", "Sea level", marine+"#!3", "2024-01-01") + dataset("[]", "", "Tides", marine+"#top", "2024-01-01") +
		dataset("[]", "", "Waves", marine+"#top", "2024-01-01")
	counted(t, "first", w.turtle(harvest.Options{}, text), 5, 0, 0, 0, 0)
	counted(t, "again", w.turtle(harvest.Options{}, text), 0, 0, 5, 0, 0)
	want := []string{"", "", "data.example.gov:dataset:" + marine + "#!3", "data.example.gov:dataset:" + marine + "#/metadata/1", "data.example.gov:dataset:" + marine + "#/metadata/2"}
	if got := w.refs(); !slices.Equal(got, want) {
		t.Errorf("refs %q", got)
	}
}

func TestIdentifierOfSeveralRecordsIsNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	text := dataset("<https://a.example.gov/d>", "1", "Rivers", marine, "2024-01-01") + dataset("<https://b.example.gov/d>", "1", "Rivers", marine, "2024-01-01") +
		dataset("<https://b.example.gov/e>", "2", "Lakes", marine, "2024-01-01")
	counted(t, "first", w.turtle(harvest.Options{}, text), 3, 0, 0, 0, 0)
	counted(t, "again", w.turtle(harvest.Options{}, text), 0, 0, 3, 0, 0)
	if got := w.refs(); !slices.Equal(got, []string{"data.example.gov:dataset:2", "data.example.gov:dataset:https://a.example.gov/d", "data.example.gov:dataset:https://b.example.gov/d"}) {
		t.Errorf("refs %q", got)
	}
}

// genids is a catalogue of which all IRIs stand for blank nodes.
func genids(export string, changed ...int) string {
	var b strings.Builder
	for i := range 30 {
		title := fmt.Sprintf("Dataset %d", i)
		if slices.Contains(changed, i) {
			title += ", corrected"
		}
		identifier := fmt.Sprint("id-", i)
		if i%3 == 0 {
			identifier = ""
		}
		b.WriteString(dataset(fmt.Sprintf("<https://data.example.gov/.well-known/genid/%s%d>", export, i), identifier, title, fmt.Sprintf("https://data.example.gov/d/%d", i), "2024-01-01"))
	}
	return b.String()
}

func TestNewSkolemIRIsAreNothingNew(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	counted(t, "first", w.turtle(harvest.Options{Complete: true}, genids("a")), 30, 0, 0, 0, 0)
	r := w.turtle(harvest.Options{Complete: true}, genids("b", 1, 3)+dataset("[]", "id-99", "New", marine, "2024-01-01")+dataset("[]", "id-98", "Newer", marine, "2024-01-01"))
	counted(t, "every IRI is new", r, 2, 2, 28, 0, 0)
	if r.Missing != 0 {
		t.Errorf("%d are missing", r.Missing)
	}
	for _, e := range w.entries() {
		if strings.Contains(e.UpstreamRef+strings.Join(e.UpstreamAliases, " ")+e.PrimarySourceURL, "genid") {
			t.Errorf("entry known by a blank node: %q %q %s", e.UpstreamRef, e.UpstreamAliases, e.PrimarySourceURL)
		}
	}
	if e := w.named("Dataset 1, corrected"); e.UpstreamRef != "data.example.gov:dataset:id-1" {
		t.Errorf("ref %q", e.UpstreamRef)
	}
}

// TestOldRefsFindTheirEntries harvests into a store in which entries are known
// by IRIs, those of blank nodes included, as they were before.
func TestOldRefsFindTheirEntries(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const iri, genid = "https://data.example.gov/d/1", "https://data.example.gov/.well-known/genid/a2"
	text := dataset("<"+iri+">", "one", "Rivers", marine, "2024-01-01") + dataset("<"+genid+">", "two", "Lakes", marine, "2024-01-01")
	w.turtle(harvest.Options{}, text)
	ids := map[string]string{}
	for _, e := range w.entries() {
		e.UpstreamRef = map[string]string{"Rivers": "data.example.gov:dataset:" + iri, "Lakes": "data.example.gov:dataset:" + genid}[e.Name]
		e.UpstreamAliases = nil
		ids[e.Name] = e.ID
		w.update(func(tx catalog.Tx) error {
			return tx.Entries().Put(w.ctx, catalog.Write{Entry: &e, Events: []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: w.now}}})
		})
	}
	for round := range 2 {
		counted(t, fmt.Sprint("round ", round), w.turtle(harvest.Options{}, text), 0, 0, 2, 0, 0)
	}
	rivers, lakes := w.named("Rivers"), w.named("Lakes")
	if rivers.ID != ids["Rivers"] || lakes.ID != ids["Lakes"] || len(w.entries()) != 2 {
		t.Fatal("entries were created anew")
	}
	if rivers.UpstreamRef != "data.example.gov:dataset:"+iri || !slices.Equal(rivers.UpstreamAliases, []string{"data.example.gov:dataset:one"}) {
		t.Errorf("ref %s, aliases %s", rivers.UpstreamRef, rivers.UpstreamAliases)
	}
	if lakes.UpstreamRef != "data.example.gov:dataset:two" {
		t.Errorf("ref %s, aliases %s", lakes.UpstreamRef, lakes.UpstreamAliases)
	}
	// The publisher drops the IRI: the entry is found by the alias, which becomes
	// its ref.
	counted(t, "no IRI", w.turtle(harvest.Options{}, dataset("[]", "one", "Rivers", marine, "2024-01-01")), 0, 1, 0, 0, 0)
	if e := w.named("Rivers"); e.ID != ids["Rivers"] || e.UpstreamRef != "data.example.gov:dataset:one" || !slices.Contains(e.UpstreamAliases, "data.example.gov:dataset:"+iri) {
		t.Errorf("ref %s, aliases %s", e.UpstreamRef, e.UpstreamAliases)
	}
}

func TestRepeatedRecord(t *testing.T) {
	t.Parallel()
	for _, batch := range []int{1, 500} {
		w := newWorld(t)
		older, newer := draft("h:k:1", "Tide Times", tides), draft("h:k:1", "Tide Times, revised", tides)
		older.Entry.SourceModifiedAt, newer.Entry.SourceModifiedAt = w.now.AddDate(0, -1, 0), w.now
		newer.Place = "list:7"
		r := w.run(w.official, harvest.Options{Batch: batch}, older, newer, older)
		counted(t, "first", r, 1, 0, 0, 0, 2)
		if e := w.only(); e.Name != "Tide Times, revised" {
			t.Errorf("the older record stayed: %s", e.Name)
		}
		events := len(w.events())
		counted(t, "again", w.run(w.official, harvest.Options{Batch: batch}, older, newer, older), 0, 0, 1, 0, 2)
		counted(t, "from its end", w.run(w.official, harvest.Options{Batch: batch}, older, older, newer), 0, 0, 1, 0, 2)
		if n := len(w.events()); n != events {
			t.Errorf("reading the same again wrote %d events", n-events)
		}
		defer func() {
			counted(t, "the newer one is gone", w.run(w.official, harvest.Options{Batch: batch}, older, older), 0, 1, 0, 0, 1)
			if e := w.only(); e.Name != "Tide Times" {
				t.Errorf("entry %s", e.Name)
			}
		}()
		if len(r.Repeats) != 2 || r.Repeats[0].Place != "list:7" {
			t.Errorf("repeats %+v", r.Repeats)
		}
		if run := w.runs(w.official.ID)[2]; run.Counts.Repeated != 2 || len(run.Repeats) != 2 || run.Repeats[0].Place != "list:7" {
			t.Errorf("run %+v", run)
		}
	}
}

// TestRepeatedRecordOfOneDate: of two profiles of one record that have the same
// date, or none, the fuller one is kept whichever is read first.
func TestRepeatedRecordOfOneDate(t *testing.T) {
	t.Parallel()
	for _, batch := range []int{1, 500} {
		w := newWorld(t)
		brief, full := draft("h:k:1", "Tide Times", tides), draft("h:k:1", "Tide Times, in full", tides)
		full.Entry.Titles = map[string]string{"en": "Tide Times, in full", "fr": "Marées", "de": "Gezeiten"}
		brief.Entry.SourceModifiedAt, full.Entry.SourceModifiedAt = time.Time{}, time.Time{}
		counted(t, "first", w.run(w.official, harvest.Options{Batch: batch}, brief, full), 1, 0, 0, 0, 1)
		counted(t, "again", w.run(w.official, harvest.Options{Batch: batch}, brief, full), 0, 0, 1, 0, 1)
		counted(t, "from its end", w.run(w.official, harvest.Options{Batch: batch}, full, brief), 0, 0, 1, 0, 1)
		if e := w.only(); e.Name != "Tide Times, in full" || e.Titles["fr"] != "Marées" {
			t.Errorf("the brief record stayed: %s %v", e.Name, e.Titles)
		}
	}
}

// TestIdentifierSharedAcrossPages: that two records have one identifier shows
// only when the second page is read.
func TestIdentifierSharedAcrossPages(t *testing.T) {
	t.Parallel()
	record := func(n int) source.Draft {
		d := draft("", fmt.Sprint("Service ", n), fmt.Sprintf("%s/%d", tides, n))
		d.Refs = []source.Ref{{Basis: source.RefStated, Upstream: "identifier", Ref: "h:k:1"}, {Basis: source.RefIRI, Upstream: "IRI", Ref: fmt.Sprint("h:k:https://x.example/", n)}}
		d.Entry.UpstreamRef = "h:k:1"
		return d
	}
	for _, batch := range []int{1, 500} {
		w := newWorld(t)
		counted(t, "first", w.run(w.official, harvest.Options{Batch: batch}, record(1), record(2), record(3)), 3, 0, 0, 0, 0)
		want := []string{"h:k:https://x.example/1", "h:k:https://x.example/2", "h:k:https://x.example/3"}
		if got := w.refs(); !slices.Equal(got, want) {
			t.Errorf("batch %d: refs %q", batch, got)
		}
		counted(t, "in another order", w.run(w.official, harvest.Options{Batch: batch}, record(3), record(1), record(2)), 0, 0, 3, 0, 0)
		counted(t, "with a fourth one", w.run(w.official, harvest.Options{Batch: batch}, record(4), record(2), record(1), record(3)), 1, 0, 3, 0, 0)
		if got := w.refs(); !slices.Equal(got, append(want, "h:k:https://x.example/4")) {
			t.Errorf("batch %d: refs %q", batch, got)
		}
	}
}

// TestSkolemProvesNothing: an address of a blank node under an official domain
// is no proof of who serves the data.
func TestSkolemProvesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := draft("h:k:1", "Tide Times", "https://tides.example.uk/.well-known/genid/1")
	d.Entry.API.BaseURL = ""
	w.run(w.official, harvest.Options{}, d)
	for _, s := range w.only().Signals {
		if s.Kind == catalog.SignalDomain && s.Held {
			t.Errorf("proved by %s", s.EvidenceURL)
		}
	}
}

// TestLicenceOfOneListing: the licence of one listing is never put beside the
// words of another; where an entry states none, both come together and stay.
func TestLicenceOfOneListing(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]string{"Ask the harbour master.": "Ask the harbour master./", "": "OGL-UK-3.0"} {
		w := newWorld(t)
		a, b := draft("h:k:1", "Tide Times", tides), draft("other:k:9", "Tide Times", tides)
		a.Entry.LicenseRaw, b.Entry.LicenseRaw = words, "https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/"
		w.run(w.official, harvest.Options{}, a)
		w.run(w.plain, harvest.Options{}, b)
		a.Entry.Description = "New."
		w.run(w.official, harvest.Options{}, a)
		e := w.only()
		got := e.LicenseRaw + "/" + e.LicenseID
		if words == "" {
			got = e.LicenseID
		}
		if got != want {
			t.Errorf("%q: licence %q, id %q", words, e.LicenseRaw, e.LicenseID)
		}
	}
}
