package dynamic

import (
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/assay-register/assay/dynamic/access"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// keepRecord stores what a source published of an entry.
func keepRecord(t *testing.T, st catalog.Store, id, record string) {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	err = st.Update(t.Context(), func(tx catalog.Tx) error {
		return tx.RawRecords().Put(t.Context(), catalog.RawRecord{EntryID: id, SourceID: "s", SHA256: fmt.Sprintf("%x", sha256.Sum256([]byte(record))), Size: len(record),
			Media: "application/json", ObservedAt: time.Date(2026, 11, 20, 1, 0, 0, len(record), time.UTC), Body: z.EncodeAll([]byte(record), nil)})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestPublishedRecord: everybody sees what the publisher published without the person in
// it, administrators see it whole, also what came before.
func TestPublishedRecord(t *testing.T) {
	s, site, st := citing(t)
	id, slug := site.Catalog.Lines[0].ID, site.Catalog.Lines[0].Slug
	path := "/api/v1/entries/" + slug + "/record"
	if w := get(s, "GET", path); w.Code != 404 {
		t.Errorf("none is kept: %d %s", w.Code, w.Body)
	}
	old, now := `{"title":"Tides"}`, `{"title":"Tides", "author":"Ann Lee"}`
	keepRecord(t, st, id, old)
	keepRecord(t, st, id, now)
	got := decode[wire.PublishedRecords](t, get(s, "GET", path))
	if len(got.Records) != 2 || got.EntryID != id || got.Rule.Version == "" {
		t.Fatalf("%+v", got)
	}
	shown := `{"title":"Tides","author":"[withheld]"}`
	if r := got.Records[0]; r.Record == nil || *r.Record != shown || *r.ShownSHA256 != web.Sum([]byte(shown)) || r.SHA256 != web.Sum([]byte(now)) || r.Withheld != 1 || r.SupersededAt != nil {
		t.Errorf("%+v", r)
	}
	if r := got.Records[1]; r.Record != nil || r.Reason == nil || r.SHA256 != web.Sum([]byte(old)) || r.SupersededAt == nil {
		t.Errorf("the one before: %+v", r)
	}
	whole := "/api/v1/admin/entries/" + slug + "/record"
	for role, want := range map[catalog.Role]int{catalog.RoleModerator: 403, catalog.RoleAdmin: 200} {
		token, _, err := access.Create(t.Context(), st, role, "", access.Actor{By: "test"}, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		w := get(s, "GET", whole, "Authorization", "Bearer "+token)
		if w.Code != want {
			t.Fatalf("%s: %d %s", role, w.Code, w.Body)
		}
		if want != 200 {
			continue
		}
		got := decode[wire.PublishedRecords](t, w)
		if *got.Records[0].Record != now || *got.Records[1].Record != old || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s %v", w.Body, w.Header())
		}
	}
	for target, want := range map[string]int{"nothing": 404, "former-3": 308} {
		if w := get(s, "GET", "/api/v1/entries/"+target+"/record"); w.Code != want {
			t.Errorf("%s: %d", target, w.Code)
		}
	}
}
