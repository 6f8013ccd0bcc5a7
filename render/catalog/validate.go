package catalog

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Bounds of an entry's text, in bytes. A longer description is cut at
// harvest, with a note in its provenance; a longer name or URL is refused.
const (
	NameMax        = 1000
	DescriptionMax = 100_000
	URLMax         = 2_000
	LogoMax        = 16_000
	RawLicenceMax  = 2_000
	TagMax         = 100
	TagsMax        = 50
	ListMax        = 5_000
)

// Validate checks an entry against the rules of the specification. The first
// broken rule is returned as a FieldError.
func (e *Entry) Validate() error {
	for _, check := range []func(*Entry) error{
		checkIdentity, checkVocabulary, checkText, checkURLs, checkLists, checkTimes,
	} {
		if err := check(e); err != nil {
			return err
		}
	}
	return nil
}

func checkIdentity(e *Entry) error {
	if !IsID(e.ID) {
		return &FieldError{"id", e.ID, "use a lower-case UUID"}
	}
	for _, ref := range []struct{ field, id string }{
		{"institution_id", e.InstitutionID}, {"source_id", e.SourceID},
		{"successor_id", e.SuccessorID}, {"merged_into_id", e.MergedIntoID},
	} {
		if ref.id != "" && !IsID(ref.id) {
			return &FieldError{ref.field, ref.id, "use the id of an existing record, or leave it out"}
		}
	}
	for _, s := range append([]string{e.Slug}, e.FormerSlugs...) {
		if err := CheckSlug(s); err != nil {
			return err
		}
	}
	if e.IdentityKey == "" || e.MatchKey == "" {
		return &FieldError{"identity_key", e.IdentityKey, "give identity_key and match_key"}
	}
	if e.MergedIntoID != "" && e.Status != StatusRemoved {
		return &FieldError{"status", string(e.Status), "a merged entry has status REMOVED"}
	}
	return nil
}

func checkVocabulary(e *Entry) error {
	if err := OneOf("type", e.Type, EntryTypes()); err != nil {
		return err
	}
	if err := OneOf("status", e.Status, Statuses()); err != nil {
		return err
	}
	if err := OneOf("free_access_class", e.FreeAccessClass, FreeAccessClasses()); err != nil {
		return err
	}
	if err := OneOf("auth_type", e.AuthType, AuthTypes()); err != nil {
		return err
	}
	if e.AccessRights != "" {
		if err := OneOf("access_rights", e.AccessRights, AccessRightsValues()); err != nil {
			return err
		}
	}
	if e.CountryCode != "" && !CountryShape(e.CountryCode) {
		return &FieldError{"country_code", e.CountryCode, "use two capital letters (ISO 3166-1 alpha-2)"}
	}
	if e.ExtractionConfidence < 0 || e.ExtractionConfidence > 100 {
		return &FieldError{"extraction_confidence", "", "use 0 to 100"}
	}
	return nil
}

// CountryShape tells whether s consists of two capital letters.
func CountryShape(s string) bool {
	return len(s) == 2 && s[0] >= 'A' && s[0] <= 'Z' && s[1] >= 'A' && s[1] <= 'Z'
}

func checkText(e *Entry) error {
	if strings.TrimSpace(e.Name) == "" {
		return &FieldError{"name", e.Name, "give the source a name"}
	}
	for _, t := range []struct {
		field, text string
		max         int
	}{
		{"name", e.Name, NameMax}, {"name_en", e.NameEn, NameMax},
		{"description", e.Description, DescriptionMax}, {"description_en", e.DescriptionEn, DescriptionMax},
		{"license_raw", e.LicenseRaw, RawLicenceMax}, {"publisher_name", e.PublisherName, NameMax},
		{"upstream_ref", e.UpstreamRef, URLMax}, {"native_lang", e.NativeLang, 35},
	} {
		if err := CheckText(t.field, t.text, t.max); err != nil {
			return err
		}
	}
	return checkLanguages(e)
}

func checkLanguages(e *Entry) error {
	if err := checkTexts("titles", e.Titles, NameMax); err != nil {
		return err
	}
	if err := checkTexts("descriptions", e.Descriptions, DescriptionMax); err != nil {
		return err
	}
	for _, tag := range slices.Sorted(maps.Keys(e.Keywords)) {
		for _, term := range e.Keywords[tag] {
			if err := CheckText("keywords", term, NameMax); err != nil {
				return err
			}
		}
	}
	for _, title := range e.AlternativeTitles {
		if err := CheckText("alternative_titles", title, NameMax); err != nil {
			return err
		}
	}
	return nil
}

