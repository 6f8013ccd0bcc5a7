package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

var sessionTests = map[string]func(*testing.T, catalog.Store){
	"SessionsEnd":   testSessions,
	"TalliesCount":  testTallies,
	"TalliesRefuse": testTalliesRefuse,
}

func testSessions(t *testing.T, s catalog.Store) {
	begun := func(n int, hash, token string) catalog.Session {
		at := day.Add(time.Duration(n) * time.Second)
		return catalog.Session{Hash: hash, TokenID: token, BegunAt: at, ExpiresAt: at.Add(time.Hour)}
	}
	a, b, c, other := begun(0, "z", "t1"), begun(1, "b", "t1"), begun(1, "a", "t1"), begun(2, "o", "t2")
	longer := a
	longer.ExpiresAt = day.Add(99 * time.Hour)
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		if err := tx.Sessions().Put(ctx, a, b, c, other); err != nil {
			return err
		}
		return tx.Sessions().Put(ctx, longer) // a session is never prolonged
	})
	err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error {
		return tx.Sessions().Put(ctx, catalog.Session{TokenID: "t"})
	})
	wantErr(t, "no hash", err, catalog.ErrInvalid)
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		got, err := tx.Sessions().Get(ctx, "z")
		wantEqual(t, "one", got, &a)
		if err != nil {
			return err
		}
		for _, hash := range []string{"", "t1", "Z"} {
			_, err = tx.Sessions().Get(ctx, hash)
			wantErr(t, "hash "+hash, err, catalog.ErrNotFound)
		}
		list, err := tx.Sessions().Of(ctx, "t1")
		wantEqual(t, "of a token", list, []catalog.Session{a, c, b})
		if err != nil {
			return err
		}
		n, err := tx.Sessions().Expire(ctx, a.ExpiresAt)
		wantEqual(t, "expired", n, int64(1))
		if err != nil {
			return err
		}
		return tx.Sessions().Delete(ctx, "a", "a", "nothing")
	})
	view(t, s, func(ctx context.Context, tx catalog.Tx) error {
		list, err := tx.Sessions().Of(ctx, "t1")
		wantEqual(t, "left", list, []catalog.Session{b})
		return err
	})
}

func testTallies(t *testing.T, s catalog.Store) {
	add := func(kind, key, id string, at time.Time) catalog.Tally {
		return catalog.Tally{Kind: kind, Key: key, ID: id, At: at}
	}
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		err := tx.Tallies().Add(ctx, add("mail", "a", "2", day.Add(time.Minute)), add("mail", "a", "1", day), add("mail", "a", "1", day.Add(time.Hour)),
			add("mail", "b", "1", day), add("mail", "", "1", day), add("other", "a", "1", day))
		if err != nil {
			return err
		}
		return tx.Tallies().Add(ctx)
	})
	since := func(what, key string, after time.Time, but string, want ...time.Time) {
		t.Helper()
		view(t, s, func(ctx context.Context, tx catalog.Tx) error {
			got, err := tx.Tallies().Since(ctx, "mail", key, after, but)
			wantEqual(t, what, got, want)
			return err
		})
	}
	since("all", "a", day.Add(-time.Second), "", day, day.Add(time.Minute))
	since("later ones", "a", day, "", day.Add(time.Minute))
	since("but one", "a", day.Add(-time.Second), "2", day)
	since("without a key", "", day.Add(-time.Second), "", day)
	since("of nobody", "c", time.Time{}.Add(time.Hour), "")
	update(t, s, func(ctx context.Context, tx catalog.Tx) error {
		n, err := tx.Tallies().Prune(ctx, day.Add(time.Second))
		wantEqual(t, "forgotten", n, int64(4))
		return err
	})
	since("left", "a", day.Add(-time.Hour), "", day.Add(time.Minute))
}

func testTalliesRefuse(t *testing.T, s catalog.Store) {
	for _, v := range []catalog.Tally{{Key: "a", ID: "1", At: day}, {Kind: "mail", Key: "a", At: day}} {
		err := tryUpdate(t, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Tallies().Add(ctx, v) })
		wantErr(t, "a tally without its keys", err, catalog.ErrInvalid)
	}
}
