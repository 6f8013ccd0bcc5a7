package wire

import (
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// ParamKind is the type of a parameter.
type ParamKind string

// Parameter kinds. A KindList is comma-separated and its values OR together,
// except for tags, which must all be carried.
const (
	KindString  ParamKind = "string"
	KindInteger ParamKind = "integer"
	KindBoolean ParamKind = "boolean"
	KindList    ParamKind = "list"
)

// Param is one parameter of an operation.
type Param struct {
	Name string
	// In is query or path.
	In          string
	Kind        ParamKind
	Description string
	// Required tells that the operation cannot be asked without it; a path
	// parameter always is.
	Required bool
	// Enum are the words that a value may be, empty for an open vocabulary.
	Enum []string
	// Bare tells that the name alone, without a value, means its one word.
	Bare bool
	// Format and Pattern narrow a string, or each value of a list.
	Format, Pattern string
	// Means says in words what Pattern asks for, for who gave another value.
	Means string
	// Min and Max bound an integer, and how many values a list has; 0 for no
	// bound of its own. A list then has 1 to ValuesMax values.
	Min, Max int
	// Default is what a missing parameter means, nil for no narrowing.
	Default any
	Example any
}

// Bounds of the list parameters (specification, "Limits").
const (
	DefaultPage  = 1
	DefaultLimit = 20
	MaxLimit     = 100
	// MaxInteger is the largest integer that every JSON reader keeps (RFC 8259, section 6).
	MaxInteger = 1<<53 - 1
	// ValuesMax is how many values a filter may have.
	ValuesMax = 50
)

const (
	countryPattern  = "^[A-Za-z]{2}$"
	snapshotPattern = "^[0-9]{8}-[0-9a-f]{12}$"
	countryMeans    = "a country code of two letters such as GR"
	snapshotMeans   = "the id of a snapshot such as " + exampleSnapshot
	dayPattern      = "^[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$"
)

// Examples that the interface description shows.
const (
	exampleID       = "6f1c1b0e-55a1-5a3c-9f0e-2f4f1c7d9b11"
	exampleSlug     = "open-weather-observations"
	exampleSnapshot = "20261121-0a1b2c3d4e5f"
)

// PagingParams choose a page of a list and the snapshot it is cut from.
func PagingParams() []Param {
	return []Param{
		{Name: "page", In: "query", Kind: KindInteger, Min: 1, Max: MaxInteger, Default: DefaultPage,
			Description: "Page number. A page beyond the last one is empty."},
		{Name: "limit", In: "query", Kind: KindInteger, Min: 1, Max: MaxLimit, Default: DefaultLimit,
			Description: "Entries per page."},
		{Name: "sort_by", In: "query", Kind: KindString, Enum: words(snapshot.SortKeys()), Default: string(snapshot.SortRanking),
			Description: "Sort key. Ties are broken by id; unknown values come last in both directions."},
		sortOrderParam(),
		collapseParam(),
	}
}

func sortOrderParam() Param {
	return Param{Name: "sort_order", In: "query", Kind: KindString, Enum: []string{"asc", "desc"},
		Description: "Direction; when missing, `asc` for `name` and `p50_latency_ms`, `desc` for the others."}
}

// FacetParams choose what is counted.
func FacetParams() []Param { return append([]Param{collapseParam()}, FilterParams()...) }

// FilterParams narrow a selection of entries.
func FilterParams() []Param {
	return []Param{
		enum("type", "Entry type.", catalog.EntryTypes()),
		{Name: "is_public_sector", In: "query", Kind: KindBoolean, Description: "Only entries of the public sector, or only others."},
		{Name: "country_code", In: "query", Kind: KindList, Pattern: countryPattern, Means: countryMeans, Example: []string{"GR", "CY"},
			Description: "ISO 3166-1 alpha-2 code, in either case."},
		{Name: "country", In: "query", Kind: KindList, Pattern: countryPattern, Means: countryMeans, Description: "Another name of `country_code`; give one of them."},
		enum("institution_type", "Kind of the institution.", catalog.InstitutionTypes()),
		{Name: "institution_id", In: "query", Kind: KindList, Format: "uuid", Description: "Institution id."},
		{Name: "tags", In: "query", Kind: KindList, Description: "Tags; an entry must carry all of them.", Example: []string{"transport", "real-time"}},
		enum("verification_state", "Verdict of the transport checks.", catalog.VerificationStates()),
		enum("status", "Life-cycle state; only `ACTIVE` entries when missing.",
			[]catalog.Status{catalog.StatusActive, catalog.StatusDeprecated}),
		enum("free_access_class", "What a reader pays or needs.", catalog.FreeAccessClasses()),
		enum("auth_type", "Authentication that the source uses.", catalog.AuthTypes()),
		enum("access_rights", "Who may have it, as the publisher states it.", catalog.AccessRightsValues()),
		enum("mqa_tier", "Band of `mqa_score`.", catalog.MQATiers()),
		enum("maturity", "Rung of the maturity ladder.", catalog.Maturities()),
		{Name: "format", In: "query", Kind: KindList, Description: "File type code.", Example: []string{"CSV", "JSON"}},
		{Name: "lang", In: "query", Kind: KindList, Description: "Language code of the entry's native texts.", Example: []string{"el"}},
		{Name: "license", In: "query", Kind: KindList, Description: "Id of the licence table, an SPDX id where there is one.", Example: []string{"CC-BY-4.0"}},
		{Name: "license_allows", In: "query", Kind: KindList, Enum: snapshot.LicencePermissions(), Description: "What the licence must permit, all of it: use for money, changes, passing it on; `open` is a licence that is open as a whole.", Example: []string{"commercial_use"}},
		{Name: "theme", In: "query", Kind: KindList, Description: "Code of the EU data themes.", Example: []string{"TRAN"}},
		{Name: "hvd_category", In: "query", Kind: KindList, Description: "Code of the EU categories of high-value datasets, as the source states it.", Example: []string{"c_dd313021"}},
		{Name: "place", In: "query", Kind: KindList, Description: "A place that the source names: its address, its name, or the code of a NUTS region.", Example: []string{"BE1"}},
		{Name: "frequency", In: "query", Kind: KindList, Description: "Code of the EU frequencies: how often the data is updated.", Example: []string{"DAILY"}},
		{Name: "has_download", In: "query", Kind: KindBoolean, Description: "Only entries with the address of a file, or only others."},
		{Name: "period_start", In: "query", Kind: KindString, Pattern: dayPattern, Means: "a year, a month or a day such as 2013, 2013-06 or 2013-06-30", Example: "2013",
			Description: "Only data whose stated period reaches this year, month or day, or a later one."},
		{Name: "period_end", In: "query", Kind: KindString, Pattern: dayPattern, Means: "a year, a month or a day such as 2013, 2013-06 or 2013-06-30", Example: "2015-06-30",
			Description: "Only data whose stated period begins in this year, month or day, or before."},
		{Name: "series", In: "query", Kind: KindList, Format: "uuid", Description: "Id of a series of datasets; its listed members."},
		{Name: "updated_since", In: "query", Kind: KindString, Format: "date-time", Description: "Only entries changed at or after this instant.",
			Example: "2026-01-01T00:00:00Z"},
		{Name: "search", In: "query", Kind: KindString, Example: "air quality",
			Description: "Words that must all occur in names, descriptions, tags, institution or columns, each at least as the beginning of a word; case and " +
				"accents are ignored, Greek and Cyrillic letters equal their Latin forms. `entries/search` ranks and forgives; this only narrows."},
		snapshotParam(),
	}
}

func snapshotParam() Param {
	return Param{Name: "snapshot", In: "query", Kind: KindString, Pattern: snapshotPattern, Means: snapshotMeans,
		Description: "Answer from this snapshot instead of the latest one; 410 when it has expired."}
}

func enum[T ~string](name, description string, list []T) Param {
	return Param{Name: name, In: "query", Kind: KindList, Enum: words(list), Description: description}
}

func words[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}

func idParam() Param {
	return Param{Name: "id", In: "path", Kind: KindString, Example: exampleID,
		Description: "Entry id. The service answers a slug with a redirect to the id; a static tree has the id only."}
}
