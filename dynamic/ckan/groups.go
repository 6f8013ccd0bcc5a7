package ckan

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// organization is an institution.
type organization struct {
	ID             string        `json:"id"`
	Name           string        `json:"name"`
	Title          string        `json:"title"`
	DisplayName    string        `json:"display_name"`
	TitleI18n      catalog.Texts `json:"title_translated,omitempty"`
	Type           string        `json:"type"`
	Description    string        `json:"description"`
	ImageURL       string        `json:"image_url"`
	ImageDisplay   string        `json:"image_display_url"`
	URL            string        `json:"url,omitempty"`
	Created        *string       `json:"created"`
	IsOrganization bool          `json:"is_organization"`
	ApprovalStatus string        `json:"approval_status"`
	State          string        `json:"state"`
	PackageCount   *int          `json:"package_count,omitempty"`
	Packages       []*pack       `json:"packages,omitempty"`
}

func newOrganization(i *catalog.Institution) *organization {
	created := i.CreatedAt.UTC().Format("2006-01-02T15:04:05.000000")
	return &organization{ID: i.ID, Name: i.Key, Title: i.Name, DisplayName: i.Name, TitleI18n: several(i.Names), Type: "organization", URL: i.HomepageURL,
		Created: &created, IsOrganization: true, ApprovalStatus: "approved", State: active}
}

// group is a data theme of the EU.
type group struct {
	ID             string  `json:"id"`
	Name           string  `json:"name"`
	Title          string  `json:"title"`
	DisplayName    string  `json:"display_name"`
	Type           string  `json:"type"`
	Description    string  `json:"description"`
	ImageDisplay   string  `json:"image_display_url"`
	IsOrganization bool    `json:"is_organization"`
	State          string  `json:"state"`
	PackageCount   *int    `json:"package_count,omitempty"`
	Packages       []*pack `json:"packages,omitempty"`
}

// themes are the titles of the data themes (EU Publications Office, "data-theme").
var themes = map[string]string{
	"AGRI": "Agriculture, fisheries, forestry and food", "ECON": "Economy and finance", "EDUC": "Education, culture and sport", "ENER": "Energy",
	"ENVI": "Environment", "GOVE": "Government and public sector", "HEAL": "Health", "INTR": "International issues", "JUST": "Justice, legal system and public safety",
	"OP_DATPRO": "Provisional data", "REGI": "Regions and cities", "SOCI": "Population and society", "TECH": "Science and technology", "TRAN": "Transport",
}

func newGroup(code string) group {
	title := cmp.Or(themes[code], code)
	return group{ID: catalog.NewID("theme", code), Name: strings.ToLower(code), Title: title, DisplayName: title, Type: "group", State: active}
}

// counted is a group of any kind that a list shows.
type counted struct {
	name, title string
	count       int
	whole       func(count int) any
}

// counts are those of a dimension over the listed entries.
func (c *call) counts(dimension string) ([]snapshot.Count, error) {
	found, err := c.s.Select(c.r.Context(), &query.Selection{Facets: unlimited})
	if err != nil {
		return nil, err
	}
	return facetOf(&found.Facets, dimension), nil
}

// organizationList answers the institutions.
func organizationList(c *call) (any, error) {
	counts, err := c.counts("institution_id")
	if err != nil {
		return nil, err
	}
	var list []counted
	for _, n := range counts {
		if i := c.s.Institutions[n.Value]; i != nil {
			list = append(list, counted{i.Key, i.Name, n.Count, func(count int) any {
				o := newOrganization(i)
				o.PackageCount = &count
				return o
			}})
		}
	}
	return c.list(list, "organizations")
}

// groupList answers the themes.
func groupList(c *call) (any, error) {
	counts, err := c.counts("theme")
	if err != nil {
		return nil, err
	}
	var list []counted
	for _, n := range counts {
		list = append(list, counted{strings.ToLower(n.Value), cmp.Or(themes[n.Value], n.Value), n.Count, func(count int) any {
			g := newGroup(n.Value)
			g.PackageCount = &count
			return g
		}})
	}
	return c.list(list, "groups")
}

// list orders and cuts a list of groups by the parameters.
func (c *call) list(list []counted, only string) (any, error) {
	field, direction, _ := strings.Cut(strings.TrimSpace(cmp.Or(c.get("sort"), c.get("order_by"), "title")), " ")
	orders := map[string]func(a, b counted) int{
		"name": func(a, b counted) int { return cmp.Compare(a.name, b.name) }, "title": func(a, b counted) int { return cmp.Compare(a.title, b.title) },
		"package_count": func(a, b counted) int { return cmp.Compare(a.count, b.count) }, "packages": func(a, b counted) int { return cmp.Compare(b.count, a.count) }}
	order := orders[field]
	if order == nil {
		return nil, invalid("sort", "Cannot sort by field `"+field+"`")
	}
	if names := texts(c.get(only)); len(names) > 0 {
		list = slices.DeleteFunc(list, func(x counted) bool { return !slices.Contains(names, x.name) })
	}
	slices.SortFunc(list, func(a, b counted) int {
		r := order(a, b)
		if strings.EqualFold(direction, "desc") {
			r = -r
		}
		return cmp.Or(r, cmp.Compare(a.name, b.name))
	})
	from := min(c.number("offset", 0), len(list))
	out := []any{}
	for _, x := range list[from:min(from+c.amount("limit", wire.CKANNamesMax, wire.CKANNamesMax), len(list))] {
		if c.yes("all_fields") {
			out = append(out, x.whole(x.count))
		} else {
			out = append(out, x.name)
		}
	}
	return out, nil
}

