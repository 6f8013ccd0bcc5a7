package buildtest

import (
	"context"
	"math/rand/v2"

	"github.com/assay-register/assay/render/catalog"
)

// Copy writes the catalog of one store and its log of events into another,
// empty one, in random order, in many transactions, and with other revisions,
// while the catalog is the same.
func Copy(ctx context.Context, from, to catalog.Store, seed uint64) error {
	c := copier{to: to, rand: rand.New(rand.NewPCG(seed, 3))}
	if err := from.View(ctx, func(tx catalog.Tx) error { return c.read(ctx, tx) }); err != nil {
		return err
	}
	c.rand.Shuffle(len(c.puts), func(i, k int) { c.puts[i], c.puts[k] = c.puts[k], c.puts[i] })
	for len(c.puts) > 0 {
		n := min(len(c.puts), 1+c.rand.IntN(300))
		err := to.Update(ctx, func(tx catalog.Tx) error {
			for _, put := range c.puts[:n] {
				if err := put(ctx, tx); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		c.puts = c.puts[n:]
	}
	return nil
}

type copier struct {
	to   catalog.Store
	rand *rand.Rand
	puts []func(context.Context, catalog.Tx) error
}

func (c *copier) put(fn func(context.Context, catalog.Tx) error) { c.puts = append(c.puts, fn) }

func (c *copier) read(ctx context.Context, tx catalog.Tx) error {
	if err := c.readTables(ctx, tx); err != nil {
		return err
	}
	provenances := map[string]*catalog.Provenance{}
	err := tx.Provenances().Scan(ctx, catalog.Range{}, func(p *catalog.Provenance) error {
		provenances[p.EntryID] = p
		return nil
	})
	if err != nil {
		return err
	}
	revision, err := tx.Events().Last(ctx)
	if err != nil {
		return err
	}
	err = tx.Entries().Scan(ctx, catalog.Range{}, func(e *catalog.Entry) error {
		entry := *e
		revision++
		entry.Revision = revision
		c.put(func(ctx context.Context, tx catalog.Tx) error {
			return tx.Entries().Restore(ctx, catalog.Write{Entry: &entry, Provenance: provenances[entry.ID]})
		})
		return nil
	})
	if err != nil {
		return err
	}
	if err := c.readEvents(ctx, tx); err != nil {
		return err
	}
	return c.readRows(ctx, tx)
}

func (c *copier) readEvents(ctx context.Context, tx catalog.Tx) error {
	last, err := tx.Events().Last(ctx)
	if err != nil {
		return err
	}
	list, err := tx.Events().After(ctx, 0, int(last))
	for _, e := range list {
		c.put(func(ctx context.Context, tx catalog.Tx) error { return tx.Events().Restore(ctx, e) })
	}
	return err
}

func (c *copier) readTables(ctx context.Context, tx catalog.Tx) error {
	institutions, err := tx.Institutions().All(ctx)
	if err != nil {
		return err
	}
	for _, v := range institutions {
		c.put(func(ctx context.Context, tx catalog.Tx) error { return tx.Institutions().Put(ctx, v) })
	}
	licences, err := tx.Licences().All(ctx)
	if err != nil {
		return err
	}
	for _, v := range licences {
		c.put(func(ctx context.Context, tx catalog.Tx) error { return tx.Licences().Put(ctx, v) })
	}
	sources, err := tx.Sources().All(ctx)
	for _, v := range sources {
		c.put(func(ctx context.Context, tx catalog.Tx) error { return tx.Sources().Put(ctx, v) })
	}
	return err
}

func (c *copier) readRows(ctx context.Context, tx catalog.Tx) error {
	all := catalog.Range{}
	for _, scan := range []func() error{
		func() error {
			return tx.Checks().Scan(ctx, all, Early, func(v *catalog.Check) error {
				row := *v
				c.put(func(ctx context.Context, tx catalog.Tx) error { return tx.Checks().Append(ctx, row) })
				return nil
			})
		},
		func() error {
			return tx.CheckStates().Scan(ctx, all, func(v *catalog.CheckState) error {
				row := *v
				c.put(func(ctx context.Context, tx catalog.Tx) error {
					return tx.CheckStates().Set(ctx, []catalog.CheckState{row}, nil)
				})
				return nil
			})
		},
		func() error {
			return tx.Incidents().Scan(ctx, all, func(v *catalog.Incident) error {
				row := *v
				c.put(func(ctx context.Context, tx catalog.Tx) error { return tx.Incidents().Put(ctx, row) })
				return nil
			})
		},
		func() error {
			return tx.Profiles().Scan(ctx, all, func(v *catalog.Profile) error {
				row := *v
				c.put(func(ctx context.Context, tx catalog.Tx) error { return tx.Profiles().Put(ctx, row) })
				return nil
			})
		},
		func() error {
			return tx.Overrides().Scan(ctx, all, func(v *catalog.Override) error {
				row := *v
				c.put(func(ctx context.Context, tx catalog.Tx) error { return tx.Overrides().Put(ctx, row) })
				return nil
			})
		},
		func() error {
			return tx.Targets().Scan(ctx, all, func(v *catalog.Target) error {
				row := *v
				c.put(func(ctx context.Context, tx catalog.Tx) error { return tx.Targets().Put(ctx, row) })
				return nil
			})
		},
		func() error {
			return tx.UseDays().Scan(ctx, all, func(v *catalog.UseDay) error {
				row := *v
				c.put(func(ctx context.Context, tx catalog.Tx) error { return tx.UseDays().Put(ctx, row) })
				return nil
			})
		},
		func() error {
			return tx.Evidences().Scan(ctx, all, func(v *catalog.Evidence) error {
				row := *v
				c.put(func(ctx context.Context, tx catalog.Tx) error { return tx.Evidences().Put(ctx, row) })
				return nil
			})
		},
		func() error {
			return tx.Scores().Scan(ctx, all, func(v *catalog.ScoreDay) error {
				row := *v
				c.put(func(ctx context.Context, tx catalog.Tx) error { return tx.Scores().Put(ctx, row) })
				return nil
			})
		},
	} {
		if err := scan(); err != nil {
			return err
		}
	}
	return nil
}
