package transfer

import (
	"context"
	"fmt"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// batchResult is what one transaction does. It is made anew whenever the
// transaction runs again.
type batchResult struct {
	m      *importer
	report Report
	// The ids of what the batch stores.
	institutions, licences, sources, entries map[string]bool
	// stored are the ids of entries that the store has.
	stored map[string]bool
	late   []*parsed
}

func newBatchResult(m *importer) *batchResult {
	return &batchResult{m: m, report: newReport(), institutions: map[string]bool{}, licences: map[string]bool{},
		sources: map[string]bool{}, entries: map[string]bool{}, stored: map[string]bool{}}
}

func (b *batchResult) reject(l *parsed, bad *source.Rejection) { b.report.reject(*b.m.placed(l, bad)) }

// apply stores a batch: first what is referred to, then what refers to it.
func (b *batchResult) apply(ctx context.Context, tx catalog.Tx, batch []*parsed) error {
	var entries, children []*parsed
	t := tables{}
	for _, l := range batch {
		switch l.rec.Kind {
		case kindRegister:
			b.header(l)
		case kindInstitution:
			t.institutions = append(t.institutions, *l.rec.Institution)
			b.institutions[l.rec.Institution.ID] = true
		case kindLicence:
			t.licences = append(t.licences, *l.rec.Licence)
			b.licences[l.rec.Licence.ID] = true
		case kindSource:
			t.sources = append(t.sources, *l.rec.Source)
			b.sources[l.rec.Source.ID] = true
		case kindHarvestRun, kindHarvestSeen:
			t.harvest(l)
		case kindEntry:
			entries = append(entries, l)
		default:
			children = append(children, l)
		}
	}
	if err := b.putTables(ctx, tx, &t); err != nil {
		return err
	}
	if err := b.lookUp(ctx, tx, batch); err != nil {
		return err
	}
	entries = b.refer(entries)
	put := b.merge
	if b.m.restore != nil {
		put = b.putEntries
	}
	if err := put(ctx, tx, entries); err != nil {
		return err
	}
	return b.putChildren(ctx, tx, b.refer(children))
}

// header takes the first line of an export, which only a restore needs.
func (b *batchResult) header(l *parsed) {
	switch {
	case b.m.restore == nil:
		b.report.Skipped[kindRegister]++
	case l.number == 1:
		b.report.Restored[kindRegister]++
	default:
		b.reject(l, fault(CodeMisplacedHeader, "a header stands inside the file", "import the files one by one"))
	}
}

// tables are the records that entries refer to.
type tables struct {
	institutions []catalog.Institution
	licences     []catalog.Licence
	sources      []catalog.Source
	runs         []catalog.HarvestRun
	seen         []HarvestSeen
}

func (b *batchResult) putTables(ctx context.Context, tx catalog.Tx, t *tables) error {
	if len(t.institutions) > 0 {
		if err := tx.Institutions().Put(ctx, t.institutions...); err != nil {
			return err
		}
		b.report.Restored[kindInstitution] += len(t.institutions)
	}
	if len(t.licences) > 0 {
		if err := tx.Licences().Put(ctx, t.licences...); err != nil {
			return err
		}
		b.report.Restored[kindLicence] += len(t.licences)
	}
	if len(t.sources) > 0 {
		if err := tx.Sources().Put(ctx, t.sources...); err != nil {
			return err
		}
		b.report.Restored[kindSource] += len(t.sources)
	}
	return b.putRuns(ctx, tx, t)
}

// putEntries stores the entries of a restore as they are.
func (b *batchResult) putEntries(ctx context.Context, tx catalog.Tx, list []*parsed) error {
	writes := make([]catalog.Write, len(list))
	for i, l := range list {
		writes[i] = catalog.Write{Entry: l.rec.Entry, Provenance: l.rec.Provenance, ProvenanceDoc: string(l.rec.trail)}
		b.entries[l.rec.Entry.ID] = true
	}
	if len(writes) == 0 {
		return nil
	}
	if err := tx.Entries().Restore(ctx, writes...); err != nil {
		return err
	}
	b.report.Restored[kindEntry] += len(list)
	return nil
}

// lookUp finds out which of the entries that the batch refers to are in the
// store, so far as this import has not stored them itself.
func (b *batchResult) lookUp(ctx context.Context, tx catalog.Tx, batch []*parsed) error {
	var ids []string
	for _, l := range batch {
		for _, r := range entryRefs(&l.rec) {
			if r.id != "" && !b.m.known.entries[keyOf(r.id)] {
				ids = append(ids, r.id)
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	list, err := tx.Entries().Get(ctx, ids...)
	if err != nil {
		return fmt.Errorf("look up %d references: %w", len(ids), err)
	}
	for i := range list {
		b.stored[list[i].ID] = true
	}
	return nil
}
