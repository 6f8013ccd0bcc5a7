package catalog

import "time"

// Entry is one official source as the register holds it: what was harvested,
// its identity and its place in the life cycle. Verdicts (scores, tiers,
// maturity) are not stored here; they are computed from the entry and its
// observations when a snapshot is made.
type Entry struct {
	// ID is a UUIDv5, assigned once (decisions §4).
	ID string `json:"id"`
	// Slug is the unique handle, assigned once.
	Slug string `json:"slug"`
	// FormerSlugs are handles that redirect to Slug for ever.
	FormerSlugs []string  `json:"former_slugs,omitempty"`
	Type        EntryType `json:"type"`

	Name          string `json:"name"`
	NameEn        string `json:"name_en,omitempty"`
	NativeLang    string `json:"native_lang,omitempty"`
	Description   string `json:"description,omitempty"`
	DescriptionEn string `json:"description_en,omitempty"`
	// Titles, Descriptions and Keywords are all that the source gives, by
	// language; Name and Description are among them (decisions-2 §D).
	Titles       Texts `json:"titles,omitempty"`
	Descriptions Texts `json:"descriptions,omitempty"`
	Keywords     Terms `json:"keywords,omitempty"`
	// AlternativeTitles are further titles: dct:alternative, and second ones in
	// a language.
	AlternativeTitles []string `json:"alternative_titles,omitempty"`
	// Languages are those in which the resource itself is, as BCP 47 tags.
	Languages []string `json:"languages,omitempty"`

	HomepageURL      string `json:"homepage_url,omitempty"`
	DocsURL          string `json:"docs_url,omitempty"`
	RepoURL          string `json:"repo_url,omitempty"`
	LogoURL          string `json:"logo_url,omitempty"`
	PrimarySourceURL string `json:"primary_source_url,omitempty"`
	// SourceSeedURL is the page or file in which the harvest found the entry.
	SourceSeedURL string `json:"source_seed_url,omitempty"`

	Tags    []string `json:"tags,omitempty"`
	Formats []string `json:"formats,omitempty"`
	// Themes are codes of the EU data-theme authority table.
	Themes []string `json:"themes,omitempty"`
	// HVDCategories are codes of the EU high-value dataset categories, only
	// when the source says so.
	HVDCategories []string `json:"hvd_categories,omitempty"`
	// Subjects are themes of other vocabularies, as IRIs or words.
	Subjects []string `json:"subjects,omitempty"`
	// ConformsTo are the standards to which the resource conforms.
	ConformsTo []string `json:"conforms_to,omitempty"`

	// CountryCode is ISO 3166-1 alpha-2, or EU, UN.
	CountryCode   string `json:"country_code,omitempty"`
	InstitutionID string `json:"institution_id,omitempty"`
	// PublisherName is the publisher as the source wrote it, matched or not.
	PublisherName string `json:"publisher_name,omitempty"`
	// Publisher is what else the source states of the publisher.
	Publisher *Agent `json:"publisher,omitempty"`
	// RightsHolder and Creators are stated beside the publisher.
	RightsHolder *Agent  `json:"rights_holder,omitempty"`
	Creators     []Agent `json:"creators,omitempty"`
	// ThirdParty marks a source run by someone who is not a public body.
	ThirdParty bool `json:"third_party,omitempty"`

	// AccessRights is who may have it, as the publisher states it.
	AccessRights    AccessRights    `json:"access_rights,omitempty"`
	FreeAccessClass FreeAccessClass `json:"free_access_class"`
	AuthType        AuthType        `json:"auth_type"`
	// LicenseID is an id of the licence table, LicenseRaw what the publisher wrote.
	LicenseID  string   `json:"license_id,omitempty"`
	LicenseRaw string   `json:"license_raw,omitempty"`
	Contact    *Contact `json:"contact,omitempty"`
	// Limits are the publisher's usage limits.
	Limits []Limit `json:"limits,omitempty"`

	// ProbeURL is the address at which its owner wants it checked, as a moderator accepted it;
	// "" for that of the record.
	ProbeURL string `json:"probe_url,omitempty"`

	// UpstreamRef has the shape `<catalog host>:<kind>:<upstream id>`.
	UpstreamRef string `json:"upstream_ref,omitempty"`
	// UpstreamAliases are upstream_refs that the entry had before, or that name
	// the same record (decisions-2 §A).
	UpstreamAliases []string `json:"upstream_aliases,omitempty"`
	// Identifiers are persistent identifiers that the source states: DOIs as
	// https://doi.org/…, other IRIs and numbers as they stand there.
	Identifiers []string `json:"identifiers,omitempty"`
	// IdentityKey has the shape `<type>|<primary_source_url>|<lowercased name>`.
	IdentityKey string `json:"identity_key"`
	// MatchKey is `<type>|<normalised primary URL>|<folded name>`, by which a
	// later harvest finds the entry.
	MatchKey string `json:"match_key"`
	// SourceID is the source (catalogue, portal) that lists the entry.
	SourceID string `json:"source_id,omitempty"`

	// ExtractionConfidence is the share of delivered fields that needed no
	// repair, in hundredths; wire writes it as a decimal string.
	ExtractionConfidence int `json:"extraction_confidence"`

	Status       Status    `json:"status"`
	StatusReason string    `json:"status_reason,omitempty"`
	DeprecatedAt time.Time `json:"deprecated_at,omitzero"`
	SunsetAt     time.Time `json:"sunset_at,omitzero"`
	RemovedAt    time.Time `json:"removed_at,omitzero"`
	// DeprecationAt is since when, or from when on, its own answers call the source
	// deprecated (RFC 9745); SunsetAt may come from them too (RFC 8594).
	DeprecationAt time.Time  `json:"deprecation_at,omitzero"`
	SuccessorID   string     `json:"successor_id,omitempty"`
	MergedIntoID  string     `json:"merged_into_id,omitempty"`
	Admission     *Admission `json:"admission,omitempty"`
	Signals       []Signal   `json:"signals,omitempty"`

	// SourceIssuedAt and SourceModifiedAt are the publisher's own dates.
	SourceIssuedAt   time.Time `json:"source_issued_at,omitzero"`
	SourceModifiedAt time.Time `json:"source_modified_at,omitzero"`

	// The service's own clocks.
	CreatedAt        time.Time `json:"created_at"`
	UpdatedAt        time.Time `json:"updated_at"`
	PublishedAt      time.Time `json:"published_at,omitzero"`
	ContentChangedAt time.Time `json:"content_changed_at,omitzero"`

	API     *APIDetails     `json:"api,omitempty"`
	Dataset *DatasetDetails `json:"dataset,omitempty"`
	MCP     *MCPDetails     `json:"mcp,omitempty"`
	// Members are the datasets or layers that one service serves; they are
	// never entries of their own (decisions §4).
	Members []Member `json:"members,omitempty"`
	// Relations lead to other things, entries or not.
	Relations []Relation `json:"relations,omitempty"`

	// Revision is the number of the last event of this entry, in commit order.
	Revision int64 `json:"revision,omitempty"`
}

