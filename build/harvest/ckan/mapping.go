package ckan

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// mapper turns packages into drafts.
type mapper struct {
	in *source.Input
	// base is the address of the portal, "" when it is not known.
	base   string
	emit   func(source.Draft) error
	reject func(source.Rejection) error
	// failed tells that the portal answered with an error, behind which no page is.
	failed bool
}

func (m *mapper) each(j *source.JSON, it source.Item, seed string) error {
	var p record
	if bad := j.Decode(it, &p); bad != nil {
		return m.reject(*bad)
	}
	p.from(p.Extras)
	d, bad := m.draft(&p, j.Place(it), seed)
	if bad != nil {
		bad.Place = j.Place(it)
		m.failed = m.failed || bad.Code == source.CodeUpstreamError
		return m.reject(*bad)
	}
	return m.emit(d)
}

// host is the first part of an upstream_ref.
func (m *mapper) host() string {
	if h := catalog.Host(m.base); h != "" {
		return h
	}
	return m.in.Host("ckan")
}

func (m *mapper) draft(p *record, place, seed string) (source.Draft, *source.Rejection) {
	id := string(cmp.Or(p.ID, p.Name))
	if bad := m.refuse(p); bad != nil {
		if id != "" {
			bad.UpstreamRef = m.host() + ":" + Kind + ":" + id
		}
		return source.Draft{}, bad
	}
	base := m.base
	if base == "" {
		base = portalOf(p)
	}
	b := source.NewBuilder(m.in, place, seed, base)
	b.DefaultLang = m.in.Language()
	b.Draft.Entry.Type = catalog.TypeDataset
	b.Inherit("type", "the catalogue lists datasets")
	b.Country()
	b.Identify(m.host(), Kind, "id", id)
	b.Languages("language", languagesIn(p)...)
	if own := b.Draft.Entry.Languages; len(own) == 1 {
		b.DefaultLang = own[0]
	} else {
		b.Preferred = own
	}
	// A register that is read as a portal says in which language its texts are shown.
	if lang, ok := source.Language(p.Extras["lang"]); ok {
		b.DefaultLang = lang
	}
	b.Names("title", append(p.TitleTranslated, p.Title...)...)
	if b.Draft.Entry.Name == "" {
		words, _ := source.Line(strings.NewReplacer("-", " ", "_", " ").Replace(string(p.Name)))
		b.Draft.Entry.Name, _ = source.Cut(words, catalog.NameMax)
		b.Compute("name", "name", "hyphens as spaces", "the package has no title")
	}
	if bad := m.pages(b, p, base); bad != nil {
		bad.UpstreamRef = b.Draft.Entry.UpstreamRef
		return source.Draft{}, bad
	}
	notes := append(p.NotesTranslated, p.Notes...)
	if first(notes) == "" {
		notes = p.Description
	}
	b.Descriptions("notes", notes...)
	m.subject(b, p)
	m.publisher(b, p)
	m.files(b, p)
	m.licence(b, p)
	m.times(b, p)
	return b.Done(), nil
}

// pages maps the addresses. The primary one is the package's page in the
// portal: it always exists and belongs to this package alone.
func (m *mapper) pages(b *source.Builder, p *record, base string) *source.Rejection {
	e := &b.Draft.Entry
	if e.Name == "" {
		return &source.Rejection{Code: source.CodeMissingName, Reason: "the package has neither a title nor a name", Remedy: "give the package a title"}
	}
	// Zurich keeps the name of an office in the field for the source's address.
	if raw := string(p.URL); strings.Contains(raw, "://") || strings.HasPrefix(raw, "www.") {
		b.URL(&e.HomepageURL, "homepage_url", "url", raw)
	}
	if docs := append(p.Documentation, list(p.Extras["documentation"])...); len(docs) > 0 {
		b.URL(&e.DocsURL, "docs_url", "documentation", docs[0])
	}
	if page := pageOf(p, base); page != "" {
		e.PrimarySourceURL = page
		b.Dataset().LandingPage = e.PrimarySourceURL
		b.Compute("primary_source_url", "name", "the package's page in the portal", "")
		b.Compute("dataset.landing_page", "name", "the package's page in the portal", "")
		return nil
	}
	// Without a portal the package is known by its origin or its first file.
	tries := []string{e.HomepageURL}
	for i := range p.Resources {
		tries = append(tries, string(p.Resources[i].URL))
	}
	for _, raw := range tries {
		if u, _, err := (source.URLRules{AllowPrivate: m.in.AllowPrivate}).Repair("primary_source_url", raw); err == nil {
			e.PrimarySourceURL = u
			b.Compute("primary_source_url", "url, resources[].url", "the first address stands in", "the address of the portal is not known")
			return nil
		}
	}
	return &source.Rejection{Code: source.CodeMissingURL, Reason: fmt.Sprintf("%s has no address", e.Name),
		Remedy: "give the address of the portal with the source, or the url of the package"}
}

