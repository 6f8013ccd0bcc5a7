package wire

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// AuditItem is one change that a person made.
type AuditItem struct {
	Number  int64           `json:"number"`
	At      string          `json:"at"`
	By      string          `json:"by"`
	Name    string          `json:"name"`
	Action  string          `json:"action"`
	Subject string          `json:"subject"`
	Reason  *string         `json:"reason"`
	Details json.RawMessage `json:"details"`
}

// AuditPage is a page of the audit log, newest first.
type AuditPage struct {
	Items []AuditItem `json:"items"`
	Next  *string     `json:"next"`
}

// TokenItem is the right of one holder; the token itself is never shown.
type TokenItem struct {
	ID        string       `json:"id"`
	Name      string       `json:"name"`
	Role      catalog.Role `json:"role"`
	CreatedAt string       `json:"created_at"`
	RevokedAt *string      `json:"revoked_at"`
	// Logins is how many logins of the desk it has now.
	Logins int `json:"logins"`
}

// TokensPage lists all rights.
type TokensPage struct {
	Items []TokenItem `json:"items"`
}

// Redaction is the answer to a redaction: what was redacted.
type Redaction struct {
	Submission *string `json:"submission"`
	Entry      *string `json:"entry"`
	RedactedAt string  `json:"redacted_at"`
}

// JobItem is one piece of queued work.
type JobItem struct {
	ID          string           `json:"id"`
	Kind        string           `json:"kind"`
	State       catalog.JobState `json:"state"`
	RunAt       string           `json:"run_at"`
	Attempt     int              `json:"attempt"`
	MaxAttempts int              `json:"max_attempts"`
	Worker      *string          `json:"worker"`
	LastError   *string          `json:"last_error"`
	Payload     json.RawMessage  `json:"payload"`
	// Progress is the worker's own report.
	Progress   json.RawMessage `json:"progress"`
	CreatedAt  string          `json:"created_at"`
	FinishedAt *string         `json:"finished_at"`
}

// JobsPage is a page of jobs, oldest first.
type JobsPage struct {
	Items []JobItem `json:"items"`
	Next  *string   `json:"next"`
}

// JobReceipt is the answer to a trigger.
type JobReceipt struct {
	Job       string `json:"job"`
	StatusURL string `json:"status_url"`
}

// DiscoveryRequest triggers a harvest.
type DiscoveryRequest struct {
	// Sources are keys or ids; without any all that are enabled and due.
	Sources []string `json:"sources,omitempty"`
}

// VerificationRequest triggers a verification.
type VerificationRequest struct {
	// Entries are ids or slugs; without any, and without All, what is due.
	Entries []string `json:"entries,omitempty"`
	All     bool     `json:"all,omitempty"`
}

// InstitutionRequest puts an institution.
type InstitutionRequest struct {
	Name            string                  `json:"name"`
	NameEn          string                  `json:"name_en,omitempty"`
	NativeLang      string                  `json:"native_lang,omitempty"`
	CountryCode     string                  `json:"country_code,omitempty"`
	Type            catalog.InstitutionType `json:"type"`
	HomepageURL     string                  `json:"homepage_url,omitempty"`
	OfficialDomains []string                `json:"official_domains,omitempty"`
	GithubOrgs      []string                `json:"github_orgs,omitempty"`
	// Aliases are other names in any language; missing keeps what is known.
	Aliases *[]string `json:"aliases,omitempty"`
	// Parent is the key or id of what it is a part of, MergedInto of what it
	// turned out to be; missing keeps what is known, "" takes it away.
	Parent     *string `json:"parent,omitempty"`
	MergedInto *string `json:"merged_into,omitempty"`
	Reason     string  `json:"reason"`
}

// AdminInstitution is an institution as administrators see it.
type AdminInstitution struct {
	ID              string                   `json:"id"`
	Key             string                   `json:"key"`
	Name            string                   `json:"name"`
	NameEn          *string                  `json:"name_en"`
	NativeLang      *string                  `json:"native_lang"`
	CountryCode     *string                  `json:"country_code"`
	Type            *catalog.InstitutionType `json:"type"`
	HomepageURL     *string                  `json:"homepage_url"`
	OfficialDomains []string                 `json:"official_domains"`
	GithubOrgs      []string                 `json:"github_orgs"`
	Aliases         []string                 `json:"aliases"`
	ParentID        *string                  `json:"parent_id"`
	MergedIntoID    *string                  `json:"merged_into_id"`
	State           catalog.InstitutionState `json:"state"`
	Managed         bool                     `json:"managed"`
	UpdatedAt       string                   `json:"updated_at"`
}