// Contact is a functional contact point, never a person.
type Contact struct {
	Name  string `json:"name,omitempty"`
	URL   string `json:"url,omitempty"`
	Email string `json:"email,omitempty"`
}

// Limit is one usage limit that the publisher states.
type Limit struct {
	// Kind is what is limited: requests, rows, bytes, other.
	Kind string `json:"kind"`
	// Text is the publisher's statement.
	Text string `json:"text"`
	// Quantity and PeriodSeconds are set when the text could be read as a rate.
	Quantity      int64 `json:"quantity,omitempty"`
	PeriodSeconds int64 `json:"period_seconds,omitempty"`
}

// Admission records why an entry is public (decisions §5).
type Admission struct {
	Rule   AdmissionRule `json:"rule"`
	Reason string        `json:"reason"`
	By     string        `json:"by,omitempty"`
	At     time.Time     `json:"at"`
}

// Signal is one recorded proof of officialness.
type Signal struct {
	Kind SignalKind `json:"kind"`
	// Held tells whether the proof succeeded when it was last tried.
	Held        bool   `json:"held"`
	EvidenceURL string `json:"evidence_url,omitempty"`
	Detail      string `json:"detail,omitempty"`
	// SourceID is the source by whose listing the proof was seen; empty for
	// what follows from the entry itself or was seen on the web.
	SourceID   string    `json:"source_id,omitempty"`
	ObservedAt time.Time `json:"observed_at"`
}

// Key is what a store can tell about an entry without reading all of it.
type Key struct {
	ID          string
	MatchKey    string
	Status      Status
	PublishedAt time.Time
}

// Visible tells whether the entry answers publicly at the instant: active or
// deprecated, and its publication time has passed.
func (k *Key) Visible(at time.Time) bool {
	if k.Status != StatusActive && k.Status != StatusDeprecated {
		return false
	}
	return !k.PublishedAt.IsZero() && !k.PublishedAt.After(at)
}

// Visible tells whether the entry answers publicly at the instant.
func (e *Entry) Visible(at time.Time) bool {
	k := Key{Status: e.Status, PublishedAt: e.PublishedAt}
	return k.Visible(at)
}
