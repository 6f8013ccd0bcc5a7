package build

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
)

// batchSize is how many entries are read, rendered and written together.
const batchSize = 128

// loader reads the rows of a snapshot inside one read transaction.
type loader struct {
	tx  catalog.Tx
	day time.Time
}

// rows reads everything about the entries of a range, in id order. What is kept
// of their texts for long, but for ids and slugs, is to be cloned.
func (l *loader) rows(ctx context.Context, r catalog.Range) ([]*catalog.Row, error) {
	r.Fleeting = true
	rows := make([]*catalog.Row, 0, batchSize)
	err := l.tx.Entries().Scan(ctx, r, func(e *catalog.Entry) error {
		rows = append(rows, &catalog.Row{Entry: *e})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read entries after %s: %w", r.After, err)
	}
	at := func(id string) *catalog.Row {
		i := sort.Search(len(rows), func(i int) bool { return rows[i].Entry.ID >= id })
		if i < len(rows) && rows[i].Entry.ID == id {
			return rows[i]
		}
		return &catalog.Row{}
	}
	today, since := l.day.Format(time.DateOnly), score.UsesSince(l.day).Format(time.DateOnly)
	counted, err := l.counted(ctx)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if counted {
			row.Uses = &catalog.Uses{}
		}
	}
	err = errors.Join(
		l.tx.Provenances().Scan(ctx, r, func(p *catalog.Provenance) error { at(p.EntryID).Provenance = *p; return nil }),
		l.tx.Overrides().Scan(ctx, r, func(o *catalog.Override) error {
			row := at(o.EntryID)
			row.Overrides = append(row.Overrides, *o)
			return nil
		}),
		l.tx.CheckStates().Scan(ctx, r, func(s *catalog.CheckState) error { at(s.EntryID).State = s; return nil }),
		l.tx.Checks().Scan(ctx, r, score.Since(score.Since(l.day)), func(c *catalog.Check) error {
			row := at(c.EntryID)
			row.Checks = append(row.Checks, *c)
			return nil
		}),
		l.tx.Checks().ScanDays(ctx, r, func(d *catalog.CheckDay) error {
			row := at(d.EntryID)
			if row.Ahead = row.Ahead || d.Day >= today; d.Day < today {
				row.Days = append(row.Days, *d)
			}
			return nil
		}),
		l.tx.Profiles().Scan(ctx, r, func(p *catalog.Profile) error { at(p.EntryID).Profile = p; return nil }),
		l.tx.Targets().Scan(ctx, r, func(t *catalog.Target) error {
			row := at(t.EntryID)
			row.Targets = append(row.Targets, *t)
			return nil
		}),
		l.tx.Evidences().Scan(ctx, r, func(e *catalog.Evidence) error {
			row := at(e.EntryID)
			if v, ok := catalog.ContractVersionOf(e); ok {
				row.Contracts = append(row.Contracts, v)
			}
			e.Body = nil
			row.Evidence = append(row.Evidence, *e)
			return nil
		}),
		l.tx.UseDays().Scan(ctx, r, func(d *catalog.UseDay) error {
			row := at(d.EntryID)
			if row.Ahead = row.Ahead || d.Day >= today; row.Uses != nil && d.Day >= since && d.Day < today {
				*row.Uses = row.Uses.Plus(d.Uses)
			}
			return nil
		}),
		l.tx.Scores().Scan(ctx, r, func(d *catalog.ScoreDay) error {
			switch row := at(d.EntryID); {
			case d.Day < today:
				row.Scores = append(row.Scores, *d)
			case d.Day == today:
				row.Today = d
			}
			return nil
		}),
	)
	if err != nil {
		return nil, fmt.Errorf("read rows after %s: %w", r.After, err)
	}
	return rows, nil
}

// counted tells whether uses are counted at all, so that none of an entry means none.
func (l *loader) counted(ctx context.Context) (bool, error) {
	return l.tx.UseDays().Any(ctx, score.UsesSince(l.day).Format(time.DateOnly), l.day.Format(time.DateOnly))
}
