package transfer

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// page is how many records are held at a time.
const page = 256

// Export writes the whole catalog, as it is at one instant, in a fixed order:
// the same catalog gives the same bytes.
func Export(ctx context.Context, st catalog.Store, w io.Writer) error {
	buf := bufio.NewWriterSize(w, 256<<10)
	err := st.View(ctx, func(tx catalog.Tx) error {
		x := exporter{ctx: ctx, tx: tx, enc: json.NewEncoder(buf)}
		x.enc.SetEscapeHTML(false)
		return x.all()
	})
	if err == nil {
		err = buf.Flush()
	}
	if err != nil {
		return fmt.Errorf("export the register: %w", err)
	}
	return nil
}

// exporter writes one export; it lives as long as its transaction.
type exporter struct {
	ctx context.Context
	tx  catalog.Tx
	enc *json.Encoder
}

func (x *exporter) all() error {
	last, err := x.tx.Events().Last(x.ctx)
	if err != nil {
		return err
	}
	if err := x.enc.Encode(record{Kind: kindRegister, Register: &Register{Format: Format, LastEvent: last}}); err != nil {
		return err
	}
	for _, part := range []func() error{x.tables, x.entries, x.children, x.checks, x.events} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

func (x *exporter) tables() error {
	institutions, err := x.tx.Institutions().All(x.ctx)
	if err != nil {
		return err
	}
	for i := range institutions {
		if err := x.enc.Encode(record{Kind: kindInstitution, Institution: &institutions[i]}); err != nil {
			return err
		}
	}
	licences, err := x.tx.Licences().All(x.ctx)
	if err != nil {
		return err
	}
	for i := range licences {
		if err := x.enc.Encode(record{Kind: kindLicence, Licence: &licences[i]}); err != nil {
			return err
		}
	}
	sources, err := x.tx.Sources().All(x.ctx)
	if err != nil {
		return err
	}
	for i := range sources {
		if err := x.enc.Encode(record{Kind: kindSource, Source: &sources[i]}); err != nil {
			return err
		}
	}
	return x.runs()
}

// errPage ends a scan when a page is full.
var errPage = errors.New("page full")

// entries writes each entry with its provenance. It reads both page by page,
// since a store need not answer inside a scan.
func (x *exporter) entries() error {
	for after := ""; ; {
		var list []catalog.Entry
		err := x.tx.Entries().Scan(x.ctx, catalog.Range{After: after}, func(e *catalog.Entry) error {
			if list = append(list, *e); len(list) == page {
				return errPage
			}
			return nil
		})
		if err != nil && !errors.Is(err, errPage) {
			return err
		}
		if len(list) == 0 {
			return nil
		}
		origins := make(map[string]*catalog.Provenance, len(list))
		r := catalog.Range{After: after, Through: list[len(list)-1].ID}
		err = x.tx.Provenances().Scan(x.ctx, r, func(p *catalog.Provenance) error {
			doc := *p
			origins[p.EntryID] = &doc
			return nil
		})
		if err != nil {
			return err
		}
		for i := range list {
			if err := x.enc.Encode(record{Kind: kindEntry, Entry: &list[i], Provenance: origins[list[i].ID]}); err != nil {
				return err
			}
		}
		after = r.Through
	}
}

// children writes what belongs to entries, kind by kind.
func (x *exporter) children() error {
	all := catalog.Range{}
	for _, scan := range []func() error{
		func() error {
			return x.tx.CheckStates().Scan(x.ctx, all, func(v *catalog.CheckState) error {
				return x.enc.Encode(record{Kind: kindCheckState, CheckState: v})
			})
		},
		func() error {
			return x.tx.Profiles().Scan(x.ctx, all, func(v *catalog.Profile) error {
				return x.enc.Encode(record{Kind: kindProfile, Profile: v})
			})
		},
		func() error {
			return x.tx.Overrides().Scan(x.ctx, all, func(v *catalog.Override) error {
				return x.enc.Encode(record{Kind: kindOverride, Override: v})
			})
		},
		func() error {
			return x.tx.Targets().Scan(x.ctx, all, func(v *catalog.Target) error {
				return x.enc.Encode(record{Kind: kindTarget, Target: v})
			})
		},
		func() error {
			return x.tx.Evidences().Scan(x.ctx, all, func(v *catalog.Evidence) error {
				return x.enc.Encode(record{Kind: kindEvidence, Evidence: v})
			})
		},
		func() error {
			return x.tx.Scores().Scan(x.ctx, all, func(v *catalog.ScoreDay) error {
				return x.enc.Encode(record{Kind: kindScoreDay, ScoreDay: v})
			})
		},
		func() error {
			return x.tx.UseDays().Scan(x.ctx, all, func(v *catalog.UseDay) error {
				return x.enc.Encode(record{Kind: kindUseDay, UseDay: v})
			})
		},
	} {
		if err := scan(); err != nil {
			return err
		}
	}
	return nil
}

func (x *exporter) checks() error {
	err := x.tx.Checks().ScanDays(x.ctx, catalog.Range{}, func(d *catalog.CheckDay) error {
		return x.enc.Encode(record{Kind: kindCheckDay, CheckDay: d})
	})
	if err != nil {
		return err
	}
	err = x.tx.Checks().Scan(x.ctx, catalog.Range{}, time.Time{}, func(c *catalog.Check) error {
		return x.enc.Encode(record{Kind: kindCheck, Check: c})
	})
	if err != nil {
		return err
	}
	incident := func(i *catalog.Incident) error { return x.enc.Encode(record{Kind: kindIncident, Incident: i}) }
	return errors.Join(x.tx.Incidents().OfHosts(x.ctx, incident), x.tx.Incidents().Scan(x.ctx, catalog.Range{}, incident))
}

func (x *exporter) events() error {
	for after := int64(0); ; {
		list, err := x.tx.Events().After(x.ctx, after, page)
		if err != nil || len(list) == 0 {
			return err
		}
		for i := range list {
			if err := x.enc.Encode(record{Kind: kindEvent, Event: &list[i]}); err != nil {
				return err
			}
		}
		after = list[len(list)-1].Number
	}
}
