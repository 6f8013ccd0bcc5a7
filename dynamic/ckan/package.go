package ckan

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/assay-register/assay/dynamic/documents"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// pack is a package (package_show).
type pack struct {
	ID               string            `json:"id"`
	Name             string            `json:"name"`
	Title            string            `json:"title"`
	TitleTranslated  catalog.Texts     `json:"title_translated,omitempty"`
	Type             string            `json:"type"`
	State            string            `json:"state"`
	Private          bool              `json:"private"`
	Notes            string            `json:"notes"`
	NotesTranslated  catalog.Texts     `json:"notes_translated,omitempty"`
	URL              *string           `json:"url"`
	Version          *string           `json:"version"`
	Author           *string           `json:"author"`
	AuthorEmail      *string           `json:"author_email"`
	Maintainer       *string           `json:"maintainer"`
	MaintainerEmail  *string           `json:"maintainer_email"`
	LicenseID        *string           `json:"license_id"`
	LicenseTitle     *string           `json:"license_title"`
	LicenseURL       *string           `json:"license_url"`
	IsOpen           bool              `json:"isopen"`
	OwnerOrg         *string           `json:"owner_org"`
	Organization     *organization     `json:"organization"`
	MetadataCreated  *string           `json:"metadata_created"`
	MetadataModified *string           `json:"metadata_modified"`
	NumResources     int               `json:"num_resources"`
	NumTags          int               `json:"num_tags"`
	Resources        []resource        `json:"resources"`
	Tags             []tag             `json:"tags"`
	Groups           []group           `json:"groups"`
	Documentation    []string          `json:"documentation,omitempty"`
	Extras           []extra           `json:"extras"`
	Subjects         []json.RawMessage `json:"relationships_as_subject"`
	Objects          []json.RawMessage `json:"relationships_as_object"`
}

type tag struct {
	ID           string  `json:"id"`
	Name         string  `json:"name"`
	DisplayName  string  `json:"display_name"`
	State        string  `json:"state"`
	VocabularyID *string `json:"vocabulary_id"`
}

// extra is a member that CKAN has no field for; the names are those of ckanext-dcat where
// it has one.
type extra struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

const active = "active"

// packageTypes are the types of packages by those of entries. A dataset of CKAN is one; the
// others have words of their own, as extensions have.
var packageTypes = map[catalog.EntryType]string{catalog.TypeDataset: "dataset", catalog.TypeAPI: "dataservice", catalog.TypeMCPServer: "mcp-server"}

// newPackage makes the package of an entry.
func newPackage(site snapshot.Site, institutions map[string]*catalog.Institution, e *documents.Record) *pack {
	p := &pack{ID: e.ID, Name: e.Slug, Title: e.Name, TitleTranslated: several(e.Titles), Type: packageTypes[e.Type], State: active,
		Notes: text(e.Description), NotesTranslated: several(e.Descriptions), URL: e.HomepageURL,
		MetadataCreated: stamp(e.CreatedAt), MetadataModified: stamp(e.UpdatedAt),
		Resources: resources(e), Tags: []tag{}, Groups: []group{}, Subjects: []json.RawMessage{}, Objects: []json.RawMessage{}}
	for _, t := range e.Tags {
		p.Tags = append(p.Tags, newTag(t))
	}
	for _, t := range e.Themes {
		p.Groups = append(p.Groups, newGroup(t))
	}
	p.NumResources, p.NumTags = len(p.Resources), len(p.Tags)
	if e.License != nil {
		p.LicenseID, p.LicenseTitle, p.LicenseURL, p.IsOpen = &e.License.ID, filled(e.License.Title), e.License.URL, e.License.Open == "yes"
	} else if e.LicenseRaw != nil {
		// What the table does not have is no id: it is in no list of licences, and nothing finds it.
		if p.LicenseTitle = e.LicenseRaw; catalog.Host(*e.LicenseRaw) != "" {
			p.LicenseURL = e.LicenseRaw
		}
	}
	if c := e.Contact; c != nil {
		p.Maintainer, p.MaintainerEmail = c.Name, c.Email
	}
	if d := e.DatasetDetails; d != nil {
		p.Version = d.Version
	}
	if i := e.InstitutionID; i != nil && institutions[*i] != nil {
		p.OwnerOrg, p.Organization = i, newOrganization(institutions[*i])
	}
	p.Documentation, p.Extras = pair(e.DocsURL), extras(site, e)
	return p
}

// several are texts in more than one language.
func several(t catalog.Texts) catalog.Texts {
	if len(t) < 2 {
		return nil
	}
	return t
}

func newTag(name string) tag {
	return tag{ID: catalog.NewID("tag", name), Name: name, DisplayName: name, State: active}
}

