package wire

import (
	"reflect"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// Cells counts what one page carries of a field.
type Cells struct {
	Rows        int `json:"rows"`
	Delivered   int `json:"delivered"`
	Empty       int `json:"empty"`
	Stringified int `json:"stringified"`
	Truncated   int `json:"truncated"`
}

// FieldProvenance says where a field of the list items comes from.
type FieldProvenance struct {
	Basis         catalog.Basis `json:"basis"`
	Derived       bool          `json:"derived"`
	UpstreamField *string       `json:"upstream_field"`
	Transform     string        `json:"transform"`
	Cells         Cells         `json:"cells"`
}

// ProvenanceNote is the text of field_provenance_note.
const ProvenanceNote = "Most fields are verdicts computed by this service, not copies of the publisher's data. " +
	"field_provenance says for each field of the items how its value is produced; " +
	"each entry's own /provenance page names the source of each of its values."

// field describes one member of a list item.
type field struct {
	name        string
	basis       catalog.Basis
	upstream    string
	transform   string
	stringified bool
}

const (
	stated   = catalog.BasisPublisher
	computed = catalog.BasisComputed
	observed = catalog.BasisObserved
)

// fields describes the members of Item in their order; a test compares the
// names with the type.
var fields = []field{
	{"id", computed, "", "UUIDv5 of what the entry was first known by; never changes", false},
	{"slug", computed, "", "transliterated name; never changes once published", false},
	{"name", stated, "title", "cleaned text", false},
	{"type", computed, "", "from the kind of the upstream record", false},
	{"description", stated, "description", "cleaned text; cut in lists, whole on the entry's page", false},
	{"homepage_url", stated, "landing page", "as stated", false},
	{"docs_url", stated, "documentation", "as stated", false},
	{"tags", stated, "keywords", "lower case, sorted, distinct", false},
	{"status", computed, "", "life cycle of the register", false},
	{"verification_state", observed, "", "verdict of the transport checks: status code and content type only", false},
	{"last_verified_at", observed, "", "time of the last check, whatever its outcome", false},
	{"ranking_score", computed, "", "weighted composite of 0 to 100 for ordering; see quality-score", false},
	{"is_public_sector", computed, "", "a known public institution or an official source stands behind it", false},
	{"country_code", stated, "publisher country", "ISO 3166-1 alpha-2, or the country of the institution", false},
	{"institution_id", computed, "publisher", "publisher matched to the register of institutions", false},
	{"institution_type", computed, "", "kind of the matched institution", false},
	{"official_confidence", computed, "", "sum of the proof signals that held, 0 to 100", false},
	{"proof_summary", computed, "", "the proof signals that held, in words", false},
	{"free_access_class", stated, "terms of access", "mapped to the closed vocabulary", false},
	{"auth_type", stated, "authentication", "mapped to the closed vocabulary", false},
	{"repo_url", stated, "repository", "as stated", false},
	{"logo_url", stated, "logo", "as stated", false},
	{"primary_source_url", stated, "url", "as stated", false},
	{"extraction_confidence", computed, "", "share of delivered fields that needed no repair", true},
	{"created_at", computed, "", "service clock: first stored", false},
	{"updated_at", computed, "", "service clock: last change", false},
	{"published_at", computed, "", "service clock: visible from", false},
	{"last_ranked_at", computed, "", "service clock: start of the UTC day on which ranking_score took its value", false},
	{"last_uptime_at", observed, "", "time of the last check that succeeded", false},
	{"deprecated_at", computed, "", "service clock: deprecated since", false},
	{"last_seen_at", catalog.BasisNotDelivered, "", "always null: nothing populates it", false},
	{"last_validated_at", catalog.BasisNotDelivered, "", "always null: nothing populates it", false},
	{"popularity_score", computed, "", "0.0000 for official data; uses of 90 days on a log scale otherwise", true},
	{"maintenance_score", computed, "modified", "0.5 to the power of days since the publisher's last change / 180", true},
	{"source_seed_url", observed, "", "where the harvest found the entry", false},
	{"geographic_scope", computed, "", "remit of the institution", false},
	{"name_en", stated, "title in English", "as stated", false},
	{"description_en", stated, "description in English", "as stated; cut in lists", false},
	{"native_lang", stated, "language", "declared, else the source's default", false},
	{"access_level", computed, "", "what a machine can fetch now", false},
	{"formats", stated, "formats", "mapped to upper-case file type codes", false},
	{"capability_tier", computed, "", "live when access is direct and the state VERIFIED", false},
	{"trust_score", computed, "", "five axes with verification in place of availability", false},
	{"merged_into_entry_id", computed, "", "the entry that this duplicate became part of", false},
	{"identity_key", computed, "", "type, primary URL and lower-cased name", false},
	{"upstream_ref", stated, "identifier", "catalogue host, kind and upstream id", false},
	{"maturity_index", computed, "", "position of maturity, 1 to 7", false},
	{"maturity_counts_as_coverage", computed, "", "true from executable upwards", false},
	{"mqa_score", computed, "", "weighted average of five axes; see quality-score", false},
	{"mqa_tier", computed, "", "band of mqa_score", false},
	{"access_rights", stated, "access rights", "mapped to the EU access-right table", false},
	{"maturity", computed, "", "highest rung of the ladder reached", false},
	{"search_vector", computed, "", "folded distinct terms of names, descriptions and tags, sorted", false},
	{"title_qualifier", computed, "", "who is behind it, its period, version or type, and what else they differ in, where another entry has the same name", false},
}

// fieldBit is the position of a field in snapshot.Cells.
var fieldBit = func() map[string]int {
	m := make(map[string]int, len(fields))
	for i, f := range fields {
		m[f.name] = i
	}
	return m
}()

// emptyCells finds the members of an item that are null, empty text or an
// empty list.
func emptyCells(item *Item) uint64 {
	var mask uint64
	bit := 0
	for _, part := range []reflect.Value{reflect.ValueOf(&item.Core).Elem(), reflect.ValueOf(&item.ItemTail).Elem()} {
		for i := range part.NumField() {
			f := part.Field(i)
			switch f.Kind() {
			case reflect.Pointer:
				if f.IsNil() {
					mask |= 1 << bit
				}
			case reflect.Slice, reflect.String:
				if f.Len() == 0 {
					mask |= 1 << bit
				}
			}
			bit++
		}
	}
	return mask
}

// ProvenanceMap counts the cells of a page and describes each field.
type ProvenanceMap = ordered[FieldProvenance]

// NewProvenanceMap describes the fields of a page of items.
func NewProvenanceMap(cells []snapshot.Cells) ProvenanceMap {
	m := ProvenanceMap{keys: make([]string, len(fields)), values: make([]FieldProvenance, len(fields))}
	for i, f := range fields {
		p := FieldProvenance{Basis: f.basis, Derived: f.basis != stated, UpstreamField: null(f.upstream), Transform: f.transform}
		p.Cells.Rows = len(cells)
		for _, c := range cells {
			p.Cells.Empty += int(c.Empty >> i & 1)
			p.Cells.Truncated += int(c.Truncated >> i & 1)
		}
		p.Cells.Delivered = p.Cells.Rows - p.Cells.Empty
		if f.stringified {
			p.Cells.Stringified = p.Cells.Delivered
		}
		m.keys[i], m.values[i] = f.name, p
	}
	return m
}