func checkURLs(e *Entry) error {
	for _, u := range []struct{ field, url string }{
		{"homepage_url", e.HomepageURL}, {"docs_url", e.DocsURL}, {"repo_url", e.RepoURL},
		{"primary_source_url", e.PrimarySourceURL}, {"source_seed_url", e.SourceSeedURL}, {"probe_url", e.ProbeURL},
	} {
		if u.url == "" {
			continue
		}
		if err := CheckURL(u.field, u.url); err != nil {
			return err
		}
	}
	if len(e.LogoURL) > LogoMax {
		return &FieldError{"logo_url", e.LogoURL, "link a smaller logo"}
	}
	if e.LogoURL != "" && !strings.HasPrefix(e.LogoURL, "data:image/") {
		return CheckURL("logo_url", e.LogoURL)
	}
	return nil
}

// unsafeInURL are the characters that an address may hold only percent-encoded.
const unsafeInURL = " \t\n\"<>\\^`{|}"

// CheckURL accepts an absolute http or https URL with a host and without
// credentials.
func CheckURL(field, raw string) error {
	bad := func(remedy string) error { return &FieldError{field, raw, remedy} }
	if len(raw) > URLMax {
		return bad("shorten the URL")
	}
	if plainHost(raw) != "" {
		return nil
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil || strings.ContainsAny(raw, unsafeInURL):
		return bad("percent-encode the URL")
	case u.Scheme != "http" && u.Scheme != "https":
		return bad("use an http or https URL")
	case u.Hostname() == "":
		return bad("give the URL a host")
	case u.User != nil:
		return bad("remove the credentials from the URL")
	}
	return CheckText(field, raw, URLMax)
}

// CheckFileURL tells whether an address may be that of a file: one of the web, or of FTP, which the register lists
// and does not ask.
func CheckFileURL(field, raw string) error {
	if _, rest, ok := CutFTP(raw); ok && CheckURL(field, "https://"+rest) == nil {
		return nil
	}
	return CheckURL(field, raw)
}

// CutFTP parts an address of FTP into the scheme in lower case with its slashes and the rest; ok is false for all others.
func CutFTP(raw string) (scheme, rest string, ok bool) {
	for _, scheme := range [...]string{"ftp://", "ftps://"} {
		if len(raw) > len(scheme) && strings.EqualFold(raw[:len(scheme)], scheme) {
			return scheme, raw[len(scheme):], true
		}
	}
	return "", raw, false
}

func checkLists(e *Entry) error {
	if len(e.Tags) > TagsMax {
		return &FieldError{"tags", "", "keep at most 50 tags"}
	}
	if !ascending(e.Tags) {
		return &FieldError{"tags", strings.Join(e.Tags, ","), "sort the tags and remove duplicates"}
	}
	for _, tag := range e.Tags {
		if tag == "" || strings.ContainsRune(tag, ',') {
			return &FieldError{"tags", tag, "a tag is not empty and has no comma"}
		}
		if err := CheckText("tags", tag, TagMax); err != nil {
			return err
		}
	}
	for _, list := range []struct {
		field string
		n     int
	}{{"formats", len(e.Formats)}, {"members", len(e.Members)}, {"limits", len(e.Limits)}, {"relations", len(e.Relations)},
		{"alternative_titles", len(e.AlternativeTitles)}, {"identifiers", len(e.Identifiers)}, {"upstream_aliases", len(e.UpstreamAliases)}} {
		if list.n > ListMax {
			return &FieldError{list.field, "", "keep at most 5,000 elements"}
		}
	}
	return nil
}

// ascending tells whether the texts are sorted and all different.
func ascending(list []string) bool {
	for i := 1; i < len(list); i++ {
		if list[i-1] >= list[i] {
			return false
		}
	}
	return true
}

func checkTimes(e *Entry) error {
	if e.CreatedAt.IsZero() || e.UpdatedAt.IsZero() {
		return &FieldError{"created_at", "", "created_at and updated_at are required"}
	}
	if e.UpdatedAt.Before(e.CreatedAt) {
		return &FieldError{"updated_at", e.UpdatedAt.Format(time.RFC3339), "must not be before created_at"}
	}
	return nil
}
