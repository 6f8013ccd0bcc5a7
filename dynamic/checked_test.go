package dynamic

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// TestChecksAreCurrent: the service tells of the last check at once, with the answer of the
// snapshot where that is the last one, or where the store knows no check.
func TestChecksAreCurrent(t *testing.T) {
	s := startWithStore(t)
	l := &s.library.Current().Lines[0]
	route := "/api/v1/entries/" + l.ID + "/checks"
	ask := func(path string) (c wire.Checks, live bool, status int) {
		t.Helper()
		w := get(s, "GET", path)
		body := struct {
			wire.Checks
			Manifest wire.Manifest `json:"manifest"`
		}{}
		if w.Code == 200 {
			if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
				t.Fatal(err)
			}
		}
		return body.Checks, body.Manifest.Live, w.Code
	}
	static, live, _ := ask(route)
	if live {
		t.Error("without a row of the store the answer is live")
	}
	check := func(at time.Time, up bool) {
		t.Helper()
		c := catalog.Check{EntryID: l.ID, At: at, Kind: "http", URL: "https://checked.example/", Method: "GET", Up: up, LatencyMS: 7, Vantages: 1}
		err := s.config.Store.Update(t.Context(), func(tx catalog.Tx) error {
			state, _ := tx.CheckStates().Get(context.Background(), l.ID)
			next, _ := verify.Next(state, &c)
			if err := tx.Checks().Append(t.Context(), c); err != nil {
				return err
			}
			return tx.CheckStates().Set(t.Context(), []catalog.CheckState{next}, nil)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	now := s.config.Now().UTC().Truncate(time.Second)
	for n := range 3 {
		at := now.Add(time.Duration(n-3) * time.Minute)
		check(at, n != 1)
		c, live, _ := ask(route)
		if !live || c.Total != n+1 || len(c.Items) != n+1 || *c.LatestCheck.LastCheckedAt != at.Format(time.RFC3339) || c.EntryID != l.ID {
			t.Errorf("after check %d: live %t, %d checks, the last one %v", n, live, c.Total, c.LatestCheck)
		}
	}
	l.Verified = now.Add(-time.Minute).Unix() // the snapshot shows the last one
	if c, live, _ := ask(route); live || c.Total != static.Total {
		t.Error("the check that the snapshot shows is told live")
	}
	l.Verified = 0
	if w := get(s, "GET", route); w.Header().Get("Cache-Control") != "public, no-cache" || w.Header().Get("ETag") == "" {
		t.Errorf("header %v", w.Header())
	}
	for path, want := range map[string]int{"/api/v1/entries/" + strings.Repeat("0", 8) + l.ID[8:] + "/checks": 404, "/api/v1/entries/" + l.Slug + "/checks": 308} {
		if _, _, code := ask(path); code != want {
			t.Errorf("%s: status %d, want %d", path, code, want)
		}
	}
}
