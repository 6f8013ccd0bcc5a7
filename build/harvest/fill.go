package harvest

import (
	"slices"

	"github.com/assay-register/assay/render/catalog"
)

// fillers say how a field that an entry lacks is taken from another listing.
// Each returns whether it took something.
var fillers = map[string]func(dst, src *catalog.Entry) bool{
	"name_en":            text(func(e *catalog.Entry) *string { return &e.NameEn }),
	"description":        text(func(e *catalog.Entry) *string { return &e.Description }),
	"description_en":     text(func(e *catalog.Entry) *string { return &e.DescriptionEn }),
	"native_lang":        text(func(e *catalog.Entry) *string { return &e.NativeLang }),
	"homepage_url":       text(func(e *catalog.Entry) *string { return &e.HomepageURL }),
	"docs_url":           text(func(e *catalog.Entry) *string { return &e.DocsURL }),
	"repo_url":           text(func(e *catalog.Entry) *string { return &e.RepoURL }),
	"logo_url":           text(func(e *catalog.Entry) *string { return &e.LogoURL }),
	"country_code":       text(func(e *catalog.Entry) *string { return &e.CountryCode }),
	"publisher_name":     publisherName,
	"institution_id":     institution,
	"license_raw":        licence,
	"tags":               list(func(e *catalog.Entry) *[]string { return &e.Tags }),
	"formats":            fileFormats,
	"themes":             list(func(e *catalog.Entry) *[]string { return &e.Themes }),
	"hvd_categories":     list(func(e *catalog.Entry) *[]string { return &e.HVDCategories }),
	"contact":            whole(func(e *catalog.Entry) **catalog.Contact { return &e.Contact }),
	"api":                whole(func(e *catalog.Entry) **catalog.APIDetails { return &e.API }),
	"dataset":            whole(func(e *catalog.Entry) **catalog.DatasetDetails { return &e.Dataset }),
	"mcp":                whole(func(e *catalog.Entry) **catalog.MCPDetails { return &e.MCP }),
	"api.base_url":       api(func(a *catalog.APIDetails) *string { return &a.BaseURL }),
	"api.openapi_url":    api(func(a *catalog.APIDetails) *string { return &a.OpenAPIURL }),
	"api.spec_format":    api(func(a *catalog.APIDetails) *string { return &a.SpecFormat }),
	"api.terms_url":      terms,
	"free_access_class":  access,
	"auth_type":          authentication,
	"source_issued_at":   issued,
	"source_modified_at": modified,
}

// fill takes the fields that dst lacks from src; only the named ones if only
// is not nil. It returns the names of those it took. Details of another type
// than the entry's are left alone.
func fill(dst, src *catalog.Entry, only map[string]bool) map[string]bool {
	taken := map[string]bool{}
	for field, take := range fillers {
		if (only == nil || only[field]) && dst.Type == src.Type && take(dst, src) {
			taken[field] = true
		}
	}
	return taken
}

func text(at func(*catalog.Entry) *string) func(dst, src *catalog.Entry) bool {
	return func(dst, src *catalog.Entry) bool {
		if *at(dst) != "" || *at(src) == "" {
			return false
		}
		*at(dst) = *at(src)
		return true
	}
}

func list(at func(*catalog.Entry) *[]string) func(dst, src *catalog.Entry) bool {
	return func(dst, src *catalog.Entry) bool {
		if len(*at(dst)) > 0 || len(*at(src)) == 0 {
			return false
		}
		*at(dst) = *at(src)
		return true
	}
}

func whole[T any](at func(*catalog.Entry) **T) func(dst, src *catalog.Entry) bool {
	return func(dst, src *catalog.Entry) bool {
		if *at(dst) != nil || *at(src) == nil {
			return false
		}
		*at(dst) = clone(*at(src))
		return true
	}
}

func api(at func(*catalog.APIDetails) *string) func(dst, src *catalog.Entry) bool {
	return func(dst, src *catalog.Entry) bool {
		if dst.API == nil || src.API == nil || *at(dst.API) != "" || *at(src.API) == "" {
			return false
		}
		*at(dst.API) = *at(src.API)
		return true
	}
}

// licence takes the words and what they were read as together: the words of one
// listing never stand beside the licence of another.
func licence(dst, src *catalog.Entry) bool {
	if dst.LicenseRaw != "" || dst.LicenseID != "" || src.LicenseRaw == "" && src.LicenseID == "" {
		return false
	}
	dst.LicenseRaw, dst.LicenseID = src.LicenseRaw, src.LicenseID
	return true
}

// publisherName takes the name of a publisher only from a listing that means the
// same institution, if the entry has one.
func publisherName(dst, src *catalog.Entry) bool {
	if dst.InstitutionID != "" && dst.InstitutionID != src.InstitutionID {
		return false
	}
	return text(func(e *catalog.Entry) *string { return &e.PublisherName })(dst, src)
}

// institution takes an institution only from a listing that names the same
// publisher, if the entry names one.
func institution(dst, src *catalog.Entry) bool {
	if dst.PublisherName != "" && dst.PublisherName != src.PublisherName {
		return false
	}
	return text(func(e *catalog.Entry) *string { return &e.InstitutionID })(dst, src)
}

// fileFormats are those of the files beside them: an entry with files of its own
// takes no formats of others.
func fileFormats(dst, src *catalog.Entry) bool {
	same := func(a, b catalog.Distribution) bool {
		return a.AccessURL == b.AccessURL && a.DownloadURL == b.DownloadURL
	}
	if dst.Dataset != nil && src.Dataset != nil && len(dst.Dataset.Distributions) > 0 && !slices.EqualFunc(dst.Dataset.Distributions, src.Dataset.Distributions, same) {
		return false
	}
	return list(func(e *catalog.Entry) *[]string { return &e.Formats })(dst, src)
}

// terms takes the address of terms of use only beside the licence that they go
// with.
func terms(dst, src *catalog.Entry) bool {
	if (dst.LicenseID != "" || dst.LicenseRaw != "") && (dst.LicenseID != src.LicenseID || dst.LicenseRaw != src.LicenseRaw) {
		return false
	}
	return api(func(a *catalog.APIDetails) *string { return &a.TermsURL })(dst, src)
}

func access(dst, src *catalog.Entry) bool {
	if dst.FreeAccessClass != catalog.AccessUnknown || src.FreeAccessClass == catalog.AccessUnknown {
		return false
	}
	dst.FreeAccessClass = src.FreeAccessClass
	return true
}

func authentication(dst, src *catalog.Entry) bool {
	if dst.AuthType != catalog.AuthUnknown || src.AuthType == catalog.AuthUnknown {
		return false
	}
	dst.AuthType = src.AuthType
	return true
}

func issued(dst, src *catalog.Entry) bool {
	if !dst.SourceIssuedAt.IsZero() || src.SourceIssuedAt.IsZero() {
		return false
	}
	dst.SourceIssuedAt = src.SourceIssuedAt
	return true
}

func modified(dst, src *catalog.Entry) bool {
	if !dst.SourceModifiedAt.IsZero() || src.SourceModifiedAt.IsZero() {
		return false
	}
	dst.SourceModifiedAt = src.SourceModifiedAt
	return true
}
