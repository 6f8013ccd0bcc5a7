package dcat

import (
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// writeLinks joins the services and datasets of a range to those they belong
// with: dcat:servesDataset from a service, and from a distribution dcat:accessService.
// What is not in the documents is not linked, and nothing outside the range is declared,
// because a harvester takes each declared dataset for a new one (research, §4).
//
// The document of one entry says what it leads to. Of two pages each passes the shapes of DCAT-AP alone, which
// ask for the class of what an entry leads to: so a link to another page is said there, where its
// object is declared. All pages together say what the whole document says.
func (d *document) writeLinks(w writer, tail *tail) error {
	for _, i := range d.within(d.from, d.to) {
		served, servers := d.served[i], d.servers[i]
		if len(served)+len(servers) == 0 {
			continue
		}
		g := newGraph()
		if err := d.links(g, int(i), served, servers); err != nil {
			return err
		}
		tail.adopt(g)
		g.write(w)
		g.release()
	}
	w.rest()
	return nil
}

// links says how an entry is joined to the datasets that it serves, or to the services that serve it.
func (d *document) links(g *graph, i int, served, servers []int32) error {
	lines := d.catalog.Lines
	for _, dataset := range served {
		switch {
		case d.declares(dataset):
			g.node(entryIRI(lines[i].ID)).link(dcatServesDataset, entryIRI(lines[dataset].ID))
		case d.access:
			parts, err := d.distributions(int(dataset))
			if err == nil {
				err = d.accessService(g, int(dataset), i, parts, false, true)
			}
			if err != nil {
				return err
			}
		}
	}
	var parts []distribution
	if d.access && len(servers) > 0 {
		var err error
		if parts, err = d.distributions(i); err != nil {
			return err
		}
	}
	for _, service := range servers {
		here := d.declares(service)
		if !here {
			g.node(entryIRI(lines[service].ID)).link(dcatServesDataset, entryIRI(lines[i].ID))
		}
		if d.access {
			if err := d.accessService(g, i, int(service), parts, true, here); err != nil {
				return err
			}
		}
	}
	return nil
}

// declares tells whether what an entry of the document leads to may be taken as declared: always, unless
// it lies on another page.
func (d *document) declares(ordinal int32) bool {
	return d.page == nil || d.from <= int(ordinal) && int(ordinal) < d.to
}

// distribution is one of a dataset: its name below that of the entry, and its address.
type distribution struct{ name, address string }

// distributions are those of a dataset.
func (x *index) distributions(dataset int) (list []distribution, err error) {
	err = eachRef(x.catalog, dataset, dataset+1, func(ref []byte) {
		if value, ok := valueOf(ref, refDistribution); ok {
			name, address, _ := strings.Cut(string(value), " ")
			list = append(list, distribution{name, address})
		}
	})
	return list, err
}

// endpoint is that of a service that serves datasets. It is read once: each of them asks for it, in all documents.
func (x *index) endpoint(service int) (string, error) {
	if known, ok := x.endpoints.Load(service); ok {
		return known.(string), nil
	}
	endpoint := ""
	err := eachRef(x.catalog, service, service+1, func(ref []byte) {
		if value, ok := valueOf(ref, refEndpoint); ok {
			endpoint = string(value)
		}
	})
	if err == nil {
		x.endpoints.Store(service, endpoint)
	}
	return endpoint, err
}

// accessService names the service in each distribution of the dataset that lies at its
// endpoint, if linked; if none does, the service is a distribution of its own, which is
// declared where the dataset is.
func (x *index) accessService(g *graph, dataset, service int, parts []distribution, declared, linked bool) error {
	endpoint, err := x.endpoint(service)
	if err != nil {
		return err
	}
	c := x.catalog
	id, by := c.Lines[dataset].ID, &c.Lines[service]
	named := func(id iri) *node { return g.node(id) }
	if !declared { // nothing else is said of it here, and a graph finds its nodes one by one
		named = g.newNode
	}
	found := false
	for _, p := range parts {
		if !below(p.address, endpoint) {
			continue
		}
		found = true
		if linked {
			named(partIRI(id, p.name)).link(dcatAccessService, at(by))
		}
	}
	if found {
		return nil
	}
	own := partIRI(id, "dist-"+digest("service", by.ID))
	if declared {
		g.serviceDistribution(c, dataset, service, own, endpoint)
	}
	if linked {
		named(own).link(dcatAccessService, at(by))
	}
	return nil
}

// below tells whether an address lies at or below an endpoint.
func below(address, endpoint string) bool {
	rest, ok := strings.CutPrefix(address, strings.TrimRight(endpoint, "/"))
	return ok && (rest == "" || strings.ContainsRune("/?#", rune(rest[0])))
}

func (g *graph) serviceDistribution(c *snapshot.Catalog, dataset, service int, id iri, endpoint string) {
	data, by := &c.Lines[dataset], &c.Lines[service]
	g.node(entryIRI(data.ID)).link(dcatDistribution, id)
	x := g.node(id, classDist)
	bilingual(x, dctTitle, by.Name, by.Lang, by.NameEn)
	x.link(dcatAccessURL, link(endpoint))
	if l := licenceOf(data.LicenseID, c.Licences[data.LicenseID]); data.LicenseID != "" && l.iri != "" {
		x.link(dctLicense, l.iri)
		g.ref(refLicence, data.LicenseID)
	}
	if data.Status == catalog.StatusDeprecated {
		g.code(x, admsStatus, listDistStatus, "DEPRECATED")
	}
}

func at(l *snapshot.Line) iri { return entryIRI(l.ID) }
