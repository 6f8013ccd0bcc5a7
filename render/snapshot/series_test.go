package snapshot_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
)

// interner is a snapshot of entries, which get ids in their order.
func interner(t *testing.T, entries ...catalog.Entry) *snapshot.Catalog {
	t.Helper()
	f := snapshot.NewFrame(rendertest.Site, rendertest.At, nil, nil, nil)
	d := snapshot.NewDraft(f)
	for i, e := range entries {
		e.ID = fmt.Sprintf("%08d-0000-5000-8000-000000000000", i)
		e.Slug, e.Status = fmt.Sprint("s", i), catalog.StatusActive
		l := snapshot.NewLine(f.Score(&catalog.Row{Entry: e}, search.Fold(e.Name)), search.Fold(e.Name))
		l.Digest = fmt.Sprint(i)
		if err := d.Add(l, nil); err != nil {
			t.Fatal(err)
		}
	}
	return d.Finish(nil)
}

func dataset(publisher, name string, years ...int) catalog.Entry {
	e := catalog.Entry{Type: catalog.TypeDataset, Name: name, PublisherName: publisher, Dataset: &catalog.DatasetDetails{}}
	if len(years) > 0 {
		e.Dataset.TemporalStart = time.Date(years[0], 1, 1, 0, 0, 0, 0, time.UTC)
		e.Dataset.TemporalEnd = time.Date(years[len(years)-1], 12, 31, 0, 0, 0, 0, time.UTC)
	}
	return e
}

// TestSeriesAreDerived: three of one publisher that differ by the period, wherever
// that stands; fewer, others' and equal ones are none.
func TestSeriesAreDerived(t *testing.T) {
	for name, c := range map[string]struct {
		list []catalog.Entry
		want []int32
		said string
	}{
		"periods stated":     {[]catalog.Entry{dataset("p", "Cadastre", 2012), dataset("p", "Cadastre", 2010), dataset("p", "Cadastre", 2011)}, []int32{1, 2, 0}, "Cadastre"},
		"periods in titles":  {[]catalog.Entry{dataset("p", "Élections 2019"), dataset("p", "elections (2014)"), dataset("p", "Élections 2009")}, []int32{2, 1, 0}, "Élections"},
		"versions":           {[]catalog.Entry{dataset("p", "Roads v1"), dataset("p", "Roads v2"), dataset("p", "Roads v3")}, []int32{0, 1, 2}, "Roads"},
		"two":                {[]catalog.Entry{dataset("p", "Cadastre", 2012), dataset("p", "Cadastre", 2010)}, nil, ""},
		"the same period":    {[]catalog.Entry{dataset("p", "Cadastre", 2012), dataset("p", "Cadastre", 2012), dataset("p", "Cadastre", 2011)}, nil, ""},
		"of others":          {[]catalog.Entry{dataset("p", "Cadastre", 2012), dataset("q", "Cadastre", 2010), dataset("r", "Cadastre", 2011)}, nil, ""},
		"of nobody":          {[]catalog.Entry{dataset("", "Cadastre", 2012), dataset("", "Cadastre", 2010), dataset("", "Cadastre", 2011)}, nil, ""},
		"without a period":   {[]catalog.Entry{dataset("p", "Cadastre"), dataset("p", "Cadastre"), dataset("p", "Cadastre")}, nil, ""},
		"titles of a period": {[]catalog.Entry{dataset("p", "2010"), dataset("p", "2011"), dataset("p", "2012")}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c0 := interner(t, c.list...)
			if c.want == nil {
				if got := c0.Series(); len(got) != 0 {
					t.Fatalf("%+v", got)
				}
				return
			}
			got := c0.Series()
			if len(got) != 1 || !slices.Equal(got[0].Members, c.want) || got[0].Title != c.said || got[0].Stated || !catalog.IsID(got[0].ID) {
				t.Fatalf("%+v, want %v, %q", got, c.want, c.said)
			}
			if c0.SeriesByID(got[0].ID) == nil || c0.SeriesOf(0) != c0.SeriesByID(got[0].ID) || c0.SeriesByID("x") != nil {
				t.Error("it is not found again")
			}
			if list := c0.Collapse([]int32{2, 0, 1}); !slices.Equal(list, []int32{2}) {
				t.Errorf("collapsed to %v", list)
			}
		})
	}
}

// TestSeriesKeepsItsID: another member, in another order, is of the same series.
func TestSeriesKeepsItsID(t *testing.T) {
	list := []catalog.Entry{dataset("p", "Cadastre", 2012), dataset("p", "Cadastre", 2010), dataset("p", "Cadastre", 2011), dataset("p", "Other")}
	id := interner(t, list...).Series()[0].ID
	slices.Reverse(list)
	if got := interner(t, append(list, dataset("p", "Cadastre", 2013))...).Series(); len(got) != 1 || got[0].ID != id || len(got[0].Members) != 4 {
		t.Errorf("%+v, want %s", got, id)
	}
}

// TestSeriesAreStated: what the source says counts, whatever the titles are.
func TestSeriesAreStated(t *testing.T) {
	in := func(name, ref string) catalog.Entry {
		e := dataset("p", name)
		e.Relations = []catalog.Relation{{Kind: catalog.RelationSeries, Ref: ref, Title: "Series of " + ref}}
		return e
	}
	c := interner(t, in("Soil", "a"), in("Water", "a"), in("Air", "b"))
	got := c.Series()
	if len(got) != 1 || !got[0].Stated || got[0].Title != "Series of a" || !slices.Equal(got[0].Members, []int32{0, 1}) || c.SeriesOf(2) != nil {
		t.Errorf("%+v", got)
	}
}
