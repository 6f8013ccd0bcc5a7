package dcatus

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/dcat"
	"github.com/assay-register/assay/render/snapshot"
)

// resource is what datasets and services of version 3.0 have in common. The maps have the
// texts in all languages of the source.
type resource struct {
	Type            string        `json:"@type"`
	ID              string        `json:"@id"`
	Identifier      identifier    `json:"identifier"`
	OtherIdentifier []identifier  `json:"otherIdentifier,omitempty"`
	Title           string        `json:"title"`
	TitleMap        catalog.Texts `json:"titleMap,omitempty"`
	Description     string        `json:"description"`
	DescriptionMap  catalog.Texts `json:"descriptionMap,omitempty"`
	Keyword         []string      `json:"keyword,omitempty"`
	KeywordMap      catalog.Terms `json:"keywordMap,omitempty"`
	Theme           []concept     `json:"theme,omitempty"`
	Issued          string        `json:"issued,omitempty"`
	Modified        string        `json:"modified,omitempty"`
	Publisher       *agent        `json:"publisher"`
	ContactPoint    []kind        `json:"contactPoint"`
	LandingPage     *page         `json:"landingPage,omitempty"`
	Page            []page        `json:"page,omitempty"`
	ConformsTo      []standard    `json:"conformsTo,omitempty"`
	Language        []string      `json:"language,omitempty"`
	Spatial         []location    `json:"spatial,omitempty"`
	Version         string        `json:"version,omitempty"`
	Status          *concept      `json:"status,omitempty"`
	// License is of services in the schema; datasets have it too, for those without a file.
	License string `json:"license,omitempty"`
}

type dataset30 struct {
	resource
	AccessRights string           `json:"accessRights,omitempty"`
	Periodicity  string           `json:"accrualPeriodicity,omitempty"`
	Temporal     []period         `json:"temporal,omitempty"`
	Distribution []distribution30 `json:"distribution,omitempty"`
}

type service30 struct {
	resource
	AccessRights *rights  `json:"accessRights,omitempty"`
	EndpointURL  []string `json:"endpointURL"`
	EndpointDesc []string `json:"endpointDescription,omitempty"`
}

type identifier struct {
	Type     string `json:"@type"`
	ID       string `json:"@id,omitempty"`
	Notation string `json:"notation,omitempty"`
}

type concept struct {
	Type     string   `json:"@type"`
	ID       string   `json:"@id"`
	Label    string   `json:"prefLabel"`
	InScheme standard `json:"inScheme"`
}

type location struct {
	Type  string `json:"@type"`
	ID    string `json:"@id,omitempty"`
	Bbox  string `json:"bbox,omitempty"`
	Label string `json:"prefLabel,omitempty"`
}

type period struct {
	Type  string `json:"@type"`
	Start string `json:"startDate,omitempty"`
	End   string `json:"endDate,omitempty"`
}

type rights struct {
	Type string `json:"@type"`
	ID   string `json:"@id"`
}

type distribution30 struct {
	Type        string   `json:"@type"`
	Title       string   `json:"title,omitempty"`
	Description string   `json:"description,omitempty"`
	AccessURL   string   `json:"accessURL,omitempty"`
	DownloadURL string   `json:"downloadURL,omitempty"`
	Format      string   `json:"format,omitempty"`
	MediaType   string   `json:"mediaType,omitempty"`
	ByteSize    string   `json:"byteSize,omitempty"`
	Modified    string   `json:"modified,omitempty"`
	License     string   `json:"license,omitempty"`
	Language    []string `json:"language,omitempty"`
}

func newResource(s *snapshot.Scored, kind, landing, version string) resource {
	e := s.Entry()
	r := resource{Type: kind, ID: iri(s), Identifier: identifier{Type: "Identifier", ID: iri(s), Notation: e.ID}, Title: cmp.Or(e.Name, e.Slug), TitleMap: e.Titles,
		Description: description(e), DescriptionMap: e.Descriptions, Keyword: tags(e), KeywordMap: e.Keywords, Theme: concepts(e.Themes), Issued: instant(e.SourceIssuedAt),
		Modified: instant(e.SourceModifiedAt), Publisher: publisher(s, "Organization"), ContactPoint: reached(s), Language: languages(e.Languages), Spatial: locations(e.Spatial()), Version: version,
		License: licence(s, e.LicenseID, e.LicenseRaw)}
	if e.UpstreamRef != "" {
		r.OtherIdentifier = append(r.OtherIdentifier, identifier{Type: "Identifier", Notation: e.UpstreamRef})
	}
	for _, id := range e.Identifiers {
		r.OtherIdentifier = append(r.OtherIdentifier, identifier{Type: "Identifier", Notation: id})
	}
	if u := cmp.Or(web(landing), web(e.HomepageURL)); u != "" {
		r.LandingPage = &page{Type: "Document", ID: u, Title: r.Title}
	}
	for _, u := range webs(e.DocsURL, e.RepoURL) {
		r.Page = append(r.Page, page{Type: "Document", ID: u, Title: r.Title})
	}
	if e.Status == catalog.StatusDeprecated {
		r.Status = &concept{"Concept", dcat.DeprecatedIRI, "Deprecated", standard{Type: "ConceptScheme", ID: strings.TrimSuffix(dcat.DeprecatedIRI, "/DEPRECATED"), Title: "Distribution status"}}
	}
	for _, c := range e.ConformsTo {
		if u := web(c); u != "" {
			r.ConformsTo = append(r.ConformsTo, standard{Type: "Standard", ID: u})
		} else {
			r.ConformsTo = append(r.ConformsTo, standard{Type: "Standard", Title: c})
		}
	}
	return r
}

