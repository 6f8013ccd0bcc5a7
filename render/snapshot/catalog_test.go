package snapshot

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
)

func TestLinesComeInIDOrder(t *testing.T) {
	ids := []string{id(1), id(2)}
	slices.Sort(ids)
	for _, second := range []string{ids[0], ids[1]} {
		d := NewDraft(newFrame())
		must(t, d.Add(Line{Traits: &Traits{}, ID: ids[1]}, nil))
		if err := d.Add(Line{Traits: &Traits{}, ID: second}, nil); !errors.Is(err, catalog.ErrInvalid) {
			t.Errorf("%s after %s: %v", second, ids[1], err)
		}
	}
}

func TestOrderIsTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCatalog(t, 30)
		for i := 1; i < len(c.Order); i++ {
			a, b := &c.Lines[c.Order[i-1]], &c.Lines[c.Order[i]]
			if a.Ranking < b.Ranking || a.Ranking == b.Ranking && a.ID >= b.ID {
				t.Fatalf("%s (%s) stands before %s (%s)", a.ID, a.Ranking, b.ID, b.Ranking)
			}
		}
		shuffled := slices.Clone(c.Lines)
		rand.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		again := freeze(t, shuffled)
		if again.ID != c.ID || !slices.Equal(again.Order, c.Order) {
			t.Fatalf("shuffled lines give %s, not %s", again.ID, c.ID)
		}
	})
}

// world is the input of a small snapshot; a change of any part gives another id.
type world struct {
	site   Site
	at     time.Time
	lines  []Line
	former [][]string
	gone   []Tombstone
}

func newWorld() *world {
	ids := []string{id(1), id(2)}
	slices.Sort(ids)
	return &world{site: site, at: at,
		lines:  []Line{{Traits: &Traits{Status: catalog.StatusActive}, ID: ids[0], Slug: "a", Digest: "d1"}, {Traits: &Traits{Status: catalog.StatusActive}, ID: ids[1], Slug: "b", Digest: "d2"}},
		former: [][]string{{"old-a"}, nil},
		gone:   []Tombstone{{ID: id(3), Slug: "c", FormerSlugs: []string{"old-c"}, Reason: "removed", At: at.Add(-time.Hour)}},
	}
}

func (w *world) freeze(t testing.TB) *Catalog {
	d := NewDraft(NewFrame(w.site, w.at, nil, nil, nil))
	for i, l := range w.lines {
		must(t, d.Add(l, w.former[i]))
	}
	for _, g := range w.gone {
		d.Bury(g)
	}
	return d.Finish(bytes.NewReader(nil))
}

func TestIDDependsOnEveryInput(t *testing.T) {
	base := newWorld().freeze(t).ID
	if !IsID(base) || !strings.HasPrefix(base, "20261121-") {
		t.Fatalf("id %s", base)
	}
	seen := map[string]string{base: "the base"}
	for name, change := range map[string]func(*world){
		"base URL":           func(w *world) { w.site.BaseURL += "/x" },
		"name":               func(w *world) { w.site.Name = "Other" },
		"licence":            func(w *world) { w.site.License = "ODbL-1.0" },
		"points gained":      func(w *world) { w.lines[0].Gained = 3 },
		"digest":             func(w *world) { w.lines[1].Digest = "d3" },
		"entry id":           func(w *world) { w.lines[1].ID += "0" },
		"one entry less":     func(w *world) { w.lines = w.lines[:1] },
		"former slug":        func(w *world) { w.former[0] = []string{"older-a"} },
		"former slug moved":  func(w *world) { w.former = [][]string{nil, {"old-a"}} },
		"slug it leads to":   func(w *world) { w.lines[0].Slug = "a2" },
		"no tombstone":       func(w *world) { w.gone = nil },
		"tombstone id":       func(w *world) { w.gone[0].ID = id(4) },
		"tombstone slug":     func(w *world) { w.gone[0].Slug = "c2" },
		"tombstone reason":   func(w *world) { w.gone[0].Reason = "merged" },
		"tombstone time":     func(w *world) { w.gone[0].At = w.gone[0].At.Add(time.Second) },
		"tombstone former":   func(w *world) { w.gone[0].FormerSlugs = nil },
		"tombstone follower": func(w *world) { w.gone[0].Successor = w.lines[0].ID },
	} {
		w := newWorld()
		change(w)
		got := w.freeze(t).ID
		if other, ok := seen[got]; ok {
			t.Errorf("another %s gives the id of %s", name, other)
		}
		seen[got] = name
	}
	w := newWorld()
	w.lines[0].Changed = w.at.AddDate(0, 0, 1).Unix()
	if got := w.freeze(t).ID; !strings.HasPrefix(got, "20261122-") {
		t.Errorf("a change on the next day gives id %s", got)
	}
	for _, hours := range []int{-9, 14, 24, 90 * 24} { // a quiet day brings no other snapshot

		w := newWorld()
		w.at = w.at.Add(time.Duration(hours) * time.Hour)
		if got := w.freeze(t).ID; got != base {
			t.Errorf("%s gives id %s, not %s", w.at, got, base)
		}
	}
}

func TestRedirectsAndTombstones(t *testing.T) {
	c := newWorld().freeze(t)
	if d := cmp.Diff(map[string]string{"old-a": "a"}, c.Redirects); d != "" {
		t.Error(d)
	}
	if len(c.Gone) != 1 || c.Gone[0].Slug != "c" || c.Gone[0].At.Location() != time.UTC {
		t.Errorf("gone: %+v", c.Gone)
	}
}

