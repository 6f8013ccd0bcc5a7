package transfer_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/transfer"
	"github.com/assay-register/assay/render/catalog"
)

// bare is a line as a person would write it.
func bare(n int, more string) string {
	return fmt.Sprintf(`{"type":"API","name":"Service %d","primary_source_url":"https://s%d.example.gov/","tags":["B","a"]%s}`, n, n, more)
}

const otherID = `11111111-1111-5111-8111-111111111111`

func TestBadLines(t *testing.T) {
	good := bare(1, "")
	for _, c := range []struct {
		name, line string
		code       source.Code
		says       string
	}{
		{"not JSON", `{"type":`, transfer.CodeBrokenJSON, ""},
		{"array", `[1]`, transfer.CodeWrongType, ""},
		{"two objects", bare(2, "") + bare(3, ""), transfer.CodeBrokenJSON, ""},
		{"unknown kind", `{"kind":"jobs"}`, transfer.CodeUnknownKind, "jobs"},
		{"kind of a wrong type", `{"kind":7}`, transfer.CodeWrongType, "kind"},
		{"no record", `{"kind":"entry"}`, transfer.CodeMissingRecord, "entry"},
		{"null record", `{"kind":"entry","entry":null}`, transfer.CodeMissingRecord, "entry"},
		{"two records", `{"kind":"check","check":{"entry_id":"` + otherID + `"},"entry":{}}`, transfer.CodeMissingRecord, "entry"},
		{"unknown field", bare(2, `,"colour":"red"`), transfer.CodeUnknownField, "colour"},
		{"unknown field inside", `{"kind":"entry","entry":` + bare(2, `,"api":{"x":1}`) + `}`, transfer.CodeUnknownField, "x"},
		{"wrong type", bare(2, `,"third_party":"yes"`), transfer.CodeWrongType, "third_party"},
		{"wrong type inside", bare(2, `,"api":{"endpoints_count":"many"}`), transfer.CodeWrongType, "api.endpoints_count"},
		{"number as name", `{"type":"API","name":5}`, transfer.CodeWrongType, "name"},
		{"bad time", bare(2, `,"source_issued_at":"yesterday"`), transfer.CodeWrongType, "yesterday"},
		{"no name", `{"type":"API"}`, source.CodeInvalidField, "name"},
		{"no type", `{"name":"x"}`, source.CodeInvalidField, "type"},
		{"bad URL", bare(2, `,"docs_url":"ftp://x"`), source.CodeInvalidField, "docs_url"},
		{"bad id", bare(2, `,"id":"7"`), source.CodeInvalidField, "id"},
		{"bad slug", bare(2, `,"slug":"Not A Slug"`), source.CodeInvalidField, "slug"},
		{"NUL", bare(2, `,"description":"a\u0000b"`), source.CodeControlCharacter, ""},
		{"raw control character", bare(2, ",\"description\":\"a\x07b\""), source.CodeControlCharacter, ""},
		{"Latin-1", bare(2, ",\"description\":\"caf\xe9\""), source.CodeInvalidUTF8, ""},
		{"10 MB description", bare(2, `,"description":"`+strings.Repeat("long ", 2_000_000)+`"`), transfer.CodeTextTooLong, "description"},
		{"11 MiB line", bare(2, `,"description":"`+strings.Repeat("x", 11<<20)+`"`), source.CodeRecordTooLarge, ""},
		{"same identity", strings.Replace(bare(1, ""), "Service", "SERVICE", 1), transfer.CodeDuplicateIdentity, "line 1"},
		{"no institution", bare(2, `,"institution_id":"`+otherID+`"`), transfer.CodeDangling, "institution_id"},
		{"no source", bare(2, `,"source_id":"`+otherID+`"`), transfer.CodeDangling, "source_id"},
		{"no licence", bare(2, `,"license_id":"WTFPL-9"`), transfer.CodeDangling, "license_id"},
		{"no successor", bare(2, `,"successor_id":"`+otherID+`"`), transfer.CodeDangling, otherID},
		{"check of no entry", `{"kind":"check","check":{"entry_id":"` + otherID + `","kind":"http"}}`, transfer.CodeDangling, otherID},
		{"check without entry", `{"kind":"check","check":{"kind":"http"}}`, source.CodeInvalidField, "entry_id"},
	} {
		t.Run(c.name, func(t *testing.T) {
			st := open(t)
			r := load(t, st, []byte(good+"\n"+c.line+"\n"+bare(4, "")+"\n"))
			if r.Created != 2 || r.Rejected != 1 || r.RejectedBy[c.code] != 1 {
				t.Fatalf("created %d, rejected %v", r.Created, r.Rejections)
			}
			x := r.Rejections[0]
			if x.Place != "import:2" || x.Reason == "" || x.Remedy == "" || !strings.Contains(x.Reason, c.says) {
				t.Errorf("rejection %+v", x)
			}
		})
	}
}

