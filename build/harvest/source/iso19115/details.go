package iso19115

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// datasetDetails maps what only datasets have.
func (m *mapper) datasetDetails() {
	b, e := m.b, &m.b.Draft.Entry
	e.Type = catalog.TypeDataset
	b.Remark("type", "hierarchyLevel", strings.Join(m.levels(), " "), "")
	m.files()
	m.declaredFormats()
	b.Dataset()
	m.maintained()
	b.Spatial("extent/geographicElement", m.places()...)
	b.Period(&e.Dataset.TemporalStart, &e.Dataset.TemporalEnd, "dataset.temporal", "extent/temporalElement", m.period())
	if v, _ := source.Line(m.first(m.ident, "citation", "CI_Citation", "edition").text()); v != "" && len(v) <= catalog.TagMax {
		e.Dataset.Version = v
		b.Remark("dataset.version", "citation/edition", "", "")
	}
	m.pages()
}

// maintained sets how often the resource is updated.
func (m *mapper) maintained() {
	for _, p := range m.ident.All("resourceMaintenance", "MD_MaintenanceInformation", "maintenanceAndUpdateFrequency") {
		if list := words(p); len(list) > 0 {
			m.b.Frequency("maintenanceAndUpdateFrequency", known(list, source.Frequency))
			return
		}
	}
}

// known is the first of some words that find knows, else the first.
func known(list []string, find func(string) (string, bool)) string {
	for _, w := range list {
		if _, ok := find(w); ok {
			return w
		}
	}
	return cmp.Or(list...)
}

// files maps the online resources that lead to the data.
func (m *mapper) files() {
	var files []source.File
	declared, lang := m.formats(), m.b.Draft.Entry.NativeLang
	downloads := 0
	for i := range m.online {
		if m.online[i].use() == useDownload {
			downloads++
		}
	}
	for i := range m.online {
		o := &m.online[i]
		f := source.File{Title: o.name.in(lang), Description: o.description.in(lang), Formats: o.formats(), MediaType: o.media, Size: o.size, Others: o.others}
		f.Languages, _, _ = o.described()
		switch o.use() {
		case useDownload:
			f.DownloadURL = o.url
			// The one format of the record is that of its one file.
			if len(f.Formats) == 0 && len(declared) == 1 && downloads == 1 {
				f.Formats = declared
			}
		case useService, useAccess:
			f.AccessURL = o.url
		default:
			continue
		}
		files = append(files, f)
	}
	m.b.Files(source.FilePaths{List: "onLine", URL: "onLine/linkage", Format: "onLine/protocol, distributionFormat"}, files)
}

// in is the text in a language, else the first.
func (v value) in(lang string) string {
	for _, t := range v.texts {
		if t.Lang == lang {
			return t.Value
		}
	}
	return v.text()
}

// declaredFormats adds the formats that are stated for the whole resource.
func (m *mapper) declaredFormats() {
	e := &m.b.Draft.Entry
	had := len(e.Formats)
	for _, raw := range m.formats() {
		if code, _ := source.Format(raw); code != "" && !slices.Contains(e.Formats, code) && len(e.Formats) < catalog.TagsMax {
			e.Formats = append(e.Formats, code)
		}
	}
	if len(e.Formats) > had {
		slices.Sort(e.Formats)
		m.b.Remark("formats", "distributionFormat", "mapped to the EU file-type table", "")
	}
}

// pages sets the landing page and the page about the resource.
func (m *mapper) pages() {
	e := &m.b.Draft.Entry
	for i := range m.online {
		o := &m.online[i]
		switch u := o.use(); {
		case u == useLanding && e.Dataset != nil && e.Dataset.LandingPage == "":
			m.b.URL(&e.Dataset.LandingPage, "dataset.landing_page", "onLine/linkage", o.url)
			m.further(o.others...)
		case u == usePage && e.DocsURL == "":
			m.b.URL(&e.DocsURL, "docs_url", "onLine[information]/linkage", o.url)
			m.further(o.others...)
		case u == usePage || u == useLanding:
			m.further(append([]string{o.url}, o.others...)...)
		}
	}
}

// further keeps more pages about the resource.
func (m *mapper) further(list ...string) {
	e := &m.b.Draft.Entry
	pages := &[]string{}
	switch {
	case e.Dataset != nil:
		pages = &e.Dataset.OtherPages
	case e.API != nil:
		pages = &e.API.OtherURLs
	}
	rules := source.URLRules{Base: m.o.Seed, AllowPrivate: m.o.In.AllowPrivate}
	for _, raw := range list {
		if u, _, err := rules.Repair("onLine", raw); err == nil && !slices.Contains(*pages, u) && len(*pages) < catalog.ListMax {
			*pages = append(*pages, u)
		}
	}
}