func TestAsOfIsTheLatestChange(t *testing.T) {
	w := newWorld()
	w.gone = nil
	if got := w.freeze(t).AsOf; !got.Equal(day) {
		t.Errorf("of a register of which no change is known: %s", got)
	}
	w.lines[0].Changed = at.Add(-2 * time.Hour).Unix()
	if got := w.freeze(t).AsOf; !got.Equal(at.Add(-2 * time.Hour)) {
		t.Errorf("an entry changed: %s", got)
	}
	w.gone = []Tombstone{{ID: id(3), At: at.Add(-time.Hour)}}
	if got := w.freeze(t).AsOf; !got.Equal(at.Add(-time.Hour)) || got.Location() != time.UTC {
		t.Errorf("an entry left: %s", got)
	}
}

func TestByID(t *testing.T) {
	c := freeze(t, []Line{{Traits: &Traits{}, ID: id(1)}, {Traits: &Traits{}, ID: id(2)}, {Traits: &Traits{}, ID: id(3)}})
	for i := range c.Lines {
		if got := c.ByID(c.Lines[i].ID); got != i {
			t.Errorf("ByID(%s) = %d", c.Lines[i].ID, got)
		}
	}
	for _, unknown := range []string{"", id(4), "zzz", c.Lines[0].ID + "0"} {
		if got := c.ByID(unknown); got != -1 {
			t.Errorf("ByID(%q) = %d", unknown, got)
		}
	}
}

func TestIsID(t *testing.T) {
	for s, want := range map[string]bool{
		"20261121-0a1b2c3d4e5f": true, "": false, "20261121": false, "20261121-0a1b2c3d4e5": false, "20261121-0a1b2c3d4e5f0": false,
		"20261121_0a1b2c3d4e5f": false, "2026112x-0a1b2c3d4e5f": false, "20261121-0A1B2C3D4E5F": false, "20261121-0a1b2c3d4e5g": false,
		"../../../etc/passwd..": false,
	} {
		if IsID(s) != want {
			t.Errorf("IsID(%q) = %t", s, !want)
		}
	}
}

func TestEncodedSnapshotIsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCatalog(t, 12)
		c.Institutions = map[string]*catalog.Institution{"i1": {ID: "i1", Name: "One", CreatedAt: day}, "i0": {ID: "i0", OfficialDomains: []string{"x.example"}}}
		c.Licences = map[string]*catalog.Licence{"CC0-1.0": {ID: "CC0-1.0", Aliases: []string{"cc0"}}}
		c.Redirects["old"] = "new"
		c.Gone = []Tombstone{{ID: id(1), Slug: "gone", Reason: "removed", At: day}}
		back := reopen(t, c)
		if d := cmp.Diff(c, back, cmpopts.IgnoreUnexported(Catalog{}), cmpopts.IgnoreFields(Catalog{}, "Items", "Streams", "Outages"), cmpopts.IgnoreFields(Line{Traits: &Traits{}}, "Digest", "Sort"), cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("an encoded snapshot is another (-before +after):\n%s", d)
		}
		for i := range back.Lines {
			item, err := back.ReadItem(&back.Lines[i])
			if err != nil || !bytes.Contains(item, []byte(back.Lines[i].ID)) {
				t.Fatalf("item %d: %s, %v", i, item, err)
			}
		}
	})
}

func TestDecodeRefuses(t *testing.T) {
	c := freeze(t, []Line{{Traits: &Traits{}, ID: id(1)}, {Traits: &Traits{}, ID: id(2)}})
	var head, lines bytes.Buffer
	must(t, c.EncodeHead(&head))
	must(t, c.EncodeLines(&lines))
	items := "{\"a\":1}"
	for name, in := range map[string]struct{ head, lines, want string }{
		"no head":        {"", lines.String(), "head"},
		"another format": {strings.Replace(head.String(), `"format":1`, `"format":99`, 1), lines.String(), "build the site again"},
		"a line short":   {head.String(), lines.String()[:bytes.IndexByte(lines.Bytes(), '\n')], "line 2 of 2"},
	} {
		_, err := Decode(strings.NewReader(in.head), strings.NewReader(in.lines), strings.NewReader(items))
		if err == nil || !strings.Contains(err.Error(), in.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestStream(t *testing.T) {
	f := Fragments{}
	for i, body := range map[int]string{0: "aa", 2: "b", 3: "cc"} {
		f.Add(i, []artifact.Fragment{{Stream: "s", Body: []byte(body[:1])}, {Stream: "s", Body: []byte(body[1:])}})
	}
	s := f.Streams()["s"]
	for _, c := range []struct {
		from, to int
		want     string
	}{{0, 4, "aabcc"}, {0, 1, "aa"}, {1, 2, ""}, {1, 3, "b"}, {2, 2, ""}, {3, 1, ""}} {
		var b bytes.Buffer
		err := s.Each(c.from, c.to, func(_ int, p []byte) error { b.Write(p); return nil })
		if err != nil || b.String() != c.want {
			t.Errorf("fragments %d to %d: %q, %v", c.from, c.to, b.String(), err)
		}
	}
	if s.Has(1) || !s.Has(2) || (*Stream)(nil).Has(0) {
		t.Error("Has does not tell who has a fragment")
	}
}
