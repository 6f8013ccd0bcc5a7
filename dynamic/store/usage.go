package store

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/assay-register/assay/render/catalog"
)

type useDays struct{ c *conn }

const useDayColumns = "entry_id day watches citations proxied"

var (
	useDayList = &listing[catalog.UseDay]{from: "use_days", keys: []string{"entry_id", "day"}, rest: []string{"watches", "citations", "proxied"},
		page: 4096, decode: decodeUseDay}
	insertUseDays = newInsert("use_days", useDayColumns,
		"ON CONFLICT (entry_id, day) DO UPDATE SET watches = excluded.watches, citations = excluded.citations, proxied = excluded.proxied")
	addUseDays = newInsert("use_days", useDayColumns, "ON CONFLICT (entry_id, day) DO UPDATE SET watches = use_days.watches + excluded.watches,"+
		" citations = use_days.citations + excluded.citations, proxied = use_days.proxied + excluded.proxied")
)

func decodeUseDay(row []any, out *catalog.UseDay, _ bool) error {
	id, ok1 := row[0].(string)
	day, ok2 := row[1].(string)
	if !ok1 || !ok2 {
		return fmt.Errorf("decode uses: the columns hold %T, %T", row[0], row[1])
	}
	*out = catalog.UseDay{EntryID: id, Day: day}
	for i, count := range []*int{&out.Watches, &out.Citations, &out.Proxied} {
		n, ok := row[2+i].(int64)
		if !ok {
			return fmt.Errorf("decode uses: a count is a %T", row[2+i])
		}
		*count = int(n)
	}
	return nil
}

func (a useDays) Add(ctx context.Context, list ...catalog.UseDay) error {
	sums := map[[2]string]catalog.Uses{}
	for _, d := range list {
		key := [2]string{d.EntryID, d.Day}
		sums[key] = sums[key].Plus(d.Uses)
	}
	merged := make([]catalog.UseDay, 0, len(sums))
	for _, key := range slices.SortedFunc(maps.Keys(sums), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		merged = append(merged, catalog.UseDay{EntryID: key[0], Day: key[1], Uses: sums[key]})
	}
	return a.write(ctx, addUseDays, merged)
}

func (a useDays) Put(ctx context.Context, list ...catalog.UseDay) error {
	return a.write(ctx, insertUseDays, lastOf(list, func(d *catalog.UseDay) string { return d.EntryID + "\n" + d.Day }))
}

func (a useDays) write(ctx context.Context, into insert, list []catalog.UseDay) error {
	values := make([]any, 0, len(list)*len(into.cols))
	for _, d := range list {
		if d.EntryID == "" || d.Day == "" {
			return fmt.Errorf("uses of entry %q on %q: a key is empty: %w", d.EntryID, d.Day, catalog.ErrInvalid)
		}
		values = append(values, d.EntryID, d.Day, d.Watches, d.Citations, d.Proxied)
	}
	if _, err := a.c.insertRows(ctx, into, values); err != nil {
		return fmt.Errorf("write the uses of %d days: %w", len(list), err)
	}
	return nil
}

func (a useDays) Scan(ctx context.Context, r catalog.Range, fn func(*catalog.UseDay) error) error {
	return useDayList.scan(ctx, a.c, r, nil, fn)
}

func (a useDays) Any(ctx context.Context, from, to string) (found bool, err error) {
	err = a.c.query(ctx, func(s scanner) error {
		var one int
		found = true
		return s.Scan(&one)
	}, "SELECT 1 FROM use_days WHERE day >= $1 AND day < $2 LIMIT 1", from, to)
	if err != nil {
		return false, fmt.Errorf("uses from %s to %s: %w", from, to, err)
	}
	return found, nil
}

func (a useDays) Prune(ctx context.Context, before string) (int64, error) {
	n, err := a.c.exec(ctx, "DELETE FROM use_days WHERE day < $1", before)
	if err != nil {
		return 0, fmt.Errorf("prune uses before %s: %w", before, err)
	}
	return n, nil
}
