package dcat

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

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
	g.upstream(n, e)
	g.proof(n, s)
	details := e.Dataset
	if details == nil {
		details = &catalog.DatasetDetails{}
	}
	g.page(n, dcatLandingPage, details.LandingPage)
	g.code(n, dctPeriodicity, listFrequency, details.Frequency)
	n.add(dcatVersion, plain(details.Version))
	for _, lang := range e.Languages {
		g.code(n, dctLanguage, listLanguage, codes().language(lang))
	}
	for _, standard := range e.ConformsTo {
		g.standard(n, standard)
	}
	g.period(n, e.ID, details)
	g.distributions(n, s, details)
}

// wellKnown is a box as well-known text, longitude first (GeoSPARQL 1.1, 8.5.1).
func wellKnown(b catalog.Box) string {
	at := func(x, y float64) string {
		return strconv.FormatFloat(x, 'f', -1, 64) + " " + strconv.FormatFloat(y, 'f', -1, 64)
	}
	return "POLYGON((" + strings.Join([]string{at(b.West, b.South), at(b.East, b.South), at(b.East, b.North), at(b.West, b.North), at(b.West, b.South)}, ",") + "))"
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
		if place := link(p); place != "" {
			n.link(dctSpatial, place)
			g.node(place, classLocation)
			continue
		}
		if b, ok := catalog.ParseBox(p); ok && b.West <= b.East {
			id := partIRI(e.ID, "place-"+digest("place", p))
			n.link(dctSpatial, id)
			g.node(id, classLocation).add(dcatBBox, typed(wellKnown(b), wktLiteral))
			continue
		}
		if label := tagged(p, e.NativeLang); label.value != "" {
			id := partIRI(e.ID, "place-"+digest("place", p))
			n.link(dctSpatial, id)
			g.node(id, classLocation).add(skosPrefLabel, label)
		}
	}
}

// upstream is what the source calls the entry.
func (g *graph) upstream(n *node, e *catalog.Entry) {
	if ref := plain(e.UpstreamRef); ref.value != "" {
		id := partIRI(e.ID, "upstream")
		n.link(admsIdentifier, id)
		g.node(id, classIdentifier).add(skosNotation, ref)
	}
}

// proof says why the register holds the source to be official.
func (g *graph) proof(n *node, s *snapshot.Scored) {
	if label := tagged(s.Result.Proof, "en"); label.value != "" {
		id := partIRI(s.Entry().ID, "proof")
		n.link(dctProvenance, id)
		g.node(id, classProvenance).add(rdfsLabel, label)
	}
}

func (g *graph) period(n *node, id string, d *catalog.DatasetDetails) {
	start, end := dated(d.TemporalStart), dated(d.TemporalEnd)
	if start.value == "" && end.value == "" {
		return
	}
	period := partIRI(id, "period")
	n.link(dctTemporal, period)
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
