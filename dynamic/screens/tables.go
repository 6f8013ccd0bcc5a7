package screens

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/wire"
)

// sources are those of the register, with what the form begins with.
type sources struct {
	*wire.AdminSourcesPage
	Form form
}

// bodies are institutions of the register, with what the form begins with.
type bodies struct {
	*wire.AdminInstitutionsPage
	Form form
}

// form is what the fields of a form begin with. Shown tells that it is what the register
// has: a field that is emptied then says so.
type form struct {
	Values map[string]string
	Ticked map[string]bool
	Shown  bool
}

// loadSources lists the sources; the form begins with the one that is asked for.
func loadSources(c *Config, r *http.Request) (any, *problem, error) {
	page, p, err := get[wire.AdminSourcesPage](c, r, admin+"/sources", nil)
	if p != nil || err != nil {
		return nil, p, err
	}
	out := &sources{page, form{Ticked: map[string]bool{"enabled": true}}}
	for i := range page.Items {
		if s := &page.Items[i]; s.Key != nil && *s.Key == r.URL.Query().Get("key") && !s.Configured {
			out.Form = sourceForm(s)
		}
	}
	return out, nil, nil
}

func sourceForm(s *wire.AdminSource) form {
	var filters []string
	for _, name := range slices.Sorted(maps.Keys(s.Filters)) {
		filters = append(filters, name+"="+s.Filters[name])
	}
	return form{Shown: true, Ticked: map[string]bool{"enabled": s.Enabled, "incremental": s.Incremental, "portal": s.Portal},
		Values: map[string]string{"key": or(s.Key), "title": s.Title, "kind": s.Kind, "url": or(s.URL), "endpoint": or(s.Endpoint), "country_code": or(s.CountryCode),
			"default_institution": or(s.DefaultInstitution), "schedule": or(s.Schedule), "filters": strings.Join(filters, "\n"), "institution_id": or(s.InstitutionID), "official": or(s.Official)}}
}

// loadInstitutions lists institutions; the form begins with the one that is asked for.
func loadInstitutions(c *Config, r *http.Request) (any, *problem, error) {
	list, p, err := load[wire.AdminInstitutionsPage](admin+"/institutions", "cursor", "limit", "q")(c, r)
	if p != nil || err != nil {
		return nil, p, err
	}
	out := new(bodies)
	out.AdminInstitutionsPage, _ = list.(*wire.AdminInstitutionsPage)
	id := r.URL.Query().Get("id")
	if id == "" {
		return out, nil, nil
	}
	found, p, err := get[wire.AdminInstitutionsPage](c, r, admin+"/institutions", url.Values{"q": {id}})
	if p != nil || err != nil {
		return nil, p, err
	}
	for i := range found.Items {
		if x := &found.Items[i]; x.ID == id {
			out.Form = institutionForm(x)
		}
	}
	return out, nil, nil
}

func institutionForm(i *wire.AdminInstitution) form {
	kind := ""
	if i.Type != nil {
		kind = string(*i.Type)
	}
	return form{Shown: true, Values: map[string]string{"key": i.Key, "name": i.Name, "name_en": or(i.NameEn), "native_lang": or(i.NativeLang), "country_code": or(i.CountryCode),
		"type": kind, "homepage_url": or(i.HomepageURL), "official_domains": joined(i.OfficialDomains), "github_orgs": joined(i.GithubOrgs), "aliases": strings.Join(i.Aliases, "\n"),
		"parent": or(i.ParentID), "merged_into": or(i.MergedIntoID)}}
}

// or is a text that may be missing.
func or(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