func TestDuplicateIDsAndSlugs(t *testing.T) {
	st := open(t)
	line := func(n int, id, slug string) string {
		return bare(n, fmt.Sprintf(`,"id":"%s","slug":"%s"`, id, slug)) + "\n"
	}
	r := load(t, st, []byte(line(1, otherID, "one")+line(2, otherID, "two")+line(3, strings.Replace(otherID, "1", "2", 1), "one")+
		bare(4, `,"former_slugs":["one"]`)+"\n"))
	if r.Created != 1 || r.RejectedBy[transfer.CodeDuplicateID] != 1 || r.RejectedBy[transfer.CodeDuplicateSlug] != 2 {
		t.Fatalf("%s%v", r.Summary(), r.Rejections)
	}
	r = load(t, st, []byte(line(5, strings.Replace(otherID, "1", "3", 1), "one")))
	if r.RejectedBy[transfer.CodeDuplicateSlug] != 1 {
		t.Errorf("a slug of the store was given again: %v", r.Rejections)
	}
	r = load(t, st, []byte(line(1, strings.Replace(otherID, "1", "4", 1), "four")))
	if r.RejectedBy[transfer.CodeDuplicateIdentity] != 1 {
		t.Errorf("an entry of the store came under another id: %v", r.Rejections)
	}
}

