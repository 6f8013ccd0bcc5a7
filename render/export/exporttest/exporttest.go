// Package exporttest freezes registers for the tests of the exports, with the
// fragments that a build would have collected.
package exporttest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/export"
	"github.com/assay-register/assay/render/rendertest"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Freeze makes a snapshot of the visible ones of the rows, in any order.
func Freeze(t testing.TB, rows []*catalog.Row) *snapshot.Catalog {
	t.Helper()
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b *catalog.Row) int { return strings.Compare(a.Entry.ID, b.Entry.ID) })
	institutions, licences, sources := rendertest.Reference()
	frame := snapshot.NewFrame(rendertest.Site, rendertest.At, institutions, licences, sources)
	draft := snapshot.NewDraft(frame)
	var items bytes.Buffer
	gathered, ordinal := snapshot.Fragments{}, 0
	for _, r := range rows {
		if !r.Entry.Visible(rendertest.At) {
			continue
		}
		folded := search.Fold(r.Entry.Name)
		s := frame.Score(r, folded)
		line := snapshot.NewLine(s, folded)
		item, cells, err := wire.EncodeItem(s)
		check(t, err)
		line.Cells, line.Item = cells, snapshot.Span{Offset: int64(items.Len()), Length: len(item)}
		items.Write(append(item, '\n'))
		fragments, err := export.Fragments(s)
		check(t, err)
		gathered.Add(ordinal, fragments)
		ordinal++
		check(t, draft.Add(line, nil))
	}
	c := draft.Finish(bytes.NewReader(items.Bytes()))
	c.Streams = gathered.Streams()
	return c
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Rows are the rows of rendertest and some whose texts break careless writers.
func Rows() []*catalog.Row {
	rows := rendertest.Rows()
	for i, text := range []string{
		`=cmd|' /C calc'!A0`, "+1", "-1", "@SUM(A1)", `"`, `""`, ",", ";", "\n", "a\nb", "\t", " leading", "trailing ", `\.`, "NULL", "null", "'", "--", "0x1", "1e5", "true",
		"\u202eright to left\u202c", "עברית", "👩🏽‍💻", "a\u2028b\u2029c", "\ufeffmark", "\u00a0", "\\u2028", "<script>", "{{.}}", "%00",
	} {
		r := Row(i)
		r.Entry.Name, r.Entry.Description = text, text
		tags := []string{strings.ReplaceAll(text, ",", ";"), "x;y", `back\slash`}
		slices.Sort(tags)
		r.Entry.Tags = slices.Compact(tags)
		rows = append(rows, r)
	}
	return rows
}

// Row is an ordinary entry with a number.
func Row(i int) *catalog.Row {
	slug := fmt.Sprintf("entry-%d", i)
	created := rendertest.At.AddDate(0, -1, 0).Add(-time.Duration(i%1000) * time.Hour)
	return &catalog.Row{Entry: catalog.Entry{
		ID: catalog.EntryID("export:"+slug, "", 1), Slug: slug, Type: catalog.EntryTypes()[i%3], Status: catalog.StatusActive,
		Name:        fmt.Sprintf("Air quality measurements of station %d", i),
		Description: fmt.Sprintf("Hourly concentrations of nitrogen dioxide, ozone and particles at station %d, ", i) + strings.Repeat("checked and published by the office each morning; ", 6),
		HomepageURL: "https://data.example/" + slug, DocsURL: "https://data.example/docs/" + slug, CountryCode: []string{"GR", "DE", "FR", ""}[i%4],
		Tags: []string{"air", "health", fmt.Sprintf("topic-%d", i%50)}, PrimarySourceURL: "https://data.example/api/" + slug,
		FreeAccessClass: catalog.AccessFreeNoAuth, AuthType: catalog.AuthNone,
		CreatedAt: created, UpdatedAt: created.AddDate(0, 0, 3), PublishedAt: created,
	}}
}

// Many are n ordinary entries.
func Many(n int) []*catalog.Row {
	out := make([]*catalog.Row, n)
	for i := range out {
		out[i] = Row(i)
	}
	return out
}
