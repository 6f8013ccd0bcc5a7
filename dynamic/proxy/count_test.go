package proxy

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/catalog"
)

// TestUsesAreCounted counts what was answered for an entry, under whatever name
// it was asked for, and not what was refused or came to nothing.
func TestUsesAreCounted(t *testing.T) {
	r := newRig(t, func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/v1/broken" {
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(http.StatusNotFound) // an answer, too
	})
	var seen []string
	r.proxy.Observe = func(slug string, answered bool) { seen = append(seen, fmt.Sprint(slug, " ", answered)) }
	id := catalog.EntryID("open-api", "", 1)
	r.answer(t, `{"entry":"open-api","method":"GET"}`)
	r.answer(t, `{"entry":"`+id+`","method":"HEAD"}`)
	for body, want := range map[string]int{`{"entry":"open-api","method":"GET","path":"broken"}`: 502, `{"entry":"open-api","method":"GET","path":"http://elsewhere.example/"}`: 403, `{"entry":"nothing","method":"GET"}`: 404} {
		if w := r.ask(body); w.Code != want {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
	if d := cmp.Diff([]string{"open-api true", "open-api true", "open-api false"}, seen); d != "" {
		t.Errorf("observed (-want +got):\n%s", d)
	}
	var got []catalog.UseDay
	err := r.store.View(t.Context(), func(tx catalog.Tx) error {
		return tx.UseDays().Scan(t.Context(), catalog.Range{}, func(d *catalog.UseDay) error {
			got = append(got, *d)
			return nil
		})
	})
	if want := []catalog.UseDay{{EntryID: id, Day: "2026-11-21", Uses: catalog.Uses{Proxied: 2}}}; err != nil || cmp.Diff(want, got) != "" {
		t.Errorf("kept: %v, %v", got, err)
	}
}
