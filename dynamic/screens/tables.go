package screens

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-register/assay/templates/desk"
)

// loadSources lists the sources; the form begins with the one that is asked for.
func loadSources(c *Config, r *http.Request) (desk.Content, *problem, error) {
	out, p, err := get[desk.Sources](c, r, admin+"/sources", nil)
	if p != nil || err != nil {
		return nil, p, err
	}
	out.Form = desk.Form{Ticked: map[string]bool{"enabled": true}}
	for i := range out.Items {
		if s := &out.Items[i]; s.Key != "" && s.Key == r.URL.Query().Get("key") && !s.Configured {
			out.Form = sourceForm(s)
		}
	}
	return out, nil, nil
}

func sourceForm(s *desk.Source) desk.Form {
	var filters []string
	for _, name := range slices.Sorted(maps.Keys(s.Filters)) {
		filters = append(filters, name+"="+s.Filters[name])
	}
	return desk.Form{Shown: true, Ticked: map[string]bool{"enabled": s.Enabled, "incremental": s.Incremental, "portal": s.Portal},
		Values: map[string]string{"key": s.Key, "title": s.Title, "kind": s.Kind, "url": s.URL, "endpoint": s.Endpoint, "country_code": s.CountryCode,
			"default_institution": s.DefaultInstitution, "schedule": s.Schedule, "filters": strings.Join(filters, "\n"), "institution_id": s.InstitutionID, "official": s.Official}}
}

// loadInstitutions lists institutions; the form begins with the one that is asked for.
func loadInstitutions(c *Config, r *http.Request) (desk.Content, *problem, error) {
	out, p, err := read[desk.Institutions](c, r, admin+"/institutions", "cursor", "limit", "q")
	if p != nil || err != nil {
		return nil, p, err
	}
	id := r.URL.Query().Get("id")
	if id == "" {
		return out, nil, nil
	}
	found, p, err := get[desk.Institutions](c, r, admin+"/institutions", url.Values{"q": {id}})
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

func institutionForm(i *desk.Institution) desk.Form {
	return desk.Form{Shown: true, Values: map[string]string{"key": i.Key, "name": i.Name, "name_en": i.NameEn, "native_lang": i.NativeLang, "country_code": i.CountryCode,
		"type": i.Type, "homepage_url": i.HomepageURL, "official_domains": joined(i.OfficialDomains), "github_orgs": joined(i.GithubOrgs), "aliases": strings.Join(i.Aliases, "\n"),
		"parent": i.ParentID, "merged_into": i.MergedIntoID}}
}

// or is a text that may be missing.
func or(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
