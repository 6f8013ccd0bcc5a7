package wire

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
)

// PageTail are the members that only a single-entry answer has
// (specification, "Entry (extra members in single-entry responses)").
type PageTail struct {
	ContentChangedAt *string         `json:"content_changed_at"`
	TitleQualifier   *string         `json:"title_qualifier"`
	Institution      *Institution    `json:"institution"`
	Access           Access          `json:"access"`
	Maturity         Maturity        `json:"maturity"`
	APIDetails       *APIDetails     `json:"api_details"`
	DatasetDetails   *DatasetDetails `json:"dataset_details"`
	MCPDetails       *MCPDetails     `json:"mcp_details"`
	License          *License        `json:"license"`
	LicenseRaw       *string         `json:"license_raw"`
	Reuse            Reuse           `json:"reuse"`
	LatestCheck      *LatestCheck    `json:"latest_check"`
	DataProfile      *DataProfile    `json:"data_profile"`
	Datasets         []Dataset       `json:"datasets"`
	Limits           []Limit         `json:"limits"`
	Themes           []string        `json:"themes"`
	HVDCategories    []string        `json:"hvd_categories"`
	PublisherName    *string         `json:"publisher_name"`
	Publisher        *Publisher      `json:"publisher"`
	Contact          *Contact        `json:"contact"`
	SourceIssuedAt   *string         `json:"source_issued_at"`
	SourceModifiedAt *string         `json:"source_modified_at"`
	Admission        *Admission      `json:"admission"`
	Signals          []Signal        `json:"signals"`
	Deprecation      *Deprecation    `json:"deprecation"`
	// DeprecationAt and SunsetAt are what the source's own answers announce (RFC 9745, RFC 8594), or
	// its catalogue does.
	DeprecationAt *string `json:"deprecation_at"`
	SunsetAt      *string `json:"sunset_at"`
	// Reliability are the active targets; ThirdParty and SourceID are what
	// is_public_sector rests on besides institution and admission.
	Reliability []Reliability `json:"reliability"`
	ThirdParty  bool          `json:"third_party"`
	SourceID    *string       `json:"source_id"`
	Stated
}

// Entry is a single-entry answer without its manifest.
type Entry struct {
	Core
	PageTail
}

// Institution is the public body behind an entry.
type Institution struct {
	ID              string                   `json:"id"`
	Key             string                   `json:"key"`
	Name            string                   `json:"name"`
	NameEn          *string                  `json:"name_en"`
	NativeLang      *string                  `json:"native_lang"`
	CountryCode     *string                  `json:"country_code"`
	Type            *catalog.InstitutionType `json:"type"`
	HomepageURL     *string                  `json:"homepage_url"`
	OfficialDomains []string                 `json:"official_domains"`
	// State is known, or stated for one that a catalogue only names.
	State       catalog.InstitutionState `json:"state"`
	Aliases     []string                 `json:"aliases"`
	Identifiers []string                 `json:"identifiers"`
	ParentID    *string                  `json:"parent_id"`
}

// Publisher is who publishes an entry, as its source states it.
type Publisher struct {
	Name  string            `json:"name"`
	Names map[string]string `json:"names"`
	IRI   *string           `json:"iri"`
	Type  *string           `json:"type"`
	// InstitutionID is the institution that it is, known or stated; null for a
	// person.
	InstitutionID *string `json:"institution_id"`
	// Basis is publisher_stated, or platform_computed where the source names
	// nobody: then the name is that of the institution that the register found, or,
	// if nobody names it, the identifier that the source gives, as in IRI.
	Basis catalog.Basis `json:"basis"`
}

// Action is one thing that can be done with an entry. Kind is api, openapi,
// graphql, download, mcp, docs, landing or source.
type Action struct {
	Kind     string `json:"kind"`
	Label    string `json:"label"`
	Method   string `json:"method"`
	URL      string `json:"url"`
	Source   string `json:"source"`
	Runnable bool   `json:"runnable"`
	Direct   bool   `json:"direct,omitempty"`
}

