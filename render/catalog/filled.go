package catalog

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// NoteFilled marks, in a row of an entry's provenance, a field that the entry's own
// listing lacks and that another listing brought.
const NoteFilled = "filled in from another listing of the source"

// lenders say how a field is taken from an entry to which another listing brought it.
var lenders = map[string]func(e, of *Entry){
	"name_en":        text(func(e *Entry) *string { return &e.NameEn }),
	"description":    text(func(e *Entry) *string { return &e.Description }),
	"description_en": text(func(e *Entry) *string { return &e.DescriptionEn }),
	"native_lang":    text(func(e *Entry) *string { return &e.NativeLang }),
	"homepage_url":   text(func(e *Entry) *string { return &e.HomepageURL }),
	"docs_url":       text(func(e *Entry) *string { return &e.DocsURL }),
	"repo_url":       text(func(e *Entry) *string { return &e.RepoURL }),
	"logo_url":       text(func(e *Entry) *string { return &e.LogoURL }),
	"country_code":   text(func(e *Entry) *string { return &e.CountryCode }),
	"publisher_name": text(func(e *Entry) *string { return &e.PublisherName }),
	"institution_id": text(func(e *Entry) *string { return &e.InstitutionID }),
	"license_raw": func(e, of *Entry) {
		if e.LicenseID == of.LicenseID && e.LicenseRaw == of.LicenseRaw {
			e.LicenseID, e.LicenseRaw = "", ""
		}
	},
	"tags":            words(func(e *Entry) *[]string { return &e.Tags }),
	"formats":         words(func(e *Entry) *[]string { return &e.Formats }),
	"themes":          words(func(e *Entry) *[]string { return &e.Themes }),
	"hvd_categories":  words(func(e *Entry) *[]string { return &e.HVDCategories }),
	"contact":         func(e, of *Entry) { e.Contact = without(e.Contact, of.Contact) },
	"api":             func(e, of *Entry) { e.API = without(e.API, of.API) },
	"dataset":         func(e, of *Entry) { e.Dataset = without(e.Dataset, of.Dataset) },
	"mcp":             func(e, of *Entry) { e.MCP = without(e.MCP, of.MCP) },
	"api.base_url":    member(func(a *APIDetails) *string { return &a.BaseURL }),
	"api.openapi_url": member(func(a *APIDetails) *string { return &a.OpenAPIURL }),
	"api.spec_format": member(func(a *APIDetails) *string { return &a.SpecFormat }),
	"api.terms_url":   member(func(a *APIDetails) *string { return &a.TermsURL }),
	"free_access_class": func(e, of *Entry) {
		if e.FreeAccessClass == of.FreeAccessClass {
			e.FreeAccessClass = AccessUnknown
		}
	},
	"auth_type": func(e, of *Entry) {
		if e.AuthType == of.AuthType {
			e.AuthType = AuthUnknown
		}
	},
	"source_issued_at":   instant(func(e *Entry) *time.Time { return &e.SourceIssuedAt }),
	"source_modified_at": instant(func(e *Entry) *time.Time { return &e.SourceModifiedAt }),
}

// FilledFields are the members of an entry that another listing can fill, sorted.
func FilledFields() []string {
	names := []string{"license_id"}
	for field := range maps.Keys(lenders) {
		name, _, _ := strings.Cut(field, ".")
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// GiveBack takes from the entry what another listing brought to it, as far as it still
// is what that one says: the fields that the rows mark with [NoteFilled] for the source
// of the other.
func (e *Entry) GiveBack(of *Entry, rows []FieldRow) {
	if e.API != nil {
		own := *e.API
		e.API = &own
	}
	for i := range rows {
		row := &rows[i]
		if lend := lenders[row.Field]; lend != nil && row.Note == NoteFilled && row.SourceID == of.SourceID {
			lend(e, of)
		}
	}
}

func text(at func(*Entry) *string) func(e, of *Entry) {
	return func(e, of *Entry) {
		if *at(e) == *at(of) {
			*at(e) = ""
		}
	}
}

func words(at func(*Entry) *[]string) func(e, of *Entry) {
	return func(e, of *Entry) {
		if slices.Equal(*at(e), *at(of)) {
			*at(e) = nil
		}
	}
}

func member(at func(*APIDetails) *string) func(e, of *Entry) {
	return func(e, of *Entry) {
		if e.API != nil && of.API != nil && *at(e.API) == *at(of.API) {
			*at(e.API) = ""
		}
	}
}

func instant(at func(*Entry) *time.Time) func(e, of *Entry) {
	return func(e, of *Entry) {
		if at(e).Equal(*at(of)) {
			*at(e) = time.Time{}
		}
	}
}

// without is nothing where the other entry has such a part.
func without[T any](part, of *T) *T {
	if of != nil {
		return nil
	}
	return part
}
