package wire

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/spreadsheet/spreadsheettest"
)

// pair is a snapshot of two entries that share some values.
func pair(t *testing.T) (*snapshot.Catalog, []*snapshot.Line) {
	t.Helper()
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	licences := []catalog.Licence{{ID: "CC-BY-4.0", Title: "CC BY", CommercialUse: catalog.RightYes, AttributionRequired: catalog.RightYes, ShareAlike: catalog.RightNo, Open: catalog.RightYes}}
	institutions := []catalog.Institution{{ID: "00000000-0000-5000-8000-000000000001", Key: "a", Name: "Αρχή", NameEn: "Authority", Type: catalog.InstitutionTypes()[0]}}
	frame := snapshot.NewFrame(snapshot.Site{BaseURL: "https://register.example"}, at, institutions, licences, nil)
	draft := snapshot.NewDraft(frame)
	var items bytes.Buffer
	for i, e := range []catalog.Entry{
		{ID: "10000000-0000-5000-8000-000000000000", Slug: "one", Name: "One, \"quoted\"", Tags: []string{"air", "sea"}, LicenseID: "CC-BY-4.0", InstitutionID: institutions[0].ID},
		{ID: "20000000-0000-5000-8000-000000000000", Slug: "two", Name: "Two\nlines"},
	} {
		e.Type, e.Status, e.CountryCode, e.UpdatedAt = catalog.EntryTypes()[0], catalog.StatusActive, "GR", at.Add(-time.Duration(i)*time.Hour)
		scored := frame.Score(&catalog.Row{Entry: e}, search.Fold(e.Name))
		line := snapshot.NewLine(scored, search.Fold(e.Name))
		item, cells, err := EncodeItem(scored)
		if err != nil {
			t.Fatal(err)
		}
		line.Cells, line.Item = cells, snapshot.Span{Offset: int64(items.Len()), Length: len(item)}
		items.Write(item)
		if err := draft.Add(line, nil); err != nil {
			t.Fatal(err)
		}
	}
	c := draft.Finish(bytes.NewReader(items.Bytes()))
	return c, []*snapshot.Line{&c.Lines[0], &c.Lines[1]}
}

func rowOf(t *testing.T, m *ComparisonMatrix, field string) MatrixRow {
	t.Helper()
	for _, r := range m.Rows {
		if r.Field == field {
			return r
		}
	}
	t.Fatalf("no row %s", field)
	return MatrixRow{}
}

func TestMatrixHasEveryFieldOfAnItem(t *testing.T) {
	c, lines := pair(t)
	m, err := NewComparisonMatrix(c, lines, CompareHead{})
	if err != nil {
		t.Fatal(err)
	}
	differing := 0
	for _, r := range m.Rows {
		if len(r.Values) != 2 || r.Meaning == "" || r.Basis == "" {
			t.Errorf("row %+v", r)
		}
		if r.Differs {
			differing++
		}
	}
	if want := reflect.TypeFor[Core]().NumField() + reflect.TypeFor[ItemTail]().NumField() - 1 + len(known); len(m.Rows) != want || m.Differing != differing {
		t.Errorf("%d rows of %d, %d differ, %d are counted", len(m.Rows), want, differing, m.Differing)
	}
	for field, want := range map[string]string{
		"country_code":     `{"differs":false,"values":["GR","GR"]}`,
		"tags":             `{"differs":true,"values":[["air","sea"],[]]}`,
		"license_id":       `{"differs":true,"values":["CC-BY-4.0",null]}`,
		"share_alike":      `{"differs":true,"values":["no",null]}`,
		"institution_name": `{"differs":true,"values":["Authority",null]}`,
		"p50_latency_ms":   `{"differs":false,"values":[null,null]}`,
	} {
		r := rowOf(t, m, field)
		got, _ := json.Marshal(struct {
			Differs bool  `json:"differs"`
			Values  []any `json:"values"`
		}{r.Differs, r.Values})
		if string(got) != want {
			t.Errorf("%s: %s, want %s", field, got, want)
		}
	}
}

func TestMatrixOfOneOrNoEntry(t *testing.T) {
	c, lines := pair(t)
	for n := range 2 {
		m, err := NewComparisonMatrix(c, lines[:n], CompareHead{})
		if err != nil || m.Differing != 0 || len(m.Entries) != n {
			t.Errorf("%d entries: %v, %d differ", n, err, m.Differing)
		}
	}
}

func TestMatrixAsCSV(t *testing.T) {
	c, lines := pair(t)
	m, err := NewComparisonMatrix(c, lines, CompareHead{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.CSV(false)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil || len(rows) != len(m.Rows)+1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if d := cmp.Diff([]string{"field", "differs", "one", "two"}, rows[0]); d != "" {
		t.Error(d)
	}
	cells := map[string][]string{}
	for _, r := range rows[1:] {
		cells[r[0]] = r[1:]
	}
	for field, want := range map[string][]string{
		"name": {"true", "One, \"quoted\"", "Two\nlines"}, "tags": {"true", "air;sea", ""}, "institution_id": {"true", "00000000-0000-5000-8000-000000000001", ""},
		"is_public_sector": {"true", "true", "false"},
	} {
		if d := cmp.Diff(want, cells[field]); d != "" {
			t.Errorf("%s: %s", field, d)
		}
	}
}

func TestComparisonMatchesItsShape(t *testing.T) {
	c, lines := pair(t)
	body, err := EncodeComparison(c, lines, CompareHead{Asked: []Asked{{Name: "one", Outcome: AskedFound}}, NotFound: []string{}, Snapshot: c.ID}, c.AsOf)
	if err != nil {
		t.Fatal(err)
	}
	var got Comparison
	d := json.NewDecoder(bytes.NewReader(body))
	if err := d.Decode(&got); err != nil || len(got.Items) != 2 || got.Items[1].Slug != "two" || got.Snapshot != c.ID {
		t.Errorf("%v: %+v", err, got)
	}
}

// TestSafeMatrixCSV holds that the matrix of entries with formulas for names has
// none that a spreadsheet runs when it is asked to be safe.
func TestSafeMatrixCSV(t *testing.T) {
	t.Parallel()
	m := ComparisonMatrix{Entries: []Ref{{Slug: "one"}, {Slug: "two"}},
		Rows: []MatrixRow{{Field: "name", Values: []any{"=1+1", "@A"}}, {Field: "tags", Values: []any{[]any{"rain", "=1"}, nil}}, {Field: "score", Values: []any{-1.5, 2.0}}}}
	plain, err := m.CSV(false)
	if err != nil || !strings.Contains(string(plain), "name,false,=1+1,@A\n") {
		t.Errorf("%s %v", plain, err)
	}
	safe, err := m.CSV(true)
	want := "field,differs,one,two\nname,false,'=1+1,'@A\ntags,false,rain;'=1,\nscore,false,-1.5,2\n"
	if err != nil || string(safe) != want {
		t.Errorf("%s %v", safe, err)
	}
	spreadsheettest.NoFormula(t, string(safe))
}
