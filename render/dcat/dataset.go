package dcat

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/knakk/rdf"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// dataset adds a dcat:Dataset with its distributions.
func (g *graph) dataset(s *snapshot.Scored) {
	e := s.Entry()
	n := g.node(entryIRI(e.ID), classDataset)
	g.resource(n, s)
	if !n.has(dctDescription) {
		// A description is mandatory; the name is better than leaving it out.
		bilingual(n, dctDescription, cmp.Or(cleanText(e.Name), e.Slug), e.NativeLang, e.NameEn)
	}
	g.places(n, s)
	if ref := plain(e.UpstreamRef); ref != nil {
		id := partIRI(e.ID, "upstream")
		n.add(admsIdentifier, id)
		g.node(id, classIdentifier).add(skosNotation, ref)
	}
	g.proof(n, s)
	details := e.Dataset
	if details == nil {
		details = &catalog.DatasetDetails{}
	}
	g.page(n, dcatLandingPage, details.LandingPage)
	g.code(n, dctPeriodicity, listFrequency, details.Frequency)
	n.add(dcatVersion, plain(details.Version))
	g.period(n, e.ID, details)
	g.distributions(n, s, details)
}

// places are the country, Europe for a body that speaks for it, and the places
// that the source names.
func (g *graph) places(n *node, s *snapshot.Scored) {
	e := s.Entry()
	g.code(n, dctSpatial, listCountry, codes().country(e.CountryCode))
	if s.Result.Scope == catalog.ScopeEuropean && e.CountryCode == "" {
		g.code(n, dctSpatial, listCountry, "EUR")
	}
	if e.Dataset == nil {
		return
	}
	for _, p := range e.Dataset.Spatial {
		if name, ok := strings.CutPrefix(p, authority+listCountry+"/"); ok {
			g.code(n, dctSpatial, listCountry, name)
			continue
		}
		if place := link(p); place != nil {
			n.add(dctSpatial, place)
			g.node(place.(rdf.IRI), classLocation)
			continue
		}
		if label := tagged(p, e.NativeLang); label != nil {
			id := partIRI(e.ID, "place-"+digest("place", p))
			n.add(dctSpatial, id)
			g.node(id, classLocation).add(skosPrefLabel, label)
		}
	}
}

// proof says why the register holds the source to be official.
func (g *graph) proof(n *node, s *snapshot.Scored) {
	if label := tagged(s.Result.Proof, "en"); label != nil {
		id := partIRI(s.Entry().ID, "proof")
		n.add(dctProvenance, id)
		g.node(id, classProvenance).add(rdfsLabel, label)
	}
}

func (g *graph) period(n *node, id string, d *catalog.DatasetDetails) {
	start, end := day(d.TemporalStart), day(d.TemporalEnd)
	if start == nil && end == nil {
		return
	}
	period := partIRI(id, "period")
	n.add(dctTemporal, period)
	p := g.node(period, classPeriod)
	p.add(dcatStartDate, start)
	p.add(dcatEndDate, end)
}

// digest names a part by what it is about, so that it keeps its name when the
// parts around it change.
func digest(kind, value string) string {
	sum := sha256.Sum256([]byte(kind + " " + value))
	return hex.EncodeToString(sum[:4])
}