// Access says how a machine gets at the source.
type Access struct {
	Level   catalog.AccessLevel `json:"level"`
	Primary *Action             `json:"primary"`
	Actions []Action            `json:"actions"`
	Formats []string            `json:"formats"`
}

// Endpoint is one operation of an API.
type Endpoint struct {
	Method  string  `json:"method"`
	Path    string  `json:"path"`
	Summary *string `json:"summary"`
	// Parameters are what a request can say, Answer is an example of an answer.
	Parameters []Argument `json:"parameters"`
	Answer     *string    `json:"answer"`
}

// Argument is a parameter of an operation, or an argument of a tool.
type Argument struct {
	Name        string   `json:"name"`
	In          *string  `json:"in"`
	Type        *string  `json:"type"`
	Required    bool     `json:"required"`
	Description *string  `json:"description"`
	Example     *string  `json:"example"`
	Values      []string `json:"values"`
}

// APIDetails describe an API.
type APIDetails struct {
	ID             string     `json:"id"`
	EntryID        string     `json:"entry_id"`
	BaseURL        *string    `json:"base_url"`
	OpenAPIURL     *string    `json:"openapi_url"`
	GraphQLURL     *string    `json:"graphql_url"`
	APIVersion     *string    `json:"api_version"`
	SpecFormat     *string    `json:"spec_format"`
	EndpointsCount *int       `json:"endpoints_count"`
	Endpoints      []Endpoint `json:"endpoints"`
	RateLimitInfo  *string    `json:"rate_limit_info"`
	FreeTierLimits *string    `json:"free_tier_limits"`
	PingURL        *string    `json:"ping_url"`
	OtherURLs      []string   `json:"other_urls"`
	Spatial        []string   `json:"spatial"`
	Frequency      *string    `json:"frequency"`
	TermsURL       *string    `json:"terms_url"`
	CreatedAt      *string    `json:"created_at"`
	UpdatedAt      *string    `json:"updated_at"`
}

// DatasetDetails describe a dataset.
type DatasetDetails struct {
	ID            string         `json:"id"`
	EntryID       string         `json:"entry_id"`
	LandingPage   *string        `json:"landing_page"`
	OtherPages    []string       `json:"other_pages"`
	Frequency     *string        `json:"frequency"`
	Spatial       []string       `json:"spatial"`
	TemporalStart *string        `json:"temporal_start"`
	TemporalEnd   *string        `json:"temporal_end"`
	Version       *string        `json:"version"`
	Distributions []Distribution `json:"distributions"`
	CreatedAt     *string        `json:"created_at"`
	UpdatedAt     *string        `json:"updated_at"`
}

// Distribution is one file or access point of a dataset. ByteSize is in bytes.
type Distribution struct {
	Title       *string `json:"title"`
	AccessURL   *string `json:"access_url"`
	DownloadURL *string `json:"download_url"`
	Format      *string `json:"format"`
	MediaType   *string `json:"media_type"`
	ByteSize    *int64  `json:"byte_size"`
	License     *string `json:"license"`
	ModifiedAt  *string `json:"modified_at"`
	Description *string `json:"description"`
	// OtherURLs are further addresses, Languages the file's own.
	OtherURLs []string `json:"other_urls"`
	Languages []string `json:"languages"`
}

// MCPDetails describe a server of the Model Context Protocol.
type MCPDetails struct {
	ID               string       `json:"id"`
	EntryID          string       `json:"entry_id"`
	EndpointURL      *string      `json:"endpoint_url"`
	Transport        *string      `json:"transport"`
	Version          *string      `json:"version"`
	ProtocolVersions []string     `json:"protocol_versions"`
	Packages         []MCPPackage `json:"packages"`
	Tools            []MCPTool    `json:"tools"`
	HandshakeAt      *string      `json:"handshake_at"`
}

// MCPPackage is one installable form of a server.
type MCPPackage struct {
	Registry   string  `json:"registry"`
	Identifier string  `json:"identifier"`
	Version    *string `json:"version"`
}

// MCPTool is one tool of a server.
type MCPTool struct {
	Name        string  `json:"name"`
	Title       *string `json:"title"`
	Description *string `json:"description"`
	ReadOnly    bool    `json:"read_only"`
	// Arguments are those of the tool's input schema.
	Arguments []Argument `json:"arguments"`
}