// serviceDetails maps what only services have.
func (m *mapper) serviceDetails() {
	b, e := m.b, &m.b.Draft.Entry
	e.Type, e.API = catalog.TypeAPI, &catalog.APIDetails{}
	b.Remark("type", "SV_ServiceIdentification", "", "")
	b.ServiceSpatial("extent/geographicElement", m.places()...)
	m.maintained()
	points := m.operations()
	for i := range m.online {
		if u := m.online[i].use(); u == useService || u == useAccess && len(points) == 0 {
			points = append(points, m.online[i])
		}
	}
	if len(points) == 0 {
		points = m.online
	}
	spec := ""
	for i := range points {
		spec = cmp.Or(spec, points[i].spec())
	}
	if spec == "" {
		spec = specOf(m.first(m.ident, "serviceType").text(), m.values(m.ident, "serviceTypeVersion"))
	}
	if spec != "" {
		e.API.SpecFormat = spec
		b.Compute("api.spec_format", "containsOperations, protocol, serviceType", "read off the protocol", "")
	}
	m.endpoint(points, spec)
	for _, v := range m.values(m.ident, "serviceTypeVersion") {
		if v := v.text(); e.API.Version == "" && len(v) <= 20 {
			b.Line(&e.API.Version, "api.version", "serviceTypeVersion", v, catalog.TagMax)
		}
	}
	m.pages()
	m.declaredFormats()
}

// endpoint sets the addresses of a service: of one of OGC its request of the
// capabilities describes it.
func (m *mapper) endpoint(points []online, spec string) {
	e := &m.b.Draft.Entry
	for i := range points {
		if points[i].spec() != spec && spec != "" && i < len(points)-1 && points[i].spec() != "" {
			continue
		}
		if !m.b.URL(&e.API.BaseURL, "api.base_url", "containsOperations/connectPoint, onLine", endpoint(points[i].url)) {
			continue
		}
		service, ok := strings.CutPrefix(points[i].spec(), "ogc-")
		switch {
		case capabilities(points[i].url):
			m.b.URL(&e.API.PingURL, "api.ping_url", "containsOperations/connectPoint, onLine", points[i].url)
		case ok && slices.Contains(services, service):
			e.API.PingURL = request(e.API.BaseURL, service)
			m.b.Compute("api.ping_url", "", "the request that describes the service", "")
		}
		return
	}
}

// services are the protocols of OGC whose services describe themselves by
// GetCapabilities.
var services = []string{"wms", "wfs", "wmts", "wcs", "csw"}

// request is the request of the capabilities at an endpoint.
func request(endpoint, service string) string {
	sep := "?"
	if strings.Contains(endpoint, "?") {
		sep = "&"
	}
	return endpoint + sep + "SERVICE=" + strings.ToUpper(service) + "&REQUEST=GetCapabilities"
}

// operations are the connect points of GetCapabilities, or if there are none
// those of the other operations.
func (m *mapper) operations() []online {
	var own, others []online
	for _, op := range m.ident.All("containsOperations", "SV_OperationMetadata") {
		name := m.first(op, "operationName").text()
		for _, e := range op.All("connectPoint", "CI_OnlineResource") {
			o := m.record.online(e)
			if o.url == "" {
				continue
			}
			if strings.EqualFold(name, "GetCapabilities") {
				own = append(own, o)
			} else {
				others = append(others, o)
			}
		}
	}
	if len(own) > 0 {
		return own
	}
	return others
}

// capabilities tells that an address is a request of the capabilities.
func capabilities(raw string) bool {
	return strings.Contains(strings.ToLower(raw), "request=getcapabilities")
}

// endpoint is an address without the words of a request.
func endpoint(raw string) string {
	base, query, ok := strings.Cut(raw, "?")
	if !ok {
		return raw
	}
	var kept []string
	for part := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(strings.ToLower(part), "=")
		if part != "" && !slices.Contains([]string{"service", "request", "version", "acceptversions"}, name) {
			kept = append(kept, part)
		}
	}
	if len(kept) == 0 {
		return base
	}
	return base + "?" + strings.Join(kept, "&")
}

// specOf is what describes a service by its type (INSPIRE: view, download,
// discovery) and the versions of the protocols it names.
func specOf(kind string, versions []value) string {
	for _, raw := range append([]string{kind}, flat(versions)...) {
		if spec := (&online{protocol: raw}).spec(); spec != "" {
			return spec
		}
	}
	if strings.EqualFold(kind, "discovery") {
		return "ogc-csw"
	}
	return ""
}

func flat(list []value) []string {
	var out []string
	for _, v := range list {
		out = append(out, v.text())
	}
	return out
}
