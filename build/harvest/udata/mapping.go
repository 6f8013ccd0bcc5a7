package udata

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// refuse says why a record does not become an entry.
func refuse(r *record, kind string) *source.Rejection {
	title, _ := source.Line(string(r.Title))
	switch {
	case title == "":
		return &source.Rejection{Code: source.CodeMissingName, Reason: "the record has no title", Remedy: "give a dataset or dataservice of the API"}
	case r.Deleted != "" || r.DeletedAt != "":
		return &source.Rejection{Code: source.CodeDeleted, Reason: "the portal marks the " + kind + " as deleted: " + title, Remedy: "nothing to do"}
	case r.Archived != "" || r.ArchivedAt != "":
		return &source.Rejection{Code: source.CodeDeleted, Reason: "the portal marks the " + kind + " as archived: " + title, Remedy: "nothing to do"}
	case r.Private:
		return &source.Rejection{Code: source.CodePrivate, Reason: "the portal marks the " + kind + " as private: " + title, Remedy: "publish it"}
	case source.TestName(title):
		return &source.Rejection{Code: source.CodeTest, Reason: title + " is there to try something out", Remedy: "delete it"}
	}
	return nil
}

// pages maps the addresses. The primary one of a dataset is its page in the
// portal, which it alone has; that of a dataservice its endpoint.
func (m *mapper) pages(b *source.Builder, r *record, path string) *source.Rejection {
	e := &b.Draft.Entry
	page, from := string(r.Page), "page"
	if page == "" {
		page, from = string(r.WebURL), "self_web_url"
	}
	if handle := r.Slug; page == "" && m.base != "" && handle+r.ID != "" {
		if handle == "" {
			handle = r.ID
		}
		page, from = m.base+"/"+path+"/"+url.PathEscape(string(handle))+"/", "slug"
	}
	if r.Harvest != nil {
		b.URL(&e.HomepageURL, "homepage_url", "harvest.remote_url", string(r.Harvest.RemoteURL))
	}
	if path == "dataservices" {
		return m.endpoint(b, r, page, from)
	}
	if d := b.Dataset(); from == "slug" {
		d.LandingPage = page
		b.Compute("dataset.landing_page", from, "the dataset's page in the portal", "")
	} else {
		b.URL(&d.LandingPage, "dataset.landing_page", from, page)
	}
	for _, u := range []string{e.Dataset.LandingPage, e.HomepageURL} {
		if u != "" {
			e.PrimarySourceURL = u
			b.Compute("primary_source_url", from, "the dataset's page in the portal, else at its origin", "")
			return nil
		}
	}
	return missing(e.Name)
}

func missing(name string) *source.Rejection {
	return &source.Rejection{Code: source.CodeMissingURL, Reason: name + " has no address",
		Remedy: "give the address of the portal: url of the source, or --url beside --file"}
}

// endpoint maps the addresses of a dataservice.
func (m *mapper) endpoint(b *source.Builder, r *record, page, from string) *source.Rejection {
	e := &b.Draft.Entry
	e.API = &catalog.APIDetails{}
	b.URL(&e.API.BaseURL, "api.base_url", "base_api_url", string(r.BaseAPIURL))
	for _, doc := range []struct {
		path string
		raw  source.Loose
	}{{"machine_documentation_url", r.MachineDoc}, {"endpoint_description_url", r.EndpointDesc}} {
		if doc.raw != "" && e.API.OpenAPIURL == "" {
			m.description(b, doc.path, string(doc.raw))
		}
	}
	for _, doc := range []struct {
		path string
		raw  source.Loose
	}{{"technical_documentation_url", r.TechnicalDoc}, {"business_documentation_url", r.BusinessDoc}} {
		if e.DocsURL == "" {
			b.URL(&e.DocsURL, "docs_url", doc.path, string(doc.raw))
		}
	}
	if e.HomepageURL == "" {
		b.URL(&e.HomepageURL, "homepage_url", from, page)
	}
	for _, u := range []struct{ url, from string }{{e.API.BaseURL, "base_api_url"}, {e.API.OpenAPIURL, "machine_documentation_url"},
		{e.DocsURL, "technical_documentation_url"}, {e.HomepageURL, from}} {
		if u.url != "" {
			e.PrimarySourceURL = u.url
			b.Compute("primary_source_url", u.from, "the first of endpoint, description, documentation, page", "")
			return nil
		}
	}
	return missing(e.Name)
}