// License is a row of the licence table.
type License struct {
	ID           string  `json:"id"`
	Title        string  `json:"title"`
	URL          *string `json:"url"`
	EUURI        *string `json:"eu_uri"`
	Jurisdiction *string `json:"jurisdiction"`
	Open         string  `json:"open"`
}

// RightStatus is the answer to one question about reuse. Value is null when
// the status is unknown.
type RightStatus struct {
	Status string `json:"status"`
	Value  *bool  `json:"value"`
}

// Reuse says what may be done with the data.
type Reuse struct {
	LicenseID           *string     `json:"license_id"`
	LicenseName         *string     `json:"license_name"`
	LicenseURL          *string     `json:"license_url"`
	CommercialUse       RightStatus `json:"commercial_use"`
	Redistribution      RightStatus `json:"redistribution"`
	AttributionRequired RightStatus `json:"attribution_required"`
	ShareAlike          RightStatus `json:"share_alike"`
	PersonalDataWarning RightStatus `json:"personal_data_warning"`
	CacheAndMirror      RightStatus `json:"cache_and_mirror"`
	Undetermined        []string    `json:"undetermined"`
	Basis               string      `json:"basis"`
	Confidence          float64     `json:"confidence"`
	ConfidenceTier      string      `json:"confidence_tier"`
	SourceText          *string     `json:"source_text"`
	SourceURL           *string     `json:"source_url"`
	ReviewedAt          *string     `json:"reviewed_at"`
}

// LatestCheck is the running verdict over the checks. Latencies are in
// milliseconds over the last 30 days.
type LatestCheck struct {
	ID                   string                    `json:"id"`
	EntryID              string                    `json:"entry_id"`
	Status               catalog.VerificationState `json:"status"`
	LastCheckedAt        *string                   `json:"last_checked_at"`
	P50LatencyMS         *int                      `json:"p50_latency_ms"`
	P95LatencyMS         *int                      `json:"p95_latency_ms"`
	LastError            *string                   `json:"last_error"`
	LastErrorClass       *string                   `json:"last_error_class"`
	ConsecutiveFailures  int                       `json:"consecutive_failures"`
	ConsecutiveSuccesses int                       `json:"consecutive_successes"`
	CreatedAt            *string                   `json:"created_at"`
	UpdatedAt            *string                   `json:"updated_at"`
	ProbeURL             *string                   `json:"probe_url"`
	ProbeMethod          *string                   `json:"probe_method"`
	ProbeHTTPStatus      *int                      `json:"probe_http_status"`
	ProbeContentType     *string                   `json:"probe_content_type"`
	ProbeSucceededAt     *string                   `json:"probe_succeeded_at"`
	RequiresAuth         bool                      `json:"requires_auth"`
	Vantages             int                       `json:"vantages"`
}

// Dataset is a dataset or layer that a service serves; it is no entry of its
// own unless entry_id is set.
type Dataset struct {
	Name    string   `json:"name"`
	Title   *string  `json:"title"`
	URL     *string  `json:"url"`
	Formats []string `json:"formats"`
	EntryID *string  `json:"entry_id"`
}

// Limit is one usage limit that the publisher states. Quantity is per
// period_seconds.
type Limit struct {
	Kind          string `json:"kind"`
	Text          string `json:"text"`
	Quantity      *int64 `json:"quantity"`
	PeriodSeconds *int64 `json:"period_seconds"`
}

// Contact is a functional contact point.
type Contact struct {
	Name  *string `json:"name"`
	URL   *string `json:"url"`
	Email *string `json:"email"`
}

// Admission says why the entry is public.
type Admission struct {
	Rule   catalog.AdmissionRule `json:"rule"`
	Reason string                `json:"reason"`
	At     *string               `json:"at"`
}

// Signal is one recorded proof of officialness.
type Signal struct {
	Kind        catalog.SignalKind `json:"kind"`
	Held        bool               `json:"held"`
	EvidenceURL *string            `json:"evidence_url"`
	Detail      *string            `json:"detail"`
	ObservedAt  *string            `json:"observed_at"`
}

