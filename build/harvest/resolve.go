package harvest

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/publisher"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/reference"
	"github.com/assay-register/assay/render/catalog"
)

// resolver knows the institutions and licences of the register.
type resolver struct {
	in   *source.Input
	opts *Options
	// byID and byKey are the known institutions, also by what those had that were merged
	// into them; a stated one proves nothing.
	byID  map[string]*catalog.Institution
	byKey map[string]*catalog.Institution
	// licences finds a licence by whatever a publisher writes for it.
	licences *reference.LicenceIndex
	// domains finds the institution that a host belongs to.
	domains *reference.Domains
	// publishers finds the institution that a record means by its publisher.
	publishers *publisher.Matcher
	// stated are the institutions that catalogues named.
	stated *statedBook
	// sources are the catalogues by id, portals the hosts that serve what others publish.
	sources map[string]*catalog.Source
	// parents are the institutions that others are a part of, by the id of the part.
	parents map[string]string
	portals map[string]bool
	// local tells that the source is a municipality's or a region's.
	local bool
	// named are the institutions that identifiers of this source mean by what its records call them.
	named map[string]*catalog.Institution
	// decisions tell what became of each publisher, nil where nobody asks.
	decisions *decisions
	// submitted tells that a person proposes the records: whom he names is not
	// yet stated by any catalogue.
	submitted bool
	// trust are moderators' rules about what the source lists.
	trust []catalog.TrustRule
}

func newResolver(ctx context.Context, st catalog.Store, in *source.Input, opts *Options) (r *resolver, err error) {
	err = st.View(ctx, func(tx catalog.Tx) error {
		r, err = readResolver(ctx, tx, in, opts)
		return err
	})
	if err != nil {
		return nil, err
	}
	r.sources[in.Source.ID] = &in.Source
	return r, nil
}

// readResolver knows what a transaction reads.
func readResolver(ctx context.Context, tx catalog.Tx, in *source.Input, opts *Options) (*resolver, error) {
	r := &resolver{in: in, opts: opts, byID: map[string]*catalog.Institution{}, byKey: map[string]*catalog.Institution{}, named: map[string]*catalog.Institution{}, decisions: newDecisions()}
	institutions, err := tx.Institutions().All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read institutions: %w", err)
	}
	// What a known one inherits is proof; what a stated one does stays its own row's, which
	// a harvest may write.
	for i, heir := range catalog.Inherit(institutions) {
		if heir.Known() {
			institutions[i] = heir
		}
	}
	sources, err := tx.Sources().All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read sources: %w", err)
	}
	licences, err := tx.Licences().All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read licences: %w", err)
	}
	heirs := catalog.Heirs(institutions)
	for i := range institutions {
		own := &institutions[i]
		if inst := cmp.Or(heirs[own.ID], own); inst.Known() {
			r.byID[own.ID], r.byKey[own.Key] = inst, inst
		}
	}
	r.parents = map[string]string{}
	for i := range institutions {
		if inst := &institutions[i]; inst.ParentID != "" {
			r.parents[inst.ID] = inst.ParentID
		}
	}
	r.sources = make(map[string]*catalog.Source, len(sources))
	for i := range sources {
		r.sources[sources[i].ID] = &sources[i]
	}
	r.licences, r.portals = licenceIndex(licences), portalHosts(append(sources, in.Source))
	if r.domains, err = domains(institutions); err != nil {
		return nil, err
	}
	aliases, err := reference.Aliases()
	if err != nil {
		return nil, fmt.Errorf("read aliases of institutions: %w", err)
	}
	r.stated = newStatedBook(institutions)
	r.publishers = publisher.New(r.stated.living(), aliases, r.domains)
	for _, m := range r.stated.merged() {
		r.publishers.Alias(m.into.Key, m.from)
	}
	r.local = r.localSource()
	if err := r.readNamed(ctx, tx); err != nil {
		return nil, err
	}
	if r.trust, err = trusted(ctx, tx, in.Source.ID, opts.Now); err != nil {
		return nil, err
	}
	if in.Source.Portal {
		r.decisions.portal = r.runBy(&in.Source)
	}
	return r, nil
}

// portalHosts are the hosts of the sources that list what others publish.
func portalHosts(list []catalog.Source) map[string]bool {
	hosts := map[string]bool{}
	for i := range list {
		if h := catalog.Host(list[i].URL); list[i].Portal && h != "" {
			hosts[strings.TrimPrefix(h, "www.")] = true
		}
	}
	return hosts
}