// pageOf is the package's page in the portal, by its name or else its id: the
// first that gives an address short enough to keep.
func pageOf(p *record, base string) string {
	for _, handle := range []string{string(p.Name), string(p.ID)} {
		page := base + "/dataset/" + url.PathEscape(handle)
		if base != "" && handle != "" && len(page) <= catalog.URLMax {
			return page
		}
	}
	return ""
}

// portalOf is the portal that an uploaded file of the package lies on.
func portalOf(p *record) string {
	for i := range p.Resources {
		raw := string(p.Resources[i].URL)
		if p.Resources[i].URLType == "upload" && strings.Contains(raw, "/dataset/"+string(p.ID)+"/resource/") {
			return base(raw)
		}
	}
	return ""
}

// subject maps tags, groups and themes.
func (m *mapper) subject(b *source.Builder, p *record) {
	var words, groups, names []string
	for i := range p.Tags {
		if t := &p.Tags[i]; t.State == "" || t.State == "active" {
			words = append(words, t.text())
		}
	}
	for i := range p.Groups {
		groups = append(groups, p.Groups[i].text())
		names = append(names, string(p.Groups[i].Name))
	}
	terms := p.Keywords
	for _, w := range words {
		terms = append(terms, source.Text{Value: w})
	}
	b.Keywords("keywords, tags[].display_name", terms...)
	words = b.Draft.Entry.Tags
	b.AccessRights("access_rights", string(p.AccessRights), p.Extras["access_rights"], string(p.Restrictions), single(p.Extras["access_constraints"]), thaiRights[string(p.Category)])
	b.Tags("tags[].display_name, groups[].title", append(words, groups...)...)
	b.Themes("groups[].title", append(groups, names...)...)
	for _, theme := range append(p.Theme, string(p.ThemePrimary)) {
		b.Themes("theme", append(themesIn(theme), theme)...)
	}
	b.Themes("extras[theme]", themesIn(p.Extras["theme"])...)
	for _, standard := range p.ConformsTo {
		if strings.HasPrefix(standard, "[") {
			b.ConformsTo("conforms_to", list(standard)...)
			continue
		}
		b.ConformsTo("conforms_to", standard)
	}
	b.Identifiers("uri", string(p.URI), p.Extras["uri"])
	b.HVD("hvd_category", append(p.HVDCategory, list(p.Extras["hvd_category"])...)...)
}

// list reads a text that is a JSON list or separated by commas.
func list(raw string) []string {
	if raw == "" {
		return nil
	}
	return strings.FieldsFunc(raw, func(r rune) bool { return strings.ContainsRune(`[]", `, r) })
}

