package transfer

import (
	"slices"

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
