package catalog

import "time"

// Institution is a public body that publishes sources.
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
	OfficialDomains []string  `json:"official_domains,omitempty"`
	GithubOrgs      []string  `json:"github_orgs,omitempty"`
	Source          string    `json:"source,omitempty"`
	CreatedAt       time.Time `json:"created_at"`
	UpdatedAt       time.Time `json:"updated_at"`
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
	// Kind is the protocol, one of the words of `assay harvest --kind`.
	Kind          string `json:"kind"`
	Title         string `json:"title"`
	URL           string `json:"url,omitempty"`
	CountryCode   string `json:"country_code,omitempty"`
	InstitutionID string `json:"institution_id,omitempty"`
	// Filters narrow what is asked of the source; the words are those of its
	// protocol, such as fq of CKAN.
	Filters map[string]string `json:"filters,omitempty"`
	// Official is the reason why this source vouches for what it lists;
	// empty means that it does not (decisions §5).
	Official  string    `json:"official,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}
