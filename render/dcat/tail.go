package dcat

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// refScheme is a reference to a concept scheme by the list that it holds.
const refScheme = "scheme"

// Concept schemes (EU Vocabularies).
const (
	themeScheme iri = authority + "data-theme"
	hvdScheme   iri = "http://data.europa.eu/bna/asd487ae75"
)

// tail declares, each once, what the documents refer to: agents, codes,
// standards, licences and own concepts. A reader without the code lists finds
// classes and labels here.
type tail struct {
	index        *index
	agents, refs choice
	// own is how many refs no declaration of a code had to add.
	own int
	key []byte
}

// tails are those that are not in use.
var tails = sync.Pool{New: func() any { return &tail{} }}

func newTail(x *index) *tail {
	t := tails.Get().(*tail)
	t.index = x
	return t
}

// release gives the tail to whoever needs one next.
func (t *tail) release() {
	t.agents.cut(0)
	t.refs.cut(0)
	t.index = nil
	tails.Put(t)
}

// adopt takes over what a graph refers to.
func (t *tail) adopt(g *graph) {
	for _, r := range g.refs {
		t.key = r.append(t.key[:0])
		t.ref(t.key)
	}
	g.refs = g.refs[:0]
}

func (t *tail) ref(key []byte) { t.refs.add(t.index.refs.find(key)) }

func (t *tail) institution(id string) {
	t.key = append(t.key[:0], id...)
	t.agents.add(t.index.agents.find(t.key))
}

// write sends agents by id, then codes by list and name. Declaring one may
// refer to others, which follow.
func (t *tail) write(w writer, f *form) {
	slices.SortFunc(t.agents.list, byKey)
	for _, d := range t.agents.list {
		t.declare(w, f, t.index.agents, d)
	}
	t.own = len(t.refs.list)
	for done := 0; done < len(t.refs.list); {
		round := t.refs.list[done:]
		done = len(t.refs.list)
		slices.SortFunc(round, byKey)
		for _, d := range round {
			t.declare(w, f, t.index.refs, d)
		}
	}
}

// again forgets what only the declarations of codes refer to, so that the tail
// can be written in another form.
func (t *tail) again() { t.refs.cut(t.own) }

func (t *tail) declare(w writer, f *form, from *declarations, d *declaration) {
	from.into(w, f, d)
	for _, r := range d.refs {
		t.ref(r)
	}
}

// listClasses are the classes of codes; the others are skos:Concept.
var listClasses = map[string]*name{
	listAccess: classRights, listCountry: classLocation, listFileType: classExtent, listFrequency: classFrequency,
	listLanguage: classLanguage, listMediaType: classMediaType,
}

// declare adds the statements about one reference.
func (g *graph) declare(c *snapshot.Catalog, word, value string) {
	switch word {
	case refLicence:
		g.declareLicence(value, c.Licences[value])
	case refStandard:
		g.node(link(value), classStandard).add(dctTitle, tagged(standardTitle(value), "en"))
	case refLegislation:
		g.node(legislationHVD, classLegal).add(dctTitle, tagged("Implementing Regulation (EU) 2023/138 on high-value datasets", "en"))
	case refDeprecated:
		g.node(recordDeprecated, classConcept).add(skosPrefLabel, tagged("Deprecated", "en"))
	case refEntryType:
		g.entryType(catalog.EntryType(value))
	case refScheme:
		g.declareScheme(value)
	case refSeries:
		g.declareSeries(c, c.SeriesByID(value))
	default:
		g.declareCode(word, value)
	}
}

func (g *graph) declareCode(list, value string) {
	c, ok := codes().find(list, value)
	if !ok {
		return
	}
	class, ok := listClasses[list]
	if !ok {
		class = classConcept
	}
	n := g.node(c.iri, class)
	if list != listMediaType {
		n.add(skosPrefLabel, tagged(c.label, "en"))
	}
	switch list {
	case listTheme:
		n.link(skosInScheme, themeScheme)
		g.ref(refScheme, list)
	case listHVD:
		n.link(skosInScheme, hvdScheme)
		g.ref(refScheme, list)
	}
}

func (g *graph) declareScheme(list string) {
	if list == listHVD {
		g.node(hvdScheme, classScheme).add(dctTitle, tagged("High-value dataset categories", "en"))
		return
	}
	g.node(themeScheme, classScheme).add(dctTitle, tagged("Data theme", "en"))
}

func (g *graph) declareLicence(id string, row *catalog.Licence) {
	l := licenceOf(id, row)
	if l.iri == "" {
		return
	}
	n := g.node(l.iri, classLicence)
	n.add(dctTitle, tagged(l.title, "en"))
	g.code(n, dctType, listLicenceType, l.kind)
}

// standardTitle names a standard for readers.
func standardTitle(address string) string {
	if version, ok := strings.CutPrefix(address, mcpStandard); ok {
		return "Model Context Protocol " + version
	}
	return standardTitles[address]
}

var standardTitles = map[string]string{
	"https://semiceu.github.io/DCAT-AP/releases/3.0.1/": "DCAT-AP 3.0.1",
	"https://spec.openapis.org/oas/v3.1.0":              "OpenAPI Specification 3.1.0",
	"https://spec.openapis.org/oas/v2.0":                "OpenAPI Specification 2.0",
	"https://spec.graphql.org/":                         "GraphQL",
	"http://www.opengis.net/def/serviceType/ogc/wms":    "OGC Web Map Service",
	"http://www.opengis.net/def/serviceType/ogc/wfs":    "OGC Web Feature Service",
	"https://www.w3.org/TR/sparql11-protocol/":          "SPARQL 1.1 Protocol",
}

// agent adds an institution as foaf:Agent and its contact point (DCAT-AP
// 3.0.1, Agent and Kind).
func (g *graph) agent(i *catalog.Institution) {
	n := g.node(institutionIRI(i.ID), classAgent)
	bilingual(n, foafName, i.Name, i.NativeLang, i.NameEn)
	if !n.has(foafName) {
		n.add(foafName, plain(i.Key+" "+i.ID))
	}
	for _, tag := range slices.Sorted(maps.Keys(i.Names)) {
		if tag != i.NativeLang && tag != "en" && !catalog.MachineTag(tag) {
			n.add(foafName, inLanguage(cleanText(i.Names[tag]), langTag(tag)))
		}
	}
	for _, id := range i.Identifiers {
		n.add(dctIdentifier, plain(id))
	}
	g.page(n, foafHomepage, i.HomepageURL)
	g.code(n, dctType, listPublisherType, publisherType(i))
	home := link(i.HomepageURL)
	if home == "" {
		return
	}
	k := g.node(contactIRI(i.ID), classKind, classOrg)
	k.add(vcardFn, n.values(foafName)[0])
	k.link(vcardHasURL, home)
}

// publisherType is an ADMS publisher type; agencies and public bodies exist at
// each level, so nothing is said of theirs.
func publisherType(i *catalog.Institution) string {
	if i.CountryCode == "EU" {
		return "SupraNationalAuthority"
	}
	switch i.Type {
	case catalog.InstGovernment, catalog.InstStatistics, catalog.InstRegulator:
		return "NationalAuthority"
	case catalog.InstRegion:
		return "RegionalAuthority"
	case catalog.InstMunicipality:
		return "LocalAuthority"
	case catalog.InstInternational:
		return "SupraNationalAuthority"
	case catalog.InstAcademia:
		return "Academia-ScientificOrganisation"
	case catalog.InstCompany:
		return "Company"
	case catalog.InstNonProfit:
		return "NonProfitOrganisation"
	}
	return ""
}
