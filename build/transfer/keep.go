package transfer

import (
	"fmt"
	"slices"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// keep fills what a record leaves out and the register decides itself:
// identity, life cycle, clocks and signals. Content that is left out is gone.
func keep(e, found *catalog.Entry) {
	e.ID, e.CreatedAt, e.Revision = found.ID, found.CreatedAt, found.Revision
	keepSlug(e, found)
	if e.Status == "" {
		e.Status, e.StatusReason = found.Status, found.StatusReason
		e.DeprecatedAt, e.RemovedAt, e.SunsetAt = found.DeprecatedAt, found.RemovedAt, found.SunsetAt
		e.SuccessorID, e.MergedIntoID = found.SuccessorID, found.MergedIntoID
	}
	if e.Admission == nil {
		e.Admission = found.Admission
	}
	if e.Signals == nil {
		e.Signals = found.Signals
	}
	if e.ExtractionConfidence == 0 {
		e.ExtractionConfidence = found.ExtractionConfidence
	}
	if e.SourceID == "" {
		e.SourceID = found.SourceID
	}
	if e.UpstreamRef == "" {
		e.UpstreamRef = found.UpstreamRef
	}
	if e.UpdatedAt.Before(found.UpdatedAt) {
		e.UpdatedAt = found.UpdatedAt
	}
	if e.PublishedAt.IsZero() {
		e.PublishedAt = found.PublishedAt
	}
	if e.ContentChangedAt.IsZero() {
		e.ContentChangedAt = found.ContentChangedAt
	}
}

// keepSlug keeps every slug that the entry ever had: a slug once published
// stays (decisions §4).
func keepSlug(e, found *catalog.Entry) {
	if e.Slug == "" {
		e.Slug = found.Slug
	}
	former := slices.Clone(e.FormerSlugs)
	for _, s := range append(slices.Clone(found.FormerSlugs), found.Slug) {
		if s != e.Slug && !slices.Contains(former, s) {
			former = append(former, s)
		}
	}
	e.FormerSlugs = slices.DeleteFunc(former, func(s string) bool { return s == e.Slug })
	if len(e.FormerSlugs) == 0 {
		e.FormerSlugs = nil
	}
}

// publish gives an entry that is listed what every listed entry has: since when,
// and why.
func publish(e *catalog.Entry, now time.Time) {
	if e.Status == catalog.StatusActive && e.PublishedAt.IsZero() {
		e.PublishedAt = now
	}
	if e.Admission == nil && (e.Status == catalog.StatusActive || e.Status == catalog.StatusDeprecated) {
		e.Admission = &catalog.Admission{Rule: catalog.AdmittedByModerator, Reason: "imported by an administrator", By: "import", At: now}
	}
}

// moved refuses another time of publication for an entry that is public: readers
// and feeds have seen it (decisions §4).
func moved(e, found *catalog.Entry, now time.Time) *source.Rejection {
	if e.PublishedAt.IsZero() || found.PublishedAt.IsZero() || found.PublishedAt.After(now) || e.PublishedAt.Equal(found.PublishedAt) {
		return nil
	}
	return fault(CodePublished, fmt.Sprintf("published_at is %s, and entry %s is public since %s", e.PublishedAt.Format(time.RFC3339), found.ID,
		found.PublishedAt.Format(time.RFC3339)), "leave published_at out: it stays as it is")
}
