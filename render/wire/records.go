package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"reflect"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/redact"
)

// PublishedRecords is what sources published of an entry, as it came, but for what is
// withheld by the rule.
type PublishedRecords struct {
	EntryID string            `json:"entry_id"`
	Rule    redact.Rule       `json:"rule"`
	Records []PublishedRecord `json:"records"`
}

// PublishedRecord is one record of a source.
type PublishedRecord struct {
	SourceID     string  `json:"source_id"`
	MediaType    string  `json:"media_type"`
	ObservedAt   *string `json:"observed_at"`
	SupersededAt *string `json:"superseded_at"`
	// SHA256 is that of the bytes as they came, ShownSHA256 that of Record.
	SHA256      string  `json:"sha256"`
	Bytes       int     `json:"bytes"`
	ShownSHA256 *string `json:"shown_sha256"`
	// Withheld is how many values the rule withheld.
	Withheld int     `json:"withheld"`
	Record   *string `json:"record"`
	Reason   *string `json:"reason"`
}

// Reasons why a record is not shown.
const (
	notPresent  = "another record took its place"
	notKept     = "it is longer than the register keeps"
	notReadable = "it cannot be read in its form, so that nothing can be withheld of it"
)

// NewPublishedRecord shows a record; body is nil where it was not asked for or is not kept.
// whole withholds nothing.
func NewPublishedRecord(r *catalog.RawRecord, body []byte, whole bool) PublishedRecord {
	out := PublishedRecord{SourceID: r.SourceID, MediaType: r.Media, ObservedAt: stamp(r.ObservedAt), SupersededAt: stamp(r.SupersededAt), SHA256: r.SHA256, Bytes: r.Size}
	switch {
	case body == nil && !r.SupersededAt.IsZero():
		out.Reason = null(notPresent)
		return out
	case body == nil:
		out.Reason = null(notKept)
		return out
	}
	if !whole {
		var err error
		if body, out.Withheld, err = redact.Record(r.Media, body); err != nil {
			out.Reason = null(notReadable)
			return out
		}
	}
	sum := sha256.Sum256(body)
	out.ShownSHA256, out.Record = null(hex.EncodeToString(sum[:])), null(string(body))
	return out
}

// recordOperations show what sources published.
func recordOperations() []Operation {
	id := Param{Name: "idOrSlug", In: "path", Kind: KindString, Description: "Entry id or slug.", Example: exampleSlug}
	return []Operation{
		{ID: "getEntryRecord", Path: "/api/v1/entries/{idOrSlug}/record", Tag: TagEvidence, Summary: "The publisher's own record",
			Description: "What each source published of the entry, byte for byte, but for personal data, which is withheld by the rule that stands beside it; " +
				"with the SHA-256 of the bytes as they came and of those that are shown. Records that others took the place of are named by their hash.",
			Params: []Param{id}, Response: reflect.TypeFor[PublishedRecords](), Media: MediaJSON, Problems: []int{404, 410, 422, 503}, Redirects: true, Cache: CacheShort},
		{ID: "getEntryBundle", Path: "/api/v1/entries/{idOrSlug}/bundle.zip", Tag: TagEvidence, Summary: "The evidence about an entry in one file",
			Description: "A ZIP with the page of the entry, its scores, checks and provenance, the rules as data, the publisher's own record without personal data, and what the log of verdicts says of it with its proofs. " +
				"`assay verify-bundle` and the page `/verify` check it without asking anybody.",
			Params: []Param{id}, Media: MediaZIP, Problems: []int{404, 410, 422, 503}, Redirects: true, Cache: CacheShort},
		{ID: "adminEntryRecord", Path: "/api/v1/admin/entries/{id}/record", Tag: TagAdministration, Role: catalog.RoleAdmin, Summary: "The publisher's own record, whole",
			Description: "What each source published of the entry, nothing withheld, also of records that others took the place of. It goes when the entry is taken down.",
			Params:      []Param{entryID()}, Response: reflect.TypeFor[PublishedRecords](), Media: MediaJSON, Problems: problemsAdminOne, Cache: CacheNever},
	}
}
