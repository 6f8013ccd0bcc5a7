package harvest

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-register/assay/build/harvest/publisher"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/reference"
	"github.com/assay-register/assay/render/catalog"
)

// resolver knows the institutions and licences of the register.
type resolver struct {
	in    *source.Input
	opts  *Options
	byID  map[string]*catalog.Institution
	byKey map[string]*catalog.Institution
	// licences finds a licence by whatever a publisher writes for it.
	licences *reference.LicenceIndex
	// domains finds the institution that a host belongs to.
	domains *reference.Domains
	// publishers finds the institution that a record means by its publisher.
	publishers *publisher.Matcher
	// local tells that the source is a municipality's or a region's.
	local bool
}

func newResolver(ctx context.Context, st catalog.Store, in *source.Input, opts *Options) (*resolver, error) {
	r := &resolver{in: in, opts: opts, byID: map[string]*catalog.Institution{}, byKey: map[string]*catalog.Institution{}}
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
		inst := &institutions[i]
		r.byID[inst.ID], r.byKey[inst.Key] = inst, inst
	}
	r.licences = licenceIndex(licences)
	if r.domains, err = domains(institutions); err != nil {
		return nil, err
	}
	aliases, err := reference.Aliases()
	if err != nil {
		return nil, fmt.Errorf("read aliases of institutions: %w", err)
	}
	r.publishers = publisher.New(institutions, aliases, r.domains)
	r.local = r.localSource()
	return r, nil
}

// localSource tells whether a municipality or a region runs the source, by what
// is known of it or by the owner of its host.
func (r *resolver) localSource() bool {
	inst := r.byID[r.in.Source.InstitutionID]
	if key, _, ok := r.domains.Owner(catalog.Host(r.in.Source.URL)); ok && inst == nil {
		inst = r.byKey[key]
	}
	return inst != nil && (inst.Type == catalog.InstMunicipality || inst.Type == catalog.InstRegion)
}

// resolveInstitution finds the known institution behind a draft: by the key
// that its connector made of the source's own id, by what the record says of
// its publisher, else the default of the run. Whoever runs a third party's
// source is not looked for: he may well name the body whose data he serves.
func (r *resolver) resolveInstitution(c *candidate, d *source.Draft) {
	if c.entry.InstitutionID != "" && r.byID[c.entry.InstitutionID] == nil {
		c.entry.InstitutionID = ""
	}
	switch inst := r.byID[c.entry.InstitutionID]; {
	case inst != nil:
		c.institution = inst
	case r.take(c, r.byKey[d.PublisherKey], "the source's id of the publisher, looked up in the register of institutions", d.PublisherKey):
	case c.entry.ThirdParty:
	default:
		r.match(c, d)
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

// match takes the institution that the record means by its publisher, with the
// evidence as a note; else the default of the harvest; else it notes which
// institutions came near, and why none was taken.
func (r *resolver) match(c *candidate, d *source.Draft) {
	found := r.publishers.Match(publisher.Query{
		Name: d.PublisherName, Country: first(c.entry.CountryCode, r.opts.Country, r.in.Source.CountryCode),
		Hosts: r.foreign(d, served(&c.entry)...), HomeHost: first(r.foreign(d, d.PublisherURL)...), GithubOrg: githubOrg(c.entry.RepoURL),
		Local: r.local,
	})
	if found.Match != nil {
		r.take(c, found.Match.Institution, "the publisher, matched with the register of institutions", found.Text())
		return
	}
	inst := r.byKey[r.opts.Institution]
	if inst == nil {
		inst = r.byID[r.opts.Institution]
	}
	if r.take(c, inst, "the default of this harvest", "") {
		return
	}
	if text := found.Text(); text != "" {
		c.rows = append(c.rows, catalog.FieldRow{Field: "institution_id", Basis: catalog.BasisNotDelivered, SourceID: r.in.Source.ID,
			SourceURL: c.entry.SourceSeedURL, Transform: "no institution taken", Note: text, ObservedAt: r.opts.Now})
	}
}

// foreign lists the hosts of addresses that are not the catalogue's own: a page
// there says nothing about a publisher that the record names itself.
func (r *resolver) foreign(d *source.Draft, urls ...string) []string {
	var hosts []string
	for _, u := range urls {
		host := catalog.Host(u)
		if host == "" || d.PublisherName != "" && host == catalog.Host(r.in.Source.URL) {
			continue
		}
		hosts = append(hosts, host)
	}
	return hosts
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
