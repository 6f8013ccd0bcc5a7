package transfer

import (
	"context"
	"fmt"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// ref is a reference to another record.
type ref struct{ field, id string }

// entryRefs lists the entries that a record refers to.
func entryRefs(r *record) []ref {
	if r.Kind != kindEntry {
		return []ref{{"entry_id", r.owner()}}
	}
	return []ref{{"successor_id", r.Entry.SuccessorID}, {"merged_into_id", r.Entry.MergedIntoID}}
}

// refer passes the lines whose references lead somewhere. Lines that refer to
// an entry which is not there (yet) wait for the end of the file; those that
// refer to an unknown institution, licence or source are rejected.
func (b *batchResult) refer(list []*parsed) []*parsed {
	coming := map[string]bool{}
	for _, l := range list {
		if l.rec.Kind == kindEntry && l.rec.Entry.ID != "" {
			coming[l.rec.Entry.ID] = true
		}
	}
	var ready []*parsed
	for _, l := range list {
		missing := ""
		for _, r := range entryRefs(&l.rec) {
			if r.id != "" && !coming[r.id] && !b.has(r.id) {
				missing = r.id
			}
		}
		if missing != "" {
			b.late = append(b.late, l)
			continue
		}
		if bad := b.tableRefs(&l.rec); bad != nil {
			b.reject(l, bad)
			continue
		}
		ready = append(ready, l)
	}
	return ready
}

func (b *batchResult) has(id string) bool {
	return b.entries[id] || b.stored[id] || b.m.known.entries[keyOf(id)]
}

// tableRefs checks an entry's references to institution, source and licences.
func (b *batchResult) tableRefs(r *record) *source.Rejection {
	if r.Kind != kindEntry {
		return nil
	}
	e, k := r.Entry, b.m.known
	switch {
	case e.InstitutionID != "" && !k.institutions[e.InstitutionID] && !b.institutions[e.InstitutionID]:
		return dangling("institution_id", e.InstitutionID)
	case e.SourceID != "" && !k.sources[e.SourceID] && !b.sources[e.SourceID]:
		return dangling("source_id", e.SourceID)
	}
	licences := []string{e.LicenseID}
	if e.Dataset != nil {
		for i := range e.Dataset.Distributions {
			licences = append(licences, e.Dataset.Distributions[i].LicenseID)
		}
	}
	for _, id := range licences {
		if id != "" && !k.licences[id] && !b.licences[id] {
			return dangling("license_id", id)
		}
	}
	return nil
}

func dangling(field, id string) *source.Rejection {
	return fault(CodeDangling, fmt.Sprintf("%s %s: there is no such record", field, id), "put the record before this one, or leave the field out")
}

// recall takes a line that an interrupted run has stored: only that it is
// there must be known again.
func (m *importer) recall(l *parsed) {
	for _, r := range entryRefs(&l.rec) {
		if r.id != "" && r.id != m.idOf(l) && !m.known.entries[keyOf(r.id)] {
			m.late = append(m.late, l)
			return
		}
	}
	m.report.Restored[l.rec.Kind]++
	if id := m.idOf(l); id != "" {
		m.known.entries[keyOf(id)] = true
	}
}

func (m *importer) idOf(l *parsed) string {
	if l.rec.Kind == kindEntry {
		return l.rec.Entry.ID
	}
	return ""
}

// settle stores the lines that waited for the end of the file. What still
// refers to nothing is rejected.
func (m *importer) settle(ctx context.Context) error {
	late := m.late
	m.late = nil
	late, err := m.answered(ctx, late)
	if err != nil {
		return err
	}
	// Two rounds: entries first, then what belongs to them.
	for _, entries := range []bool{true, false} {
		for _, l := range late {
			if (l.rec.Kind == kindEntry) == entries {
				m.batch = append(m.batch, l)
			}
		}
		// Entries that refer to each other go into one transaction.
		if err := m.flush(ctx); err != nil {
			return err
		}
	}
	for _, l := range m.late {
		m.report.reject(*m.placed(l, dangling("entry_id", entryRefs(&l.rec)[0].id)))
	}
	m.late = nil
	return nil
}

// answered rejects the lines whose reference leads nowhere even at the end,
// until all others lead somewhere.
func (m *importer) answered(ctx context.Context, late []*parsed) ([]*parsed, error) {
	for {
		coming := map[string]bool{}
		var ids []string
		for _, l := range late {
			if id := m.idOf(l); id != "" {
				coming[id] = true
			}
			for _, r := range entryRefs(&l.rec) {
				ids = append(ids, r.id)
			}
		}
		stored, err := m.inStore(ctx, ids)
		if err != nil {
			return nil, err
		}
		var kept []*parsed
		for _, l := range late {
			var bad *source.Rejection
			for _, r := range entryRefs(&l.rec) {
				if r.id != "" && !coming[r.id] && !stored[r.id] && !m.known.entries[keyOf(r.id)] {
					bad = dangling(r.field, r.id)
				}
			}
			if bad != nil {
				m.report.reject(*m.placed(l, bad))
				continue
			}
			kept = append(kept, l)
		}
		if len(kept) == len(late) {
			return kept, nil
		}
		late = kept
	}
}

func (m *importer) inStore(ctx context.Context, ids []string) (map[string]bool, error) {
	found := map[string]bool{}
	if len(ids) == 0 {
		return found, nil
	}
	err := m.store.View(ctx, func(tx catalog.Tx) error {
		list, err := tx.Entries().Get(ctx, ids...)
		for i := range list {
			found[list[i].ID] = true
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look up %d references: %w", len(ids), err)
	}
	return found, nil
}
