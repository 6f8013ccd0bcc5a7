package snapshot

import (
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// Calm is a row without the checks that pages do not show yet (catalog.CheckState.Shown).
func Calm(row *catalog.Row) *catalog.Row {
	if row.State == nil || row.State.Shown == nil {
		return row
	}
	shown := *row
	shown.State = row.State.Shown
	late := slices.IndexFunc(row.Checks, func(c catalog.Check) bool { return c.At.After(shown.State.LastCheckedAt) })
	if late >= 0 {
		shown.Checks = row.Checks[:late:late]
	}
	return &shown
}

// changedAt is the latest change among all that is shown of an entry.
func changedAt(s *Scored) time.Time {
	latest := s.SettledAt
	if st := s.Row.State; st != nil {
		latest = later(latest, st.UpdatedAt, st.LastCheckedAt)
	}
	if m := s.Entry().MCP; m != nil {
		latest = later(latest, m.HandshakeAt)
	}
	return later(latest, s.Result.FreshSince).UTC().Truncate(time.Second)
}

// shownSince is when what others show of the entry took its values.
func (s *Scored) shownSince() time.Time {
	latest := later(s.judgedSince(), s.Entry().PublishedAt)
	if st := s.Row.State; st != nil {
		latest = later(latest, st.Since)
	}
	return latest
}

// settledAt is the latest change of what is shown of an entry besides its checks.
func settledAt(s *Scored) time.Time {
	e := s.Entry()
	latest := later(s.ScoredSince(), e.UpdatedAt, e.PublishedAt)
	if st := s.Row.State; st != nil {
		latest = later(latest, st.Since)
	}
	if p := s.Row.Profile; p != nil {
		latest = later(latest, p.UpdatedAt)
	}
	for i := range s.Row.Overrides {
		latest = later(latest, s.Row.Overrides[i].CreatedAt, s.Row.Overrides[i].RevokedAt)
	}
	for i := range s.Row.Targets {
		latest = later(latest, s.Row.Targets[i].UpdatedAt)
	}
	for i := range s.Row.Evidence {
		// What readers cite shows nowhere and must not change what they cite.
		if s.Row.Evidence[i].Kept {
			latest = later(latest, s.Row.Evidence[i].CreatedAt)
		}
	}
	latest = later(latest, saidAt(s.Row))
	if s.Institution != nil {
		latest = later(latest, s.Institution.UpdatedAt)
	}
	return latest.UTC().Truncate(time.Second)
}

// saidAt is the latest change of what people say of an entry, and of when it did not answer.
func saidAt(row *catalog.Row) (latest time.Time) {
	for i := range row.Incidents {
		latest = later(latest, row.Incidents[i].OpenedAt, row.Incidents[i].Until)
	}
	for i := range row.Said {
		latest = later(latest, row.Said[i].CreatedAt, row.Said[i].DecidedAt, row.Said[i].Ended)
	}
	for i := range row.Reports {
		r := &row.Reports[i]
		latest = later(latest, r.AcceptedAt, r.DecidedAt)
		for k := range r.Answers {
			latest = later(latest, r.Answers[k].At)
		}
	}
	return latest
}

func later(latest time.Time, times ...time.Time) time.Time {
	for _, t := range times {
		if t.After(latest) {
			latest = t
		}
	}
	return latest
}
