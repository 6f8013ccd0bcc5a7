// Package dublincore maps records of Dublin Core to drafts: csw:Record of a
// catalogue service and oai_dc of OAI-PMH.
package dublincore

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
	// ID is the identifier that the protocol gives the record; empty takes its
	// first dc:identifier.
	ID string
	// Page makes the address at which the catalogue shows a record; nil for none.
	Page func(id string) string
	// Untyped takes a record without a dc:type for a dataset.
	Untyped bool
}

type mapper struct {
	n *xmltree.Node
	o Origin
	b *source.Builder
}

// Draft maps a record.
func Draft(n *xmltree.Node, o Origin) (source.Draft, *source.Rejection) {
	m := &mapper{n: n, o: o, b: source.NewBuilder(o.In, o.Place, o.Seed, o.Seed)}
	b, e := m.b, &m.b.Draft.Entry
	b.Raw("application/xml", xmltree.Bytes(n))
	b.DefaultLang = o.In.Language()
	b.Country()
	id := cmp.Or(append([]string{o.ID}, m.values("identifier")...)...)
	b.Identify(o.In.Host(o.Kind), o.Kind, "identifier", id)
	reject := func(bad *source.Rejection) (source.Draft, *source.Rejection) {
		bad.Place, bad.UpstreamRef = o.Place, e.UpstreamRef
		return source.Draft{}, bad
	}
	titles := m.texts("title")
	if bad := m.refuse(titles); bad != nil {
		return reject(bad)
	}
	b.Languages("language", m.values("language")...)
	if len(e.Languages) == 1 {
		b.DefaultLang = cmp.Or(b.DefaultLang, e.Languages[0])
	}
	b.Preferred = e.Languages
	b.Names("title", titles...)
	b.Descriptions("abstract, description", m.description()...)
	b.AlternativeTitles("alternative", m.values("alternative")...)
	b.Identifiers("identifier", m.values("identifier")...)
	m.files()
	if bad := m.address(id); bad != nil {
		return reject(bad)
	}
	m.agents()
	m.rights()
	b.Keywords("subject", m.texts("subject")...)
	b.Themes("subject", m.values("subject")...)
	b.ConformsTo("conformsTo", m.values("conformsTo")...)
	issued := cmp.Or(cmp.Or(m.values("issued")...), cmp.Or(m.values("created")...), cmp.Or(m.values("date")...))
	b.Dates("issued, created, date", issued, "modified", cmp.Or(m.values("modified")...))
	m.coverage()
	return b.Done(), nil
}

// texts are the values of an element with their languages.
func (m *mapper) texts(name string) []source.Text {
	var out []source.Text
	for _, n := range m.n.All(name) {
		if text := strings.TrimSpace(n.Text); text != "" {
			out = append(out, source.Text{Value: text, Lang: n.Attr("lang")})
		}
	}
	return out
}

func (m *mapper) values(name string) []string {
	var out []string
	for _, t := range m.texts(name) {
		out = append(out, t.Value)
	}
	return out
}

// description is the abstract, else the description; its parts in one language
// stay in their order.
func (m *mapper) description() []source.Text {
	list := m.texts("abstract")
	if len(list) == 0 {
		list = m.texts("description")
	}
	var out []source.Text
	for _, t := range list {
		i := slices.IndexFunc(out, func(o source.Text) bool { return o.Lang == t.Lang })
		if i < 0 {
			out = append(out, t)
		} else {
			out[i].Value += "\n\n" + t.Value
		}
	}
	return out
}

// data and services are the words for types, letters only.
var (
	data     = []string{"dataset", "datasets", "series", "nongeographicdataset", "data", "researchdata", "collection", "geospatialdata", "tile"}
	services = []string{"service", "services", "webservice"}
)

// kind is the type of the entry; none tells that the record states no type.
func (m *mapper) kind() (kind catalog.EntryType, none bool) {
	types := m.values("type")
	for _, raw := range types {
		word := strings.ToLower(raw[strings.LastIndexAny(raw, "/#:")+1:])
		switch word = strings.ReplaceAll(word, " ", ""); {
		case slices.Contains(services, word):
			return catalog.TypeAPI, false
		case slices.Contains(data, word):
			return catalog.TypeDataset, false
		}
	}
	return "", len(types) == 0
}

