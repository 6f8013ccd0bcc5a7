package notify

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/store/postgres"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/dynamic/store/storetest/pgtest"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// childEnv carries the order to a child process: what to do, from which number
// on, and on which store.
const childEnv = "ASSAY_NOTIFY_CHILD"

func TestMain(m *testing.M) {
	if order := os.Getenv(childEnv); order != "" {
		if err := child(context.Background(), order); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	pgtest.Main(m)
}

func openStore(ctx context.Context, target string) (catalog.Store, error) {
	if strings.HasPrefix(target, "postgres:") {
		return postgres.Open(ctx, target)
	}
	return sqlite.Open(ctx, target)
}

// child works until it is killed or has written its share.
func child(ctx context.Context, order string) error {
	var what, target string
	var from, n int
	if _, err := fmt.Sscan(order, &what, &from, &n, &target); err != nil {
		return fmt.Errorf("order %q: %w", order, err)
	}
	s, err := openStore(ctx, target)
	for try := 0; err != nil && try < 100; try++ { // the database may be recovering
		time.Sleep(100 * time.Millisecond)
		s, err = openStore(ctx, target)
	}
	if err != nil {
		return err
	}
	if what == "deliver" {
		return hasty(s).Run(ctx)
	}
	for i := from; i < from+n; i++ {
		if err := change(ctx, s, i); err != nil {
			continue // whether it was committed is not known, so it is not tried again
		}
		fmt.Println(i)
	}
	return nil
}

func faultSite() snapshot.Site { return snapshot.Site{BaseURL: "https://register.example"} }

// hasty is a dispatcher whose times are short enough for a test.
func hasty(s catalog.Store) *Dispatcher {
	schedule := make([]time.Duration, 200)
	for i := range schedule {
		schedule[i] = time.Duration(min(i, 10)) * 20 * time.Millisecond
	}
	return New(Config{Store: s, Client: &http.Client{}, Site: faultSite, Schedule: schedule, Poll: 10 * time.Millisecond,
		Timeout: 300 * time.Millisecond, Turn: 500 * time.Millisecond})
}

// change number i of the register: its event tells the number.
func change(ctx context.Context, s catalog.Store, i int) error {
	ref := fmt.Sprintf("data.example:dataset:%d", i%50)
	past := time.Unix(1_700_000_000, 0).UTC()
	e := catalog.Entry{ID: catalog.EntryID(ref, "", 1), Slug: fmt.Sprintf("e-%d", i%50), Type: catalog.TypeDataset, Name: "E", UpstreamRef: ref, IdentityKey: ref,
		MatchKey: ref, Status: catalog.StatusActive, CreatedAt: past, UpdatedAt: past, PublishedAt: past}
	to, err := json.Marshal(i)
	if err != nil {
		return err
	}
	return s.Update(ctx, func(tx catalog.Tx) error {
		return tx.Entries().Put(ctx, catalog.Write{Entry: &e, Events: []catalog.Event{{Type: catalog.EventUpdated, OccurredAt: time.Now().UTC(),
			Changes: []catalog.FieldChange{{Field: "n", From: json.RawMessage("null"), To: to}}}}})
	})
}
