package catalog

import "time"

// InstitutionState tells how much the register knows of a body.
type InstitutionState string

// States of institutions. A stated one gives no proof of officialness
// (decisions-2 §B).
const (
	// InstitutionKnown is one of the reference table or of an administrator.
	InstitutionKnown InstitutionState = "known"
	// InstitutionStated is one that a catalogue names as a publisher.
	InstitutionStated InstitutionState = "stated"
)

// InstitutionStates lists the states of an institution.
func InstitutionStates() []InstitutionState {
	return []InstitutionState{InstitutionKnown, InstitutionStated}
}

// Institution is a body that publishes sources.
type Institution struct {
	ID string `json:"id"`
	// Key is the stable short handle of the reference table, e.g. "gr-elstat".
	Key         string          `json:"key"`
	Name        string          `json:"name"`
	NameEn      string          `json:"name_en,omitempty"`
	NativeLang  string          `json:"native_lang,omitempty"`
	CountryCode string          `json:"country_code,omitempty"`
	Type        InstitutionType `json:"type"`
	HomepageURL string          `json:"homepage_url,omitempty"`
	// OfficialDomains are bare hosts; a host belongs to the institution when
	// it equals one of them or is below one of them.
	OfficialDomains []string `json:"official_domains,omitempty"`
	GithubOrgs      []string `json:"github_orgs,omitempty"`
	Source          string   `json:"source,omitempty"`
	// State is known where it is empty.
	State InstitutionState `json:"state,omitempty"`
	// Names are its names by language; Aliases others, in any language.
	Names   Texts    `json:"names,omitempty"`
	Aliases []string `json:"aliases,omitempty"`
	// Identifiers are its persistent ones: IRIs of company registers, ROR, LEI,
	// Wikidata, EU corporate bodies.
	Identifiers []string `json:"identifiers,omitempty"`
	// ParentID is the institution that it is a part of.
	ParentID string `json:"parent_id,omitempty"`
	// SourceID is the catalogue that first stated it.
	SourceID string `json:"source_id,omitempty"`
	// MergedIntoID is the institution that it turned out to be.
	MergedIntoID string `json:"merged_into_id,omitempty"`
	// Managed tells that an administrator has the last word on the row.
	Managed   bool      `json:"managed,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// Licence is a row of the licence table: what a known licence permits.
type Licence struct {
	// ID is an SPDX id where one exists.
	ID    string `json:"id"`
	Title string `json:"title"`
	URL   string `json:"url,omitempty"`
	// EUURI is the IRI in the EU licence authority table.
	EUURI               string   `json:"eu_uri,omitempty"`
	Jurisdiction        string   `json:"jurisdiction,omitempty"`
	CommercialUse       Right    `json:"commercial_use"`
	Redistribution      Right    `json:"redistribution"`
	Modification        Right    `json:"modification"`
	AttributionRequired Right    `json:"attribution_required"`
	ShareAlike          Right    `json:"share_alike"`
	Open                Right    `json:"open"`
	Aliases             []string `json:"aliases,omitempty"`
	Note                string   `json:"note,omitempty"`
	Source              string   `json:"source,omitempty"`
}

// Source is a catalogue, portal or file that lists entries.
type Source struct {
	ID string `json:"id"`
	// Key is the short name by which people call it, e.g. "gb-data-gov".
	Key string `json:"key,omitempty"`
	// Kind is the protocol, one of the words of `assay harvest --kind`.
	Kind          string `json:"kind"`
	Title         string `json:"title"`
	URL           string `json:"url,omitempty"`
	CountryCode   string `json:"country_code,omitempty"`
	InstitutionID string `json:"institution_id,omitempty"`
	// Filters narrow what is asked of the source; the words are those of its
	// protocol, such as fq of CKAN.
	Filters map[string]string `json:"filters,omitempty"`
	// Endpoint is the address that is read when it is not URL, the catalogue's
	// own page.
	Endpoint string `json:"endpoint,omitempty"`
	// DefaultInstitution is the key or id of the institution to which records
	// belong whose publisher is not known; InstitutionID runs the catalogue.
	DefaultInstitution string `json:"default_institution,omitempty"`
	// File is the path that is read instead of the URL. It is never public.
	File string `json:"file,omitempty"`
	// Enabled lets a harvest that names no source take this one.
	Enabled bool `json:"enabled,omitempty"`
	// Schedule is how long after a run the next one is due, as a duration of
	// Go such as 24h; empty is a day.
	Schedule string `json:"schedule,omitempty"`
	// Incremental asks only for what changed since the last complete run, if
	// the protocol can; a full run is still made each week.
	Incremental bool `json:"incremental,omitempty"`
	// Configured tells that a configuration file has the last word on the row.
	Configured bool `json:"configured,omitempty"`
	// Managed tells that an administrator has it.
	Managed bool `json:"managed,omitempty"`
	// Portal tells that its host serves what others publish, so that the host
	// says who lists a record and not who publishes it.
	Portal bool `json:"portal,omitempty"`
	// Official is the reason why this source vouches for what it lists;
	// empty means that it does not (decisions §5).
	Official  string    `json:"official,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// Unnamed tells that nobody says what the institution is called: a catalogue identifies it by an IRI, which stands in
// place of its name.
func (i *Institution) Unnamed() bool {
	return i.State == InstitutionStated && !i.Managed && CheckURL("name", i.Name) == nil
}