// Deprecation says why and for what an entry was deprecated.
type Deprecation struct {
	Reason      string  `json:"reason"`
	SuccessorID *string `json:"successor_id"`
	SunsetAt    *string `json:"sunset_at"`
}

// EncodeEntry writes the single-entry answer with its manifest.
func EncodeEntry(s *snapshot.Scored, live bool) ([]byte, error) {
	return Seal(newEntry(s), s.ChangedAt, live)
}

// EntryIn is EncodeEntry for a static page that is written into an empty slice.
func EntryIn(room []byte, s *snapshot.Scored) (Sealed, error) {
	return SealIn(room, newEntry(s), s.ChangedAt)
}

func newEntry(s *snapshot.Scored) *Entry { return &Entry{Core: newCore(s), PageTail: newTail(s)} }

func newTail(s *snapshot.Scored) PageTail {
	e, r := s.Entry(), &s.Result
	t := PageTail{
		ContentChangedAt: stamp(e.ContentChangedAt), TitleQualifier: null(s.Qualifier),
		Institution: NewInstitution(s.Institution), Access: newAccess(r.Access, e.Formats), Maturity: newMaturity(s),
		APIDetails: newAPI(e), DatasetDetails: newDataset(e), MCPDetails: newMCP(e),
		License: newLicense(s.Licence), LicenseRaw: null(e.LicenseRaw), Reuse: newReuse(s),
		LatestCheck: newLatest(s.Row.State, r.P50, r.P95), DataProfile: newProfile(s), Datasets: []Dataset{}, Limits: []Limit{},
		Themes: list(e.Themes), HVDCategories: list(e.HVDCategories), PublisherName: null(e.PublisherName), Publisher: newPublisher(s),
		Contact: newContact(e.Contact), SourceIssuedAt: stamp(e.SourceIssuedAt), SourceModifiedAt: stamp(e.SourceModifiedAt),
		Signals: []Signal{}, Reliability: newReliability(s), ThirdParty: e.ThirdParty, SourceID: null(e.SourceID),
		Stated: newStated(e),
	}
	for _, m := range e.Members {
		t.Datasets = append(t.Datasets, Dataset{m.Name, null(m.Title), null(m.URL), list(m.Formats), null(m.EntryID)})
	}
	for _, l := range e.Limits {
		t.Limits = append(t.Limits, Limit{l.Kind, l.Text, number(l.Quantity), number(l.PeriodSeconds)})
	}
	for _, sig := range e.Signals {
		t.Signals = append(t.Signals, Signal{sig.Kind, sig.Held, null(sig.EvidenceURL), null(sig.Detail), stamp(sig.ObservedAt)})
	}
	if a := e.Admission; a != nil {
		t.Admission = &Admission{a.Rule, a.Reason, stamp(a.At)}
	}
	t.DeprecationAt, t.SunsetAt = stamp(e.DeprecationAt), stamp(e.SunsetAt)
	if e.Status == catalog.StatusDeprecated {
		t.Deprecation = &Deprecation{e.StatusReason, null(e.SuccessorID), stamp(e.SunsetAt)}
	}
	return t
}

func number[T int | int64](n T) *T {
	if n == 0 {
		return nil
	}
	return &n
}

// typeOf is the kind of an institution, nil for one of which nobody says it.
func typeOf(i *catalog.Institution) *catalog.InstitutionType {
	if i.Type == "" {
		return nil
	}
	return &i.Type
}

// NewInstitution is the public shape of an institution, nil for none.
func NewInstitution(i *catalog.Institution) *Institution {
	if i == nil {
		return nil
	}
	return &Institution{i.ID, i.Key, i.Name, null(i.NameEn), null(i.NativeLang), null(i.CountryCode), typeOf(i),
		null(i.HomepageURL), list(i.OfficialDomains), cmp.Or(i.State, catalog.InstitutionKnown), list(i.Aliases), list(i.Identifiers), null(i.ParentID)}
}

