package ckan

import (
	"cmp"
	"fmt"
	"net/url"
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
	b.Descriptions("notes", append(p.NotesTranslated, p.Notes...)...)
	m.subject(b, p)
	m.publisher(b, p)
	b.Licence("license_id", string(p.LicenseID), string(p.LicenseTitle), string(p.LicenseURL))
	m.files(b, p)
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
	if len(p.Documentation) > 0 {
		b.URL(&e.DocsURL, "docs_url", "documentation", p.Documentation[0])
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
		if u, _, err := (source.URLRules{}).Repair("primary_source_url", raw); err == nil {
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
	var words, groups []string
	for i := range p.Tags {
		if t := &p.Tags[i]; t.State == "" || t.State == "active" {
			words = append(words, t.text())
		}
	}
	for i := range p.Groups {
		groups = append(groups, p.Groups[i].text())
	}
	b.Terms("tags[].display_name", "", words...)
	b.AccessRights("access_rights", string(p.AccessRights), p.Extras["access_rights"])
	b.Tags("tags[].display_name, groups[].title", append(words, groups...)...)
	b.Themes("groups[].title", groups...)
	b.Themes("theme", p.Theme...)
	b.Themes("extras[theme]", list(p.Extras["theme"])...)
	b.HVD("hvd_category", append(p.HVDCategory, list(p.Extras["hvd_category"])...)...)
}

// list reads a text that is a JSON list or separated by commas.
func list(raw string) []string {
	if raw == "" {
		return nil
	}
	return strings.FieldsFunc(raw, func(r rune) bool { return strings.ContainsRune(`[]", `, r) })
}

func (m *mapper) publisher(b *source.Builder, p *record) {
	if o := p.Organization; o != nil {
		names := []source.Text(o.Title)
		if len(names) == 0 {
			names = []source.Text{{Value: string(o.Name)}}
		}
		b.PublisherAgent("organization.title", names, catalog.Agent{IRI: p.Extras["publisher_uri"], Type: source.LastSegment(p.Extras["publisher_type"]), HomepageURL: string(o.URL)})
		if country := b.Draft.Entry.CountryCode; country != "" && o.Name != "" {
			b.Draft.PublisherKey = strings.ToLower(country + "-" + string(o.Name))
		}
	} else {
		b.PublisherAgent("extras[publisher_name]", []source.Text{{Value: p.Extras["publisher_name"]}},
			catalog.Agent{IRI: p.Extras["publisher_uri"], Type: source.LastSegment(p.Extras["publisher_type"]), HomepageURL: p.Extras["publisher_url"]})
	}
	for _, c := range []struct {
		path       string
		name, mail string
	}{
		{"contact_email", string(p.ContactPerson), string(p.ContactEmail)},
		{"maintainer_email", string(p.Maintainer), string(p.MaintainerEmail)},
		{"extras[contact_email]", p.Extras["contact_name"], p.Extras["contact_email"]},
		{"author_email", string(p.Author), string(p.AuthorEmail)},
	} {
		if b.Draft.Entry.Contact == nil && strings.TrimSpace(c.mail) != "" {
			b.ContactOf(c.path, cmp.Or(c.name, string(p.Maintainer), string(p.Author)), "", c.mail)
		}
	}
}

func (m *mapper) files(b *source.Builder, p *record) {
	files := make([]source.File, 0, len(p.Resources))
	for i := range p.Resources {
		r := &p.Resources[i]
		if r.State != "" && r.State != "active" {
			continue
		}
		f := source.File{Title: string(cmp.Or(first(r.Name), first(r.Description))), AccessURL: string(r.URL), DownloadURL: string(r.DownloadURL),
			Formats: []string{string(r.Format)}, MediaType: string(r.Mimetype), Licence: string(r.License),
			Modified: string(r.LastModified), Size: int64(r.Size)}
		if r.URLType == "upload" && f.DownloadURL == "" {
			f.DownloadURL = f.AccessURL
		}
		files = append(files, f)
	}
	b.Files(source.FilePaths{List: "resources[]", URL: "resources[].url", Format: "resources[].format"}, files)
}

func (m *mapper) times(b *source.Builder, p *record) {
	issued, issuedPath := pick(p, []at{{"issued", p.Issued}, {"dateFirstPublished", p.DateFirstPublished}}, "issued", "dcat_issued")
	if issued == "" {
		issued, issuedPath = string(p.Created), "metadata_created"
	}
	modified, modifiedPath := pick(p, []at{{"modified", p.DcatModified}, {"dateLastUpdated", p.DateLastUpdated}}, "modified", "dcat_modified")
	if modified == "" {
		modified, modifiedPath = string(p.Modified), "metadata_modified"
	}
	b.Dates(issuedPath, issued, modifiedPath, modified)
	frequency, path := pick(p, []at{{"frequency", p.Frequency}, {"update_frequency", p.UpdateFrequency},
		{"accrual_periodicity", p.AccrualPeriodicity}, {"updateInterval", p.UpdateInterval}},
		"frequency", "update_frequency", "accrual_periodicity", "accrualPeriodicity", "frequency-of-update")
	b.Frequency(path, frequency)
	m.coverage(b, p)
}

func (m *mapper) coverage(b *source.Builder, p *record) {
	from, path := pick(p, []at{{"temporal_start", p.TemporalStart}, {"temporal_coverage-from", p.TemporalFrom}, {"start_time", p.StartTime}},
		"temporal_start", "temporal_coverage-from")
	to, _ := pick(p, []at{{"temporal_end", p.TemporalEnd}, {"temporal_coverage-to", p.TemporalTo}, {"end_time", p.EndTime}},
		"temporal_end", "temporal_coverage-to")
	if from != "" || to != "" {
		d := b.Dataset()
		b.Period(&d.TemporalStart, &d.TemporalEnd, "dataset.temporal", path, from+"/"+to)
	}
	places, path := pick(p, []at{{"spatial", source.Loose(p.Spatial)}, {"spatial_text", p.SpatialText}}, "spatial", "spatial_text", "spatial_uri")
	b.Spatial(path, places)
	if v, _ := source.Line(string(p.Version)); v != "" && len(v) <= 100 {
		b.Dataset().Version = v
		b.Remark("dataset.version", "version", "", "")
	}
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
