package dcat

import (
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// entryPage is the route of an entry's page below the base URL.
const entryPage = "/api/v1/entries/"

// record adds the dcat:CatalogRecord: what the register says about its own
// listing, with its own clocks (DCAT-AP 3.0.1, Catalogue Record).
func (g *graph) record(s *snapshot.Scored) {
	e := s.Entry()
	n := g.node(partIRI(e.ID, "record"), classRecord)
	n.link(foafPrimaryTopic, entryIRI(e.ID))
	n.link(dctConformsTo, profileDCATAP)
	g.ref(refStandard, string(profileDCATAP))
	n.add(dctIssued, instant(e.CreatedAt))
	n.add(dctModified, instant(recordModified(e.ContentChangedAt, e.UpdatedAt, e.CreatedAt)))
	g.code(n, dctLanguage, listLanguage, codes().language(e.NativeLang))
	if e.NameEn != "" || e.DescriptionEn != "" {
		g.code(n, dctLanguage, listLanguage, "ENG")
	}
	page := own(entryPage + e.Slug)
	n.link(foafPage, page)
	g.node(page, classDocument)
	n.link(provDerivedFrom, link(e.PrimarySourceURL))
	n.link(provDerivedFrom, link(e.SourceSeedURL))
	if e.Type == catalog.TypeDataset {
		return
	}
	// DCAT-AP gives a service no identifier, provenance or status of its own.
	g.upstream(n, e)
	g.proof(n, s)
	if e.Status == catalog.StatusDeprecated {
		n.link(admsStatus, recordDeprecated)
		g.ref(refDeprecated, "deprecated")
	}
}

// recordDeprecated is the ADMS status of a record whose service is deprecated.
const recordDeprecated iri = "http://purl.org/adms/status/Deprecated"

// recordModified is the first time that is known: a change of content moves
// it, a check does not.
func recordModified(times ...time.Time) time.Time {
	for _, t := range times {
		if !t.IsZero() {
			return t
		}
	}
	return time.Unix(0, 0)
}