// publisher sets whom the package names as its publisher, else the organisation that owns it in the
// catalogue, as ckanext-dcat does. What is said of the one is not said of the other.
func (m *mapper) publisher(b *source.Builder, p *record) {
	x := p.Extras
	stated := append(slices.Clone(p.Publisher), party{Name: source.LooseTexts{{Value: string(p.PublisherName)}}},
		party{Name: source.LooseTexts{{Value: x["publisher_name"]}}, URI: source.Loose(x["publisher_uri"]), URL: source.Loose(x["publisher_url"]), Type: source.Loose(x["publisher_type"])},
		party{Name: source.LooseTexts{{Value: x["publisher"]}}, URL: source.Loose(x["publisher_link"])},
		party{Name: source.LooseTexts{{Value: x["dcat_publisher_name"]}}})
	if i := slices.IndexFunc(stated, func(p party) bool { return p.named() }); i >= 0 {
		b.PublisherAgent("publisher", stated[i].Name, stated[i].agent())
	} else if o := p.Organization; o != nil {
		names := o.Translated
		if first(names) == "" {
			names = o.Title
		}
		if first(names) == "" {
			names = source.LooseTexts{{Value: string(o.Name)}}
		}
		b.PublisherAgent("organization.title", bothNames(names), catalog.Agent{HomepageURL: string(o.URL)})
		if country := b.Draft.Entry.CountryCode; country != "" && o.Name != "" {
			b.Draft.PublisherKey = strings.ToLower(country + "-" + string(o.Name))
		}
	}
	for _, name := range []source.Loose{p.HolderName, source.Loose(x["holder_name"])} {
		if name != "" && b.Draft.Entry.RightsHolder == nil {
			b.RightsHolder("holder_name", []source.Text{{Value: string(name)}}, catalog.Agent{})
		}
	}
	creators := append(slices.Clone(p.Creator), party{Name: source.LooseTexts{{Value: string(p.CreatorName)}}}, party{Name: source.LooseTexts{{Value: x["creator_name"]}}})
	for i := range creators {
		if creators[i].named() {
			b.Creator("creator", creators[i].Name, creators[i].agent())
		}
	}
	m.contact(b, p)
}

// bothNames are the names of an organisation; a name in English and French in one, as Canada writes
// it, is two, in an order that is not stated.
func bothNames(names []source.Text) []source.Text {
	if len(names) != 1 || names[0].Lang != "" {
		return names
	}
	var parts []source.Text
	for part := range strings.SplitSeq(names[0].Value, " | ") {
		parts = append(parts, source.Text{Value: part})
	}
	return parts
}

// contact sets the first address of a function that the package names.
func (m *mapper) contact(b *source.Builder, p *record) {
	type reach struct{ path, name, mail string }
	var all []reach
	for _, c := range append(slices.Clone(p.ContactPoints), p.Contact...) {
		all = append(all, reach{"contact", string(first(c.Name)), string(c.Mail)})
	}
	all = append(all, []reach{
		{"contact_email", string(p.ContactPerson), string(p.ContactEmail)},
		{"contact_point_email", string(p.ContactPointName), string(p.ContactPointMail)},
		{"contact-email", string(p.ContactDashName), string(p.ContactDashMail)},
		{"contact_point", "", string(p.ContactPoint)},
		{"maintainer_email", string(p.Maintainer), string(p.MaintainerEmail)},
		{"extras[contact_email]", p.Extras["contact_name"], p.Extras["contact_email"]},
		{"extras[contact-email]", p.Extras["responsible-party"], p.Extras["contact-email"]},
		{"author_email", string(p.Author), string(p.AuthorEmail)},
		{"extras[dcat_publisher_email]", p.Extras["dcat_publisher_name"], p.Extras["dcat_publisher_email"]},
	}...)
	for _, c := range all {
		if b.Draft.Entry.Contact == nil && strings.TrimSpace(c.mail) != "" {
			b.ContactOf(c.path, cmp.Or(c.name, string(p.Maintainer), string(p.Author)), "", c.mail)
		}
	}
}

// licence sets the licence of the package: the first of its forms, and the others to look it up by;
// without one, the one that all files state.
func (m *mapper) licence(b *source.Builder, p *record) {
	forms := []string{string(p.LicenseID), string(p.LicenseTitle), string(p.LicenseURL)}
	if strings.Join(forms, "") != "" {
		b.Licence("license_id", forms...)
		b.Draft.LicenceForms = forms
		return
	}
	var stated []string
	for i := range b.Dataset().Distributions {
		if l := b.Dataset().Distributions[i].LicenseRaw; l != "" && !slices.Contains(stated, l) {
			stated = append(stated, l)
		}
	}
	switch len(stated) {
	case 0:
	case 1:
		b.Licence("resources[].license", stated[0])
	default:
		b.Refuse("license_raw", "resources[].license", fmt.Sprintf("the files state %d different licences; each keeps its own", len(stated)))
	}
}