// newPublisher is the publisher as the source names it, else the institution
// that the register found, nil for neither.
func newPublisher(s *snapshot.Scored) *Publisher {
	e := s.Entry()
	p := &Publisher{Name: e.PublisherName, Names: map[string]string{}, InstitutionID: null(e.InstitutionID), Basis: catalog.BasisPublisher}
	switch {
	case p.Name != "":
		if a := e.Publisher; a != nil {
			p.IRI, p.Type = null(a.IRI), null(a.Type)
			maps.Copy(p.Names, a.Names)
		}
	case s.Institution != nil:
		p.Name, p.Basis = s.Institution.Name, catalog.BasisComputed
		maps.Copy(p.Names, s.Institution.Names)
	case e.Publisher != nil && e.Publisher.IRI != "":
		p.Name, p.Basis = e.Publisher.IRI, catalog.BasisComputed
	default:
		return nil
	}
	if a := e.Publisher; p.IRI == nil && a != nil {
		p.IRI, p.Type = null(a.IRI), null(a.Type)
	}
	return p
}

func newAccess(a score.Access, formats []string) Access {
	out := Access{Level: a.Level, Actions: []Action{}, Formats: list(formats)}
	for _, x := range a.Actions {
		out.Actions = append(out.Actions, Action(x))
	}
	if len(out.Actions) > 0 {
		first := out.Actions[0]
		out.Primary = &first
	}
	return out
}

func newContact(c *catalog.Contact) *Contact {
	if c == nil {
		return nil
	}
	return &Contact{null(c.Name), null(c.URL), null(c.Email)}
}

func newLatest(st *catalog.CheckState, p50, p95 *int) *LatestCheck {
	if st == nil {
		return nil
	}
	return &LatestCheck{
		ID: st.ID, EntryID: st.EntryID, Status: st.State, LastCheckedAt: stamp(st.LastCheckedAt),
		P50LatencyMS: p50, P95LatencyMS: p95, LastError: null(st.LastError),
		LastErrorClass: null(string(st.LastClass)), ConsecutiveFailures: st.ConsecutiveFailures,
		ConsecutiveSuccesses: st.ConsecutiveSuccesses, CreatedAt: stamp(st.CreatedAt), UpdatedAt: stamp(st.UpdatedAt),
		ProbeURL: null(st.ProbeURL), ProbeMethod: null(st.ProbeMethod), ProbeHTTPStatus: number(st.ProbeHTTPStatus),
		ProbeContentType: null(st.ProbeContentType), ProbeSucceededAt: stamp(st.SucceededAt),
		RequiresAuth: st.RequiresAuth, Vantages: st.Vantages,
	}
}

func newLicense(l *catalog.Licence) *License {
	if l == nil {
		return nil
	}
	return &License{l.ID, l.Title, null(l.URL), null(l.EUURI), null(l.Jurisdiction), string(l.Open)}
}

// decoded reads a stored JSON value, so that it is written again in the one
// form that jsonx has; what does not parse becomes null.
func decoded(raw json.RawMessage) any {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	return canonical(v)
}

// canonical drops the sign of zeros and orders members by name, those whose
// names are numbers first and by their value: JavaScript writes them so,
// whatever order it read.
func canonical(v any) any {
	switch x := v.(type) {
	case float64:
		if x == 0 {
			return 0.0
		}
	case []any:
		for i := range x {
			x[i] = canonical(x[i])
		}
	case map[string]any:
		o := ordered[any]{keys: slices.Collect(maps.Keys(x))}
		slices.SortFunc(o.keys, func(a, b string) int {
			return cmp.Or(cmp.Compare(arrayIndex(a), arrayIndex(b)), cmp.Compare(a, b))
		})
		for _, k := range o.keys {
			o.values = append(o.values, canonical(x[k]))
		}
		return o
	}
	return v
}

// arrayIndex is the number that a name is to JavaScript, else the one beyond
// the last (ECMAScript, "array index").
func arrayIndex(name string) uint64 {
	n, err := strconv.ParseUint(name, 10, 32)
	if err != nil || strconv.FormatUint(n, 10) != name {
		return math.MaxUint32
	}
	return n
}