// extras are what CKAN has no fields for.
func extras(site snapshot.Site, e *documents.Record) []extra {
	out := []extra{}
	add := func(key, value string) {
		if value != "" {
			out = append(out, extra{key, value})
		}
	}
	list := func(key string, values []string) {
		if len(values) > 0 {
			if b, err := json.Marshal(values); err == nil {
				add(key, string(b))
			}
		}
	}
	add("issued", text(e.SourceIssuedAt))
	add("modified", text(e.SourceModifiedAt))
	if p := e.Publisher; p != nil {
		add("publisher_name", p.Name)
		add("publisher_uri", text(p.IRI))
		add("publisher_type", text(p.Type))
	}
	if c := e.Contact; c != nil {
		add("contact_name", text(c.Name))
		add("contact_email", text(c.Email))
		add("contact_uri", text(c.URL))
	}
	if e.AccessRights != nil {
		add("access_rights", string(*e.AccessRights))
	}
	coverage(add, list, e)
	list("theme", e.Themes)
	list("hvd_category", e.HVDCategories)
	list("language", e.Languages)
	list("conforms_to", e.ConformsTo)
	list("alternate_identifier", e.Identifiers)
	verdicts(add, site, e)
	return out
}

func coverage(add func(key, value string), list func(key string, values []string), e *documents.Record) {
	switch {
	case e.DatasetDetails != nil:
		d := e.DatasetDetails
		add("frequency", text(d.Frequency))
		add("temporal_start", text(d.TemporalStart))
		add("temporal_end", text(d.TemporalEnd))
		places(add, list, d.Spatial)
	case e.APIDetails != nil:
		add("frequency", text(e.APIDetails.Frequency))
		places(add, list, e.APIDetails.Spatial)
	}
}

// places tells one place as a text, several as a list, of which CKAN's readers take the
// first.
func places(add func(key, value string), list func(key string, values []string), stated []string) {
	if len(stated) > 0 {
		add("spatial_text", stated[0])
	}
	for _, p := range stated {
		if polygon := asPolygon(p); polygon != "" {
			add("spatial", polygon)
			break
		}
	}
	list("spatial_uri", stated)
}

// asPolygon is a box of west,south,east,north as GeoJSON, "" for what is none.
func asPolygon(place string) string {
	parts := strings.Split(place, ",")
	if len(parts) != 4 {
		return ""
	}
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
		if _, err := strconv.ParseFloat(parts[i], 64); err != nil {
			return ""
		}
	}
	w, s, e, n := parts[0], parts[1], parts[2], parts[3]
	at := func(x, y string) string { return "[" + x + "," + y + "]" }
	return `{"type":"Polygon","coordinates":[[` + strings.Join([]string{at(w, s), at(e, s), at(e, n), at(w, n), at(w, s)}, ",") + `]]}`
}

// verdicts are what the register itself says, and its filters by their names.
func verdicts(add func(key, value string), site snapshot.Site, e *documents.Record) {
	add("register_page", strings.TrimSuffix(site.BaseURL, "/")+"/entry/"+e.Slug)
	add("primary_source_url", text(e.PrimarySourceURL))
	add("repo_url", text(e.RepoURL))
	add("entry_type", string(e.Type))
	add("country_code", text(e.CountryCode))
	add("lang", text(e.NativeLang))
	add("verification_state", string(e.VerificationState))
	add("free_access_class", string(e.FreeAccessClass))
	add("auth_type", string(e.AuthType))
	add("mqa_tier", string(e.MQATier))
	add("mqa_score", strconv.FormatFloat(e.MQAScore, 'f', -1, 64))
	add("is_public_sector", strconv.FormatBool(e.IsPublicSector))
	if e.OfficialConfidence != nil {
		add("official_confidence", strconv.Itoa(*e.OfficialConfidence))
	}
}

// stamp is a time as CKAN writes it: UTC without a zone.
func stamp(t *string) *string {
	if t == nil {
		return nil
	}
	s := strings.TrimSuffix(*t, "Z")
	if !strings.Contains(s, ".") {
		s += ".000000"
	}
	return &s
}

func pair(s *string) []string {
	if s == nil {
		return nil
	}
	return []string{*s}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func filled(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// read makes the package of an entry by its id.
func (c *call) read(id string) (*pack, *documents.Record, error) {
	e, err := c.documents.Record(c.s, id)
	if err != nil {
		return nil, nil, err
	}
	return newPackage(c.s.Site, c.s.Institutions, e), e, nil
}

// packages makes those of lines; an entry that left since the snapshot is left out.
func (c *call) packages(lines []*snapshot.Line) ([]*pack, error) {
	out := make([]*pack, 0, len(lines))
	for _, l := range lines {
		if err := c.r.Context().Err(); err != nil {
			return nil, err
		}
		p, _, err := c.read(l.ID)
		if gone(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// packageShow answers one package.
func packageShow(c *call) (any, error) {
	place := c.s.Find(c.get("id"))
	if place.ID == "" {
		return nil, notFound("Not found")
	}
	p, _, err := c.read(place.ID)
	return p, err
}
