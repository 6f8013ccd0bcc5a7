package desk

import "encoding/json"

// Start is what waits, with the numbers of the register for administrators, nil for
// others.
type Start struct {
	Total Waiting
	Stats *Stats
}

// Stats count what the register has.
type Stats struct {
	Entries     []StateCount `json:"entries"`
	Submissions []StateCount `json:"submissions"`
	Jobs        []StateCount `json:"jobs"`
}

// Outcome is what came, or would come, of a form on many candidates; Form has what
// confirms it.
type Outcome struct {
	Result Result
	Left   int
	// To is where the form goes, Form its fields but for preview, Back the page that follows.
	To, Back string
	Form     []Hidden
}

// Hidden is a field of a form that nobody sees.
type Hidden struct{ Name, Value string }

// Result is what became of many candidates.
type Result struct {
	Batch   string `json:"batch"`
	Preview bool   `json:"preview"`
	Done    int    `json:"done"`
	Refused int    `json:"refused"`
	Items   []Row  `json:"items"`
}

// Row is what became of one of them.
type Row struct {
	ID          string `json:"id"`
	Detail      string `json:"detail"`
	Name        string `json:"name"`
	From        string `json:"from"`
	To          string `json:"to"`
	PublishedAt string `json:"published_at"`
}

// Entry is an entry with what may be changed about it; one without an id is a field to
// name it.
type Entry struct {
	Stored    Stored       `json:"entry"`
	Overrides []Override   `json:"overrides"`
	Targets   []Target     `json:"targets"`
	Audit     []AuditItem  `json:"audit"`
	Fields    []EntryField `json:"-"`
	// Origins are those of its fields, none where they are not public.
	Origins []Origin `json:"-"`
}

// Stored is an entry as it is stored.
type Stored struct {
	ID               string `json:"id"`
	Slug             string `json:"slug"`
	Name             string `json:"name"`
	Type             string `json:"type"`
	Status           string `json:"status"`
	StatusReason     string `json:"status_reason"`
	PrimarySourceURL string `json:"primary_source_url"`
	MergedIntoID     string `json:"merged_into_id"`
}

// EntryField is a field with its value and what a moderator put in its place.
type EntryField struct{ Name, Value, Override string }

// Override is a value that stands before that of the source.
type Override struct {
	Field     string          `json:"field"`
	Value     json.RawMessage `json:"value"`
	RevokedAt string          `json:"revoked_at"`
}

// Target is what is expected of the availability of an entry, in percent.
type Target struct {
	Availability float64 `json:"availability"`
	WindowDays   int     `json:"window_days"`
	Active       bool    `json:"active"`
	By           string  `json:"by"`
	Reason       string  `json:"reason"`
}

// Provenance are the origins of an entry's fields.
type Provenance struct {
	Fields []Origin `json:"fields"`
}

// Origin is where a field comes from.
type Origin struct {
	Field         string `json:"field"`
	Basis         string `json:"basis"`
	SourceURL     string `json:"source_url"`
	UpstreamField string `json:"upstream_field"`
}

// Sources are those of the register, with what the form begins with.
type Sources struct {
	Items []Source `json:"items"`
	Form  Form     `json:"-"`
}

// Source is a catalogue that is read.
type Source struct {
	ID                 string            `json:"id"`
	Key                string            `json:"key"`
	Kind               string            `json:"kind"`
	Title              string            `json:"title"`
	URL                string            `json:"url"`
	Endpoint           string            `json:"endpoint"`
	CountryCode        string            `json:"country_code"`
	InstitutionID      string            `json:"institution_id"`
	DefaultInstitution string            `json:"default_institution"`
	Filters            map[string]string `json:"filters"`
	Enabled            bool              `json:"enabled"`
	Schedule           string            `json:"schedule"`
	Incremental        bool              `json:"incremental"`
	Portal             bool              `json:"portal"`
	Official           string            `json:"official"`
	Configured         bool              `json:"configured"`
}

// Institutions are those of the register, with what the form begins with.
type Institutions struct {
	Items []Institution `json:"items"`
	After string        `json:"next"`
	Form  Form          `json:"-"`
}

// Next is where the list goes on.
func (x *Institutions) Next() map[string]string { return map[string]string{"items": x.After} }

// Institution is one of the register.
type Institution struct {
	ID              string   `json:"id"`
	Key             string   `json:"key"`
	Name            string   `json:"name"`
	NameEn          string   `json:"name_en"`
	NativeLang      string   `json:"native_lang"`
	CountryCode     string   `json:"country_code"`
	Type            string   `json:"type"`
	HomepageURL     string   `json:"homepage_url"`
	OfficialDomains []string `json:"official_domains"`
	GithubOrgs      []string `json:"github_orgs"`
	Aliases         []string `json:"aliases"`
	ParentID        string   `json:"parent_id"`
	MergedIntoID    string   `json:"merged_into_id"`
	State           string   `json:"state"`
}

// Publishers are the sources, and the institutions that were taken for the publishers of
// the one that was asked for, nil for none.
type Publishers struct {
	Sources []Choice
	Page    *Taken
}

// Next is where the list goes on.
func (x *Publishers) Next() map[string]string {
	if x.Page == nil {
		return nil
	}
	return map[string]string{"items": x.Page.After}
}

// Choice is a source of the form, by its key or else its id.
type Choice struct {
	Name, Title string
	Chosen      bool
}

// Taken are institutions that were taken for publishers.
type Taken struct {
	Source  string      `json:"source"`
	Items   []Publisher `json:"items"`
	Total   int         `json:"total"`
	Records int         `json:"records"`
	After   string      `json:"next"`
}

// Publisher is one of a source with the institution that was taken for it.
type Publisher struct {
	Publisher     string `json:"publisher"`
	IRI           string `json:"iri"`
	InstitutionID string `json:"institution_id"`
	Key           string `json:"institution_key"`
	State         string `json:"state"`
	Rule          string `json:"rule"`
	Evidence      string `json:"evidence"`
	Portal        bool   `json:"portal"`
	Records       int    `json:"records"`
}

// Webhooks are those of the register.
type Webhooks struct {
	Items []Webhook `json:"items"`
}

// Webhook is an endpoint that is told of events, with its deliveries.
type Webhook struct {
	ID             string   `json:"id"`
	URL            string   `json:"url"`
	Events         []string `json:"events"`
	State          string   `json:"state"`
	Active         bool     `json:"active"`
	FailureStreak  int      `json:"failure_streak"`
	Secret         string   `json:"secret"`
	DisabledReason string   `json:"disabled_reason"`
	// Deliveries are nil where they are not shown.
	Deliveries *Deliveries `json:"-"`
}

// Deliveries are messages to a webhook.
type Deliveries struct {
	Items []Delivery `json:"items"`
}

// Delivery is a message to a webhook.
type Delivery struct {
	ID            string `json:"id"`
	Type          string `json:"type"`
	State         string `json:"state"`
	Attempt       int    `json:"attempt"`
	StatusCode    int    `json:"status_code"`
	LatencyMS     int64  `json:"latency_ms"`
	Error         string `json:"error"`
	Response      string `json:"response"`
	CreatedAt     string `json:"created_at"`
	NextAttemptAt string `json:"next_attempt_at"`
}
