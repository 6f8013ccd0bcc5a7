package events

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

var site = snapshot.Site{BaseURL: "https://register.example/reg"}

func list(n int) (out []wire.FeedEvent) {
	for i := range n {
		out = append(out, wire.FeedEvent{ID: wire.EventID(int64(i + 1)), Type: "entry.updated", OccurredAt: "2026-11-01T00:00:00.000Z", Changes: wire.Changes{}})
	}
	return out
}

func TestPagesLeadToEachOther(t *testing.T) {
	f, err := Page(site, 2, list(3))
	if err != nil {
		t.Fatal(err)
	}
	var p wire.FeedStatic
	if err := json.Unmarshal(f.Body, &p); err != nil {
		t.Fatal(err)
	}
	cursor, err := wire.ParseCursor(p.NextCursor)
	if err != nil || cursor != 2*wire.FeedPageSize || p.Page != 2 || len(p.Events) != 3 || *p.Prev != "https://register.example/reg/api/v1/webhooks/feed/pages/1" ||
		p.Head != "https://register.example/reg/api/v1/webhooks/feed/head" || f.Route != "/api/v1/webhooks/feed/pages/2" {
		t.Errorf("got %s", f.Body)
	}
}

func TestHead(t *testing.T) {
	for last, want := range map[int64]string{0: `"page":1,"full_pages":0,"prev":null`, 999: `"page":1,"full_pages":0,"prev":null`,
		1000: `"page":2,"full_pages":1,"prev":"https://register.example/reg/api/v1/webhooks/feed/pages/1"`} {
		f, err := Head(site, last, nil)
		if err != nil || string(f.Body) != fmt.Sprintf(`{"events":[],%s,"next_cursor":%q}`, want, wire.Cursor(last)) {
			t.Errorf("%d: %s, %v", last, f.Body, err)
		}
	}
}
