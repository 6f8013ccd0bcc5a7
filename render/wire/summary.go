package wire

import "github.com/assay-register/assay/render/snapshot"

// FacetsPage is the answer of entries/facets.
type FacetsPage struct {
	Total    int             `json:"total"`
	Snapshot string          `json:"snapshot"`
	Facets   snapshot.Facets `json:"facets"`
}

// Trending is the answer of trending: what moved lately, with the reasons.
type Trending struct {
	Snapshot   string          `json:"snapshot"`
	WindowDays int             `json:"window_days"`
	Rule       string          `json:"rule"`
	Items      []TrendingEntry `json:"items"`
}

// TrendingEntry is one entry that moved.
type TrendingEntry struct {
	Points  float64  `json:"points"`
	Reasons []string `json:"reasons"`
	Entry   Ref      `json:"entry"`
}

// Leaderboard is the answer of leaderboard. Groups are ordered by a mean that
// is drawn towards the register's when few entries stand behind it, so that a
// small sample wins nothing.
type Leaderboard struct {
	Snapshot     string       `json:"snapshot"`
	Rule         string       `json:"rule"`
	Entries      []Ref        `json:"entries"`
	Institutions []GroupScore `json:"institutions"`
	Countries    []GroupScore `json:"countries"`
}

// GroupScore is the quality of one institution's or country's entries. Key is
// an institution id or a country code; Confidence is 0 to 1.
type GroupScore struct {
	Rank       int     `json:"rank"`
	Key        string  `json:"key"`
	Name       string  `json:"name"`
	Entries    int     `json:"entries"`
	Mean       float64 `json:"mean_mqa_score"`
	Adjusted   float64 `json:"adjusted_mqa_score"`
	Confidence float64 `json:"confidence"`
	Verified   int     `json:"verified"`
}

// CatalogSummary is the answer of catalog/summary.
type CatalogSummary struct {
	Name         string           `json:"name"`
	License      string           `json:"license"`
	Snapshot     string           `json:"snapshot"`
	AsOf         string           `json:"as_of"`
	Entries      int              `json:"entries"`
	Listed       int              `json:"listed"`
	Deprecated   int              `json:"deprecated"`
	Removed      int              `json:"removed"`
	Merged       int              `json:"merged"`
	PublicSector int              `json:"public_sector"`
	Institutions int              `json:"institutions"`
	Countries    int              `json:"countries"`
	Languages    int              `json:"languages"`
	Types        []snapshot.Count `json:"types"`
	States       []snapshot.Count `json:"verification_states"`
	Tiers        []snapshot.Count `json:"mqa_tiers"`
	Licences     []snapshot.Count `json:"licences"`
	ByCountry    []snapshot.Count `json:"by_country"`
	MeanMQAScore float64          `json:"mean_mqa_score"`
	// LeftOut counts the entries that DCAT-AP cannot hold, by reason.
	LeftOut []snapshot.Count `json:"dcat_left_out"`
	// Honesty says how well the register does its work.
	Honesty HonestyFigures `json:"honesty"`
	Formats []FormatLink   `json:"formats"`
}

// FormatLink is one machine-readable form of the catalog.
type FormatLink struct {
	Name      string `json:"name"`
	MediaType string `json:"media_type"`
	Href      string `json:"href"`
}

// SnapshotPage is /snapshot.json: what was published and the hash of every
// class of files.
type SnapshotPage struct {
	Snapshot  string          `json:"snapshot"`
	AsOf      string          `json:"as_of"`
	Day       string          `json:"day"`
	BaseURL   string          `json:"base_url"`
	License   string          `json:"license"`
	Entries   int             `json:"entries"`
	Listed    int             `json:"listed"`
	Pages     int             `json:"pages"`
	Rubric    string          `json:"rubric_version"`
	Artefacts []ArtefactClass `json:"artefacts"`
	Rule      string          `json:"sha256_rule"`
	// EntryDocuments binds the documents about each entry, RulesSHA256 the rules as data.
	EntryDocuments *DocumentTree `json:"entry_documents,omitempty"`
	RulesSHA256    string        `json:"rules_sha256,omitempty"`
}

// DocumentTree binds the documents about each entry by one root, so that those of one are
// proven without the list of all.
type DocumentTree struct {
	Leaves int64  `json:"leaves"`
	Root   string `json:"root_sha256"`
	Rule   string `json:"rule"`
}

// ArtefactClass counts and hashes the files of one class. SHA256 covers one
// line "route sha256" per file, in the order of routes.ndjson.
type ArtefactClass struct {
	Class  string `json:"class"`
	Files  int    `json:"files"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// RouteLine is one line of /routes.ndjson.
type RouteLine struct {
	Route  string `json:"route"`
	Type   string `json:"type"`
	Class  string `json:"class"`
	SHA256 string `json:"sha256"`
	Bytes  int    `json:"bytes"`
	// SameAs is the route whose file this one is another name of.
	SameAs string `json:"same_as,omitempty"`
}

// Tombstone is one line of /tombstones.ndjson: an entry that was public once.
type Tombstone struct {
	ID        string   `json:"id"`
	Slug      string   `json:"slug"`
	Former    []string `json:"former_slugs"`
	Reason    string   `json:"reason"`
	Successor *string  `json:"successor"`
	At        string   `json:"at"`
}

// Problem is the body of an error (RFC 9457).
type Problem struct {
	Type     string         `json:"type"`
	Title    string         `json:"title"`
	Status   int            `json:"status"`
	Detail   string         `json:"detail"`
	Instance string         `json:"instance"`
	Errors   []ProblemError `json:"errors,omitempty"`
	// Successor is the entry that took the place of a removed one.
	Successor *string `json:"successor,omitempty"`
	// ViolatedPolicies are the rate limits that a 429 is due to.
	ViolatedPolicies []string `json:"violated-policies,omitempty"`
	// Entry is the entry that a 409 is about.
	Entry *EntryLink `json:"entry,omitempty"`
}

// ProblemError is one cause of an error. Location is query, path, header or
// body with the name after a dot.
type ProblemError struct {
	Location string `json:"location"`
	Message  string `json:"message"`
	Value    string `json:"value"`
}

// Health is the answer of /health.
type Health struct {
	Status   string `json:"status"`
	Snapshot string `json:"snapshot"`
}