func TestEncodings(t *testing.T) {
	text := bare(1, `,"description":"Größe"`) + "\n" + bare(2, "") + "\n"
	utf16, err := unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if r := load(t, open(t), utf16); r.Created != 2 || r.Rejected != 0 {
		t.Errorf("UTF-16: %s%v", r.Summary(), r.Rejections)
	}
	if r := load(t, open(t), nil); r.Lines != 0 {
		t.Errorf("empty file: %s", r.Summary())
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	for n := range 3000 {
		fmt.Fprintln(z, bare(n, fmt.Sprintf(`,"description":"%x"`, n*n*7919)))
	}
	_ = z.Close()
	r := load(t, open(t), packed.Bytes()[:packed.Len()/2])
	if r.Created < 100 || r.Rejected != 1 || r.RejectedBy[source.CodeTruncatedGzip] != 1 {
		t.Errorf("truncated gzip: %s%v", r.Summary(), r.Rejections)
	}
}

func TestStrict(t *testing.T) {
	ctx := context.Background()
	st := open(t)
	r, err := transfer.Import(ctx, st, strings.NewReader("nonsense\n"+bare(1, "")), transfer.Options{Now: now, Strict: true})
	if !errors.Is(err, transfer.ErrRejected) || r.Created != 1 {
		t.Errorf("%v, %s", err, r.Summary())
	}
	if _, err := transfer.Import(ctx, open(t), strings.NewReader(`{"kind":"register","register":{"format":9,"last_event":0}}`), transfer.Options{Now: now}); !errors.Is(err, transfer.ErrFormat) {
		t.Errorf("unknown format: %v", err)
	}
}

func TestBareEntries(t *testing.T) {
	ctx := context.Background()
	st := open(t)
	r := load(t, st, []byte(bare(1, `,"upstream_ref":"h:k:1"`)+"\n"+`{"kind":"entry","entry":`+bare(2, `,"status":"PENDING_REVIEW"`)+"}\n"))
	if r.Created != 2 {
		t.Fatalf("%s%v", r.Summary(), r.Rejections)
	}
	var list []catalog.Entry
	var events []catalog.Event
	read := func() {
		list = nil
		err := st.View(ctx, func(tx catalog.Tx) error {
			var err error
			if events, err = tx.Events().After(ctx, 0, 100); err != nil {
				return err
			}
			return tx.Entries().Scan(ctx, catalog.Range{}, func(e *catalog.Entry) error { list = append(list, *e); return nil })
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	read()
	for _, e := range list {
		if e.Name == "Service 2" {
			if e.Status != catalog.StatusPending || !e.PublishedAt.IsZero() || e.Admission != nil {
				t.Errorf("pending entry %+v", e)
			}
			continue
		}
		if e.ID != catalog.EntryID("h:k:1", e.IdentityKey, 1) || e.Slug != "service-1" || e.Status != catalog.StatusActive ||
			!e.PublishedAt.Equal(now) || e.Admission.Rule != catalog.AdmittedByModerator || e.Admission.By != "import" ||
			strings.Join(e.Tags, ",") != "a,b" || e.AuthType != catalog.AuthUnknown {
			t.Errorf("entry %+v", e)
		}
	}
	if len(events) != 2 || events[0].Type != catalog.EventCreated || events[1].Type != catalog.EventSubmissionReceived {
		t.Errorf("events %+v", events)
	}
	if r = load(t, st, []byte(bare(1, `,"upstream_ref":"h:k:1"`))); r.Unchanged != 1 {
		t.Errorf("again: %s%v", r.Summary(), r.Rejections)
	}
	renamed := strings.Replace(bare(1, `,"upstream_ref":"h:k:1","docs_url":"https://d.example.gov/"`), "Service 1", "Renamed", 1)
	if r = load(t, st, []byte(renamed)); r.Updated != 1 {
		t.Fatalf("renamed: %s%v", r.Summary(), r.Rejections)
	}
	read()
	last := events[len(events)-1]
	var changed []string
	for _, c := range last.Changes {
		changed = append(changed, c.Field)
	}
	if last.Type != catalog.EventUpdated || strings.Join(changed, ",") != "docs_url,identity_key,match_key,name" {
		t.Errorf("event %+v", last)
	}
}

func TestRemovedStaysRemoved(t *testing.T) {
	ctx := context.Background()
	st := open(t)
	load(t, st, []byte(bare(1, "")))
	err := st.Update(ctx, func(tx catalog.Tx) error {
		var w catalog.Write
		err := tx.Entries().Scan(ctx, catalog.Range{}, func(e *catalog.Entry) error { c := *e; w.Entry = &c; return nil })
		if err != nil {
			return err
		}
		kind, err := w.Entry.Transition(catalog.Change{To: catalog.StatusRemoved, Reason: "spam", At: now})
		w.Events = []catalog.Event{{Type: kind, OccurredAt: now}}
		return errors.Join(err, tx.Entries().Put(ctx, w))
	})
	if err != nil {
		t.Fatal(err)
	}
	if r := load(t, st, []byte(bare(1, ""))); r.RejectedBy[transfer.CodeRemoved] != 1 {
		t.Errorf("%s%v", r.Summary(), r.Rejections)
	}
}

func TestReferencesMayComeLater(t *testing.T) {
	st := open(t)
	second := strings.Replace(otherID, "1", "2", 1)
	var lines []string
	lines = append(lines, `{"kind":"check","check":{"entry_id":"`+second+`","at":"2026-11-21T09:00:00Z","kind":"http","url":"","method":"","up":true,"vantages":1}}`)
	lines = append(lines, bare(1, `,"id":"`+otherID+`","status":"DEPRECATED","successor_id":"`+second+`"`))
	for n := range 20 {
		lines = append(lines, bare(100+n, ""))
	}
	lines = append(lines, bare(2, `,"id":"`+second+`"`))
	r := load(t, st, []byte(strings.Join(lines, "\n")))
	if r.Created != 22 || r.Restored["check"] != 1 || r.Rejected != 0 {
		t.Errorf("%s%v", r.Summary(), r.Rejections)
	}
}

func TestReportIsJSON(t *testing.T) {
	r := load(t, open(t), []byte("nonsense\n"))
	doc, err := json.Marshal(r)
	if err != nil || !bytes.Contains(doc, []byte(`"rejected_by":{"broken_json":1}`)) {
		t.Errorf("%s %v", doc, err)
	}
}
