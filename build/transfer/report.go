package transfer

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
)

// ErrRejected says that an import in strict mode rejected records. The rest
// got in.
var ErrRejected = errors.New("records were rejected")

// The faults that only an import meets; the others are those of package
// source.
const (
	// CodeBrokenJSON is a line that is not JSON.
	CodeBrokenJSON source.Code = "broken_json"
	// CodeUnknownKind is a line of a kind that does not exist.
	CodeUnknownKind source.Code = "unknown_kind"
	// CodeUnknownField is a member that the record does not have.
	CodeUnknownField source.Code = "unknown_field"
	// CodeWrongType is a value of another JSON type than its field's.
	CodeWrongType source.Code = "wrong_type"
	// CodeMissingRecord is a line without the record that its kind announces,
	// or with another one.
	CodeMissingRecord source.Code = "missing_record"
	// CodeTextTooLong is a text beyond the bound of its field.
	CodeTextTooLong source.Code = "text_too_long"
	// CodeDuplicateID is an id that an earlier line has.
	CodeDuplicateID source.Code = "duplicate_id"
	// CodeDuplicateSlug is a slug that another entry has.
	CodeDuplicateSlug source.Code = "duplicate_slug"
	// CodePublished is another time of publication for an entry that is public.
	CodePublished source.Code = "published"
	// CodeDuplicateIdentity is an entry that is there already under another id.
	CodeDuplicateIdentity source.Code = "duplicate_identity"
	// CodeDangling is a reference to a record that is not there.
	CodeDangling source.Code = "dangling_reference"
	// CodeRemoved is an entry that a moderator removed.
	CodeRemoved source.Code = "removed"
	// CodeMisplacedHeader is a header that is not the first line.
	CodeMisplacedHeader source.Code = "misplaced_header"
	// CodeStoreRefused is a record that the store would not take.
	CodeStoreRefused source.Code = "store_refused"
)

// listed bounds how many rejections a report lists; all are counted.
const listed = 1000

// Report says what an import did with every line. Each line that is not empty
// has exactly one outcome.
type Report struct {
	// Mode is restore or merge.
	Mode string `json:"mode"`
	// Lines counts the lines that are not empty, and the break of a broken
	// input.
	Lines int `json:"lines"`
	// Created, Updated and Unchanged count the entries of a merge.
	Created   int `json:"created"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"`
	// Restored counts by kind the records that were stored as they are.
	Restored map[string]int `json:"restored"`
	// Skipped counts by kind the records that a merge leaves out: the events
	// and the header of another register.
	Skipped map[string]int `json:"skipped,omitempty"`
	// Resumed is how many of the lines an interrupted run had stored already.
	Resumed int `json:"resumed,omitempty"`
	// Rejected did not get in; RejectedBy counts them by code.
	Rejected   int                 `json:"rejected"`
	RejectedBy map[source.Code]int `json:"rejected_by,omitempty"`
	// Rejections lists the first 1,000 rejections.
	Rejections []source.Rejection `json:"rejections"`
	// Repaired counts the lines that got in without characters that hide or
	// reorder others; Repairs lists the first 1,000.
	Repaired int                `json:"repaired,omitempty"`
	Repairs  []source.Rejection `json:"repairs,omitempty"`
	// Started and Finished are set by the caller, who has the clock.
	Started  time.Time `json:"started,omitzero"`
	Finished time.Time `json:"finished,omitzero"`
}

func newReport() Report {
	return Report{Restored: map[string]int{}, Skipped: map[string]int{}, RejectedBy: map[source.Code]int{}, Rejections: []source.Rejection{}}
}

func (r *Report) reject(x source.Rejection) {
	r.Rejected++
	r.RejectedBy[x.Code]++
	if len(r.Rejections) < listed {
		r.Rejections = append(r.Rejections, x)
	}
}

func (r *Report) repair(x source.Rejection) {
	r.Repaired++
	if len(r.Repairs) < listed {
		r.Repairs = append(r.Repairs, x)
	}
}

// add takes over the outcomes of a committed batch.
func (r *Report) add(b *Report) {
	r.Created += b.Created
	r.Updated += b.Updated
	r.Unchanged += b.Unchanged
	for k, n := range b.Restored {
		r.Restored[k] += n
	}
	for k, n := range b.Skipped {
		r.Skipped[k] += n
	}
	for _, x := range b.Rejections {
		r.reject(x)
	}
}

// check tells whether every line has exactly one outcome.
func (r *Report) check() error {
	sum := r.Created + r.Updated + r.Unchanged + r.Rejected
	for _, n := range r.Restored {
		sum += n
	}
	for _, n := range r.Skipped {
		sum += n
	}
	if sum != r.Lines {
		return fmt.Errorf("import: %d lines were read, %d have an outcome", r.Lines, sum)
	}
	return nil
}

// Summary is the report as a small table for people.
func (r Report) Summary() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-12s %s\n%-12s %d\n", "mode", r.Mode, "lines", r.Lines)
	if r.Mode == modeMerge {
		fmt.Fprintf(&b, "%-12s %d\n%-12s %d\n%-12s %d\n", "created", r.Created, "updated", r.Updated, "unchanged", r.Unchanged)
	}
	for _, kind := range slices.Sorted(maps.Keys(r.Restored)) {
		fmt.Fprintf(&b, "%-12s %d\n", kind, r.Restored[kind])
	}
	for _, kind := range slices.Sorted(maps.Keys(r.Skipped)) {
		fmt.Fprintf(&b, "skipped %-4s %d\n", kind, r.Skipped[kind])
	}
	if r.Repaired > 0 {
		fmt.Fprintf(&b, "%-12s %d\n", "repaired", r.Repaired)
	}
	fmt.Fprintf(&b, "%-12s %d\n", "rejected", r.Rejected)
	for _, code := range slices.Sorted(maps.Keys(r.RejectedBy)) {
		fmt.Fprintf(&b, "  %-24s %d\n", code, r.RejectedBy[code])
	}
	return b.String()
}