// languagesIn are the languages of the resource that a package states.
func languagesIn(p *record) []string {
	return append(append(slices.Clone(p.Language), list(p.Extras["language"])...), p.languages()...)
}

func (m *mapper) files(b *source.Builder, p *record) {
	files := make([]source.File, 0, len(p.Resources))
	for i := range p.Resources {
		r := &p.Resources[i]
		if r.State != "" && r.State != "active" {
			continue
		}
		f := source.File{Title: m.title(b, r), AccessURL: string(cmp.Or(r.AccessURL, r.URL)), DownloadURL: string(r.DownloadURL),
			Formats: []string{string(r.Format)}, MediaType: string(cmp.Or(r.Mimetype, r.MediaType)), Licence: string(cmp.Or(r.License, r.LicenseID, r.LicenseType, r.Rights)), Languages: r.Language,
			Modified: cmp.Or(string(cmp.Or(r.LastModified, r.Modified)), common(r.LastUpdated)), Size: int64(cmp.Or(r.Size, r.ByteSize))}
		if r.AccessURL != "" && r.DownloadURL == "" && r.URL != r.AccessURL {
			f.DownloadURL = string(r.URL)
		}
		if r.URLType == "upload" && f.DownloadURL == "" {
			f.DownloadURL = f.AccessURL
		}
		files = append(files, f)
	}
	b.Files(source.FilePaths{List: "resources[]", URL: "resources[].url", Format: "resources[].format"}, files)
}

// title is what a file is called, in the language of the package where it has a name in it.
func (m *mapper) title(b *source.Builder, r *resource) string {
	names := append(slices.Clone(r.NameTranslated), append(slices.Clone(r.Title), r.Name...)...)
	for _, t := range names {
		if lang, ok := source.Language(t.Lang); ok && t.Value != "" && lang == b.Draft.Entry.NativeLang {
			return t.Value
		}
	}
	return string(cmp.Or(first(r.Name), first(names), first(r.Description)))
}

func (m *mapper) times(b *source.Builder, p *record) {
	issued, issuedPath := pick(p, []at{{"issued", p.Issued}, {"dateFirstPublished", p.DateFirstPublished},
		{"date_released", p.DateReleased}, {"date_published", p.DatePublished}, {"release_date", p.ReleaseDate},
		{"data_release_date", source.Loose(common(p.DataReleaseDate))}, {"created_date", source.Loose(common(p.CreatedDate))}}, "issued", "dcat_issued")
	reference := referenceDates(p.Extras["dataset-reference-date"])
	if issued == "" {
		issued, issuedPath = cmp.Or(reference["publication"], reference["creation"]), "extras[dataset-reference-date]"
	}
	if issued == "" {
		issued, issuedPath = string(p.Created), "metadata_created"
	}
	modified, modifiedPath := pick(p, []at{{"modified", p.DcatModified}, {"dateLastUpdated", p.DateLastUpdated},
		{"date_updated", p.DateUpdated}, {"date_modified", p.DateModified}, {"last_modified_date", p.LastModifiedDate}, {"last_updated_date", source.Loose(common(p.LastUpdatedDate))}}, "modified", "dcat_modified")
	if modified == "" {
		modified, modifiedPath = reference["revision"], "extras[dataset-reference-date]"
	}
	if modified == "" {
		modified, modifiedPath = string(p.Modified), "metadata_modified"
	}
	b.Dates(issuedPath, issued, modifiedPath, modified)
	frequency, path := pick(p, []at{{"frequency", p.Frequency}, {"update_frequency", p.UpdateFrequency},
		{"accrual_periodicity", p.AccrualPeriodicity}, {"updateInterval", p.UpdateInterval}, {"update_freq", p.UpdateFreq}, {"frequency_of_update", p.FrequencyOf}, {"update_frequency_unit", source.Loose(p.thai.frequency())}},
		"frequency", "update_frequency", "accrual_periodicity", "accrualPeriodicity", "frequency-of-update", "Frequência de atualização", "Frecuencia de actualización", "Opdateringsfrekvens")
	b.Frequency(path, frequency)
	m.coverage(b, p)
}

