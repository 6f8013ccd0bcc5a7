package wire

import (
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/snapshot"
)

// newReuse turns the licence table into rights. What the table does not know
// stays unknown and is named in undetermined; nothing is inferred from silence
// (decisions §5, "Reuse").
func newReuse(s *snapshot.Scored) Reuse {
	e, l := s.Entry(), s.Licence
	r := Reuse{Undetermined: []string{}, Basis: "none", ConfidenceTier: "none", SourceText: null(e.LicenseRaw)}
	if s.Row.Provenance.Rows != nil {
		r.SourceURL = licenceSource(&s.Row.Provenance)
	}
	if e.LicenseRaw != "" {
		r.Basis, r.Confidence, r.ConfidenceTier = "publisher_text_not_recognised", 0.25, "low"
	}
	known := catalog.Licence{}
	if l != nil {
		known = *l
		r.LicenseID, r.LicenseName, r.LicenseURL = null(l.ID), null(l.Title), null(l.URL)
		r.Basis, r.Confidence, r.ConfidenceTier = "licence_table", 0.95, "high"
		if l.ID == score.NoLicence {
			r.Basis = "publisher_states_none"
		}
	}
	r.ReviewedAt = stamp(reviewed(s.Row.Overrides))
	set := func(place *RightStatus, name string, right catalog.Right) {
		*place = status(right)
		if place.Value == nil {
			r.Undetermined = append(r.Undetermined, name)
		}
	}
	set(&r.CommercialUse, "commercial_use", known.CommercialUse)
	set(&r.Redistribution, "redistribution", known.Redistribution)
	set(&r.AttributionRequired, "attribution_required", known.AttributionRequired)
	set(&r.ShareAlike, "share_alike", known.ShareAlike)
	set(&r.PersonalDataWarning, "personal_data_warning", personal(s.Row.Profile))
	// A licence that allows redistribution allows keeping and offering copies.
	set(&r.CacheAndMirror, "cache_and_mirror", known.Redistribution)
	return r
}

func personal(p *catalog.Profile) catalog.Right {
	switch {
	case p == nil:
		return catalog.RightUnknown
	case p.PersonalData.Status == "none":
		return catalog.RightNo
	case p.PersonalData.Status == "":
		return catalog.RightUnknown
	}
	return catalog.RightYes
}

func status(r catalog.Right) RightStatus {
	yes, no := true, false
	switch r {
	case catalog.RightYes:
		return RightStatus{"known", &yes}
	case catalog.RightNo:
		return RightStatus{"known", &no}
	}
	return RightStatus{"unknown", nil}
}

// reviewed is when a curator last set the licence, and let it stand: what the
// licence table reads from a publisher's words nobody has reviewed.
func reviewed(overrides []catalog.Override) (at time.Time) {
	for _, o := range overrides {
		if o.Field == "license_id" && o.RevokedAt.IsZero() && o.CreatedAt.After(at) {
			at = o.CreatedAt
		}
	}
	return at
}

func licenceSource(p *catalog.Provenance) *string {
	for _, row := range p.Rows {
		if row.Field == "license_raw" || row.Field == "license" {
			return null(row.SourceURL)
		}
	}
	return nil
}

func latest(a, b time.Time) time.Time {
	if a.IsZero() {
		return b
	}
	return a
}
