package dump

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/export"
	"github.com/assay-register/assay/render/export/exporttest"
)

// FuzzDumps puts any text into an entry and reads both dumps back.
func FuzzDumps(f *testing.F) {
	for _, r := range exporttest.Rows() {
		f.Add(r.Entry.Name, r.Entry.Description, strings.Join(r.Entry.Tags, ","))
	}
	f.Add("\xed\xa0\x80 lone surrogate", "\xff\r\n\x00end", "a,\xc3")
	f.Fuzz(func(t *testing.T, name, description, tags string) {
		row := exporttest.Row(1000)
		row.Entry.Name, row.Entry.Description = name, description
		row.Entry.Tags = slices.DeleteFunc(strings.Split(tags, ","), func(tag string) bool { return tag == "" })
		files := all(t, exporttest.Freeze(t, append(exporttest.Many(1), row)))
		want := exporttest.ReadJSON(t, files[export.RouteJSON])
		got, _ := readSQLite(t, files[RouteSQLite])
		same(t, "SQLite", want, got)
		got, _ = readParquet(t, files[RouteParquet])
		same(t, "Parquet", want, got)
	})
}