// description files the description for machines: the field is defined as that
// of an OpenAPI file, but people put a WSDL or a service's capabilities there.
func (m *mapper) description(b *source.Builder, path, raw string) {
	e := &b.Draft.Entry
	switch format := source.SpecFormat(raw); format {
	case "", "openapi", "swagger":
		if b.URL(&e.API.OpenAPIURL, "api.openapi_url", path, raw) {
			e.API.SpecFormat = "openapi"
			b.Compute("api.spec_format", path, "the portal defines this link as the OpenAPI description", "")
		}
	default:
		e.API.SpecFormat = format
		b.Compute("api.spec_format", path, "read off the address", "")
	}
}

// siren is the number of the organisation in the French register of companies,
// the first nine digits of the number of its establishment.
func (o *organisation) siren() []string {
	const establishment, company = 14, 9
	n := string(o.Number)
	if len(n) != establishment || strings.Trim(n, "0123456789") != "" {
		return nil
	}
	return []string{"urn:siren:" + n[:company]}
}

func (m *mapper) publisher(b *source.Builder, r *record) {
	if o := r.Organization; o != nil {
		agent := catalog.Agent{HomepageURL: string(o.URL), Identifiers: o.siren()}
		if number := string(o.Number); number != "" {
			agent.Identifiers = append(agent.Identifiers, number)
		}
		b.PublisherAgent("organization.name", []source.Text{{Value: string(o.Name)}}, agent)
	}
	for _, c := range append(r.ContactPoints, r.ContactPoint...) {
		if b.Draft.Entry.Contact == nil {
			b.ContactOf("contact_points[]", string(c.Name), string(c.Form), string(c.Email))
		}
	}
}

func (m *mapper) dataset(b *source.Builder, r *record) {
	b.Draft.Entry.Type = catalog.TypeDataset
	b.Compute("type", "", "the list in which the record stands", "")
	files := make([]source.File, 0, len(r.Resources))
	for i := range r.Resources {
		f := &r.Resources[i]
		file := source.File{Title: string(f.Title), AccessURL: string(f.URL), Formats: []string{string(f.Format)},
			MediaType: string(f.Mime), Modified: string(f.LastModified), Size: int64(f.FileSize)}
		if f.FileType == "file" || f.FileType == "remote" && f.Type == "main" && f.FileSize > 0 {
			file.DownloadURL = file.AccessURL
		}
		files = append(files, file)
	}
	b.Files(source.FilePaths{List: "resources[]", URL: "resources[].url", Format: "resources[].format"}, files)
	b.Frequency("frequency", string(r.Frequency))
	b.HVD("hvd_categories", r.HVD...)
	m.dates(b, r)
	m.coverage(b, r)
}

// dates takes the dates of the origin where a dataset was harvested by the
// portal.
func (m *mapper) dates(b *source.Builder, r *record) {
	issued, issuedPath := first(at{"created_at", r.CreatedAt}, at{"created_at_internal", r.CreatedInternal})
	modified, modifiedPath := first(at{"last_update", r.LastUpdate}, at{"last_modified", r.LastModified},
		at{"last_modified_internal", r.ModifiedInternal}, at{"metadata_modified_at", r.MetadataModifiedAt})
	if h := r.Harvest; h != nil {
		if v, path := first(at{"harvest.issued_at", h.IssuedAt}, at{"harvest.created_at", h.CreatedAt}); v != "" {
			issued, issuedPath = v, path
		}
		if h.ModifiedAt != "" {
			modified, modifiedPath = string(h.ModifiedAt), "harvest.modified_at"
		}
	}
	b.Dates(issuedPath, issued, modifiedPath, modified)
}

