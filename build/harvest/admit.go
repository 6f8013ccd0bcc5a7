package harvest

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
)

// quarantineThreshold is the confidence from which an entry is worth a
// moderator's look (decisions §5).
const quarantineThreshold = 40

// verdict says whether a new entry is public, and why.
type verdict struct {
	status    catalog.Status
	rule      catalog.AdmissionRule
	reason    string
	rejection *source.Rejection
}

// judge applies the rules of officialness to a new entry (decisions §5).
// Whatever is not run by a public body enters only by a moderator.
func (r *run) judge(c *candidate) verdict {
	official := r.in.Source.Official
	decided := c.entry.Admission
	switch {
	case decided != nil && decided.Rule == catalog.AdmittedByModerator:
		return verdict{status: catalog.StatusActive, rule: decided.Rule, reason: decided.Reason}
	case c.entry.ThirdParty && (official != "" || c.confidence >= quarantineThreshold):
		return verdict{status: catalog.StatusPending, reason: "not run by a public body: a moderator decides"}
	case c.confidence >= score.ProvenThreshold && c.institution != nil:
		return verdict{status: catalog.StatusActive, rule: catalog.AdmittedByRule,
			reason: fmt.Sprintf("officialness %d of 100, %d are enough; institution %s", c.confidence, score.ProvenThreshold, c.institution.Key)}
	case official != "":
		return verdict{status: catalog.StatusActive, rule: catalog.AdmittedBySource, reason: official}
	case c.confidence >= quarantineThreshold:
		return verdict{status: catalog.StatusPending,
			reason: fmt.Sprintf("officialness %d of 100: a moderator decides from %d", c.confidence, quarantineThreshold)}
	}
	return verdict{rejection: &source.Rejection{Place: c.place, Code: CodeNotOfficial,
		Reason:      fmt.Sprintf("officialness %d of 100, at least %d are needed", c.confidence, quarantineThreshold),
		Remedy:      "name the public institution behind the source, or harvest it from a source marked official",
		UpstreamRef: c.entry.UpstreamRef}}
}

// apply writes the verdict into the entry.
func (v *verdict) apply(e *catalog.Entry, opts *Options) {
	e.Status = v.status
	if v.status != catalog.StatusActive {
		e.StatusReason = v.reason
		return
	}
	e.Admission = &catalog.Admission{Rule: v.rule, Reason: v.reason, At: opts.Now}
	e.PublishedAt = opts.Now.Add(delay(e.ID, opts.PublishWindow))
}

// row is the provenance of the admission.
func (v *verdict) row(in *source.Input) catalog.FieldRow {
	row := catalog.FieldRow{Field: "admission", Basis: catalog.BasisComputed, SourceID: in.Source.ID, SourceURL: in.Source.URL,
		Transform: string(v.rule), Note: v.reason, ObservedAt: in.Now}
	if v.status == catalog.StatusPending {
		row.Transform = "quarantine"
	}
	return row
}

// delay draws the delay of publication from the window, in whole seconds,
// seeded by the id, so that it is the same wherever it is drawn.
func delay(id string, window time.Duration) time.Duration {
	if window < time.Second {
		return 0
	}
	sum := sha256.Sum256([]byte("publish|" + id))
	return time.Duration(binary.BigEndian.Uint64(sum[:8])%uint64(window/time.Second)) * time.Second
}