// AdminInstitutionsPage is a page of institutions, by id.
type AdminInstitutionsPage struct {
	Items []AdminInstitution `json:"items"`
	Next  *string            `json:"next"`
}

// SourceRequest puts a source.
type SourceRequest struct {
	Kind               string            `json:"kind"`
	Title              string            `json:"title"`
	URL                string            `json:"url"`
	Endpoint           string            `json:"endpoint,omitempty"`
	CountryCode        string            `json:"country_code,omitempty"`
	InstitutionID      string            `json:"institution_id,omitempty"`
	DefaultInstitution string            `json:"default_institution,omitempty"`
	Filters            map[string]string `json:"filters,omitempty"`
	Enabled            bool              `json:"enabled,omitempty"`
	Schedule           string            `json:"schedule,omitempty"`
	Incremental        bool              `json:"incremental,omitempty"`
	// Portal tells that the source lists what others publish; left out, what is
	// known of the source stays.
	Portal *bool `json:"portal,omitempty"`
	// Official is the reason why the source vouches for what it lists.
	Official string `json:"official,omitempty"`
	Reason   string `json:"reason"`
}

// AdminSource is a source as administrators see it.
type AdminSource struct {
	ID                 string            `json:"id"`
	Key                *string           `json:"key"`
	Kind               string            `json:"kind"`
	Title              string            `json:"title"`
	URL                *string           `json:"url"`
	Endpoint           *string           `json:"endpoint"`
	CountryCode        *string           `json:"country_code"`
	InstitutionID      *string           `json:"institution_id"`
	DefaultInstitution *string           `json:"default_institution"`
	Filters            map[string]string `json:"filters"`
	Enabled            bool              `json:"enabled"`
	Schedule           *string           `json:"schedule"`
	Incremental        bool              `json:"incremental"`
	Portal             bool              `json:"portal"`
	Official           *string           `json:"official"`
	Configured         bool              `json:"configured"`
	Managed            bool              `json:"managed"`
	UpdatedAt          string            `json:"updated_at"`
}

// AdminSourcesPage lists all sources.
type AdminSourcesPage struct {
	Items []AdminSource `json:"items"`
}

func rfc(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func rawOrNull(v json.RawMessage) json.RawMessage {
	if len(v) == 0 {
		return json.RawMessage("null")
	}
	return v
}

func some(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// NewAuditItem is the view of an audit row.
func NewAuditItem(r *catalog.AuditRow) AuditItem {
	return AuditItem{r.Number, rfc(r.At), r.By, r.Name, r.Action, r.Subject, null(r.Reason), rawOrNull(r.Details)}
}

// NewTokenItem is the view of a token, without its hash.
func NewTokenItem(t *catalog.Token) TokenItem {
	return TokenItem{ID: t.ID, Name: t.Name, Role: t.Role, CreatedAt: rfc(t.CreatedAt), RevokedAt: stamp(t.RevokedAt)}
}

// NewJobItem is the view of a job.
func NewJobItem(j *catalog.Job) JobItem {
	return JobItem{ID: j.ID, Kind: j.Kind, State: j.State, RunAt: rfc(j.RunAt), Attempt: j.Attempt, MaxAttempts: j.MaxAttempts, Worker: null(j.Worker),
		LastError: null(j.LastError), Payload: rawOrNull(j.Payload), Progress: rawOrNull(j.Progress), CreatedAt: rfc(j.CreatedAt), FinishedAt: stamp(j.FinishedAt)}
}

// NewAdminInstitution is the view of an institution.
func NewAdminInstitution(i *catalog.Institution) AdminInstitution {
	return AdminInstitution{i.ID, i.Key, i.Name, null(i.NameEn), null(i.NativeLang), null(i.CountryCode), typeOf(i), null(i.HomepageURL),
		some(i.OfficialDomains), some(i.GithubOrgs),
		some(i.Aliases), null(i.ParentID), null(i.MergedIntoID), cmp.Or(i.State, catalog.InstitutionKnown), i.Managed, rfc(i.UpdatedAt)}
}

// NewAdminSource is the view of a source; a file of this machine is not shown.
func NewAdminSource(s *catalog.Source) AdminSource {
	filters := s.Filters
	if filters == nil {
		filters = map[string]string{}
	}
	return AdminSource{s.ID, null(s.Key), s.Kind, s.Title, null(s.URL), null(s.Endpoint), null(s.CountryCode), null(s.InstitutionID),
		null(s.DefaultInstitution), filters, s.Enabled, null(s.Schedule), s.Incremental, s.Portal, null(s.Official), s.Configured, s.Managed, rfc(s.UpdatedAt)}
}
