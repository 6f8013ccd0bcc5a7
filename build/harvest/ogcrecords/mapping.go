package ogcrecords

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// mapper turns records into drafts.
type mapper struct {
	in     *source.Input
	emit   func(source.Draft) error
	reject func(source.Rejection) error
	page   func(id string) string
}

// each takes one record.
func (m *mapper) each(j *source.JSON, it source.Item, seed string) error {
	var r record
	if bad := j.Decode(it, &r); bad != nil {
		return m.reject(*bad)
	}
	d, bad := m.draft(&r, j.Place(it), seed)
	if bad != nil {
		bad.Place = j.Place(it)
		return m.reject(*bad)
	}
	return m.emit(d)
}

// data and services are the types of resources, letters only.
var (
	data     = []string{"dataset", "series", "nongeographicdataset", "collection", "data", "tile", "record", "coverage", "feature"}
	services = []string{"service", "services", "api", "dataservice", "webservice"}
)

func (m *mapper) draft(r *record, place, seed string) (source.Draft, *source.Rejection) {
	p := &r.Properties
	b := source.NewBuilder(m.in, place, seed, seed)
	e := &b.Draft.Entry
	b.Country()
	b.Identify(m.in.Host(Kind), Kind, "id", string(r.ID))
	reject := func(bad *source.Rejection) (source.Draft, *source.Rejection) {
		bad.UpstreamRef = e.UpstreamRef
		return source.Draft{}, bad
	}
	if bad := m.refuse(b, r); bad != nil {
		return reject(bad)
	}
	m.texts(b, p)
	for _, x := range p.ExternalIDs {
		b.Identifiers("properties.externalIds", string(x.Value))
	}
	if e.API != nil {
		endpoint(b, r)
	} else {
		files(b, r)
		coverage(b, r)
	}
	if bad := m.address(b, r); bad != nil {
		return reject(bad)
	}
	agents(b, p)
	subjects(b, p)
	rights(b, r)
	dates(b, p)
	return b.Done(), nil
}

// refuse sets the type, or says that the record is of something else.
func (m *mapper) refuse(b *source.Builder, r *record) *source.Rejection {
	p := &r.Properties
	title, _ := source.Line(string(p.Title))
	e := &b.Draft.Entry
	word := string(p.Type)
	kind := strings.ToLower(strings.ReplaceAll(word[strings.LastIndexAny(word, "/#:")+1:], " ", ""))
	switch {
	case title == "":
		return &source.Rejection{Code: source.CodeMissingName, Reason: "the record has no title", Remedy: "give properties.title"}
	case source.TestName(title):
		return &source.Rejection{Code: source.CodeTest, Reason: title + " is there to try something out", Remedy: "delete the record"}
	case kind == "":
		e.Type = catalog.TypeDataset
		b.Inherit("type", "the catalogue lists datasets")
	case slices.Contains(data, kind):
		e.Type = catalog.TypeDataset
		b.Remark("type", "properties.type", "", "")
	case slices.Contains(services, kind):
		e.Type, e.API = catalog.TypeAPI, &catalog.APIDetails{}
		b.Remark("type", "properties.type", "", "")
	default:
		return &source.Rejection{Code: source.CodeNotData, Reason: fmt.Sprintf("%s is of the type %q, which is neither a dataset nor a service", title, word),
			Remedy: "state the type dataset or service if it is one"}
	}
	return nil
}

// fileRels are the relations of links that lead to the data; pageRels those to
// pages about it.
var (
	fileRels = []string{"enclosure", "item", "items", "data", "download", "distribution", "http://www.opengis.net/def/rel/ogc/1.0/data"}
	pageRels = []string{"describedby", "about", "documentation", "help", "service-doc"}
)

// all are the links of a record, those of drafts of the standard too.
func (r *record) all() []link { return append(slices.Clone(r.Links), r.Properties.Associations...) }

