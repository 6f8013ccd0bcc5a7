package transfer

import (
	"encoding/json"
	"testing"

	"github.com/assay-register/assay/render/catalog"
)

func FuzzImportLine(f *testing.F) {
	for _, s := range []string{`{}`, `{"kind":"entry","entry":{"name":"x"}}`, `{"kind":"check","check":{"entry_id":"x"}}`, `{"name":"\u0000"}`,
		`{"kind":"register","register":{"format":1,"last_event":0}}`, `{"kind":"entry","entry":{},"provenance":{"rows":[]}}`, `[`, "{\"a\":\"\xff\"}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		rec, bad := parse(line)
		if bad != nil {
			if bad.Code == "" || bad.Reason == "" || bad.Remedy == "" {
				t.Fatalf("unexplained rejection %+v", bad)
			}
			return
		}
		// What is accepted is written and read again as the same.
		doc, err := json.Marshal(rec)
		if err != nil {
			t.Fatal(err)
		}
		again, bad := parse(doc)
		if bad != nil {
			t.Fatalf("%s: %+v", doc, bad)
		}
		second, err := json.Marshal(again)
		if err != nil || string(second) != string(doc) {
			t.Fatalf("%s became %s: %v", doc, second, err)
		}
		if rec.Kind == kindEntry {
			complete(rec.Entry)
			if err := catalog.CheckText("match_key", rec.Entry.MatchKey, 1<<20); rec.Entry.Validate() == nil && err != nil {
				t.Fatal(err)
			}
		}
	})
}
