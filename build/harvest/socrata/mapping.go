package socrata

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// dataTypes are the types of results that are data: tables, uploaded files and
// links to data elsewhere. The others show data of a dataset that is listed
// itself (chart, map, filter, calendar, story, measure, visualization, form).
var dataTypes = []string{"dataset", "file", "href", "federated_href", "link"}

// refuse says why a result does not become an entry.
func refuse(r *record) *source.Rejection {
	name, _ := source.Line(string(r.Resource.Name))
	switch t := strings.ToLower(string(r.Resource.Type)); {
	case name == "":
		return &source.Rejection{Code: source.CodeMissingName, Reason: "the result has no name", Remedy: "give the dataset a name"}
	case r.Resource.Hidden:
		return &source.Rejection{Code: source.CodeHidden, Reason: name + " is hidden from the portal's data.json", Remedy: "lift hide_from_data_json"}
	case t != "" && !slices.Contains(dataTypes, t):
		return &source.Rejection{Code: source.CodeNotData, Reason: fmt.Sprintf("%s is a %s, which shows the data of a dataset", name, t),
			Remedy: "nothing to do; the dataset itself is listed"}
	case r.Resource.Obsolete:
		return &source.Rejection{Code: source.CodeDeleted, Reason: name + " is marked as obsolete", Remedy: "nothing to do"}
	case source.TestName(name):
		return &source.Rejection{Code: source.CodeTest, Reason: name + " is there to try something out", Remedy: "remove the dataset"}
	case draftName(name):
		return &source.Rejection{Code: source.CodeDraft, Reason: name + " is marked as a draft by its name", Remedy: "rename it when it is done"}
	}
	return nil
}

// draftName tells that a name begins or ends with the mark of a draft.
func draftName(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune(" -_[](){}:.,", r) })
	return len(words) > 0 && (words[0] == "draft" && strings.ContainsAny(name, "[(:-_") || words[len(words)-1] == "draft")
}

func (m *mapper) draft(r *record, place, seed string) (source.Draft, *source.Rejection) {
	host := m.host(r)
	b := source.NewBuilder(m.in, place, seed, "https://"+host)
	b.DefaultLang = m.in.Language()
	e := &b.Draft.Entry
	e.Type = catalog.TypeDataset
	b.Inherit("type", "of this catalogue only datasets are taken")
	b.Country()
	b.Identify(host, Kind, "resource.id", string(r.Resource.ID))
	bad := refuse(r)
	if bad == nil {
		b.Names("resource.name", source.Text{Value: string(r.Resource.Name)})
		bad = m.pages(b, r, host)
	}
	if bad != nil {
		bad.UpstreamRef = e.UpstreamRef
		return source.Draft{}, bad
	}
	b.Descriptions("resource.description", source.Text{Value: string(r.Resource.Description)})
	c := &r.Classification
	words := append(append(slices.Clone(c.DomainTags), c.Tags...), string(c.DomainCategory))
	b.Terms("classification.domain_tags, .tags", "", append(slices.Clone(c.DomainTags), c.Tags...)...)
	b.AccessRights("classification.domain_metadata", r.own("common-core_public-access-level", "public-access-level"))
	b.Tags("classification.domain_tags, .tags, .domain_category", words...)
	b.Themes("classification.domain_category", string(c.DomainCategory))
	m.publisher(b, r, host)
	b.Licence("metadata.license", string(r.Metadata.License))
	m.files(b, r, host)
	issued, issuedPath := string(r.Resource.PublicationDate), "resource.publication_date"
	if issued == "" {
		issued, issuedPath = string(r.Resource.CreatedAt), "resource.createdAt"
	}
	modified, modifiedPath := string(r.Resource.DataUpdatedAt), "resource.data_updated_at"
	if modified == "" {
		modified, modifiedPath = string(r.Resource.UpdatedAt), "resource.updatedAt"
	}
	b.Dates(issuedPath, issued, modifiedPath, modified)
	m.own(b, r)
	return b.Done(), nil
}

// pages maps the addresses: the permalink stays when a dataset is renamed.
func (m *mapper) pages(b *source.Builder, r *record, host string) *source.Rejection {
	e := &b.Draft.Entry
	b.URL(&b.Dataset().LandingPage, "dataset.landing_page", "link", string(r.Link))
	permalink := string(r.Permalink)
	if permalink == "" && r.Resource.ID != "" {
		permalink = "https://" + host + "/d/" + string(r.Resource.ID)
	}
	for _, u := range []struct{ raw, from string }{{permalink, "permalink"}, {e.Dataset.LandingPage, "link"}} {
		if fixed, _, err := (source.URLRules{AllowPrivate: m.in.AllowPrivate}).Repair("primary_source_url", u.raw); err == nil {
			e.PrimarySourceURL = fixed
			b.Compute("primary_source_url", u.from, "the address that stays when the dataset is renamed", "")
			return nil
		}
	}
	return &source.Rejection{Code: source.CodeBadURL, Reason: fmt.Sprintf("no address of %s can be used", e.Name),
		Remedy: "give a permalink on the public internet"}
}

