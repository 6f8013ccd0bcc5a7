package harvest

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// What must hold of the sample.
const (
	rightShare  = 0.995
	linkedShare = 0.95
)

// labelled is an entry of the sample with the known institution that publishes
// it, as a person judged it.
type labelled struct {
	catalogue, file, country, id string
	publisher                    string
	names                        []string
	iri, homepage, page, key     string
	// institution is the right one of the table, "" for none. listed tells that
	// the table has the stated publisher, by identifier or by name; a link by
	// other evidence is right, but not asked for.
	institution string
	listed      bool
}

// portals are the catalogues of the sample.
var portals = map[string]catalog.Source{
	"act": {Kind: "socrata", URL: "https://www.data.act.gov.au", CountryCode: "AU"}, "api-gouv-fr": {Kind: "api-gouv-fr", URL: "https://api.gouv.fr", CountryCode: "FR"},
	"arcgis-hub": {Kind: "datajson", URL: "https://hub.example", CountryCode: "US"}, "argentina": {Kind: "datajson", URL: "https://datos.gob.ar", CountryCode: "AR"},
	"be-data-gov": {Kind: "dcat", URL: "https://data.gov.be", CountryCode: "BE", Portal: true}, "birmingham": {Kind: "ckan", URL: "https://data.birmingham.gov.uk", CountryCode: "GB"},
	"chicago": {Kind: "socrata", URL: "https://data.cityofchicago.org", CountryCode: "US"}, "depositar": {Kind: "ckan", URL: "https://data.depositar.io", CountryCode: "TW"},
	"melbourne": {Kind: "socrata", URL: "https://data.melbourne.vic.gov.au", CountryCode: "AU"}, "michigan": {Kind: "socrata", URL: "https://data.michigan.gov", CountryCode: "US"},
	"nyc": {Kind: "socrata", URL: "https://data.cityofnewyork.us", CountryCode: "US"}, "socrata-mixed": {Kind: "socrata", URL: "https://api.us.socrata.com", CountryCode: "US"},
	"udata": {Kind: "udata", URL: "https://www.data.gouv.fr", CountryCode: "FR"}, "uk-api-catalogue": {Kind: "uk-api-catalogue", URL: "https://www.api.gov.uk", CountryCode: "GB"},
	"us-federal": {Kind: "datajson", URL: "https://catalog.data.gov", CountryCode: "US"},
}

// sample reads the labels: ids, names and IRIs of 500 entries of 15 catalogues,
// drawn by a seed, a catalogue's publishers by the square root of their entries.
func sample(t *testing.T) []labelled {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "publishers.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []labelled
	for scan := bufio.NewScanner(f); scan.Scan(); {
		c := strings.Split(scan.Text(), "\t")
		if c[0] == "catalogue" {
			continue
		}
		l := labelled{catalogue: c[0], file: c[1], country: c[2], id: c[3], publisher: c[4], iri: c[6], homepage: c[7], page: c[8], key: c[9],
			institution: c[10], listed: c[11] == "yes"}
		if c[5] != "" {
			l.names = strings.Split(c[5], "|")
		}
		list = append(list, l)
	}
	if len(list) != 500 {
		t.Fatalf("%d labelled entries, want 500", len(list))
	}
	return list
}

// draft is the entry as its connector would deliver it.
func (l *labelled) draft() source.Draft {
	d := source.Draft{Place: l.id, PublisherKey: l.key, PublisherName: l.publisher, PublisherURL: l.homepage}
	d.Entry = catalog.Entry{Type: catalog.TypeDataset, Name: l.id, PublisherName: l.publisher, PrimarySourceURL: l.page, Dataset: &catalog.DatasetDetails{}}
	if l.catalogue == "uk-api-catalogue" || l.catalogue == "api-gouv-fr" {
		d.Entry.Type, d.Entry.Dataset, d.Entry.API = catalog.TypeAPI, nil, &catalog.APIDetails{}
	}
	if l.publisher == "" {
		return d
	}
	d.Entry.Publisher = &catalog.Agent{IRI: l.iri, HomepageURL: l.homepage, Names: catalog.Texts{}}
	for _, n := range l.names {
		if at := strings.LastIndex(n, "@"); at > 0 && d.Entry.Publisher.Names[n[at+1:]] == "" {
			d.Entry.Publisher.Names[n[at+1:]] = n[:at]
		}
	}
	return d
}

