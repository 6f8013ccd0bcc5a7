package harvest

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/reference"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
)

// resolver knows the institutions and licences of the register.
type resolver struct {
	in     *source.Input
	opts   *Options
	byID   map[string]*catalog.Institution
	byKey  map[string]*catalog.Institution
	byName map[string]*catalog.Institution
	// licences finds a licence by whatever a publisher writes for it.
	licences *reference.LicenceIndex
	// domains finds the institution that a host belongs to.
	domains *reference.Domains
}

func newResolver(ctx context.Context, st catalog.Store, in *source.Input, opts *Options) (*resolver, error) {
	r := &resolver{in: in, opts: opts, byID: map[string]*catalog.Institution{}, byKey: map[string]*catalog.Institution{},
		byName: map[string]*catalog.Institution{}}
	var institutions []catalog.Institution
	var licences []catalog.Licence
	err := st.View(ctx, func(tx catalog.Tx) error {
		var err error
		if institutions, err = tx.Institutions().All(ctx); err != nil {
			return err
		}
		licences, err = tx.Licences().All(ctx)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read institutions and licences: %w", err)
	}
	for i := range institutions {
		r.index(&institutions[i])
	}
	r.licences = licenceIndex(licences)
	r.domains = domains(institutions)
	return r, nil
}

// index files an institution under its id, key and names. A name that two
// institutions of one country share leads to neither.
func (r *resolver) index(inst *catalog.Institution) {
	r.byID[inst.ID], r.byKey[inst.Key] = inst, inst
	for _, name := range []string{inst.Name, inst.NameEn} {
		if name == "" {
			continue
		}
		key := nameKey(name, inst.CountryCode)
		if other, ok := r.byName[key]; ok && other != inst {
			r.byName[key] = nil
			continue
		}
		r.byName[key] = inst
	}
}

func nameKey(name, country string) string { return country + "|" + search.Fold(name) }

// resolveInstitution finds the known institution behind a draft: by the key
// that its connector made of the source's own id, by its exact name within the
// country, by the owner of its host, else the default of the run.
func (r *resolver) resolveInstitution(c *candidate, d *source.Draft) {
	country := first(c.entry.CountryCode, r.opts.Country, r.in.Source.CountryCode)
	if c.entry.InstitutionID != "" && r.byID[c.entry.InstitutionID] == nil {
		c.entry.InstitutionID = ""
	}
	switch inst := r.byID[c.entry.InstitutionID]; {
	case inst != nil:
		c.institution = inst
	case r.take(c, r.byKey[d.PublisherKey], "the source's id of the publisher, looked up in the register of institutions", d.PublisherKey):
	case d.PublisherName != "" && r.take(c, r.byName[nameKey(d.PublisherName, country)],
		"the publisher's name, looked up in the register of institutions", d.PublisherName):
	case r.byHost(c, d):
	default:
		inst := r.byKey[r.opts.Institution]
		if inst == nil {
			inst = r.byID[r.opts.Institution]
		}
		r.take(c, inst, "the default of this harvest", "")
	}
}

func (r *resolver) take(c *candidate, inst *catalog.Institution, how, note string) bool {
	if inst == nil {
		return false
	}
	c.institution, c.entry.InstitutionID = inst, inst.ID
	r.compute(c, "institution_id", how, note)
	return true
}

// byHost takes the institution whose official domain the source lies under,
// the longest domain winning. A page on the catalogue's own host says nothing
// about a publisher that the record names itself.
func (r *resolver) byHost(c *candidate, d *source.Draft) bool {
	for _, u := range addresses(&c.entry) {
		host := catalog.Host(u)
		if d.PublisherName != "" && host == catalog.Host(r.in.Source.URL) {
			continue
		}
		if key, domain, ok := r.domains.Owner(host); ok && key != "" {
			if r.take(c, r.byKey[key], "the owner of the host, by its official domains", domain) {
				return true
			}
		}
	}
	return false
}

func (r *resolver) resolveCountry(c *candidate) {
	e := &c.entry
	switch {
	case e.CountryCode != "":
	case c.institution != nil && c.institution.CountryCode != "":
		e.CountryCode = c.institution.CountryCode
		r.compute(c, "country_code", "the institution's country", "")
	case r.opts.Country != "":
		e.CountryCode = r.opts.Country
		r.compute(c, "country_code", "the default of this harvest", "")
	case r.in.Source.CountryCode != "":
		e.CountryCode = r.in.Source.CountryCode
		r.compute(c, "country_code", "the country of the source", "")
	}
}

// resolveLicence finds the known licence behind what the publisher wrote; the
// raw text stays.
func (r *resolver) resolveLicence(c *candidate, d *source.Draft) {
	e := &c.entry
	if e.LicenseID == "" && e.LicenseRaw != "" && !d.OtherLicence {
		if id, ok := r.licences.Resolve(e.LicenseRaw); ok {
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
		if id, ok := r.licences.Resolve(dist.LicenseRaw); ok {
			dist.LicenseID = id
		}
	}
}

// first is the first text that is not empty.
func first(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}
