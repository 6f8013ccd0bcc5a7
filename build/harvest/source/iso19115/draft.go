package iso19115

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/xmltree"
	"github.com/assay-register/assay/render/catalog"
)

// Origin says where a record comes from.
type Origin struct {
	In *source.Input
	// Kind is the word of the connector, for the upstream reference.
	Kind string
	// Place names the record in messages; Seed is the page or file it stands in.
	Place, Seed string
	// Page makes the address at which the catalogue shows the record with an
	// identifier; nil when it shows none.
	Page func(id string) string
}

// mapper maps one record.
type mapper struct {
	*record
	o      Origin
	b      *source.Builder
	online []online
}

// Draft maps a record, the element for which Root is true. The tree is changed:
// elements of profiles get the names of the standard.
func Draft(root *xmltree.Node, o Origin) (source.Draft, *source.Rejection) {
	raw := xmltree.Bytes(root)
	m := &mapper{record: newRecord(root), o: o, b: source.NewBuilder(o.In, o.Place, o.Seed, o.Seed)}
	m.b.Raw("application/xml", raw)
	m.online = m.onlines()
	m.b.Country()
	id := cmp.Or(m.id(), cmp.Or(m.identifiers()...))
	m.b.Identify(o.In.Host(o.Kind), o.Kind, "fileIdentifier", id)
	if bad := m.refuse(); bad != nil {
		bad.Place, bad.UpstreamRef = o.Place, m.b.Draft.Entry.UpstreamRef
		return source.Draft{}, bad
	}
	m.texts()
	if m.b.Draft.Entry.Name == "" {
		return source.Draft{}, &source.Rejection{Place: o.Place, Code: source.CodeMissingName, Reason: "the record has no title",
			Remedy: "give the citation of the resource a title", UpstreamRef: m.b.Draft.Entry.UpstreamRef}
	}
	if m.service() {
		m.serviceDetails()
	} else {
		m.datasetDetails()
	}
	m.b.Identifiers("citation/identifier", m.identifiers()...)
	if bad := m.address(); bad != nil {
		bad.Place, bad.UpstreamRef = o.Place, m.b.Draft.Entry.UpstreamRef
		return source.Draft{}, bad
	}
	m.agents()
	m.rights()
	m.subjects()
	m.relations()
	issued, changed := m.dates()
	m.b.Dates("citation/date[publication]", issued, "citation/date[revision]", changed)
	return m.b.Done(), nil
}

// data are the scopes (MD_ScopeCode) that are data or a service; a record
// without a scope is of a dataset, as the standard says.
var data = []string{"dataset", "series", "nonGeographicDataset", "service", "tile", "collection", "coverage", "aggregate", "product", "services"}

// refuse tells that the record describes something else than data: an
// application, a document, a sensor.
func (m *mapper) refuse() *source.Rejection {
	title := m.title().text()
	if m.ident.Name == "" {
		return &source.Rejection{Code: source.CodeInvalidField, Reason: "the record has no identification of a resource (identificationInfo)",
			Remedy: "complete the record"}
	}
	levels := m.levels()
	known := slices.ContainsFunc(levels, func(w string) bool { return slices.Contains(data, w) })
	if len(levels) > 0 && !known {
		return &source.Rejection{Code: source.CodeNotData, Reason: fmt.Sprintf("%s describes %q, which is neither a dataset nor a service", title, levels[0]),
			Remedy: "state the scope dataset, series or service if it is one"}
	}
	if source.TestName(title) {
		return &source.Rejection{Code: source.CodeTest, Reason: title + " is there to try something out", Remedy: "delete the record"}
	}
	return nil
}

func (m *mapper) title() value { return m.first(m.ident, "citation", "CI_Citation", "title") }

// texts sets titles and descriptions. The original is in the language of the
// resource, else in that of the record.
func (m *mapper) texts() {
	m.b.Preferred = append(m.languages(), m.lang)
	if m.lang == "" {
		m.b.DefaultLang = m.o.In.Language()
	}
	m.b.Names("citation/title", m.title().texts...)
	m.b.Descriptions("abstract", m.first(m.ident, "abstract").texts...)
	var others []string
	for _, v := range m.values(m.ident, "citation", "CI_Citation", "alternateTitle") {
		for _, t := range v.texts {
			others = append(others, t.Value)
		}
	}
	m.b.AlternativeTitles("citation/alternateTitle", others...)
	m.b.Languages("identificationInfo/language", m.languages()...)
}

// address sets the address that stands for the record: the endpoint of a
// service, else the record's or resource's own page, a persistent identifier
// that is an address, the catalogue's page, a page about it, its first file.
func (m *mapper) address() *source.Rejection {
	e := &m.b.Draft.Entry
	rules := source.URLRules{Base: m.o.Seed, AllowPrivate: m.o.In.AllowPrivate}
	for _, try := range m.addresses() {
		if catalog.Host(try.url) == "" {
			continue // an identifier that is no address
		}
		if u, _, err := rules.Repair("primary_source_url", try.url); err == nil {
			e.PrimarySourceURL = u
			m.b.Compute("primary_source_url", try.from, "the first address that can be used", "")
			return nil
		}
	}
	return &source.Rejection{Code: source.CodeMissingURL, Reason: e.Name + " has no address: no page, no identifier that is one, no online resource",
		Remedy: "give the address of its page with the filter page={id}, or an online resource in the record"}
}

// candidate is an address that may stand for the record.
type candidate struct{ from, url string }

// addresses are those that may stand for the record, the best first.
func (m *mapper) addresses() []candidate {
	e := &m.b.Draft.Entry
	var tries []candidate
	if e.API != nil {
		tries = append(tries, candidate{"containsOperations, onLine", cmp.Or(e.API.PingURL, e.API.BaseURL)})
	}
	add := func(use use, from string) {
		for i := range m.online {
			if m.online[i].use() == use {
				tries = append(tries, candidate{from, m.online[i].url})
			}
		}
	}
	add(useLanding, "onLine[landing page]")
	for _, v := range m.values(m.root, "metadataLinkage", "CI_OnlineResource", "linkage") {
		tries = append(tries, candidate{"metadataLinkage", v.text()})
	}
	for _, id := range e.Identifiers {
		tries = append(tries, candidate{"citation/identifier", id})
	}
	if id := m.id(); id != "" && m.o.Page != nil {
		tries = append(tries, candidate{"fileIdentifier", m.o.Page(id)})
	}
	add(usePage, "onLine[information]")
	add(useRecord, "onLine[completeMetadata]")
	for i := range m.online {
		tries = append(tries, candidate{"onLine", m.online[i].url})
	}
	return tries
}
