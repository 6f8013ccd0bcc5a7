package wire

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Routes of the past of an entry.
const (
	RouteRestated    = "/api/v1/entries/{idOrSlug}/restated"
	RouteHistory     = "/api/v1/entries/{idOrSlug}/history"
	RouteDifferences = "/api/v1/entries/{idOrSlug}/differences"
)

// Standings of an entry at an instant.
const (
	StandingNotYet   = "not_yet"
	StandingShown    = "shown"
	StandingRemoved  = "removed"
	StandingMerged   = "merged"
	StandingReopened = "reopened"
)

// Bases of what is known of a member of the past: a whole answer that is kept; a leaf of the
// log of verdicts; the change feed; what a later change says was before it; that no change is
// known since; the table of daily scores.
const (
	BasisAnswer    = "answer"
	BasisLog       = "log"
	BasisFeed      = "feed"
	BasisLater     = "later"
	BasisUnchanged = "unchanged"
	BasisScores    = "scores"
)

// RestatedEntry is what the register said of an entry at an instant, as far as it is known.
type RestatedEntry struct {
	EntryID string `json:"entry_id"`
	At      string `json:"at"`
	// Standing is not_yet before the entry was published.
	Standing string `json:"standing"`
	// Snapshot is the last one of which the log says that it was published by then.
	Snapshot *PastSnapshot `json:"snapshot"`
	// Answer is the whole answer as that snapshot has it, null where it is not kept.
	Answer  json.RawMessage `json:"answer"`
	Members []PastMember    `json:"members"`
	// Unknown names the members of an answer of which nothing is known.
	Unknown []string `json:"unknown"`
	// Kept are the citations of the entry, oldest first.
	Kept  []PastAnswer `json:"kept"`
	Proof *string      `json:"proof"`
}

// PastSnapshot is a snapshot as its leaf in the log names it.
type PastSnapshot struct {
	ID string `json:"id"`
	// AsOf is its time, Leaf the number of its leaf.
	AsOf   string `json:"as_of"`
	Leaf   int64  `json:"leaf"`
	SHA256 string `json:"sha256"`
	// Kept tells that its file is here still.
	Kept bool `json:"kept"`
}

// PastMember is what is known of one member at an instant.
type PastMember struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
	Basis string          `json:"basis"`
	// Since and Until bound how long it was so, as far as changes are known.
	Since *string `json:"since"`
	Until *string `json:"until"`
	// Event and Leaf are where it is written.
	Event *string `json:"event"`
	Leaf  *int64  `json:"leaf"`
}

// PastAnswer is a citation: a whole answer that is kept for good.
type PastAnswer struct {
	ID        string  `json:"id"`
	Href      string  `json:"href"`
	SHA256    string  `json:"sha256"`
	Snapshot  *string `json:"snapshot"`
	CreatedAt *string `json:"created_at"`
}

// EntryHistory is what happened to an entry, newest first.
type EntryHistory struct {
	EntryID    string       `json:"entry_id"`
	Slug       string       `json:"slug"`
	Name       string       `json:"name"`
	Standing   string       `json:"standing"`
	Total      int          `json:"total"`
	Items      []PastEvent  `json:"items"`
	Kept       []PastAnswer `json:"kept"`
	Proof      *string      `json:"proof"`
	HasMore    bool         `json:"has_more"`
	NextCursor *string      `json:"next_cursor"`
}

// PastEvent is one thing that happened to an entry. Bound tells that the leaf binds these
// very changes by its hash.
type PastEvent struct {
	At       string  `json:"at"`
	Type     string  `json:"type"`
	Event    *string `json:"event"`
	Leaf     *int64  `json:"leaf"`
	Bound    bool    `json:"bound"`
	Evidence *string `json:"evidence_sha256"`
	Cause    *string `json:"cause"`
	Reason   *string `json:"reason"`
	Changes  Changes `json:"changes"`
}

// EntryDifferences are the members in which what the register said at two instants differs.
type EntryDifferences struct {
	EntryID      string `json:"entry_id"`
	Slug         string `json:"slug"`
	Name         string `json:"name"`
	From         string `json:"from"`
	To           string `json:"to"`
	StandingFrom string `json:"standing_from"`
	StandingTo   string `json:"standing_to"`
	// Members differ; Same are known at both instants and equal.
	Members []PastDifference `json:"members"`
	Same    []string         `json:"same"`
	// Unknown names the members of which nothing is known at one of the instants.
	Unknown []string `json:"unknown"`
	// Items is what happened in between, newest first, the newest hundred.
	Items []PastEvent `json:"items"`
}

// PastDifference is one member at two instants.
type PastDifference struct {
	Name      string          `json:"name"`
	From      json.RawMessage `json:"from"`
	To        json.RawMessage `json:"to"`
	FromBasis string          `json:"from_basis"`
	ToBasis   string          `json:"to_basis"`
}

// PastValueMax is the longest value of a member that is restated, in bytes of JSON.
const PastValueMax = 64 << 10

