package dcat

import (
	"bytes"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// writeLinks joins the services and datasets of a range to those they belong
// with, which may lie outside it: dcat:servesDataset from a service, and from
// a distribution dcat:accessService. What is not in the documents is not
// linked, and nothing outside the range is declared, because a harvester takes
// each declared dataset for a new one (research, §4).
func (d *document) writeLinks(w writer, tail *tail) error {
	lines := d.catalog.Lines
	for _, i := range d.within(d.from, d.to) {
		served, servers := d.served(int(i)), d.servers[i]
		if len(served)+len(servers) == 0 {
			continue
		}
		g := newGraph()
		for _, dataset := range served {
			g.node(entryIRI(lines[i].ID)).link(dcatServesDataset, entryIRI(lines[dataset].ID))
		}
		if d.access {
			for _, service := range servers {
				if err := g.accessService(d.catalog, int(i), int(service)); err != nil {
					return err
				}
			}
		}
		tail.adopt(g)
		g.write(w)
		g.release()
	}
	w.rest()
	return nil
}

// accessService names the service in each distribution that lies at its
// endpoint; if none does, the service is a distribution of its own.
func (g *graph) accessService(c *snapshot.Catalog, dataset, service int) error {
	endpoint := ""
	err := eachRef(c, service, service+1, func(ref []byte) {
		if value, ok := valueOf(ref, refEndpoint); ok {
			endpoint = string(value)
		}
	})
	if err != nil {
		return err
	}
	id, at := c.Lines[dataset].ID, entryIRI(c.Lines[service].ID)
	found := false
	err = eachRef(c, dataset, dataset+1, func(ref []byte) {
		value, ok := valueOf(ref, refDistribution)
		if !ok {
			return
		}
		name, address, _ := bytes.Cut(value, []byte(" "))
		if below(string(address), endpoint) {
			found = true
			g.node(partIRI(id, string(name))).link(dcatAccessService, at)
		}
	})
	if err == nil && !found {
		g.serviceDistribution(c, dataset, service, endpoint)
	}
	return err
}

// below tells whether an address lies at or below an endpoint.
func below(address, endpoint string) bool {
	rest, ok := strings.CutPrefix(address, strings.TrimRight(endpoint, "/"))
	return ok && (rest == "" || strings.ContainsRune("/?#", rune(rest[0])))
}

func (g *graph) serviceDistribution(c *snapshot.Catalog, dataset, service int, endpoint string) {
	data, by := &c.Lines[dataset], &c.Lines[service]
	id := partIRI(data.ID, "dist-"+digest("service", by.ID))
	g.node(entryIRI(data.ID)).link(dcatDistribution, id)
	x := g.node(id, classDist)
	bilingual(x, dctTitle, by.Name, by.Lang, by.NameEn)
	x.link(dcatAccessURL, link(endpoint))
	x.link(dcatAccessService, at(by))
	if l := licenceOf(data.LicenseID, c.Licences[data.LicenseID]); data.LicenseID != "" && l.iri != "" {
		x.link(dctLicense, l.iri)
		g.ref(refLicence, data.LicenseID)
	}
	if data.Status == catalog.StatusDeprecated {
		g.code(x, admsStatus, listDistStatus, "DEPRECATED")
	}
}

func at(l *snapshot.Line) iri { return entryIRI(l.ID) }
