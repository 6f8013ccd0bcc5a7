package dcatap

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/sourcetest"
	"github.com/assay-register/assay/build/rdf"
	"github.com/assay-register/assay/render/catalog"
)

func file(path string) source.Input {
	return source.Input{Name: filepath.Base(path), Source: catalog.Source{ID: "s", URL: "https://data.example.org/"},
		Open: func(context.Context) (io.ReadCloser, error) { return os.Open(path) }}
}

// TestRealFiles reads every small catalogue: each dataset, series and service
// that two other readers found in it is emitted or rejected.
func TestRealFiles(t *testing.T) {
	dir := sourcetest.Shared(t, "data/dcat")
	f, err := os.Open(filepath.Join(dir, "expected.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = '\t'
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	number := func(s string) int { n, _ := strconv.Atoi(s); return n }
	for _, row := range rows[1:] {
		o := sourcetest.Run(t, Connector{}, file(filepath.Join(dir, row[0])))
		datasets, services := 0, 0
		for _, d := range o.Drafts {
			if d.Entry.Type == catalog.TypeDataset {
				datasets++
			} else {
				services++
			}
			check(t, d)
		}
		t.Logf("%s: %d datasets, %d services, %v", row[0], datasets, services, o.Rejections)
		if row[2] != "valid" {
			if len(o.Rejections) == 0 {
				t.Errorf("%s is %s, and nothing was rejected", row[0], row[2])
			}
			continue
		}
		// A series is typed as a dataset too in the one file that has one.
		if got, want := datasets+services+len(o.Rejections), number(row[6])+number(row[8]); got != want || datasets > number(row[6]) {
			t.Errorf("%s: %d datasets, %d services, %d rejected; there are %s and %s", row[0], datasets, services, len(o.Rejections), row[6], row[8])
		}
	}
}

// check holds for every draft.
func check(t *testing.T, d source.Draft) {
	t.Helper()
	e := d.Entry
	for _, err := range []error{
		checkAddress(&d), catalog.CheckText("name", e.Name, catalog.NameMax),
		catalog.CheckText("description", e.Description, catalog.DescriptionMax),
	} {
		if err != nil {
			t.Errorf("%s: %v", d.Place, err)
		}
	}
	if e.Name == "" || d.Repaired > d.Delivered || d.Place == "" {
		t.Errorf("%s: %+v", d.Place, d)
	}
	fields := map[string]bool{}
	for _, r := range d.Rows {
		fields[r.Field] = true
	}
	for field, there := range map[string]bool{"name": true, "description": e.Description != "", "license_raw": e.LicenseRaw != "",
		"tags": len(e.Tags) > 0, "contact": e.Contact != nil, "formats": len(e.Formats) > 0, "themes": len(e.Themes) > 0,
		"dataset.distributions": e.Dataset != nil && len(e.Dataset.Distributions) > 0, "primary_source_url": e.PrimarySourceURL != "", "type": true} {
		if there && !fields[field] {
			t.Errorf("%s: %s has no origin", d.Place, field)
		}
	}
}

// checkAddress: only what stands for a blank node has no address.
func checkAddress(d *source.Draft) error {
	if d.Entry.PrimarySourceURL == "" && len(d.FormerRefs) > 0 {
		return nil
	}
	return catalog.CheckURL("primary_source_url", d.Entry.PrimarySourceURL)
}

func refs(d *source.Draft) (list []string) {
	for _, r := range d.Refs {
		list = append(list, r.Ref)
	}
	return list
}

// known counts the subject that one of a record's references is made of.
func known(got map[string]int, want map[string]bool, refs []string) {
	slices.Sort(refs)
	for _, ref := range slices.Compact(refs) {
		if want[ref] {
			got[ref]++
			return
		}
	}
	got[fmt.Sprint(refs)]++
}

// TestLargeFiles reads the large catalogues: every subject that is typed as a
// dataset, series or service is emitted or rejected, once, by its reference.
func TestLargeFiles(t *testing.T) {
	for name, least := range map[string]int{"belgium-part-2025-04.ttl.gz": 1346, "belgium-biodiversity-2025-04.rdf.gz": 549} {
		path := sourcetest.Shared(t, "data/dcat-large/"+name)
		o := sourcetest.Run(t, Connector{}, file(path))
		got, want := map[string]int{}, subjects(t, path)
		for _, d := range o.Drafts {
			check(t, d)
			known(got, want, append(d.FormerRefs, refs(&d)...))
		}
		for _, r := range o.Rejections {
			known(got, want, append(r.Refs, r.UpstreamRef))
		}
		for ref, n := range got {
			if n != 1 || !want[ref] {
				t.Errorf("%s: %d times %q", name, n, ref)
			}
		}
		t.Logf("%s: %d subjects, %d emitted, rejected %v", name, len(want), len(o.Drafts), o.Codes())
		if len(got) != len(want) || len(o.Drafts) < least {
			t.Errorf("%s: %d of %d records, %d emitted", name, len(got), len(want), len(o.Drafts))
		}
	}
}

// subjects are the references that the records of a catalogue should have.
func subjects(t *testing.T, path string) map[string]bool {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	syntax := rdf.Extension(path)
	out := map[string]bool{}
	err = rdf.Read(z, syntax, rdf.Options{Base: "https://data.example.org/"}, func(x rdf.Triple) error {
		kind := map[string]string{classDataset: "dataset", classSeries: "dataset", classService: "service"}[x.Object.Value]
		if x.Predicate.Value == rdf.RDFType && kind != "" {
			out["data.example.org:"+kind+":"+x.Subject.Value] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