// refuse sets the type, or says that the record is an article, a picture, a
// document.
func (m *mapper) refuse(titles []source.Text) *source.Rejection {
	kind, none := m.kind()
	title := ""
	if len(titles) > 0 {
		title, _ = source.Line(titles[0].Value)
	}
	e := &m.b.Draft.Entry
	switch {
	case title == "":
		return &source.Rejection{Code: source.CodeMissingName, Reason: "the record has no title", Remedy: "give the record a title"}
	case none && !m.o.Untyped:
		return &source.Rejection{Code: source.CodeNotData, Reason: title + " states no type; repositories hold articles and pictures, too",
			Remedy: "state dc:type Dataset, or set the filter untyped=dataset if all that states none are data"}
	case none:
		kind = catalog.TypeDataset
		m.b.Inherit("type", "the catalogue lists datasets")
	case kind == "":
		return &source.Rejection{Code: source.CodeNotData, Reason: fmt.Sprintf("%s is of the type %q, which is neither a dataset nor a service", title, cmp.Or(m.values("type")...)),
			Remedy: "state dc:type Dataset if it is one"}
	default:
		m.b.Remark("type", "type", "", "")
	}
	if e.Type = kind; kind == catalog.TypeAPI {
		e.API = &catalog.APIDetails{}
	}
	if source.TestName(title) {
		return &source.Rejection{Code: source.CodeTest, Reason: title + " is there to try something out", Remedy: "delete the record"}
	}
	return nil
}

// files maps the references: what a catalogue service links to, and the
// addresses in dc:source and dc:relation of no known kind are left out.
func (m *mapper) files() {
	var files []source.File
	declared := m.values("format")
	for _, name := range []string{"references", "URI"} {
		for _, n := range m.n.All(name) {
			scheme := cmp.Or(n.Attr("scheme"), n.Attr("protocol"))
			f := source.File{Title: cmp.Or(n.Attr("name"), n.Attr("description")), AccessURL: strings.TrimSpace(n.Text), Formats: []string{format(scheme)}}
			if strings.Contains(strings.ToLower(scheme), "download") {
				f.DownloadURL, f.AccessURL = f.AccessURL, ""
			}
			files = append(files, f)
		}
	}
	e := &m.b.Draft.Entry
	if e.API != nil {
		m.endpoint(files)
		return
	}
	if len(files) == 1 && files[0].Formats[0] == "" {
		files[0].Formats = declared
	}
	m.b.Files(source.FilePaths{List: "references, URI", URL: "references, URI", Format: "references@scheme, format"}, files)
	had := len(e.Formats)
	for _, raw := range declared {
		if code, _ := source.Format(raw); code != "" && !slices.Contains(e.Formats, code) && len(e.Formats) < catalog.TagsMax {
			e.Formats = append(e.Formats, code)
		}
	}
	if len(e.Formats) > had {
		slices.Sort(e.Formats)
		m.b.Remark("formats", "format", "mapped to the EU file-type table", "")
	}
	m.b.Dataset()
}

// format is what the scheme of a reference says of the format.
func format(scheme string) string {
	s := strings.TrimPrefix(strings.ToUpper(scheme), "OGC:")
	for _, known := range []string{"WMTS", "WMS", "WFS"} {
		if strings.HasPrefix(s, known) {
			return known + "_SRVC"
		}
	}
	if code, ok := source.Format(scheme[strings.LastIndexByte(scheme, ':')+1:]); ok {
		return code
	}
	return ""
}

// endpoint sets the address of a service: the first usable reference.
func (m *mapper) endpoint(files []source.File) {
	e := &m.b.Draft.Entry
	for _, f := range files {
		if raw := cmp.Or(f.AccessURL, f.DownloadURL); m.b.URL(&e.API.BaseURL, "api.base_url", "references", raw) {
			if known, service := strings.CutSuffix(f.Formats[0], "_SRVC"); service {
				e.API.SpecFormat = "ogc-" + strings.ToLower(known)
			} else {
				e.API.SpecFormat = source.SpecFormat(raw)
			}
			if e.API.SpecFormat != "" {
				m.b.Compute("api.spec_format", "references", "read off the protocol or the address", "")
			}
			return
		}
	}
}

// address sets the address that stands for the record: the endpoint of a
// service, an identifier that is an address, the page of the catalogue, a
// source, the first file.
func (m *mapper) address(id string) *source.Rejection {
	e := &m.b.Draft.Entry
	var tries []string
	if e.API != nil {
		tries = append(tries, e.API.BaseURL)
	}
	for _, list := range [][]string{e.Identifiers, m.values("bibliographicCitation")} {
		tries = append(tries, slices.DeleteFunc(slices.Clone(list), func(s string) bool { return !strings.Contains(s, "://") })...)
	}
	if m.o.Page != nil && id != "" {
		tries = append(tries, m.o.Page(id))
	}
	for _, raw := range append(m.values("source"), m.values("relation")...) {
		if strings.Contains(raw, "://") {
			tries = append(tries, raw)
		}
	}
	if e.Dataset != nil {
		tries = append(tries, source.WebFile(e.Dataset.Distributions))
	}
	rules := source.URLRules{Base: m.o.Seed, AllowPrivate: m.o.In.AllowPrivate}
	for _, raw := range tries {
		if u, _, err := rules.Repair("primary_source_url", raw); err == nil {
			e.PrimarySourceURL = u
			m.b.Compute("primary_source_url", "identifier, source, references", "the first address that can be used", "")
			return nil
		}
	}
	return &source.Rejection{Code: source.CodeMissingURL, Reason: e.Name + " has no address", Remedy: "give the address of its page with the filter page={id}, or as an identifier of the record"}
}
