package build

import (
	"context"
	"fmt"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Preview tells what a Refresh of entries at an instant would, but for the paths,
// and writes nothing. It is for processes that serve a site which another one
// builds.
func Preview(ctx context.Context, st catalog.Store, site snapshot.Site, at time.Time, ids []string) (Refreshed, error) {
	r := &run{opts: Options{Site: site, At: at}}
	var out Refreshed
	var rows []*catalog.Row
	err := st.View(ctx, func(tx catalog.Tx) (err error) {
		rows, out.Next, err = r.readSingle(ctx, tx, ids)
		return err
	})
	if err != nil {
		return out, fmt.Errorf("look: %w", err)
	}
	for _, row := range rows {
		var f frozen
		visible := row.Entry.Visible(at)
		s, folded, err := r.scoreRow(row, &f)
		if err == nil {
			err = out.add(row, s, folded, visible)
		}
		if err != nil {
			return out, fmt.Errorf("look at entry %s: %w", row.Entry.ID, err)
		}
	}
	return out, nil
}

// add takes up what became of an entry.
func (out *Refreshed) add(row *catalog.Row, s *snapshot.Scored, folded string, visible bool) error {
	if !visible {
		out.Gone = append(out.Gone, row.Entry.ID)
		return nil
	}
	e := RefreshedEntry{Line: snapshot.NewLine(s, folded), Document: search.Project(row, s.Institution)}
	var err error
	if e.Item, e.Line.Cells, err = wire.EncodeItem(s); err != nil {
		return err
	}
	out.Visible = append(out.Visible, e)
	return nil
}