func newDataset(s *snapshot.Scored) *dataset30 {
	e, details := s.Entry(), detailsOf(s.Entry())
	d := &dataset30{resource: newResource(s, "Dataset", details.LandingPage, details.Version), AccessRights: string(e.AccessRights)}
	if d.Periodicity = words[details.Frequency]; d.Periodicity == "" && durations[details.Frequency] != "" {
		d.Periodicity = "R/" + durations[details.Frequency]
	}
	if p := (period{"PeriodOfTime", dated(details.TemporalStart), dated(details.TemporalEnd)}); p.Start != "" || p.End != "" {
		d.Temporal = []period{p}
	}
	for i := range details.Distributions {
		f := &details.Distributions[i]
		x := distribution30{Type: "Distribution", Title: f.Title, Description: f.Description, AccessURL: fileWeb(f.AccessURL), DownloadURL: fileWeb(f.DownloadURL), Format: f.Format,
			MediaType: mediaType(f), Modified: instant(f.ModifiedAt), Language: languages(f.Languages),
			License: cmp.Or(licence(s, f.LicenseID, f.LicenseRaw), licence(s, e.LicenseID, e.LicenseRaw), f.LicenseRaw, e.LicenseRaw)}
		if f.ByteSize > 0 {
			x.ByteSize = strconv.FormatInt(f.ByteSize, 10)
		}
		if x.AccessURL != "" || x.DownloadURL != "" {
			d.Distribution = append(d.Distribution, x)
		}
	}
	return d
}

// newService is an API or MCP server with an address, else nil.
func newService(s *snapshot.Scored) *service30 {
	e := s.Entry()
	if dcat.Skipped(s) != "" {
		return nil
	}
	var x *service30
	switch {
	case e.API != nil && web(e.API.BaseURL) != "":
		x = &service30{resource: newResource(s, "DataService", "", e.API.Version), EndpointURL: []string{e.API.BaseURL}, EndpointDesc: webs(e.API.OpenAPIURL)}
	case e.MCP != nil && web(e.MCP.EndpointURL) != "":
		x = &service30{resource: newResource(s, "DataService", "", e.MCP.Version), EndpointURL: []string{e.MCP.EndpointURL}}
	default:
		return nil
	}
	if e.AccessRights != "" {
		x.AccessRights = &rights{"RightsStatement", dcat.AccessRightsIRI(e.AccessRights)}
	}
	return x
}

func concepts(codes []string) []concept {
	var out []concept
	for _, c := range codes {
		if label := dcat.ThemeLabel(c); label != "" {
			out = append(out, concept{"Concept", dcat.ThemeIRI(c), label, standard{Type: "ConceptScheme", ID: strings.TrimSuffix(dcat.ThemeIRI(""), "/"), Title: "EU data themes"}})
		}
	}
	return out
}

// locations are the places of an entry; a box is a polygon of GeoJSON in a text.
func locations(places []string) []location {
	var out []location
	for _, p := range places {
		b, ok := catalog.ParseBox(p)
		switch {
		case ok:
			out = append(out, location{Type: "Location", Bbox: polygon(b)})
		case web(p) != "":
			out = append(out, location{Type: "Location", ID: p})
		case p != "":
			out = append(out, location{Type: "Location", Label: p})
		}
	}
	return out
}

func polygon(b catalog.Box) string {
	at := func(x, y float64) string {
		return "[" + strconv.FormatFloat(x, 'f', -1, 64) + "," + strconv.FormatFloat(y, 'f', -1, 64) + "]"
	}
	return `{"type":"Polygon","coordinates":[[` + strings.Join([]string{at(b.West, b.South), at(b.East, b.South), at(b.East, b.North), at(b.West, b.North), at(b.West, b.South)}, ",") + `]]}`
}

// languages are the codes of two letters that the schema takes, each once.
func languages(tags []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, t := range tags {
		if first, _, _ := strings.Cut(t, "-"); len(first) == 2 && !seen[first] {
			seen[first] = true
			out = append(out, first)
		}
	}
	return out
}
