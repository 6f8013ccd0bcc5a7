package feed

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

var (
	noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	site = snapshot.Site{BaseURL: "https://assay.example/register", Name: "Assay & <Co>", License: "CC0-1.0"}
)

// hostile is text that has broken a format before.
const hostile = "\n  \"It's\" \\ <script>alert(1)</script> ]]> \u202eRTL\u200f \U0001F3DB\u2028\u2029 &amp; \x00\x0b\ufffe\u0085 é"

var institutions = []catalog.Institution{
	{ID: "1a000000-0000-5000-8000-000000000001", Key: "gr-elstat", Name: "Ελληνική Στατιστική Αρχή", NameEn: "Hellenic Statistical Authority",
		CountryCode: "GR", Type: catalog.InstStatistics},
	{ID: "1a000000-0000-5000-8000-000000000002", Key: "x", Name: hostile, CountryCode: "FR", Type: catalog.InstGovernment},
}

// entry is published n hours before noon.
func entry(slug string, n int) *catalog.Row {
	at := noon.Add(-time.Duration(n) * time.Hour)
	e := catalog.Entry{ID: catalog.NewID("entry", slug), Slug: slug, Type: catalog.TypeAPI, Name: "Name of " + slug, Description: "What it is.",
		NativeLang: "el", Tags: []string{"a", "b"}, PrimarySourceURL: "https://data.example/" + slug, Status: catalog.StatusActive,
		FreeAccessClass: catalog.AccessFreeNoAuth, AuthType: catalog.AuthNone, CreatedAt: at, UpdatedAt: noon, PublishedAt: at,
		ContentChangedAt: at, CountryCode: "GR", InstitutionID: institutions[0].ID}
	return &catalog.Row{Entry: e}
}

func rows() []*catalog.Row {
	changed := entry("changed", 30)
	changed.Entry.NameEn, changed.Entry.DescriptionEn = "Changed", "What it is in English."
	changed.Entry.ContentChangedAt = noon.Add(-time.Hour)
	changed.State = &catalog.CheckState{State: catalog.StateVerified, CreatedAt: noon.Add(-29 * time.Hour)}
	for i, up := range []bool{true, false, false, false, false, true, true} {
		changed.Checks = append(changed.Checks, catalog.Check{At: noon.Add(time.Duration(i-29) * time.Hour), Up: up})
	}
	changed.Scores = []catalog.ScoreDay{{Day: "2026-11-17", MQA: 60}, {Day: "2026-11-18", MQA: 60.5}, {Day: "2026-11-19", MQA: 71.5}}
	gone := entry("deprecated", 20)
	gone.Entry.Status, gone.Entry.StatusReason, gone.Entry.DeprecatedAt = catalog.StatusDeprecated, "closed", noon.Add(-2*time.Hour)
	stale := entry("stale", 10)
	stale.State = &catalog.CheckState{State: catalog.StateStale, CreatedAt: noon.AddDate(0, 0, -9), UpdatedAt: noon.Add(-4 * time.Hour)}
	return []*catalog.Row{changed, gone, stale, hostileRow(hostile)}
}

func hostileRow(text string) *catalog.Row {
	bad := entry("hostile", 5)
	e := &bad.Entry
	e.Name, e.NameEn, e.Description, e.DescriptionEn, e.NativeLang = text, text+"x", text+"\n\n"+text, text, text
	e.Tags, e.CountryCode, e.InstitutionID, e.HomepageURL = []string{text, text}, "FR", institutions[1].ID, "https://x.example/"+text
	from := noon.Add(-4 * time.Hour)
	bad.Incidents = []catalog.Incident{{ID: catalog.NewIncidentID(e.ID, from), EntryID: e.ID, Host: "x.example", Cause: catalog.CauseSource, From: from, OpenedAt: from, Until: noon,
		Evidence: []catalog.IncidentCheck{{At: from, Error: text}, {At: noon, Up: true, HTTPStatus: 200}}}}
	bad.Said = []catalog.Said{window("x", text, from, 4, ""), window("night", "Θα μεταφερθούμε σε νέο κτίριο· τα δεδομένα δεν θα είναι διαθέσιμα από το βράδυ ως το πρωί – merci de votre patience", from.Add(14*time.Hour), 9, ""),
		window("same night", "", from.Add(15*time.Hour), 2, ""), window("year", "Jahreswechsel", time.Date(2026, 12, 31, 23, 30, 0, 0, time.UTC), 1, ""),
		window("withdrawn", "not after all", from.Add(48*time.Hour), 3, catalog.StatementWithdrawn), window("declined", "no", from.Add(49*time.Hour), 3, catalog.StatementDeclined),
		window("afterwards", "it was meant", from.Add(-8*time.Hour), 2, ""), window("ended", "by a claim that ended", from.Add(50*time.Hour), 2, "")}
	bad.Said[len(bad.Said)-1].Ended = from
	for i := range bad.Said {
		bad.Said[i].EntryID = e.ID
	}
	return bad
}

