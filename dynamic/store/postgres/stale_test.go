package postgres_test

import (
	"context"
	"database/sql"
	"sync"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // registers the driver

	"github.com/assay-register/assay/dynamic/store/postgres"
	"github.com/assay-register/assay/dynamic/store/storetest/pgtest"
	"github.com/assay-register/assay/render/catalog"
)

// TestBrokenConnectionsAreReplaced: a server that was restarted leaves broken connections
// in the pool; none of them fails a transaction once the server is there.
func TestBrokenConnectionsAreReplaced(t *testing.T) {
	t.Parallel()
	url := pgtest.NewStoreURL(t)
	st, err := postgres.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	other, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	const several = 4
	for round := range 5 {
		var all, together sync.WaitGroup
		together.Add(several)
		for range several {
			all.Go(func() {
				arrive := sync.OnceFunc(together.Done)
				defer arrive()
				err := st.View(t.Context(), func(tx catalog.Tx) error {
					arrive()
					together.Wait()
					_, err := tx.Events().Last(t.Context())
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if _, err := other.ExecContext(t.Context(), "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"); err != nil {
			t.Fatal(err)
		}
		read := func(tx catalog.Tx) error { _, err := tx.Events().Last(t.Context()); return err }
		for name, run := range map[string]func(context.Context, func(catalog.Tx) error) error{"read": st.View, "write": st.Update} {
			if err := run(t.Context(), read); err != nil {
				t.Errorf("round %d, the first %s after the connections broke: %v", round, name, err)
			}
		}
	}
}