// portal tells whether a host serves what others publish.
func (r *resolver) portal(host string) bool { return r.portals[strings.TrimPrefix(host, "www.")] }

// localSource tells whether a municipality or a region runs the source, by what
// is known of it or by the owner of its host.
func (r *resolver) localSource() bool {
	inst := r.byID[r.runBy(&r.in.Source)]
	return inst != nil && (inst.Type == catalog.InstMunicipality || inst.Type == catalog.InstRegion)
}

// resolveInstitution finds the institution behind a draft: by the key that its
// connector made of the source's own id, by what the record says of its
// publisher, by the default of the run where it says nothing, else a new one
// that is stated. Whoever runs a third party's source is not looked for: he may
// well name the body whose data he serves. A person is no institution.
func (r *resolver) resolveInstitution(c *candidate, d *source.Draft) {
	if c.entry.InstitutionID != "" && r.byID[c.entry.InstitutionID] == nil {
		c.entry.InstitutionID = ""
	}
	if inst := r.byID[c.entry.InstitutionID]; inst != nil {
		c.entry.InstitutionID, c.institution = inst.ID, inst
		return
	}
	if key := r.byKey[d.PublisherKey]; key != nil {
		r.take(c, key, "the source's id of the publisher, looked up in the register of institutions", d.PublisherKey)
		r.decisions.count(c, key, "source id", d.PublisherKey)
		return
	}
	if c.entry.ThirdParty || private(&c.entry) {
		r.decisions.count(c, nil, "", "")
		return
	}
	r.match(c, d)
}

// private tells whether the publisher is a natural person, as stated.
func private(e *catalog.Entry) bool {
	return e.Publisher != nil && (e.Publisher.Person || catalog.PrivatePublisher(e.Publisher.Type))
}

// take gives the record an institution and notes how it was found.
func (r *resolver) take(c *candidate, inst *catalog.Institution, how, note string) {
	c.entry.InstitutionID = inst.ID
	if inst.Known() {
		c.institution = inst
	} else {
		c.stated = inst
	}
	r.compute(c, "institution_id", how, note)
}

// match takes the institution that the record means by its publisher, with the
// evidence as a note; else, for a record that names none, the default of the
// harvest; else the publisher itself as it is stated.
func (r *resolver) match(c *candidate, d *source.Draft) {
	q := r.query(c, d)
	iri := unnamed(&c.entry)
	if iri != "" {
		// Whose domain serves it says nothing of a publisher that is stated, if only by an identifier.
		q.Names, q.Domains, q.Hosts, q.HomeHost, q.GithubOrg = nil, nil, nil, "", ""
	}
	found := r.publishers.Match(q)
	if inst := r.named[iri]; found.Match == nil && inst != nil {
		inst = cmp.Or(r.byID[inst.ID], r.stated.byID[inst.ID], inst)
		r.take(c, inst, "the publisher's identifier, which other records of the source name", iri)
		r.decisions.count(c, inst, "identifier", iri)
		return
	}
	if inst := found.Match; inst != nil {
		if !inst.Known() && !r.submitted {
			inst = r.stated.learn(inst, q.Identifiers, r.opts.Now)
			r.publishers.Add(inst)
		}
		r.knows(&c.entry, inst)
		r.take(c, inst, "the publisher, matched with the register of institutions", found.Text())
		r.decisions.count(c, inst, string(found.Rule), found.Evidence)
		return
	}
	switch {
	case iri != "":
		q.Names = []string{iri} // until a record says what it is called
	case len(q.Names) == 0 && c.entry.Publisher != nil:
		q.Names = q.Domains // a catalogue that names a body by its domain alone
	}
	if len(q.Names) > 0 && !r.submitted {
		r.state(c, d, &q, &found)
		return
	}
	if inst := r.defaultInstitution(); inst != nil {
		r.take(c, inst, "the default of this harvest", "")
		r.decisions.count(c, inst, "default", r.opts.Institution)
		return
	}
	r.unresolved(c, &found)
}

// state makes an institution of the publisher as the catalogue names it.
func (r *resolver) state(c *candidate, d *source.Draft, q *publisher.Query, found *publisher.Result) {
	inst := r.stated.of(c, d, q, r.in, r.opts.Now)
	r.publishers.Add(inst)
	note := found.Text()
	r.knows(&c.entry, inst)
	how := "the publisher as the catalogue states it; the register of institutions has none of this name or number"
	if unnamed(&c.entry) != "" {
		how = "the publisher as the catalogue identifies it, without a name; the register of institutions has none of this identifier"
	}
	r.take(c, inst, how, note)
	r.decisions.count(c, inst, "stated", note)
}

