package okf

import (
	"bytes"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

// TestSeries leads from a member to its series, before what is cited.
func TestSeries(t *testing.T) {
	list := rows()
	for _, year := range []string{"2019", "2020", "2021"} {
		e := entry(catalog.TypeDataset, "wells-"+year, "Wells [Puits] "+year)
		e.Entry.InstitutionID = institutions[0].ID
		list = append(list, e)
	}
	tree := render(t, freeze(t, noon, list...))
	checkAll(t, tree)
	for name, want := range map[string]int{"datasets/wells-2020.md": 1, "datasets/population.md": 0} {
		body := tree[name].Data
		at, cited := bytes.Index(body, []byte("# Series\n\n* [Wells \\[Puits\\]](https://assay.example/register/series/")), bytes.LastIndex(body, citations)
		if n := bytes.Count(body, []byte("\n# Series\n")); n != want || want == 1 && (at < 0 || at > cited) {
			t.Errorf("%s: %d sections of a series, at %d, cited at %d: %s", name, n, at, cited, body)
		}
	}
}