// window is maintenance of so many hours, announced an hour before the first outage.
func window(name, text string, from time.Time, hours int, state catalog.StatementState) catalog.Said {
	return catalog.Said{Statement: catalog.Statement{ID: catalog.NewID("statement", name), Kind: catalog.StateMaintenance, Text: text, From: from, Until: from.Add(time.Duration(hours) * time.Hour),
		State: cmp.Or(state, catalog.StatementShown), CreatedAt: noon.Add(-5 * time.Hour)}}
}

// files are those that show entries of a snapshot alone.
var files = map[*snapshot.Catalog][]artifact.File{}

// freeze makes the snapshot of rows, with list items and the fragments of this
// format, as a build does.
func freeze(tb testing.TB, rows ...*catalog.Row) *snapshot.Catalog {
	tb.Helper()
	frame := snapshot.NewFrame(site, noon, institutions, nil, nil)
	slices.SortFunc(rows, func(a, b *catalog.Row) int { return cmp.Compare(a.Entry.ID, b.Entry.ID) })
	draft := snapshot.NewDraft(frame)
	var items bytes.Buffer
	lives := snapshot.Fragments{}
	var alone []artifact.File
	for i, r := range rows {
		s := frame.Score(r, search.Fold(r.Entry.Name))
		fragments, err := Fragments(s)
		if err != nil {
			tb.Fatal(err)
		}
		lives.Add(i, fragments)
		line := snapshot.NewLine(s, r.Entry.Slug)
		item, _, err := wire.EncodeItem(s)
		if err != nil {
			tb.Fatal(err)
		}
		line.Item = snapshot.Span{Offset: int64(items.Len()), Length: len(item)}
		items.Write(item)
		if err := draft.Add(line, nil); err != nil {
			tb.Fatal(err)
		}
	}
	c := draft.Finish(bytes.NewReader(items.Bytes()))
	c.Outages = &snapshot.Outages{Incidents: []catalog.Incident{{ID: catalog.NewIncidentID("host", noon), Host: "x.example:8080", Cause: catalog.CauseUnreachable, From: noon, OpenedAt: noon}}}
	for _, r := range rows {
		c.Outages.Incidents = append(c.Outages.Incidents, r.Incidents...)
		for _, x := range r.Said {
			for _, w := range catalog.Windows([]catalog.Said{x}) {
				c.Outages.Announced = append(c.Outages.Announced, snapshot.Announced{EntryID: r.Entry.ID, Window: w, SaidAt: x.CreatedAt})
			}
		}
		own, err := Entry(frame.Score(r, search.Fold(r.Entry.Name)))
		if err != nil {
			tb.Fatal(err)
		}
		alone = append(alone, own...)
	}
	files[c] = alone
	c.Streams = lives.Streams()
	return c
}

// render collects every file of the snapshot by its route below Root.
func render(tb testing.TB, c *snapshot.Catalog) map[string]artifact.File {
	tb.Helper()
	out := map[string]artifact.File{}
	put := func(f artifact.File) error {
		name := f.Route[len(Root):]
		if _, twice := out[name]; twice {
			return fmt.Errorf("%s is emitted twice", name)
		}
		f, err := f.Made()
		out[name] = f
		return err
	}
	if err := Aggregates(c, put); err != nil {
		tb.Fatal(err)
	}
	for _, f := range files[c] {
		if err := put(f); err != nil {
			tb.Fatal(err)
		}
	}
	for i := range c.Lines {
		files, err := Related(c, i)
		if err != nil {
			tb.Fatal(err)
		}
		for _, f := range files {
			if err := put(f); err != nil {
				tb.Fatal(err)
			}
		}
	}
	return out
}