func files(b *source.Builder, r *record) {
	var list []source.File
	own := map[string]bool{}
	for _, l := range r.all() {
		f := source.File{Title: string(l.Title), MediaType: string(l.Type), Formats: []string{string(l.Type)}}
		switch rel := strings.ToLower(string(l.Rel)); {
		case slices.Contains(fileRels, rel):
			f.DownloadURL = string(l.Href)
		case rel == "service" || rel == "related" || rel == "":
			f.AccessURL = string(l.Href)
		default:
			continue
		}
		if !own[string(l.Href)] {
			own[string(l.Href)] = true
			list = append(list, f)
		}
	}
	b.Files(source.FilePaths{List: "links", URL: "links.href", Format: "links.type"}, list)
	e := &b.Draft.Entry
	had := len(e.Formats)
	for _, raw := range r.Properties.Formats {
		if code, _ := source.Format(raw); code != "" && !slices.Contains(e.Formats, code) && len(e.Formats) < catalog.TagsMax {
			e.Formats = append(e.Formats, code)
		}
	}
	if len(e.Formats) > had {
		slices.Sort(e.Formats)
		b.Remark("formats", "properties.formats", "mapped to the EU file-type table", "")
	}
	b.Dataset()
	for _, l := range r.all() {
		if slices.Contains(pageRels, strings.ToLower(string(l.Rel))) && e.DocsURL == "" {
			b.URL(&e.DocsURL, "docs_url", "links[rel="+string(l.Rel)+"]", string(l.Href))
		}
	}
}

// endpoint sets the addresses of a service.
func endpoint(b *source.Builder, r *record) {
	e := &b.Draft.Entry
	for _, l := range r.all() {
		switch rel := strings.ToLower(string(l.Rel)); {
		case rel == "service-desc" && e.API.OpenAPIURL == "":
			b.URL(&e.API.OpenAPIURL, "api.openapi_url", "links[rel=service-desc]", string(l.Href))
		case (rel == "service" || rel == "enclosure" || slices.Contains(fileRels, rel)) && e.API.BaseURL == "":
			b.URL(&e.API.BaseURL, "api.base_url", "links[rel="+rel+"]", string(l.Href))
		}
	}
	if e.API.SpecFormat = source.SpecFormat(e.API.BaseURL); e.API.SpecFormat != "" {
		b.Compute("api.spec_format", "links", "read off the address", "")
	}
}

// address sets the address that stands for the record: the endpoint of a
// service, a page of the resource, the record's own in HTML, a persistent
// identifier, the record itself.
func (m *mapper) address(b *source.Builder, r *record) *source.Rejection {
	e := &b.Draft.Entry
	rules := source.URLRules{Base: b.Seed, AllowPrivate: m.in.AllowPrivate}
	for _, raw := range m.addresses(b, r) {
		if catalog.Host(raw) == "" {
			continue // an identifier that is no address
		}
		if u, _, err := rules.Repair("primary_source_url", raw); err == nil {
			e.PrimarySourceURL = u
			b.Compute("primary_source_url", "links, properties.externalIds, id", "the first address that can be used", "")
			return nil
		}
	}
	return &source.Rejection{Code: source.CodeMissingURL, Reason: e.Name + " has no address", Remedy: "give a link with rel canonical, or the filter page={id}"}
}

// addresses are those that may stand for a record, the best first.
func (m *mapper) addresses(b *source.Builder, r *record) []string {
	e := &b.Draft.Entry
	var tries []string
	if e.API != nil {
		tries = append(tries, e.API.BaseURL)
	}
	if m.page != nil && r.ID != "" {
		tries = append(tries, m.page(string(r.ID)))
	}
	add := func(html bool, rels ...string) {
		for _, l := range r.Links {
			if slices.Contains(rels, string(l.Rel)) && (!html || strings.Contains(string(l.Type), "html")) {
				tries = append(tries, against(b.Seed, string(l.Href)))
			}
		}
	}
	add(false, "canonical", "landing")
	add(true, "alternate", "self")
	tries = append(tries, e.Identifiers...)
	add(false, "self")
	if e.Dataset != nil {
		tries = append(tries, source.WebFile(e.Dataset.Distributions))
	}
	if e.SourceSeedURL != "" && r.ID != "" && m.in.Fetch != nil {
		list, _, _ := strings.Cut(b.Seed, "?")
		tries = append(tries, list+"/"+string(r.ID))
	}
	return tries
}

// texts sets the languages, the title and the description, which are in the
// language of the record.
func (m *mapper) texts(b *source.Builder, p *properties) {
	b.DefaultLang = m.in.Language()
	if tag, ok := source.Language(string(p.Language.Code)); ok {
		b.DefaultLang = tag
	}
	var languages []string
	for _, l := range p.Languages {
		languages = append(languages, string(l.Code))
	}
	b.Languages("properties.resourceLanguages", languages...)
	b.Names("properties.title", source.Text{Value: string(p.Title)})
	b.Descriptions("properties.description", source.Text{Value: string(p.Description)})
}
