package ogc

import (
	"strings"

	"github.com/assay-register/assay/dynamic/documents"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// record is an entry as GeoJSON (OGC 20-004r1, "Record core").
type record struct {
	ID         string   `json:"id"`
	Type       string   `json:"type"`
	ConformsTo []string `json:"conformsTo"`
	Time       *span    `json:"time"`
	Geometry   any      `json:"geometry"`
	Properties core     `json:"properties"`
	Links      []link   `json:"links"`
}

type span struct {
	Interval [2]string `json:"interval"`
}

type core struct {
	Type        string       `json:"type"`
	Title       string       `json:"title"`
	Description *string      `json:"description,omitempty"`
	Keywords    []string     `json:"keywords,omitempty"`
	Language    *languageOf  `json:"language,omitempty"`
	Languages   []languageOf `json:"resourceLanguages,omitempty"`
	Created     *string      `json:"created,omitempty"`
	Updated     *string      `json:"updated,omitempty"`
	// Issued and modified are the source's own dates, null where it states none; created and
	// updated are those of the entry, by which records are filtered and sorted.
	Issued      *string    `json:"issued"`
	Modified    *string    `json:"modified"`
	ExternalIDs []external `json:"externalIds,omitempty"`
	Themes      []theme    `json:"themes,omitempty"`
	Formats     []format   `json:"formats,omitempty"`
	Contacts    []contact  `json:"contacts,omitempty"`
	License     string     `json:"license,omitempty"`
	Rights      string     `json:"rights,omitempty"`
	// Country, state and institution are members of the register's own, by which a filter can ask.
	Country       *string `json:"country,omitempty"`
	State         string  `json:"state"`
	InstitutionID string  `json:"institution_id,omitempty"`
}

type languageOf struct {
	Code string `json:"code"`
}

type external struct {
	Value string `json:"value"`
}

type theme struct {
	Concepts []conceptOf `json:"concepts"`
	Scheme   string      `json:"scheme"`
}

type conceptOf struct {
	ID string `json:"id"`
}

type format struct {
	Name string `json:"name"`
}

type contact struct {
	Organization string    `json:"organization,omitempty"`
	Name         *string   `json:"name,omitempty"`
	Emails       []emailOf `json:"emails,omitempty"`
	Links        []link    `json:"links,omitempty"`
	Roles        []string  `json:"roles"`
}

type emailOf struct {
	Value string `json:"value"`
}

// themeScheme is that of EU data themes.
const themeScheme = "http://publications.europa.eu/resource/authority/data-theme"

func newRecord(site snapshot.Site, l *line, e *documents.Record) *record {
	r := &record{ID: e.ID, Type: "Feature", ConformsTo: []string{recordCore}, Geometry: polygon(l.Box), Properties: core{Type: resource(e.Type), Title: e.Name, Description: e.Description,
		Keywords: e.Tags, Created: e.CreatedAt, Updated: e.UpdatedAt, Issued: e.SourceIssuedAt, Modified: e.SourceModifiedAt, InstitutionID: l.InstitutionID, Country: e.CountryCode, State: string(e.VerificationState)}}
	p := &r.Properties
	if e.NativeLang != nil {
		p.Language = &languageOf{*e.NativeLang}
	}
	for _, tag := range e.Languages {
		p.Languages = append(p.Languages, languageOf{tag})
	}
	for _, id := range e.Identifiers {
		p.ExternalIDs = append(p.ExternalIDs, external{id})
	}
	if e.UpstreamRef != nil {
		p.ExternalIDs = append(p.ExternalIDs, external{*e.UpstreamRef})
	}
	if len(e.Themes) > 0 {
		t := theme{Scheme: themeScheme}
		for _, code := range e.Themes {
			t.Concepts = append(t.Concepts, conceptOf{code})
		}
		p.Themes = []theme{t}
	}
	for _, f := range e.Formats {
		p.Formats = append(p.Formats, format{f})
	}
	p.Contacts = contacts(e)
	if e.License != nil {
		p.License = e.License.ID
	}
	if e.AccessRights != nil {
		p.Rights = string(*e.AccessRights)
	}
	if d := e.DatasetDetails; d != nil && (d.TemporalStart != nil || d.TemporalEnd != nil) {
		r.Time = &span{[2]string{end(d.TemporalStart), end(d.TemporalEnd)}}
	}
	r.Links = links(site, e)
	return r
}

// end is an end of an interval, a day where it is one.
func end(stamp *string) string {
	if stamp == nil {
		return ".."
	}
	return strings.TrimSuffix(*stamp, "T00:00:00Z")
}

func contacts(e *documents.Record) []contact {
	var out []contact
	if e.Publisher != nil {
		out = append(out, contact{Organization: e.Publisher.Name, Roles: []string{"publisher"}})
	}
	c := e.Contact
	if c == nil {
		return out
	}
	k := contact{Name: c.Name, Roles: []string{"pointOfContact"}}
	if c.Email != nil {
		k.Emails = []emailOf{{*c.Email}}
	}
	if c.URL != nil {
		k.Links = []link{{Href: *c.URL, Rel: "about"}}
	}
	if k.Name == nil && e.Publisher != nil {
		k.Organization = e.Publisher.Name
	}
	return append(out, k)
}

// links lead to the record in other forms, to the publisher's pages, and to the data.
func links(site snapshot.Site, e *documents.Record) []link {
	own := func(route, rel, media string) link {
		return link{Href: absolute(site, route), Rel: rel, Type: media}
	}
	out := []link{own(wire.RouteOGCRecords+"/items/"+e.ID, "self", wire.MediaGeoJSON), own("/entry/"+e.Slug, "alternate", "text/html"), own("/id/"+e.ID, "canonical", wire.MediaTurtle),
		own(wire.RouteOGCRecords, "collection", wire.MediaJSON)}
	add := func(href *string, rel, media, title string) {
		if href != nil && *href != "" {
			out = append(out, link{Href: *href, Rel: rel, Type: media, Title: title})
		}
	}
	if e.License != nil {
		add(e.License.URL, "license", "", e.License.Title)
	}
	add(e.HomepageURL, "about", "text/html", "")
	add(e.DocsURL, "describedby", "", "")
	switch {
	case e.DatasetDetails != nil:
		d := e.DatasetDetails
		add(d.LandingPage, "about", "text/html", "")
		for i := range d.Distributions {
			x := &d.Distributions[i]
			add(x.DownloadURL, "enclosure", text(x.MediaType), text(x.Title))
			if x.DownloadURL == nil {
				add(x.AccessURL, "related", text(x.MediaType), text(x.Title))
			}
		}
	case e.APIDetails != nil:
		add(e.APIDetails.BaseURL, "service", "", "")
		add(e.APIDetails.OpenAPIURL, "service-desc", "application/vnd.oai.openapi", "")
	case e.MCPDetails != nil:
		add(e.MCPDetails.EndpointURL, "service", "", "")
	}
	return out
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