// unnamed is the identifier of a publisher that the source does not name, "" for one with a name or without any.
func unnamed(e *catalog.Entry) string {
	if p := e.Publisher; p != nil && e.PublisherName == "" && !p.Person {
		return p.IRI
	}
	return ""
}

// knows keeps which institution a record means by an identifier beside a name; one that several institutions have says
// nothing.
func (r *resolver) knows(e *catalog.Entry, inst *catalog.Institution) {
	if e.Publisher == nil || e.PublisherName == "" || e.Publisher.IRI == "" || catalog.Skolem(e.Publisher.IRI) {
		return
	}
	if before, met := r.named[e.Publisher.IRI]; met && (before == nil || before.ID != inst.ID) {
		inst = nil
	} else if !met && len(r.named) >= catalog.PublisherDecisionsMax {
		return
	}
	r.named[e.Publisher.IRI] = inst
}

// readNamed knows what earlier runs took for the identifiers that had a name.
func (r *resolver) readNamed(ctx context.Context, tx catalog.Tx) error {
	list, err := tx.PublisherDecisions().Of(ctx, r.in.Source.ID)
	if err != nil {
		return fmt.Errorf("read decisions about publishers: %w", err)
	}
	for i := range list {
		d := &list[i]
		inst := r.byID[d.InstitutionID]
		if stated := r.stated.byID[d.InstitutionID]; inst == nil && stated != nil {
			inst = r.stated.heir(stated)
		}
		if inst != nil {
			r.knows(&catalog.Entry{PublisherName: d.Publisher, Publisher: &catalog.Agent{IRI: d.IRI}}, inst)
		}
	}
	return nil
}

func (r *resolver) defaultInstitution() *catalog.Institution {
	if inst := r.byKey[r.opts.Institution]; inst != nil {
		return inst
	}
	return r.byID[r.opts.Institution]
}

// unresolved notes what came near, and why nothing was taken.
func (r *resolver) unresolved(c *candidate, found *publisher.Result) {
	text := found.Text()
	r.decisions.count(c, nil, "", text)
	if text != "" {
		c.rows = append(c.rows, catalog.FieldRow{Field: "institution_id", Basis: catalog.BasisNotDelivered, SourceID: r.in.Source.ID,
			SourceURL: c.entry.SourceSeedURL, Transform: "no institution taken", Note: text, ObservedAt: r.opts.Now})
	}
}

// query is what a record says of its publisher. A bare domain is an address and
// no name.
func (r *resolver) query(c *candidate, d *source.Draft) publisher.Query {
	e := &c.entry
	q := publisher.Query{Country: cmp.Or(e.CountryCode, r.opts.Country, r.in.Source.CountryCode), Source: r.in.Source.ID,
		Local: r.local, GithubOrg: githubOrg(e.RepoURL)}
	names := []string{d.PublisherName}
	if p := e.Publisher; p != nil {
		q.Identifiers = append([]string{p.IRI}, p.Identifiers...)
		for _, lang := range sortedTags(p.Names) {
			names = append(names, p.Names[lang])
		}
		names = append(names, p.Aliases...)
	}
	urls := append([]string{d.PublisherURL}, served(e)...)
	for _, name := range names {
		if host, ok := bareHost(name); ok {
			q.Domains, urls = append(q.Domains, name), append([]string{"https://" + host}, urls...)
		} else if strings.TrimSpace(name) != "" {
			q.Names = append(q.Names, name)
		}
	}
	q.Hosts, q.HomeHost = r.foreign(urls...), cmp.Or(r.foreign(d.PublisherURL)...)
	return q
}

// bareHost tells whether a publisher is only named by a domain, as registries
// of packages do.
func bareHost(name string) (string, bool) {
	name = strings.TrimSpace(name)
	if strings.ContainsAny(name, " /:@") || !strings.Contains(strings.Trim(name, "."), ".") || strings.HasSuffix(name, ".") || name != strings.ToLower(name) {
		return "", false
	}
	host := catalog.Host("https://" + name)
	return host, host != ""
}

// foreign lists the hosts of addresses that can speak for a publisher: neither
// those of portals nor names of blank nodes.
func (r *resolver) foreign(urls ...string) []string {
	var hosts []string
	for _, u := range urls {
		if host := catalog.Host(u); host != "" && !r.portal(host) && !catalog.Skolem(u) {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// sortedTags are the languages of texts in a fixed order.
func sortedTags(t catalog.Texts) []string { return slices.Sorted(maps.Keys(t)) }
