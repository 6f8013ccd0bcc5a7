package actions

import (
	"cmp"
	_ "embed"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/cmd/internal/sample"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/snapshot"
)

//go:embed labels.tsv
var labels string

//go:embed belgium.tsv
var belgium string

// captures is the folder of captured catalogues.
const captures = "../../../../../shared/data"

// right is in how many of 100 entries the first action is what a person wants.
const right = 95

// places are the captures with the protocol and the address of each. The one that takes ten seconds to read is read
// in long runs only.
var places = []struct {
	file, kind, url string
	long            bool
}{
	{"ckan/data.birmingham.gov.uk_package_search.json", "ckan", "https://data.birmingham.gov.uk", false},
	{"ckan/depositar_packages.jsonl.gz", "ckan", "https://data.depositar.io", false},
	{"datajson/argentina/datos.gob.ar_2.data.json.gz", "datajson", "https://datos.gob.ar", false},
	{"datajson/us-federal/energy.data.json.gz", "datajson", "https://www.energy.gov", false},
	{"datajson/us-federal/gsa.data.json.gz", "datajson", "https://www.gsa.gov", false},
	{"dcat-large/belgium-full-2025-04.ttl.gz", "dcat", "https://data.gov.be", true},
	{"dcat-large/belgium-part-2025-04.ttl.gz", "dcat", "https://data.gov.be", false},
	{"ods/data.sbb.ch_catalog-datasets.json", "ods", "https://data.sbb.ch", false},
	{"socrata/data.cityofchicago.org.jsonl.gz", "socrata", "https://data.cityofchicago.org", false},
	{"uk-api-catalogue/catalogue.csv", "uk-api-catalogue", "https://www.api.gov.uk", false},
}

// label is what a person wants of a record, and why.
type label struct {
	ref, why string
	wanted   []string
}

func TestFirstActions(t *testing.T) { compare(t, labels) }

// TestFirstActionsOfACountry compares those of 100 entries of the register of a whole country.
func TestFirstActionsOfACountry(t *testing.T) {
	if os.Getenv("ASSAY_SOAK") == "" {
		t.Skip("reads a whole country; ASSAY_SOAK=1 runs it")
	}
	compare(t, belgium)
}

func compare(t *testing.T, labels string) {
	if _, err := os.Stat(captures); err != nil {
		t.Skip("the captured catalogues are not here")
	}
	all := map[string][]label{}
	for line := range strings.Lines(labels) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); !strings.HasPrefix(line, "#") {
			all[f[0]] = append(all[f[0]], label{f[1], f[3], strings.Fields(f[2])})
		}
	}
	judged, wrong := 0, 0
	for _, p := range places {
		if len(all[p.file]) == 0 || p.long && os.Getenv("ASSAY_SOAK") == "" {
			continue
		}
		first := firsts(t, catalog.Source{ID: catalog.NewID("source", p.file), Kind: p.kind, Title: p.file, URL: p.url, File: filepath.Join(captures, p.file)})
		for _, l := range all[p.file] {
			judged++
			got, found := first[l.ref]
			if !found {
				t.Errorf("%s has no record %s", p.file, l.ref)
			} else if !slices.ContainsFunc(l.wanted, func(want string) bool { return plain(want) == plain(got) }) {
				wrong++
				t.Logf("%s begins with %s, wanted %s (%s)", l.ref, got, l.wanted, l.why)
			}
		}
	}
	if t.Logf("%d of %d are right", judged-wrong, judged); wrong*100 > judged*(100-right) {
		t.Errorf("%d of %d first actions are wrong", wrong, judged)
	}
}

// plain is an address without what leads to the same place: a version, the order and the case of parameters of a
// service, an empty fragment.
func plain(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	q := url.Values{}
	for key, values := range u.Query() {
		if key = strings.ToLower(key); key != "version" {
			q[key] = []string{strings.ToLower(values[0])}
		}
	}
	return u.Host + u.Path + "?" + q.Encode() + cmp.Or(u.Fragment, "#")
}

// firsts are the first actions of the entries of a catalogue, by the record.
func firsts(t *testing.T, src catalog.Source) map[string]string {
	ctx := t.Context()
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	st, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "assay.db"))
	check(err)
	defer st.Close()
	check(harvest.LoadReference(ctx, st, sample.Instant))
	src.CreatedAt, src.UpdatedAt, src.Official = sample.Instant, sample.Instant, "judged"
	in, err := harvest.InputOf(src, false)
	check(err)
	check(st.Update(ctx, func(tx catalog.Tx) error { return tx.Sources().Put(ctx, src) }))
	_, err = harvest.Run(ctx, st, harvest.Connectors()[src.Kind], in, harvest.Options{Now: sample.Instant})
	check(err)
	frame, list := snapshot.NewFrame(snapshot.Site{BaseURL: "https://register.example", Name: "Assay"}, sample.Instant, nil, nil, nil), map[string]string{}
	check(st.View(ctx, func(tx catalog.Tx) error {
		return tx.Entries().Scan(ctx, catalog.Range{}, func(e *catalog.Entry) error {
			list[refOf(e)] = pages.FirstAction(frame.Score(&catalog.Row{Entry: *e}, e.Name), "en")
			return nil
		})
	}))
	return list
}

// refOf is the id of the record of an entry; a catalogue whose records have none lists addresses.
func refOf(e *catalog.Entry) string {
	if e.UpstreamRef == "" && e.API != nil {
		return e.API.BaseURL
	}
	return e.UpstreamRef
}
