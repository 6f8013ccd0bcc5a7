package export_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/render/export"
	"github.com/assay-register/assay/render/export/exporttest"
)

// FuzzForms puts any text into an entry and reads all forms back.
func FuzzForms(f *testing.F) {
	for _, r := range exporttest.Rows() {
		f.Add(r.Entry.Name, r.Entry.Description, strings.Join(r.Entry.Tags, ","))
	}
	f.Add("\xed\xa0\x80 lone surrogate", "\xff\r\n\r", "a,\xc3")
	f.Fuzz(func(t *testing.T, name, description, tags string) {
		row := exporttest.Row(1000)
		e := &row.Entry
		e.Name, e.Description, e.HomepageURL, e.Tags = name, description, description, nil
		for tag := range strings.SplitSeq(tags, ",") {
			if tag != "" {
				e.Tags = append(e.Tags, tag)
			}
		}
		c := exporttest.Freeze(t, append(exporttest.Many(2), row))
		files := render(t, c)
		fromJSON := exporttest.ReadJSON(t, files[export.RouteJSON])
		fromCSV := exporttest.ReadCSV(t, files[export.RouteCSV])
		if len(exporttest.ReadNDJSON(t, files[export.RouteNDJSON])) != len(fromJSON) {
			t.Error("NDJSON has another number of lines")
		}
		if d := cmp.Diff(fromJSON, records(t, c)); d != "" {
			t.Errorf("records differ from JSON:\n%s", d)
		}
		for i := range fromJSON {
			// encoding/csv reads CRLF inside a cell as LF; the store holds no CR.
			dropReturns(&fromJSON[i])
			dropReturns(&fromCSV[i])
			if fromJSON[i].ID == e.ID && len(fromJSON[i].Tags) != len(e.Tags) {
				t.Errorf("tags %q became %q", e.Tags, fromJSON[i].Tags)
			}
		}
		if d := cmp.Diff(fromJSON, fromCSV); d != "" {
			t.Errorf("CSV differs from JSON:\n%s", d)
		}
	})
}

func dropReturns(r *export.Record) {
	drop := func(s string) string { return strings.ReplaceAll(s, "\r", "") }
	r.Name = drop(r.Name)
	for _, p := range []**string{&r.Description, &r.HomepageURL} {
		if *p != nil {
			s := drop(**p)
			*p = &s
		}
	}
	for i, tag := range r.Tags {
		r.Tags[i] = drop(tag)
	}
}
