package score

import (
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

// TestDeliveredCounts: what a publisher delivered counts, whether or not the
// register knows what it means.
func TestDeliveredCounts(t *testing.T) {
	t.Parallel()
	stated := &catalog.Institution{ID: "s", Name: "Office", State: catalog.InstitutionStated}
	for name, c := range map[string]struct {
		of               catalog.EntryType
		rule             string
		delivered, known func(*Input)
	}{
		"publisher without an institution": {catalog.TypeDataset, "metadata.institution", func(in *Input) { in.entry().PublisherName = "Office" }, func(in *Input) { in.Institution = ministry }},
		"stated institution":               {catalog.TypeDataset, "metadata.institution", func(in *Input) { in.Institution = stated }, func(in *Input) { in.Institution = ministry }},
		"licence of a dataset":             {catalog.TypeDataset, "metadata.licence", func(in *Input) { in.entry().LicenseRaw = "our own terms" }, func(in *Input) { in.Licence = openData }},
		"licence of an API":                {catalog.TypeAPI, "metadata.terms", func(in *Input) { in.entry().LicenseRaw = "our own terms" }, func(in *Input) { in.Licence = openData }},
		"format of no table":               {catalog.TypeDataset, "metadata.formats", func(in *Input) { in.entry().Formats = []string{"XYZ"} }, func(in *Input) { in.entry().Formats = []string{"PDF"} }},
	} {
		points := func(change func(*Input)) Tenths {
			in := bare(c.of)
			change(in)
			for _, a := range Of(in).Axes {
				for i := range a.Findings {
					if a.Findings[i].Rule == c.rule {
						return a.Findings[i].Points
					}
				}
			}
			t.Fatalf("%s: no finding of %s", name, c.rule)
			return 0
		}
		none, got, want := points(func(*Input) {}), points(c.delivered), points(c.known)
		if got != want || got <= none {
			t.Errorf("%s: %s points, %s where it is known, %s without", name, got, want, none)
		}
	}
}