// shown are the packages of a group, if they are asked for, and how many there are.
func (c *call) shown(dimension, value string) (packs []*pack, count *int, err error) {
	found, err := c.s.Select(c.r.Context(), &query.Selection{Where: query.Has(dimension, func(v string) bool { return v == value }), Limit: 1000})
	if err != nil {
		return nil, nil, err
	}
	if c.yes("include_datasets") {
		packs, err = c.packages(found.Lines)
	}
	return packs, &found.Total, err
}

// organizationShow answers one institution.
func organizationShow(c *call) (any, error) {
	i := c.institution(c.get("id"))
	if i == nil {
		return nil, notFound("Not found")
	}
	o := newOrganization(i)
	var err error
	o.Packages, o.PackageCount, err = c.shown("institution_id", i.ID)
	return o, err
}

// institution finds one by id or key; those that no entry has are none.
func (c *call) institution(name string) *catalog.Institution {
	if i := c.s.Institutions[name]; i != nil {
		return i
	}
	for _, i := range c.s.Institutions {
		if i.Key == name {
			return i
		}
	}
	return nil
}

// groupShow answers one theme.
func groupShow(c *call) (any, error) {
	id := c.get("id")
	for _, code := range slices.Sorted(maps.Keys(themes)) {
		g := newGroup(code)
		if g.ID != id && g.Name != strings.ToLower(id) {
			continue
		}
		var err error
		g.Packages, g.PackageCount, err = c.shown("theme", code)
		return g, err
	}
	return nil, notFound("Not found")
}

// tagList answers the tags.
func tagList(c *call) (any, error) {
	if c.get("vocabulary_id") != "" {
		return nil, notFound("could not find vocabulary \"" + c.get("vocabulary_id") + "\"")
	}
	counts, err := c.counts("tags")
	if err != nil {
		return nil, err
	}
	part := strings.ToLower(c.get("query"))
	var names []string
	for _, n := range counts {
		if strings.Contains(strings.ToLower(n.Value), part) {
			names = append(names, n.Value)
		}
	}
	slices.Sort(names)
	out := []any{}
	for _, n := range names {
		if c.yes("all_fields") {
			out = append(out, newTag(n))
		} else {
			out = append(out, n)
		}
	}
	return out, nil
}

// tagShow answers one tag.
func tagShow(c *call) (any, error) {
	counts, err := c.counts("tags")
	if err != nil {
		return nil, err
	}
	for _, n := range counts {
		if t := newTag(n.Value); t.Name == c.get("id") || t.ID == c.get("id") {
			packs, _, err := c.shown("tags", t.Name)
			return struct {
				tag
				Packages []*pack `json:"packages,omitempty"`
			}{t, packs}, err
		}
	}
	return nil, notFound("Not found")
}

// licence is one that an entry has (license_list).
type licence struct {
	ID            string `json:"id"`
	Title         string `json:"title"`
	URL           string `json:"url"`
	Status        string `json:"status"`
	Family        string `json:"family"`
	IsOKD         bool   `json:"is_okd_compliant"`
	ODConformance string `json:"od_conformance"`
	IsGeneric     bool   `json:"is_generic"`
	DomainData    bool   `json:"domain_data"`
}

// licenseList answers the licences.
func licenseList(c *call) (any, error) {
	counts, err := c.counts("license")
	if err != nil {
		return nil, err
	}
	out := []licence{}
	for _, n := range counts {
		x := licence{ID: n.Value, Title: n.Value, Status: active, DomainData: true, ODConformance: "not reviewed"}
		if l := c.s.Licences[n.Value]; l != nil {
			x.Title, x.URL, x.IsOKD = l.Title, l.URL, l.Open == catalog.RightYes
			if x.IsOKD {
				x.ODConformance = "approved"
			}
		}
		out = append(out, x)
	}
	slices.SortFunc(out, func(a, b licence) int { return cmp.Compare(a.Title, b.Title) })
	return out, nil
}

// statusShow answers what the portal is.
func statusShow(c *call) (any, error) {
	return map[string]any{"ckan_version": version, "site_url": strings.TrimSuffix(c.s.Site.BaseURL, "/") + "/api/v1/ckan", "site_title": c.s.Site.Name,
		"site_description": "The register of official public-sector APIs, datasets and MCP servers as a CKAN portal.", "error_emails_to": nil,
		"locale_default": "en", "extensions": []string{}, "snapshot": c.s.ID, "as_of": c.s.AsOf.Format(time.RFC3339)}, nil
}
