package dcat

import "github.com/assay-register/assay/render/catalog"

// refLicence, refStandard and the like are the words of the tail's references
// that are not code lists.
const (
	refLicence     = "licence-id"
	refStandard    = "standard"
	refEntryType   = "entry-type"
	refLegislation = "legislation"
	refDeprecated  = "record-status"
)

// licence is what the documents say about a licence of the register.
type licence struct {
	iri   iri
	title string
	// kind is an ADMS licence type, or "".
	kind string
}

// licenceOf finds the address of a licence: that in the EU authority table, by
// the map from SPDX or by the row of the register's table, else the licence's
// own. The map goes first, because fragments know rows of the entry's own licence
// only and must agree with the tail. iri is "" when there is none.
func licenceOf(id string, row *catalog.Licence) licence {
	l := licence{}
	if c, ok := codes().find(listSPDX, id); ok {
		eu, _ := codes().find(listLicence, c.label)
		l = licence{iri: eu.iri, title: eu.label, kind: c.extra}
	}
	if row == nil {
		return l
	}
	if row.Title != "" {
		l.title = row.Title
	}
	if l.iri == "" {
		l.iri = link(row.EUURI)
	}
	if l.iri == "" {
		l.iri = link(row.URL)
	}
	if l.kind == "" {
		l.kind = licenceKind(row)
	}
	return l
}

// licenceKind is the ADMS type that the known terms of a licence amount to.
func licenceKind(row *catalog.Licence) string {
	switch {
	case row.CommercialUse == catalog.RightNo:
		return "NonCommercialUseOnly"
	case row.ShareAlike == catalog.RightYes:
		return "ViralEffect-ShareAlike"
	case row.AttributionRequired == catalog.RightYes:
		return "Attribution"
	}
	return ""
}

// reuse adds dct:license, at most one, or else the publisher's own words as
// dct:rights (DCAT-AP 3.0.1, Distribution and Data Service).
func (g *graph) reuse(n *node, entryID, licenceID, raw string, row *catalog.Licence) {
	if row != nil && row.ID != licenceID {
		row = nil
	}
	if l := licenceOf(licenceID, row); licenceID != "" && l.iri != "" {
		n.link(dctLicense, l.iri)
		g.ref(refLicence, licenceID)
		return
	}
	label := plain(raw)
	if label.value == "" {
		return
	}
	rights := partIRI(entryID, "rights")
	if n := g.find(rights); n != nil && n.values(rdfsLabel)[0] != label {
		// Another file of the same dataset has other words.
		rights = partIRI(entryID, "rights-"+digest("rights", label.value))
	}
	n.link(dctRights, rights)
	g.node(rights, classRights).add(rdfsLabel, label)
}