func (m *mapper) coverage(b *source.Builder, p *record) {
	from, path := pick(p, []at{{"temporal_start", p.TemporalStart}, {"temporal_coverage-from", p.TemporalFrom}, {"start_time", p.StartTime},
		{"temporal_coverage_from", p.TemporalFrom2}, {"time_period_coverage_start", p.CoverageStart}, {"first_year_of_data", source.Loose(common(p.FirstYear))}}, "temporal_start", "temporal_coverage-from", "begin_datetime")
	from = single(from)
	to, _ := pick(p, []at{{"temporal_end", p.TemporalEnd}, {"temporal_coverage-to", p.TemporalTo}, {"end_time", p.EndTime},
		{"temporal_coverage_to", p.TemporalTo2}, {"time_period_coverage_end", p.CoverageEnd}, {"last_year_of_data", source.Loose(common(p.LastYear))}}, "temporal_end", "temporal_coverage-to", "end_datetime")
	to = single(to)
	if from == "" && to == "" {
		from, to = span(append(slices.Clone(p.Temporals), p.TemporalCoverage...))
		path = "temporals"
	}
	if from != "" || to != "" {
		d := b.Dataset()
		b.Period(&d.TemporalStart, &d.TemporalEnd, "dataset.temporal", path, from+"/"+to)
	} else if whole, key := pick(p, nil, "temporal", "temporal_coverage", "Cobertura temporal"); whole != "" {
		d := b.Dataset()
		b.Period(&d.TemporalStart, &d.TemporalEnd, "dataset.temporal", key, whole)
	}
	where, path := pick(p, []at{{"spatial", source.Loose(p.Spatial)}, {"spatial_text", p.SpatialText}}, "spatial", "spatial_text", "spatial_uri", "geographic_bbox")
	if where == "" {
		where, path = boxOfExtras(p.Extras), "extras[bbox-…]"
	}
	if where == "" {
		where, path = p.box(), "west_bound_longitude, …"
	}
	all := []string{where, p.Extras["geographic_toponym"], string(p.GeonamesURL)}
	for _, c := range p.SpatialCoverage {
		if all = append(all, string(cmp.Or(c.Text, c.URI)), string(cmp.Or(c.BBox, c.Geom))); path == "" {
			path = "spatial_coverage"
		}
	}
	all = append(append(append(all, p.GeographicCover...), p.SpatialValue...), list(p.Extras["politicalGeocodingURI"])...)
	b.Spatial(cmp.Or(path, "geographical_coverage"), all...)
	if v, _ := source.Line(string(p.Version)); v != "" && len(v) <= 100 {
		b.Dataset().Version = v
		b.Remark("dataset.version", "version", "", "")
	}
}

// span is from the first beginning to the last end of some periods.
func span(all []period) (from, to string) {
	for _, x := range all {
		start, end := string(cmp.Or(x.Start, x.StartDate, x.From)), string(cmp.Or(x.End, x.EndDate, x.To))
		if from == "" || start != "" && start < from {
			from = start
		}
		to = max(to, end)
	}
	return from, to
}

// at is a field with its name.
type at struct {
	path  string
	value source.Loose
}

// pick is the first of the fields, then of the extras, that is not empty.
func pick(p *record, fields []at, keys ...string) (value, path string) {
	for _, f := range fields {
		if f.value != "" {
			return string(f.value), f.path
		}
	}
	for _, k := range keys {
		if v := p.Extras[k]; v != "" {
			return v, "extras[" + k + "]"
		}
	}
	return "", ""
}
