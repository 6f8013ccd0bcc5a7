package harvest

import (
	"slices"

	"github.com/assay-register/assay/render/catalog"
)

// asked is what readers ask of an entry: whether one has it, and whether its
// source states it, so that what was not resolved is told from what is not
// there.
var asked = [...]struct {
	what        string
	has, stated func(*candidate) bool
}{
	{"institution", func(c *candidate) bool { return c.entry.InstitutionID != "" },
		func(c *candidate) bool { return c.entry.PublisherName != "" || c.entry.Publisher != nil }},
	{"country", func(c *candidate) bool { return c.entry.CountryCode != "" },
		func(c *candidate) bool { return c.entry.Dataset != nil && len(c.entry.Dataset.Spatial) > 0 }},
	{"licence", func(c *candidate) bool { return c.entry.LicenseID != "" }, statesLicence},
	{"access", func(c *candidate) bool { return c.entry.AccessRights != "" },
		func(c *candidate) bool { return c.refused("access_rights") }},
	{"download", func(c *candidate) bool { return slices.ContainsFunc(files(c), hasDownload) },
		func(c *candidate) bool { return c.refused("dataset.distributions") }},
}

func files(c *candidate) []catalog.Distribution {
	if c.entry.Dataset == nil {
		return nil
	}
	return c.entry.Dataset.Distributions
}

func hasDownload(d catalog.Distribution) bool { return d.DownloadURL != "" }

func statesLicence(c *candidate) bool {
	return c.entry.LicenseRaw != "" || slices.ContainsFunc(files(c), func(d catalog.Distribution) bool { return d.LicenseRaw != "" })
}

// refused tells whether a value of the field came and could not be used.
func (c *candidate) refused(field string) bool {
	return slices.ContainsFunc(c.rows, func(r catalog.FieldRow) bool { return r.Field == field && r.Basis == catalog.BasisNotDelivered })
}

// lack counts what a record goes without. Only datasets have downloads.
func (t *tally) lack(c *candidate) {
	for i := range asked {
		a, l := &asked[i], &t.lacks[i]
		if a.what == "download" && c.entry.Type != catalog.TypeDataset {
			continue
		}
		l.What = a.what
		l.Of++
		switch {
		case a.has(c):
		case a.stated(c):
			l.Unresolved++
		default:
			l.NotStated++
		}
	}
}
