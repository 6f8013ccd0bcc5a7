package harvest_test

import (
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/render/catalog"
)

// Of two catalogues, the second harvested is the nearer one only for a reason.
func TestNearerCatalogue(t *testing.T) {
	t.Parallel()
	inst := harvest.InstitutionID
	for name, c := range map[string]struct {
		first, second func(*catalog.Source)
		shared        string
		wins          bool
	}{
		"nothing is known of either":             {},
		"a part of the publisher runs it":        {first: func(s *catalog.Source) { s.InstitutionID = inst("xx-city") }, second: func(s *catalog.Source) { s.InstitutionID = inst("gb-tides-north") }, wins: true},
		"the publisher is a part of who runs it": {first: func(s *catalog.Source) { s.InstitutionID = inst("xx-city") }, second: func(s *catalog.Source) { s.InstitutionID = inst("gb-sea") }, wins: true},
		"the publisher's own, before its part's": {first: func(s *catalog.Source) { s.InstitutionID = inst("gb-tides-north") }, second: func(s *catalog.Source) { s.InstitutionID = inst("gb-tides") }, wins: true},
		"it is where the shared address lies":    {shared: "https://second.example/id/1", wins: true},
		"the first is where the address lies":    {shared: "https://first.example/id/1", second: func(s *catalog.Source) { s.InstitutionID = inst("xx-city") }},
		"the address lies elsewhere":             {shared: "https://doi.org/10.1234/5"},
		"a city's before a country's":            {first: func(s *catalog.Source) { s.InstitutionID = inst("xx-land") }, second: func(s *catalog.Source) { s.InstitutionID = inst("xx-city") }, wins: true},
		"a country's not before a city's":        {first: func(s *catalog.Source) { s.InstitutionID = inst("xx-city") }, second: func(s *catalog.Source) { s.InstitutionID = inst("xx-land") }},
		"a country's before that of several":     {first: func(s *catalog.Source) { s.InstitutionID = inst("xx-world") }, second: func(s *catalog.Source) { s.InstitutionID = inst("xx-land") }, wins: true},
		"one that is no portal before a portal":  {first: func(s *catalog.Source) { s.Portal = true }, wins: true},
		"a portal not before one that is none":   {second: func(s *catalog.Source) { s.Portal = true }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			first, second := w.official, w.official
			first.ID, first.URL = harvest.SourceID("first"), "https://first.example/"
			second.ID, second.URL = harvest.SourceID("second"), "https://second.example/"
			for s, change := range map[*catalog.Source]func(*catalog.Source){&first: c.first, &second: c.second} {
				if change != nil {
					change(s)
				}
			}
			w.update(func(tx catalog.Tx) error {
				if err := tx.Sources().Put(w.ctx, first, second); err != nil {
					return err
				}
				put := func(key string, kind catalog.InstitutionType, parent string) error {
					return tx.Institutions().Put(w.ctx, catalog.Institution{ID: inst(key), Key: key, Name: key, Type: kind, ParentID: parent, CreatedAt: w.now, UpdatedAt: w.now})
				}
				for _, x := range []struct {
					key, parent string
					kind        catalog.InstitutionType
				}{
					{"gb-sea", "", catalog.InstGovernment}, {"gb-tides-north", inst("gb-tides"), catalog.InstAgency}, {"xx-city", "", catalog.InstMunicipality},
					{"xx-land", "", catalog.InstGovernment}, {"xx-world", "", catalog.InstInternational},
				} {
					if err := put(x.key, x.kind, x.parent); err != nil {
						return err
					}
				}
				return tx.Institutions().Put(w.ctx, catalog.Institution{ID: inst("gb-tides"), Key: "gb-tides", Name: "Tide Office", CountryCode: "GB", Type: catalog.InstAgency,
					ParentID: inst("gb-sea"), OfficialDomains: []string{"tides.example.uk"}, CreatedAt: w.now, UpdatedAt: w.now})
			})
			as := func(ref, text string) (drafts drafts) {
				d := draft(ref, "Tide Times", tides)
				d.Entry.Description = text
				if c.shared != "" {
					d.Entry.Identifiers = []string{c.shared}
				}
				return append(drafts, d)
			}
			w.run(first, harvest.Options{}, as("a:k:1", "first")...)
			if r := w.run(second, harvest.Options{}, as("b:k:1", "second")...); r.Merged != 1 {
				t.Fatal(r.Summary())
			}
			if e := w.only(); (e.Description == "second") != c.wins {
				t.Errorf("the entry says %q", e.Description)
			}
		})
	}
}
