package catalog

import "fmt"

// Thresholds decide, by the officialness of 0 to 100, what enters the register
// (decisions §5). They do not move the threshold from which an item counts as
// proven by itself, which the specification fixes.
type Thresholds struct {
	// Approve is the officialness from which a source of a known institution
	// is public at once.
	Approve int
	// Quarantine is the officialness from which a moderator looks at a source;
	// below it, it is rejected.
	Quarantine int
}

// DefaultThresholds are those of decisions §5.
func DefaultThresholds() Thresholds { return Thresholds{Approve: 80, Quarantine: 40} }

// Validate checks that 0 < Quarantine <= Approve <= 100: a source without any
// proof never enters by the rule. The error wraps ErrInvalid.
func (t Thresholds) Validate() error {
	if t.Quarantine <= 0 || t.Quarantine > t.Approve || t.Approve > 100 {
		return fmt.Errorf("%w: approve from %d and quarantine from %d: use 0 < quarantine <= approve <= 100", ErrInvalid, t.Approve, t.Quarantine)
	}
	return nil
}

// Decide is the decision rule over an officialness of 0 to 100 (decisions §5).
// A third party's source enters by a moderator at best.
func (t Thresholds) Decide(officialness int, knownInstitution, thirdParty, blocked bool) (SubmissionState, string) {
	switch {
	case blocked:
		return SubmissionRejected, "the host is on the blocklist of this register"
	case officialness < t.Quarantine:
		return SubmissionRejected, fmt.Sprintf("officialness %d of 100, at least %d are needed", officialness, t.Quarantine)
	case thirdParty:
		return SubmissionQuarantined, "not run by a public body: a moderator decides"
	case officialness >= t.Approve && knownInstitution:
		return SubmissionApproved, fmt.Sprintf("officialness %d of 100, %d are enough", officialness, t.Approve)
	}
	return SubmissionQuarantined, fmt.Sprintf("officialness %d of 100: a moderator decides from %d", officialness, t.Quarantine)
}