// shippedStore is a store with the reference tables.
func shippedStore(t *testing.T) catalog.Store {
	t.Helper()
	st, err := sqlite.Open(context.Background(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	if err := LoadReference(context.Background(), st, sourcetest.Now); err != nil {
		t.Fatal(err)
	}
	return st
}

// rulesOf are the rules for a catalogue of the sample.
func rulesOf(t *testing.T, st catalog.Store, catalogue string) *resolver {
	t.Helper()
	s := portals[catalogue]
	s.ID, s.Key, s.Title = SourceID(catalogue), catalogue, catalogue
	opts := Options{Now: sourcetest.Now}.orDefault()
	r, err := newResolver(context.Background(), st, &source.Input{Source: s, Now: sourcetest.Now, Name: s.URL}, &opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// tallySample counts what was linked; want keys by label, got keys by entry.
type tallySample struct{ linked, wrong, listed, found int }

func (s *tallySample) count(t *testing.T, l *labelled, got string) {
	if got != "" {
		s.linked++
		if got != l.institution {
			s.wrong++
			t.Logf("wrong: %s %q (%s) is %q, want %q", l.catalogue, l.publisher, l.id, got, l.institution)
		}
	}
	if l.listed {
		s.listed++
		if got == l.institution {
			s.found++
		} else {
			t.Logf("not linked: %s %q, want %q, got %q", l.catalogue, l.publisher, l.institution, got)
		}
	}
}

func (s *tallySample) judge(t *testing.T) {
	t.Logf("%d linked, %d wrong; of %d in the table %d linked", s.linked, s.wrong, s.listed, s.found)
	if right := s.linked - s.wrong; float64(right) < rightShare*float64(s.linked) {
		t.Errorf("%d of %d links are right, want %.1f %%", right, s.linked, 100*rightShare)
	}
	if float64(s.found) < linkedShare*float64(s.listed) {
		t.Errorf("%d of %d listed publishers are linked, want %.0f %%", s.found, s.listed, 100*linkedShare)
	}
}

// TestPublishersOfSample links the publishers of the sample by the labelled
// facts alone.
func TestPublishersOfSample(t *testing.T) {
	t.Parallel()
	st := shippedStore(t)
	rules := map[string]*resolver{}
	var s tallySample
	for _, l := range sample(t) {
		if rules[l.catalogue] == nil {
			rules[l.catalogue] = rulesOf(t, st, l.catalogue)
		}
		c := rules[l.catalogue].prepare(l.draft())
		key := ""
		if c.institution != nil {
			key = c.institution.Key
		}
		s.count(t, &l, key)
	}
	s.judge(t)
}

// TestPublishersOfCaptures links the same entries as their connectors read them
// out of the captured files.
func TestPublishersOfCaptures(t *testing.T) {
	if os.Getenv("ASSAY_SOAK") == "" {
		t.Skip("reads whole catalogues; ASSAY_SOAK=1")
	}
	root := sourcetest.Shared(t, "data")
	st := shippedStore(t)
	byFile := map[string][]labelled{}
	for _, l := range sample(t) {
		byFile[l.file] = append(byFile[l.file], l)
	}
	var s tallySample
	for file, list := range byFile {
		capturedPublishers(t, st, root, file, list, &s)
	}
	s.judge(t)
}

func capturedPublishers(t *testing.T, st catalog.Store, root, file string, list []labelled, s *tallySample) {
	t.Helper()
	rules := rulesOf(t, st, list[0].catalogue)
	src := rules.in.Source
	src.File = filepath.Join(root, file)
	in, err := InputOf(src, false)
	if err != nil {
		t.Fatal(err)
	}
	in.Now = sourcetest.Now
	rules.in = &in
	err = Connectors()[src.Kind].Run(context.Background(), in, func(d source.Draft) error {
		i := slices.IndexFunc(list, func(l labelled) bool { return l.is(&d) })
		if i < 0 {
			return nil
		}
		l := list[i]
		list = slices.Delete(list, i, i+1)
		c := rules.prepare(d)
		key := ""
		if c.institution != nil {
			key = c.institution.Key
		}
		s.count(t, &l, key)
		return nil
	}, func(source.Rejection) error { return nil })
	if err != nil {
		t.Error(err)
	}
	for _, l := range list {
		t.Logf("not delivered: %s %s", l.catalogue, l.id)
	}
}

// is tells whether a draft is the labelled entry.
func (l *labelled) is(d *source.Draft) bool {
	all := append([]string{d.Entry.UpstreamRef, d.Entry.PrimarySourceURL, d.Place}, append(d.Entry.UpstreamAliases, d.Entry.Identifiers...)...)
	if l.catalogue == "uk-api-catalogue" {
		return d.Entry.Name == l.id
	}
	return slices.ContainsFunc(all, func(s string) bool {
		before, ok := strings.CutSuffix(strings.TrimSuffix(s, ".md"), l.id)
		return ok && (before == "" || strings.ContainsAny(before[len(before)-1:], ":/ "))
	})
}
