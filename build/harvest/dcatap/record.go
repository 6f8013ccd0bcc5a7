package dcatap

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/rdf"
	"github.com/assay-register/assay/render/catalog"
)

// mapper makes drafts of the nodes of a document.
type mapper struct {
	in  *source.Input
	doc *document
	// host is that of the source, else that of the catalogue in the document.
	host string
	// next is the page that the document names as the next.
	next string
	// catalogues counts the catalogues and links between pages, records the
	// datasets, series and services.
	catalogues, records int
	// lang is the one language in which the catalogue describes itself, languages
	// are all of them, in their order.
	lang      string
	languages []string
	// shared are the identifiers that several records have, see survey.
	shared map[uint64]bool
	// servers are, by the key of a dataset, the services of other pages that serve it.
	servers map[string][]string
	// unlinked counts the links that servers has no room for.
	unlinked int
	// licenceForms are what the document says of licences, by their IRIs.
	licenceForms map[string][]string
}

// catalogue reads what holds for the document: its next page, language and host.
func (m *mapper) catalogue() error {
	own := ""
	wants := func(p prop, value []byte) bool {
		return p == propNext || p == propNextPage || p == propTotal || p == propType && string(value) == classCatalog
	}
	err := m.doc.each(wants, func(n *node) error {
		if n.is(classCatalog) || len(n.all(propNext))+len(n.all(propNextPage)) > 0 {
			m.catalogues++
		}
		if n.is(classCatalog) {
			own = cmp.Or(own, catalog.Host(n.id()))
			for _, tag := range source.LanguageTags(words(n.inOrder(propLanguage))) {
				if !slices.Contains(m.languages, tag) {
					m.languages = append(m.languages, tag)
				}
			}
		}
		if total := n.all(propTotal); len(total) > 0 {
			if records, err := strconv.Atoi(total[0].value); err == nil {
				m.in.Expects(records)
			}
		}
		for _, p := range []prop{propNext, propNextPage} {
			if next := n.all(p); m.next == "" && len(next) > 0 && next[0].kind != rdf.Blank {
				m.next = strings.TrimSpace(next[0].value)
			}
		}
		return nil
	})
	m.host = m.in.Host(cmp.Or(own, "local"))
	if len(m.languages) == 1 {
		m.lang = m.languages[0]
	}
	return err
}

// isRecord tells that a statement makes its subject a record of the register.
func isRecord(p prop, value []byte) bool {
	return p == propType && (string(value) == classDataset || string(value) == classSeries || string(value) == classService)
}

// record maps a node if it is a dataset, a series of datasets or a service.
func (m *mapper) record(n *node) (*source.Draft, *source.Rejection, error) {
	kind := ""
	switch {
	case n.is(classDataset), n.is(classSeries):
		kind = "dataset"
	case n.is(classService):
		kind = "service"
	default:
		return nil, nil, nil
	}
	m.records++
	b, err := m.begin(n, kind)
	if err != nil {
		return nil, nil, err
	}
	bad, err := m.fill(b, n, kind)
	switch {
	case err != nil:
		return nil, nil, err
	case bad != nil:
		b.Draft.Refused(bad)
		return nil, bad, nil
	}
	for _, p := range n.cut() {
		b.Refuse("source_seed_url", cmp.Or(paths[p], "RDF"), fmt.Sprintf("only the first %d values are looked at", valuesMax))
	}
	draft := b.Done()
	return &draft, nil, nil
}

// fill maps the fields of a record, or says why it does not get in.
func (m *mapper) fill(b *source.Builder, n *node, kind string) (*source.Rejection, error) {
	if p := m.doc.lost[n.key]; p != nil {
		return &source.Rejection{Code: CodeSyntax, Reason: "a statement about it cannot be read: " + p.Error(), Remedy: "correct the statement"}, nil
	}
	if m.doc.large[n.key] {
		return m.tooLarge(), nil
	}
	m.names(b, n)
	switch {
	case b.Draft.Entry.Name == "":
		return &source.Rejection{Code: source.CodeMissingName, Reason: "the " + kind + " has no title", Remedy: "give it a dct:title"}, nil
	case kind == "dataset":
		return m.dataset(b, n)
	}
	return m.service(b, n)
}

func (m *mapper) tooLarge() *source.Rejection {
	limit := m.in.Limits.OrDefault().Record
	return &source.Rejection{Code: source.CodeRecordTooLarge, Reason: fmt.Sprintf("what is said about it is longer than %d bytes", limit),
		Remedy: "shorten the record"}
}

// strays lists what is wrong with the document beyond its records.
func (m *mapper) strays(told map[string]bool) []source.Rejection {
	out := slices.Concat(m.oversize(told), m.doc.problems(told), m.tooManyLinks())
	if m.records == 0 && m.catalogues == 0 && len(out) == 0 {
		out = append(out, source.Rejection{Place: m.doc.name, Code: source.CodeNoRecords, Reason: "the document has no dcat:Dataset, dcat:DataService or dcat:Catalog",
			Remedy: "give the address of a DCAT catalogue"})
	}
	return out
}

// oversize lists the nodes that lost statements for being too long and that no
// record was rejected for.
func (m *mapper) oversize(told map[string]bool) []source.Rejection {
	var out []source.Rejection
	for _, key := range slices.Sorted(maps.Keys(m.doc.large)) {
		if !told[key] {
			bad := m.tooLarge()
			bad.Place = m.doc.name + " " + key[1:]
			out = append(out, *bad)
		}
	}
	return out
}

// begin starts the draft of a node: its place, its references and what had to be
// repaired in the document.
func (m *mapper) begin(n *node, kind string) (*source.Builder, error) {
	ids, err := m.identities(n, kind)
	if err != nil {
		return nil, err
	}
	shown := kind + " without an identifier"
	if n.isIRI() {
		shown = n.id()
	} else if len(ids) > 0 {
		shown = ids[0].ID
	}
	shown = source.Token(shown)
	b := source.NewBuilder(m.in, m.doc.name+" "+shown, m.seed(), m.doc.base)
	b.Raw("application/ld+json", n.raw())
	spoken, err := m.spoken(n)
	if err != nil {
		return nil, err
	}
	b.Languages(paths[propLanguage], spoken...)
	b.DefaultLang = m.language(spoken)
	b.Preferred = m.preferred(spoken)
	b.Identities(m.host, kind, ids...)
	return b, nil
}

// seed is the page that the record was found in, if it has an address.
func (m *mapper) seed() string {
	if catalog.CheckURL("source_seed_url", m.doc.base) == nil {
		return m.doc.base
	}
	return m.in.PageURL()
}

// repaired notes what had to be repaired in the statements about some nodes.
func (m *mapper) repaired(b *source.Builder, nodes ...*node) {
	var notes []string
	for _, n := range nodes {
		if n != nil && m.doc.repairs[n.key] != "" {
			notes = append(notes, m.doc.repairs[n.key])
		}
	}
	if len(notes) > 0 {
		b.Deliver("source_seed_url", "RDF", "repaired", strings.Join(notes, "; "))
	}
}
