package dcat

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// Streams of fragments besides those of the two forms.
const (
	streamRefs    = "dcat.refs"
	streamQuality = "dcat.quality"
)

// Fragments renders what an entry adds to the documents. An entry that is left
// out leaves only its reason.
func (r *Renderer) Fragments(s *snapshot.Scored) ([]artifact.Fragment, error) {
	if id := s.Entry().ID; !catalog.IsID(id) {
		return nil, fmt.Errorf("entry id %q: %w", id, catalog.ErrInvalid)
	}
	g := newGraph()
	defer g.release()
	if reason := Skipped(s); reason != "" {
		g.ref(refSkipped, reason)
		return []artifact.Fragment{{Stream: streamRefs, Body: g.encodeRefs(), Pooled: true}}, nil
	}
	g.entry(s)
	fragments := make([]artifact.Fragment, 0, 4)
	for _, f := range forms {
		fragments = append(fragments, artifact.Fragment{Stream: f.stream, Body: g.part(f), Pooled: true})
	}
	refs := g.encodeRefs()
	g.reset()
	g.measurements(s)
	return append(fragments, artifact.Fragment{Stream: streamQuality, Body: g.part(turtleForm), Pooled: true},
		artifact.Fragment{Stream: streamRefs, Body: refs, Pooled: true}), nil
}

// part writes the graph as a fragment, whose base URL is not known yet.
func (g *graph) part(f *form) []byte {
	w := f.open(nil, mark)
	g.write(w)
	w.rest()
	body := append(artifact.Buffer(len(w.bytes())), w.bytes()...)
	f.close(w)
	return body
}

// entry adds a resource, its parts and its record.
func (g *graph) entry(s *snapshot.Scored) {
	e := s.Entry()
	if e.Type == catalog.TypeDataset {
		g.dataset(s)
	} else {
		g.service(s)
	}
	g.record(s)
}

// resource adds what datasets and services have in common (DCAT-AP 3.0.1,
// Dataset and Data Service).
func (g *graph) resource(n *node, s *snapshot.Scored) {
	e := s.Entry()
	n.add(dctIdentifier, plain(e.ID))
	multilingual(n, dctTitle, e.Titles, e.Name, e.NativeLang, e.NameEn)
	if !n.has(dctTitle) {
		n.add(dctTitle, plain(cmp.Or(e.Slug, e.ID)))
	}
	for _, t := range e.AlternativeTitles {
		n.add(dctAlternative, plain(cleanText(t)))
	}
	multilingual(n, dctDescription, e.Descriptions, e.Description, e.NativeLang, e.DescriptionEn)
	g.publisher(n, s)
	g.contact(n, s)
	g.keywords(n, e)
	g.themes(n, e)
	g.code(n, dctAccessRights, listAccess, cmp.Or(string(e.AccessRights), accessRights[e.FreeAccessClass]))
	g.page(n, dcatLandingPage, e.HomepageURL)
	g.page(n, foafPage, e.DocsURL)
	g.page(n, foafPage, e.RepoURL)
	n.add(dctIssued, dated(e.SourceIssuedAt))
	n.add(dctModified, dated(e.SourceModifiedAt))
	g.highValue(n, e.HVDCategories)
}

// multilingual adds a text in every language in which the source gives it, the
// shown one first; an entry of which one language is known has that and English.
func multilingual(n *node, p *name, all catalog.Texts, native, lang, english string) {
	if len(all) == 0 {
		bilingual(n, p, native, lang, english)
		return
	}
	for _, tag := range all.Tags() {
		n.add(p, inLanguage(cleanText(all[tag]), tagOf(tag)))
	}
}

// tagOf is the language tag of a literal; an unknown language has none.
func tagOf(tag string) string {
	if tag == catalog.Undetermined {
		return ""
	}
	return langTag(tag)
}

// keywords are all terms by language, else the tags.
func (g *graph) keywords(n *node, e *catalog.Entry) {
	for _, tag := range slices.Sorted(maps.Keys(e.Keywords)) {
		for _, term := range e.Keywords[tag] {
			n.add(dcatKeyword, inLanguage(cleanText(term), tagOf(tag)))
		}
	}
	if len(e.Keywords) > 0 {
		return
	}
	for _, t := range e.Tags {
		n.add(dcatKeyword, plain(t))
	}
}

