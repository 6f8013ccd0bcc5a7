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
		for _, form := range append([]string{e.LicenseRaw}, d.LicenceForms...) {
			if id, ok := r.licences.Resolve(form); ok {
				e.LicenseID = id
				r.compute(c, "license_id", "what the publisher wrote, looked up in the licence table", "")
				break
			}
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
		if id, ok := r.licences.Resolve(dist.LicenseRaw); ok {
			dist.LicenseID = id
		}
	}
}
