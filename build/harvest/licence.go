package harvest

import (
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
)

// resolveLicence finds the known licence behind what the publisher wrote; the
// raw text stays.
func (r *resolver) resolveLicence(c *candidate, d *source.Draft) {
	e := &c.entry
	if e.LicenseID == "" && e.LicenseRaw != "" && !d.OtherLicence {
		if id, ok := r.licenceOf(d, append([]string{e.LicenseRaw}, d.LicenceForms...)); ok {
			e.LicenseID = id
			r.compute(c, "license_id", "what the publisher wrote, looked up in the licence table", "")
		}
	}
	if e.Dataset == nil {
		return
	}
	for i := range e.Dataset.Distributions {
		dist := &e.Dataset.Distributions[i]
		if dist.LicenseID != "" || strings.TrimSpace(dist.LicenseRaw) == "" {
			continue
		}
		if id, ok := r.licenceOf(d, []string{dist.LicenseRaw}); ok {
			dist.LicenseID = id
		}
	}
}

// licenceOf is the known licence of the first form that is one, by itself or by what the document says of it.
func (r *resolver) licenceOf(d *source.Draft, forms []string) (string, bool) {
	for _, form := range append(forms, d.LicenceNames[forms[0]]...) {
		if id, ok := r.licences.Resolve(form); ok {
			return id, true
		}
	}
	return "", false
}