// publisher says who publishes the entry by the name that the source states
// (decisions-2 §B): an institution of that name, or an agent of the entry's own,
// such as a person, who runs a third party's source, or an institution that
// this source calls otherwise, which is told as further reading.
func (g *graph) publisher(n *node, s *snapshot.Scored) {
	e, i := s.Entry(), s.Institution
	stated := cleanText(e.PublisherName)
	if i != nil && (stated == "" || isCalled(i, stated)) {
		n.link(dctPublisher, institutionIRI(i.ID))
		return
	}
	if stated == "" {
		return
	}
	id := partIRI(e.ID, "publisher")
	n.link(dctPublisher, id)
	a := g.node(id, classAgent)
	a.add(foafName, plain(stated))
	if p := e.Publisher; p != nil {
		g.page(a, foafHomepage, p.HomepageURL)
		for _, id := range statedIdentifiers(p) {
			a.add(dctIdentifier, plain(id))
		}
	}
	if i != nil {
		g.code(a, dctType, listPublisherType, publisherType(i))
		a.link(rdfsSeeAlso, institutionIRI(i.ID))
	}
}

// statedIdentifiers are what the source identifies a publisher by, each once; a blank node
// identifies nothing, and a person is named only.
func statedIdentifiers(p *catalog.Agent) []string {
	if p.Person {
		return nil
	}
	var ids []string
	for _, id := range append([]string{p.IRI}, p.Identifiers...) {
		if id = cleanText(id); id != "" && !catalog.Skolem(id) && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// isCalled tells whether the agent of an institution has a name.
func isCalled(i *catalog.Institution, name string) bool {
	if name == cleanText(i.Name) || name == cleanText(i.NameEn) {
		return true
	}
	for tag, n := range i.Names {
		if name == cleanText(n) && !catalog.MachineTag(tag) {
			return true
		}
	}
	return false
}

// bilingual adds a text in its own language and in English, one value a
// language.
func bilingual(n *node, p *name, native, lang, english string) {
	native, lang = cleanText(native), langTag(lang)
	n.add(p, inLanguage(native, lang))
	if lang == "en" || strings.HasPrefix(lang, "en-") {
		return
	}
	if english = cleanText(english); english != native || !n.has(p) {
		n.add(p, inLanguage(english, "en"))
	}
}

// accessRights follow what a reader needs: a key that is free for the asking
// is public access, as in the Spanish profile (research, §5.2).
var accessRights = map[catalog.FreeAccessClass]string{
	catalog.AccessFreeNoAuth: "PUBLIC", catalog.AccessFreeKey: "PUBLIC",
	catalog.AccessFreeTrial: "RESTRICTED", catalog.AccessFreeOSSEdu: "RESTRICTED", catalog.AccessNotFree: "RESTRICTED",
}

// contact adds the entry's own functional contact, else the institution's;
// only with an address on the web, never by mail.
func (g *graph) contact(n *node, s *snapshot.Scored) {
	e := s.Entry()
	if c := e.Contact; c != nil {
		if u := link(c.URL); u != "" {
			id := partIRI(e.ID, "contact")
			n.link(dcatContactPoint, id)
			k := g.node(id, classKind, classOrg)
			k.add(vcardFn, plain(cmp.Or(cleanText(c.Name), cleanText(e.PublisherName), catalog.Host(c.URL))))
			k.link(vcardHasURL, u)
			return
		}
	}
	if i := s.Institution; i != nil && webURL(i.HomepageURL) != "" {
		n.link(dcatContactPoint, contactIRI(i.ID))
	}
}

// themes are those that the source names, else what the tags imply.
func (g *graph) themes(n *node, e *catalog.Entry) {
	for _, t := range e.Themes {
		g.code(n, dcatTheme, listTheme, t)
	}
	if n.has(dcatTheme) {
		return
	}
	for _, tag := range e.Tags {
		for _, t := range codes().themes[tag] {
			g.code(n, dcatTheme, listTheme, t)
		}
	}
}

// highValue marks a high-value dataset; only when the source says so.
func (g *graph) highValue(n *node, categories []string) {
	for _, c := range categories {
		g.code(n, dcatapHVDCategory, listHVD, c)
	}
	if n.has(dcatapHVDCategory) {
		n.link(dcatapLegislation, legislationHVD)
		g.ref(refLegislation, "hvd")
	}
}

// legislationHVD is Commission Implementing Regulation (EU) 2023/138.
const legislationHVD iri = "http://data.europa.eu/eli/reg_impl/2023/138/oj"