// PastValue is a value of a change as it is told again; ok is false for one that is too long, or
// nobody's business.
func PastValue(field string, v json.RawMessage) (_ json.RawMessage, ok bool) {
	if slices.Contains(unspoken, field) || len(v) > PastValueMax {
		return nil, false
	}
	if len(v) == 0 {
		v = json.RawMessage("null")
	}
	return v, true
}

// PastChanges are the public form of changes.
func PastChanges(list []catalog.FieldChange) Changes { return newChanges(list) }

// Instant writes an instant as events bear it.
func Instant(t time.Time) string { return instant(t) }

// NewPastAnswer describes a citation.
func NewPastAnswer(c Citation) PastAnswer {
	return PastAnswer{c.ID, c.Href, c.SHA256, c.Snapshot, c.CreatedAt}
}

// EntryMembers are the names of the members of an answer about an entry, in their order.
func EntryMembers() (names []string) { return membersOf(reflect.TypeFor[Entry]()) }

func membersOf(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			names = append(names, membersOf(f.Type)...)
			continue
		}
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			names = append(names, name)
		}
	}
	return names
}

// PlainMembers are the members of an answer that say a field of the entry as it is stored, so
// that one of which no change is known is as it was.
func PlainMembers() []string {
	return []string{"id", "slug", "name", "type", "description", "homepage_url", "docs_url", "tags", "status", "verification_state", "country_code", "institution_id",
		"free_access_class", "auth_type", "repo_url", "logo_url", "primary_source_url", "source_seed_url", "created_at", "published_at", "deprecated_at", "name_en",
		"description_en", "native_lang", "formats", "upstream_ref", "identity_key", "access_rights", "license_raw", "themes", "hvd_categories", "publisher_name",
		"source_issued_at", "source_modified_at", "third_party", "source_id"}
}

const instantHelp = "an instant of RFC 3339, which means the end of its second, or a day, which means its end in UTC; the present where that is not over yet"

// instantPattern is what instantHelp says, but for the length of months.
const instantPattern = `^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])([Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d))?$`

// pastParam is an instant of the past.
func pastParam(name, about string, required bool) Param {
	return Param{Name: name, In: "query", Kind: KindString, Required: required, Pattern: instantPattern, Means: "an RFC 3339 date or instant such as 2026-03-31", Description: about + ": " + instantHelp + ".", Example: "2026-03-31"}
}

// sinceParam is an instant from whose beginning on things are asked for.
func sinceParam(name, about string) Param {
	p := pastParam(name, about, false)
	p.Description = about + ": an instant of RFC 3339, which means the beginning of its second, or a day, which means its beginning in UTC."
	return p
}

// RestatedParams choose the instant.
func RestatedParams() []Param {
	return []Param{{Name: "idOrSlug", In: "path", Kind: KindString, Description: "Entry id or slug.", Example: exampleSlug},
		pastParam("at", "When", true)}
}

// DifferencesParams choose two instants.
func DifferencesParams() []Param {
	return []Param{RestatedParams()[0], pastParam("from", "The earlier instant", true), pastParam("to", "The later instant, the present when missing: the answer names the one since which nothing happened, so that it can be asked for again under its ETag", false)}
}

// HistoryParams page through what happened.
func HistoryParams() []Param {
	return []Param{RestatedParams()[0], sinceParam("from", "Only what happened at or after it"), pastParam("to", "Only what happened at or before it", false),
		{Name: "limit", In: "query", Kind: KindInteger, Min: 1, Max: 1000, Default: 100, Description: "How many."},
		{Name: "cursor", In: "query", Kind: KindString, Description: "`next_cursor` of the answer before."}}
}

// pastOperations restate the past (decisions-2 §H).
func pastOperations() []Operation {
	ops := []Operation{
		{ID: "restateEntry", Path: RouteRestated, Summary: "What the register said of an entry at an instant",
			Description: "The members that are known as they were, each with what it rests on: a whole answer that a kept snapshot has, a leaf of the log of verdicts, the change feed, " +
				"the value that a later change names as the one before it, no change since, the table of daily scores. What is not known is named in `unknown`. " +
				"`GET /api/v1/entries/{idOrSlug}?at=TIME` answers the same. Of an entry that was taken out of the register only what the log holds is told.",
			Params: RestatedParams(), Response: reflect.TypeFor[RestatedEntry]()},
		{ID: "getEntryHistory", Path: RouteHistory, Summary: "What happened to an entry",
			Description: "Its public events, newest first, each with the leaf of the log of verdicts that binds it, and the answers that are kept as citations. Leaves without an event are " +
				"those of a register that was put back.",
			Params: HistoryParams(), Response: reflect.TypeFor[EntryHistory]()},
		{ID: "getEntryDifferences", Path: RouteDifferences, Summary: "How an entry differs between two instants",
			Description: "The members whose values differ, those that are the same, and by name those of which nothing is known at one of the instants. The page `/past?entry=…&from=…&to=…` shows the same.",
			Params:      DifferencesParams(), Response: reflect.TypeFor[EntryDifferences]()},
	}
	for i := range ops {
		ops[i].Tag, ops[i].Media, ops[i].Cache, ops[i].Problems = TagLog, MediaJSON, CacheShort, []int{404, 422}
	}
	return ops
}
