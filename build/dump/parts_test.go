package dump

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/export/exporttest"
	"github.com/assay-register/assay/render/wire"
)

// inParts lets tables of some rows be in parts, of which those with some rows are quoted.
func inParts(t *testing.T, from, rows, quoted int) { t.Cleanup(Partition(from, rows, quoted)) }

// countries spreads entries over some countries and none.
func countries(rows []*catalog.Row) []*catalog.Row {
	for i, r := range rows {
		r.Entry.CountryCode = []string{"BE", "BE", "FR", ""}[i%4]
	}
	return rows
}

// partsIn reads the list of parts and every part, and holds each to what the list says.
func partsIn(t *testing.T, files map[string][]byte) (list wire.ParquetParts, rows []row) {
	t.Helper()
	must(t, json.Unmarshal(files[wire.RouteParquetParts], &list))
	for _, p := range list.Parts {
		body := files[strings.TrimPrefix(p.URL, list.Source)]
		got, err := parquet.Read[row](bytes.NewReader(body), int64(len(body)))
		must(t, err)
		sum := sha256.Sum256(body)
		if len(got) != p.Rows || int64(len(body)) != p.Bytes || hex.EncodeToString(sum[:]) != p.SHA256 || got[0].ID != p.FirstID || got[len(got)-1].ID != p.LastID {
			t.Errorf("%+v holds %d rows in %d bytes", p, len(got), len(body))
		}
		if !slices.IsSortedFunc(got, func(a, b row) int { return strings.Compare(a.ID, b.ID) }) {
			t.Errorf("%s is not in id order", p.URL)
		}
		for _, r := range got {
			if len(list.PartitionedBy) > 0 && plain(r.CountryCode) != plain(p.CountryCode) {
				t.Errorf("%s has an entry of %q", p.URL, plain(r.CountryCode))
			}
		}
		rows = append(rows, got...)
	}
	return list, rows
}

func TestParts(t *testing.T) {
	inParts(t, 100, 20, 10)
	files := all(t, exporttest.Freeze(t, countries(exporttest.Many(200))))
	list, rows := partsIn(t, files)
	whole, err := parquet.Read[row](bytes.NewReader(files[RouteParquet]), int64(len(files[RouteParquet])))
	must(t, err)
	for _, list := range [][]row{rows, whole} {
		slices.SortFunc(list, func(a, b row) int { return strings.Compare(a.ID, b.ID) })
	}
	same(t, "the parts together", byColumn(whole), byColumn(rows))
	if list.Count != 200 || len(list.Parts) < 2+8 || !slices.Equal(list.PartitionedBy, []string{"country_code"}) {
		t.Errorf("%+v", list)
	}
	form := regexp.MustCompile(`^https://register\.example/api/v1/export/parquet/country_code=(BE|FR|__HIVE_DEFAULT_PARTITION__)/part-\d{4}\.parquet$`)
	for _, p := range list.Parts {
		if !form.MatchString(p.URL) || !strings.Contains(string(files[RouteChecksums]), p.SHA256+"  "+strings.TrimPrefix(p.URL, list.Source+"/api/v1/export/")) {
			t.Errorf("%s", p.URL)
		}
	}
}

// TestPartsStay holds that what comes to one part leaves the bytes of the others.
func TestPartsStay(t *testing.T) {
	inParts(t, 100, 20, 10)
	rows := countries(exporttest.Many(201))
	before, after := all(t, exporttest.Freeze(t, rows[:200])), all(t, exporttest.Freeze(t, rows))
	changed := 0
	for _, route := range slices.Sorted(maps.Keys(before)) {
		if strings.HasPrefix(route, wire.RouteParquetParts+"/") && !bytes.Equal(before[route], after[route]) {
			changed++
		}
	}
	if changed != 1 {
		t.Errorf("%d parts changed with one entry", changed)
	}
}

func TestSmallTableIsOnePart(t *testing.T) {
	list, rows := partsIn(t, all(t, exporttest.Freeze(t, exporttest.Rows())))
	if len(list.Parts) != 1 || list.Parts[0].URL != list.Source+RouteParquet || len(list.PartitionedBy) != 0 || len(rows) != list.Count {
		t.Errorf("%+v", list)
	}
	var none wire.ParquetParts
	must(t, json.Unmarshal(all(t, exporttest.Freeze(t, nil))[wire.RouteParquetParts], &none))
	if none.Count != 0 || len(none.Parts) != 1 || none.Parts[0].FirstID != "" {
		t.Errorf("%+v", none)
	}
}