func (m *mapper) publisher(b *source.Builder, r *record, host string) {
	if entity := r.field("nombredelaentidad", "nombreentidad"); entity != "" {
		b.Publisher("classification.domain_metadata", entity, "")
	} else if r.Resource.Attribution != "" {
		b.Publisher("resource.attribution", string(r.Resource.Attribution), string(r.Resource.AttributionLink))
	} else if agency := r.agency(); agency != "" {
		b.Publisher("classification.domain_metadata", agency, "")
	}
	if r.Resource.Provenance == "community" {
		b.Draft.Entry.ThirdParty = true
		b.Remark("third_party", "resource.provenance", "community: published by a user of the portal", "")
	}
	mail := string(r.Resource.ContactEmail)
	path := "resource.contact_email"
	if mail == "" {
		mail, path = cmp.Or(r.own("common-core_contact-email", "contributing-agency_contact-email"), r.field("contactemail")), "classification.domain_metadata"
	}
	b.ContactOf(path, cmp.Or(r.own("common-core_contact-name"), r.field("contactname", "contactperson")), "", mail)
	if host != "" && b.Draft.PublisherURL == "" {
		b.Draft.PublisherURL = "https://" + host
	}
}

// files makes the addresses at which the platform gives any table; an uploaded
// file or a link has its page only.
func (m *mapper) files(b *source.Builder, r *record, host string) {
	id := string(r.Resource.ID)
	tabular := strings.EqualFold(string(r.Resource.Type), "dataset") && (r.Resource.ViewType == "" || r.Resource.ViewType == "tabular" || r.Resource.ViewType == "geo")
	if !tabular || len(r.Resource.ColumnTypes) == 0 || id == "" {
		b.Files(source.FilePaths{List: "permalink", URL: "permalink", Format: "resource.blob_mime_type"},
			[]source.File{{Title: string(r.Resource.Name), AccessURL: b.Draft.Entry.PrimarySourceURL, Formats: []string{string(r.Resource.BlobMimeType)},
				MediaType: string(r.Resource.BlobMimeType)}})
		return
	}
	root := "https://" + host
	files := []source.File{
		{Title: "CSV", DownloadURL: root + "/api/views/" + id + "/rows.csv?accessType=DOWNLOAD", Formats: []string{"CSV"}, MediaType: "text/csv"},
		{Title: "JSON", DownloadURL: root + "/resource/" + id + ".json", Formats: []string{"JSON"}, MediaType: "application/json"},
	}
	if slices.ContainsFunc(r.Resource.ColumnTypes, geometric) {
		files = append(files, source.File{Title: "GeoJSON", DownloadURL: root + "/resource/" + id + ".geojson", Formats: []string{"GEOJSON"}, MediaType: "application/geo+json"})
	}
	b.Files(source.FilePaths{List: "resource.id", URL: "resource.id", Format: "resource.columns_datatype"}, files)
	rows := b.Draft.Rows
	for i := range rows {
		if rows[i].Field == "dataset.distributions" || rows[i].Field == "formats" {
			rows[i].Basis, rows[i].Transform = catalog.BasisComputed, "the addresses at which the platform gives every table"
		}
	}
}

func geometric(column string) bool {
	switch strings.ToLower(column) {
	case "point", "multipoint", "line", "multiline", "polygon", "multipolygon", "location":
		return true
	}
	return false
}

// own maps the fields that single portals add.
func (m *mapper) own(b *source.Builder, r *record) {
	for i := range r.Classification.DomainMetadata {
		p := &r.Classification.DomainMetadata[i]
		key := strings.ToLower(string(p.Key))
		if !strings.Contains(key, "frequency") && !strings.HasSuffix(key, "update-regularity") || p.Value == "" {
			continue
		}
		if b.Draft.Entry.Dataset.Frequency == "" {
			b.Frequency("classification.domain_metadata["+string(p.Key)+"]", string(p.Value))
		}
	}
	b.Spatial("classification.domain_metadata", r.own("data-set-coverage_geospatial-coverage", "dataset-information_geographic-region-name"))
}

// field is the value of the first of the portal's fields whose own name, behind
// that of its group and without what is no letter, is one of the names: portals
// of other languages write "Informacin-de-la-Entidad_Nombre-de-la-Entidad".
func (r *record) field(names ...string) string {
	for i := range r.Classification.DomainMetadata {
		p := &r.Classification.DomainMetadata[i]
		key := strings.ToLower(string(p.Key))
		key = strings.Map(func(c rune) rune {
			if c < 'a' || c > 'z' {
				return -1
			}
			return c
		}, key[strings.LastIndex(key, "_")+1:])
		if p.Value != "" && slices.Contains(names, key) {
			return string(p.Value)
		}
	}
	return ""
}

// agency is the body that the portal's own fields name. Portals define these fields
// themselves, in groups of their own, so the last part of a key tells what it is.
func (r *record) agency() string {
	if known := r.own("dataset-information_agency", "contributing-agency_agency-name", "common-core_publisher"); known != "" {
		return known
	}
	return r.field("publisher", "agency", "agencyname", "departmentagency", "ownerdepartment", "department", "departmentname", "dataowner")
}

// own is the value of the first of the portal's fields that is not empty.
func (r *record) own(keys ...string) string {
	for _, want := range keys {
		for i := range r.Classification.DomainMetadata {
			if p := &r.Classification.DomainMetadata[i]; strings.EqualFold(string(p.Key), want) && p.Value != "" {
				return string(p.Value)
			}
		}
	}
	return ""
}
