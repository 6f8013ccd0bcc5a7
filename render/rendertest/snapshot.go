package rendertest

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// At is the instant of the fixture.
var At = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)

// Site is the register that the fixture belongs to.
var Site = snapshot.Site{BaseURL: "https://register.example", Name: "Test register", License: "CC0-1.0"}

// Frame is the frame of the fixture; it has seen the names of the visible rows.
func Frame() *snapshot.Frame { return frame(Site, At, Rows()) }

func frame(site snapshot.Site, at time.Time, rows []*catalog.Row) *snapshot.Frame {
	institutions, licences, sources := Reference()
	f := snapshot.NewFrame(site, at, institutions, licences, sources)
	for _, r := range rows {
		if r.Entry.Visible(at) {
			f.SawName(r.Entry.Type, search.Fold(r.Entry.Name))
		}
	}
	return f
}

// Scored are the visible entries of the fixture in id order.
func Scored() []*snapshot.Scored { return judge(Frame(), Rows()) }

// Find is the scored entry of a slug.
func Find(t testing.TB, slug string) *snapshot.Scored {
	t.Helper()
	for _, s := range Scored() {
		if s.Entry().Slug == slug {
			return s
		}
	}
	t.Fatalf("the fixture has no visible entry %s", slug)
	return nil
}

func judge(f *snapshot.Frame, rows []*catalog.Row) []*snapshot.Scored {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b *catalog.Row) int { return strings.Compare(a.Entry.ID, b.Entry.ID) })
	var out []*snapshot.Scored
	for _, r := range rows {
		if r.Entry.Visible(f.At) {
			out = append(out, f.Score(r, search.Fold(r.Entry.Name)))
		}
	}
	return out
}

// Catalog is the frozen fixture, opened, so that its lists can be searched.
func Catalog(t testing.TB) *snapshot.Catalog { return Freeze(t, Site, At, Rows()) }

// Freeze makes a snapshot of rows in any order and opens it again. The items
// stay in memory.
func Freeze(t testing.TB, site snapshot.Site, at time.Time, rows []*catalog.Row) *snapshot.Catalog {
	t.Helper()
	f := frame(site, at, rows)
	draft := snapshot.NewDraft(f)
	var items bytes.Buffer
	for _, s := range judge(f, rows) {
		line := snapshot.NewLine(s, search.Fold(s.Entry().Name))
		item, cells, err := wire.EncodeItem(s)
		if err != nil {
			t.Fatal(err)
		}
		line.Cells, line.Item = cells, snapshot.Span{Offset: int64(items.Len()), Length: len(item)}
		line.Digest, line.Checkable = digest(t, s, item), s.Row.State != nil
		items.Write(item)
		items.WriteByte('\n')
		if err := draft.Add(line, s.Entry().FormerSlugs); err != nil {
			t.Fatal(err)
		}
	}
	for _, grave := range tombstones(rows, at) {
		draft.Bury(grave)
	}
	c := open(t, draft.Finish(bytes.NewReader(items.Bytes())))
	c.Observed, c.Outages = observed(at), Outages(c, rows)
	return c
}

// observed is how the work of the fixture's register went: one host is down,
// another has too many entries for the cadence.
func observed(at time.Time) snapshot.Observed {
	const cadence = 6 * time.Hour
	host := func(name string, entries int) snapshot.Host {
		return snapshot.Host{ProbeHost: catalog.ProbeHost{Host: name, Entries: entries}, Cadence: max(cadence, time.Duration(entries)*time.Second)}
	}
	dead := host("genesis.example.de", 3)
	dead.DownSince, dead.FailingAt = at.Add(-5*time.Hour), at.Add(-4*time.Hour)
	return snapshot.Observed{Cadence: cadence, Days: 30, Changes: 12, Failing: 4, FalseFailing: 1, Delivered: 90, Traced: 81,
		Hosts: []snapshot.Host{host("api.environment.example.gr", 40_000), host("data.idf.example.fr", 1), dead}}
}

// digest covers what a build's digest covers: the item and the entry's page.
func digest(t testing.TB, s *snapshot.Scored, item []byte) string {
	t.Helper()
	page, err := wire.EncodeEntry(s, false)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(append(slices.Clone(item), page...))
	return hex.EncodeToString(sum[:16])
}

func tombstones(rows []*catalog.Row, at time.Time) []snapshot.Tombstone {
	var out []snapshot.Tombstone
	for _, r := range rows {
		e := &r.Entry
		if e.Status != catalog.StatusRemoved || e.PublishedAt.IsZero() || e.RemovedAt.After(at) {
			continue
		}
		g := snapshot.Tombstone{ID: e.ID, Slug: e.Slug, FormerSlugs: e.FormerSlugs, Reason: "removed", At: e.RemovedAt,
			Successor: cmp.Or(e.MergedIntoID, e.SuccessorID)}
		if e.MergedIntoID != "" {
			g.Reason = "merged"
		}
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b snapshot.Tombstone) int { return strings.Compare(a.ID, b.ID) })
	return out
}

func open(t testing.TB, c *snapshot.Catalog) *snapshot.Catalog {
	t.Helper()
	var head, lines bytes.Buffer
	if err := c.EncodeHead(&head); err != nil {
		t.Fatal(err)
	}
	if err := c.EncodeLines(&lines); err != nil {
		t.Fatal(err)
	}
	opened, err := snapshot.Decode(&head, &lines, c.Items)
	if err != nil {
		t.Fatal(err)
	}
	return opened
}
