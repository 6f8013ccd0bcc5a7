package transfer

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/catalog"
)

// settled is a record with its provenance taken apart.
func settled(r record) record {
	r.Provenance, r.trail = r.provenance(), ""
	return r
}

func FuzzImportLine(f *testing.F) {
	for _, s := range []string{`{}`, `{"kind":"entry","entry":{"name":"x"}}`, `{"kind":"check","check":{"entry_id":"x"}}`, `{"name":"\u0000"}`,
		`{"kind":"register","register":{"format":1,"last_event":0}}`, `{"kind":"entry","entry":{},"provenance":{"rows":[]}}`, `[`, "{\"a\":\"\xff\"}",
		`{"kind":"entry","entry":{"id":"3a87f7f3-ee8c-56e7-9ccc-152385aece36","name":"a"},"provenance":{"entry_id":"3a87f7f3-ee8c-56e7-9ccc-152385aece36","rows":[{"field":"name","basis":"b"}]}}`,
		`{"kind":"entry","entry":{"id":"x"},"provenance":{"entry_id":"y","rows":null}}`, `{"kind":"entry","entry":{"id":"x"},"provenance":{"entry_id":"x","rows":[{"Field":1}]}}`,
		`{"kind":"","entry":{}}`, `{"entry":{}}`, `{"kind":"check","entry":{"id":"x"}}`, `{"kind":"entry","provenance":{"entry_id":"x","rows":[]}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		rec, bad := parse(line)
		want, wantBad := parseAny(line)
		if diff := cmp.Diff(want, settled(rec), cmp.AllowUnexported(record{})); diff != "" && wantBad == nil || !reflect.DeepEqual(bad, wantBad) {
			t.Fatalf("the short way gave %+v instead of %+v:\n%s", bad, wantBad, diff)
		}
		rec = settled(rec)
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
		second, err := json.Marshal(settled(again))
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