type at struct {
	path  string
	value source.Loose
}

// first is the first field that is not empty.
func first(fields ...at) (value, path string) {
	for _, f := range fields {
		if f.value != "" {
			return string(f.value), f.path
		}
	}
	return "", ""
}

// coverage maps the period, an object or a text, and the zones.
func (m *mapper) coverage(b *source.Builder, r *record) {
	var period struct {
		Start source.Loose `json:"start"`
		End   source.Loose `json:"end"`
	}
	var text string
	switch {
	case json.Unmarshal(r.TemporalCoverage, &period) == nil && period.Start+period.End != "":
		text = string(period.Start) + "/" + string(period.End)
	case json.Unmarshal(r.TemporalCoverage, &text) != nil:
		text = ""
	}
	d := b.Dataset()
	b.Period(&d.TemporalStart, &d.TemporalEnd, "dataset.temporal", "temporal_coverage", text)
	if r.Spatial == nil {
		return
	}
	var places []string
	for _, raw := range r.Spatial.Zones {
		var zone source.Loose
		if json.Unmarshal(raw, &zone) == nil {
			places = append(places, string(zone))
		}
	}
	if len(places) == 0 && len(r.Spatial.Geom) > 0 && r.Spatial.Geom[0] == '{' {
		places = append(places, string(r.Spatial.Geom))
	}
	b.Spatial("spatial.zones", places...)
}

func (m *mapper) service(b *source.Builder, r *record) {
	e := &b.Draft.Entry
	e.Type = catalog.TypeAPI
	b.Compute("type", "", "the list in which the record stands", "")
	m.access(b, r)
	if text, _ := source.Line(string(r.RateLimiting)); text != "" {
		text, _ = source.Cut(text, catalog.NameMax)
		e.API.RateLimitInfo = text
		e.Limits = []catalog.Limit{{Kind: "requests", Text: text}}
		b.Deliver("limits", "rate_limiting", "", "")
		b.Remark("api.rate_limit_info", "rate_limiting", "", "")
	}
	if format := source.SpecFormat(e.API.BaseURL); e.API.SpecFormat == "" && format != "" {
		e.API.SpecFormat = format
		b.Compute("api.spec_format", "base_api_url", "read off the address", "")
	}
	issued, issuedPath := first(at{"created_at", r.CreatedAt})
	modified, modifiedPath := first(at{"metadata_modified_at", r.MetadataModifiedAt}, at{"last_modified", r.LastModified})
	b.Dates(issuedPath, issued, modifiedPath, modified)
}

// access maps access_type. How a caller authenticates the portal says only for
// open: not at all.
func (m *mapper) access(b *source.Builder, r *record) {
	e := &b.Draft.Entry
	switch t := strings.ToLower(string(r.AccessType)); t {
	case "":
	case "open":
		e.FreeAccessClass, e.AuthType = catalog.AccessFreeNoAuth, catalog.AuthNone
		b.Remark("free_access_class", "access_type", "open: open to all", "")
		b.Compute("auth_type", "access_type", "open: open to all", "")
	case "open_with_account":
		e.FreeAccessClass = catalog.AccessFreeKey
		b.Remark("free_access_class", "access_type", "open_with_account: an account is needed", "")
	case "restricted":
		e.FreeAccessClass = catalog.AccessFreeKey
		b.Remark("free_access_class", "access_type", "restricted: an authorisation is needed", "only bodies that are entitled to it get access")
	default:
		b.Refuse("free_access_class", "access_type", "access_type is open, open_with_account or restricted")
	}
	if e.API.TermsURL == "" {
		b.URL(&e.API.TermsURL, "api.terms_url", "authorization_request_url", string(r.AuthorizationURL))
	}
}
