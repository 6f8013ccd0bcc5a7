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
	// claims are those that were read, by id.
	claims map[string]*catalog.Claim
}

// said reads what people say of the entries of a range, and when these did not answer.
func (l *loader) said(ctx context.Context, r catalog.Range, at func(id string) *catalog.Row) error {
	return errors.Join(
		l.tx.Incidents().Scan(ctx, r, func(i *catalog.Incident) error {
			row := at(i.EntryID)
			if row.Incidents = append(row.Incidents, *i); len(row.Incidents) > catalog.EntryIncidents {
				row.Incidents = row.Incidents[1:]
			}
			return nil
		}),
		l.tx.Claims().ScanStatements(ctx, r, func(s *catalog.Statement) error {
			if s.State == catalog.StatementWithdrawn {
				return nil
			}
			c, err := l.claim(ctx, s.ClaimID)
			if err == nil {
				row := at(s.EntryID)
				row.Said = append(row.Said, catalog.NewSaid(s, c))
			}
			return err
		}),
		l.tx.Reports().Scan(ctx, r, func(v *catalog.Report) error {
			row := at(v.EntryID)
			row.Reports = append(row.Reports, *v)
			return nil
		}))
}

// claim reads a claim once.
func (l *loader) claim(ctx context.Context, id string) (*catalog.Claim, error) {
	if c := l.claims[id]; c != nil {
		return c, nil
	}
	c, err := l.tx.Claims().Get(ctx, id)
	if errors.Is(err, catalog.ErrNotFound) {
		c, err = &catalog.Claim{ID: id}, nil
	}
	if err != nil {
		return nil, err
	}
	if l.claims == nil {
		l.claims = map[string]*catalog.Claim{}
	}
	l.claims[id] = c
	return c, nil
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
	err = errors.Join(err, l.said(ctx, r, at))
	if err != nil {
		return nil, fmt.Errorf("read rows after %s: %w", r.After, err)
	}
	return rows, nil
}

// counted tells whether uses are counted at all, so that none of an entry means none.
func (l *loader) counted(ctx context.Context) (bool, error) {
	return l.tx.UseDays().Any(ctx, score.UsesSince(l.day).Format(time.DateOnly), l.day.Format(time.DateOnly))
}
