package store

import (
	"encoding/json"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/rendertest"
)

// agree checks that a document is read alike both ways, or refused by both.
func agree[T any](t testing.TB, doc string) {
	t.Helper()
	var want, got T
	wantErr, gotErr := json.Unmarshal([]byte(doc), &want), decodeShared(doc, &got)
	if (wantErr == nil) != (gotErr == nil) {
		t.Fatalf("%s: encoding/json says %v, not %v", doc, wantErr, gotErr)
	}
	if diff := cmp.Diff(want, got); wantErr == nil && diff != "" {
		t.Fatalf("%s (-encoding/json +shared):\n%s", doc, diff)
	}
}

// written are records as the store writes them.
func written[T any](t testing.TB, list ...T) []string {
	t.Helper()
	docs, err := encode(list)
	if err != nil {
		t.Fatal(err)
	}
	return docs
}

func agreeAll[T any](t *testing.T, list ...T) {
	t.Helper()
	for _, doc := range written(t, list...) {
		agree[T](t, doc)
	}
}

func TestSharedDecodingIsThatOfEncodingJSON(t *testing.T) {
	for _, row := range rendertest.Rows() {
		agreeAll(t, row.Entry)
		agreeAll(t, row.Provenance)
		agreeAll(t, row.Overrides...)
		agreeAll(t, row.Checks...)
		agreeAll(t, row.Days...)
		agreeAll(t, row.Targets...)
		agreeAll(t, row.Scores...)
		if row.State != nil {
			agreeAll(t, *row.State)
		}
		if row.Profile != nil {
			agreeAll(t, *row.Profile)
		}
	}
	institutions, licences, sources := rendertest.Reference()
	agreeAll(t, institutions...)
	agreeAll(t, licences...)
	agreeAll(t, sources...)
}

// odd are documents that encode does not write.
var odd = []string{
	"", "{", "{}", "null", "[]", `""`, "{}{}", " {} ", `{"id":"a","id":"b"}`, `{"ID":"a","Slug":"b"}`, `{"slug":"b","id":"a"}`, `{"id":"a","more":{"x":[1]}}`,
	`{"id":null,"tags":null,"contact":null}`, `{"id":1}`, `{"tags":["a",1]}`, `{"tags":[]}`, `{"tags":["a",]}`, `{"id":"\u00e4\ud83c\udfdb\ud800"}`, "{\"id\":\"\xff\"}",
	"{\"id\":\"a\x00\"}", `{"id":"\x"}`, `{"revision":1.0}`, `{"revision":1e3}`, `{"revision":01}`, `{"revision":9223372036854775808}`, `{"third_party":"true"}`,
	`{"created_at":"2026-11-21T09:30:00+02:00"}`, `{"created_at":"2026-11-21"}`, `{"created_at":"2026-02-30T00:00:00Z"}`, `{"contact":{}}`, `{"members":[{"name":"a"},{}]}`,
	"{\"id\" :\n\"a\"}", `{"id":"a"`, `{"id":"a"}x`, `{"id":"<&>\u2028"}`, `{"rows":[{"field":"name","basis":"x"}]}`,
}

func TestSharedDecodingOfOddDocuments(t *testing.T) {
	for _, doc := range odd {
		agree[catalog.Entry](t, doc)
		agree[catalog.Provenance](t, doc)
		agree[catalog.CheckState](t, doc)
		agree[catalog.ScoreDay](t, doc)
	}
}

func FuzzSharedDecoding(f *testing.F) {
	for _, row := range rendertest.Rows() {
		f.Add(written(f, row.Entry)[0])
		f.Add(written(f, row.Provenance)[0])
	}
	for _, doc := range odd {
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		agree[catalog.Entry](t, doc)
		agree[catalog.Provenance](t, doc)
	})
}

// TestSharedEntriesOwnTheirHandles: who keeps an id or a slug of a shared entry
// does not keep its document.
func TestSharedEntriesOwnTheirHandles(t *testing.T) {
	e := catalog.Entry{ID: "id-1", Slug: "slug-1", FormerSlugs: []string{"slug-2", "slug-3"}, SuccessorID: "id-2", MergedIntoID: "id-3", Name: "name-1"}
	doc := written(t, e)[0]
	var got catalog.Entry
	if err := entryList.decode([]any{"id-1", int64(7), doc}, &got, true); err != nil {
		t.Fatal(err)
	}
	if e.Revision = 7; !cmp.Equal(e, got) {
		t.Errorf("the entry is read as %+v", got)
	}
	inDocument := func(text string) bool {
		at := strings.Index(doc, text)
		return at >= 0 && unsafe.StringData(text) == unsafe.StringData(doc[at:])
	}
	for _, text := range append(got.FormerSlugs, got.ID, got.Slug, got.SuccessorID, got.MergedIntoID) {
		if inDocument(text) {
			t.Errorf("%s is a part of the document", text)
		}
	}
	if !inDocument(got.Name) {
		t.Error("the name is read the long way")
	}
}

func BenchmarkDecode(b *testing.B) {
	var entries, provenances []string
	for _, row := range rendertest.Rows() {
		entries, provenances = append(entries, written(b, row.Entry)...), append(provenances, written(b, row.Provenance)...)
	}
	b.Run("entries", func(b *testing.B) { benchDecode(b, entries, decodeShared[catalog.Entry]) })
	b.Run("entries, each text alone", func(b *testing.B) {
		benchDecode(b, entries, func(doc string, e *catalog.Entry) error { return decodeInto(doc, e) })
	})
	b.Run("provenances", func(b *testing.B) { benchDecode(b, provenances, decodeShared[catalog.Provenance]) })
}

func benchDecode[T any](b *testing.B, docs []string, decode func(string, *T) error) {
	bytes := 0
	for _, doc := range docs {
		bytes += len(doc)
	}
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	for b.Loop() {
		for _, doc := range docs {
			var v T
			if err := decode(doc, &v); err != nil {
				b.Fatal(err)
			}
		}
	}
}
