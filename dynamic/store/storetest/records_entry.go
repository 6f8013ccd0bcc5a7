package storetest

import (
	"context"
	"fmt"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

var checkStateRecords = records[catalog.CheckState]{
	key:    func(v *catalog.CheckState, n int) { v.EntryID = single(n) },
	change: func(v *catalog.CheckState) { v.LastError = "changed" },
	put: func(ctx context.Context, tx catalog.Tx, list ...catalog.CheckState) error {
		return tx.CheckStates().Set(ctx, list, nil)
	},
	scan: func(ctx context.Context, tx catalog.Tx, r catalog.Range, fn func(*catalog.CheckState) error) error {
		return tx.CheckStates().Scan(ctx, wide(r), fn)
	},
}

// checkDayRecords: the days of the test differ in how many checks they sum up,
// and the larger sum counts.
var checkDayRecords = records[catalog.CheckDay]{
	key: func(v *catalog.CheckDay, n int) {
		v.EntryID, v.Day, v.Checks = entryKey(n), fmt.Sprintf("2026-03-%02d", n+1), 4
	},
	change: func(v *catalog.CheckDay) { v.Checks, v.Up = 3, 1 },
	put: func(ctx context.Context, tx catalog.Tx, list ...catalog.CheckDay) error {
		return tx.Checks().PutDays(ctx, list...)
	},
	scan: func(ctx context.Context, tx catalog.Tx, r catalog.Range, fn func(*catalog.CheckDay) error) error {
		return tx.Checks().ScanDays(ctx, r, fn)
	},
}

var profileRecords = records[catalog.Profile]{
	key:    func(v *catalog.Profile, n int) { v.EntryID = single(n) },
	change: func(v *catalog.Profile) { v.Kind = "changed" },
	put: func(ctx context.Context, tx catalog.Tx, list ...catalog.Profile) error {
		return tx.Profiles().Put(ctx, list...)
	},
	scan: func(ctx context.Context, tx catalog.Tx, r catalog.Range, fn func(*catalog.Profile) error) error {
		return tx.Profiles().Scan(ctx, wide(r), fn)
	},
}

// single gives each record its own entry, in the order of entryKey.
func single(n int) string { return entryKey(n) + fmt.Sprint(n%2) }

// wide moves the ends of a range behind both entries that single makes.
func wide(r catalog.Range) catalog.Range {
	if r.After != "" {
		r.After += "1"
	}
	if r.Through != "" {
		r.Through += "1"
	}
	return r
}

// overrideRecords: the second override of an entry is older by id, later by
// creation.
var overrideRecords = records[catalog.Override]{
	key: func(v *catalog.Override, n int) {
		v.EntryID, v.ID = entryKey(n), fmt.Sprintf("%d-%d", 9-n%2, n)
		v.CreatedAt = day.Add(time.Duration(n) * time.Microsecond)
	},
	change: func(v *catalog.Override) { v.Reason, v.RevokedAt = "changed", time.Time{} },
	put: func(ctx context.Context, tx catalog.Tx, list ...catalog.Override) error {
		return tx.Overrides().Put(ctx, list...)
	},
	scan: func(ctx context.Context, tx catalog.Tx, r catalog.Range, fn func(*catalog.Override) error) error {
		return tx.Overrides().Scan(ctx, r, fn)
	},
}

var targetRecords = records[catalog.Target]{
	key:    func(v *catalog.Target, n int) { v.EntryID, v.ID = entryKey(n), fmt.Sprintf("%c-%d", "aé"[n%2], n) },
	change: func(v *catalog.Target) { v.Availability, v.Active = 1, false },
	put: func(ctx context.Context, tx catalog.Tx, list ...catalog.Target) error {
		return tx.Targets().Put(ctx, list...)
	},
	scan: func(ctx context.Context, tx catalog.Tx, r catalog.Range, fn func(*catalog.Target) error) error {
		return tx.Targets().Scan(ctx, r, fn)
	},
}

var scoreRecords = records[catalog.ScoreDay]{
	key:    func(v *catalog.ScoreDay, n int) { v.EntryID, v.Day = entryKey(n), fmt.Sprintf("2026-03-%02d", n+1) },
	change: func(v *catalog.ScoreDay) { v.Ranking = nil },
	put: func(ctx context.Context, tx catalog.Tx, list ...catalog.ScoreDay) error {
		return tx.Scores().Put(ctx, list...)
	},
	scan: func(ctx context.Context, tx catalog.Tx, r catalog.Range, fn func(*catalog.ScoreDay) error) error {
		return tx.Scores().Scan(ctx, r, fn)
	},
}
