package dynamic

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build"
	"github.com/assay-register/assay/build/buildtest"
	"github.com/assay-register/assay/build/harvest/identity"
	"github.com/assay-register/assay/build/sequence"
	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/translog"
	"github.com/assay-register/assay/render/wire"
)

// remembered is a register of which somebody wrote down what it said.
type remembered struct {
	*buildtest.Register
	dir string
	key translog.Key
	rng *rand.Rand
	s   *Service
	// said are the answers by instant and entry.
	said map[time.Time]map[string]json.RawMessage
}

func remember(t *testing.T) *remembered {
	t.Helper()
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	r, err := buildtest.New(t.Context(), st, 12, 5)
	if err != nil {
		t.Fatal(err)
	}
	private, err := translog.SeedKey("register.example/log", [32]byte{1})
	if err != nil {
		t.Fatal(err)
	}
	keys, err := translog.ParseKeys(private)
	if err != nil {
		t.Fatal(err)
	}
	r.Now = r.Now.Add(24 * time.Hour) // the table of scores ends before
	p := &remembered{Register: r, dir: t.TempDir(), key: keys[0], rng: rand.New(rand.NewPCG(8, 9)), said: map[time.Time]map[string]json.RawMessage{}}
	p.publish(t)
	p.s, err = New(Config{SiteDir: p.dir, Store: st, Now: func() time.Time { return r.Now.Add(time.Hour) }})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// publish builds and logs.
func (p *remembered) publish(t *testing.T) {
	t.Helper()
	_, err := build.Build(t.Context(), p.Store, build.Options{Out: p.dir, At: p.Now, Now: p.Now, Workers: 2, Keep: 50, Record: true,
		Site: snapshot.Site{BaseURL: "https://register.example", Name: "Test", License: "CC0-1.0"}}, func() time.Time { return p.Now })
	if err != nil {
		t.Fatal(err)
	}
	head, closed, err := sequence.Present(p.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer closed()
	o := sequence.Options{Keys: []translog.Key{p.key}, Head: head, Now: p.Now, Rubric: "1"}
	if _, err := sequence.Run(t.Context(), p.Store, filepath.Join(p.dir, translog.Dir), o); err != nil {
		t.Fatal(err)
	}
	if p.s != nil {
		if err := p.s.library.Refresh(time.Now()); err != nil {
			t.Fatal(err)
		}
	}
}

// write notes what the register says now.
func (p *remembered) write(t *testing.T) {
	t.Helper()
	said := map[string]json.RawMessage{}
	for _, l := range p.s.Current().Lines {
		w := get(p.s, http.MethodGet, "/api/v1/entries/"+l.ID)
		if w.Code != http.StatusOK || w.Header().Get("Assay-Snapshot") != p.s.Snapshot() {
			t.Fatalf("%s: %d %v", l.ID, w.Code, w.Header())
		}
		said[l.ID] = w.Body.Bytes()
	}
	p.said[p.Now] = said
}

// change changes entries as harvests, probes and moderators do.
func (p *remembered) change(t *testing.T) {
	t.Helper()
	for range 6 {
		p.Now = p.Now.Add(7 * time.Hour)
		e, err := p.Pick(t.Context(), catalog.StatusActive)
		if err != nil {
			t.Fatal(err)
		}
		before := *e
		kind := catalog.EventUpdated
		switch p.rng.IntN(5) {
		case 0:
			e.Name, e.Tags = fmt.Sprint("Name of ", p.Now), []string{"a", fmt.Sprint(p.rng.IntN(9))}
		case 1:
			e.Description, e.LicenseID = fmt.Sprint("About ", p.Now), ""
		case 2:
			e.HomepageURL, e.Formats = "", []string{"CSV"}
		case 3:
			if kind, err = e.Transition(catalog.Change{To: catalog.StatusDeprecated, Reason: "upstream_gone", At: p.Now}); err != nil {
				t.Fatal(err)
			}
		case 4:
			p.probe(t, e.ID)
			continue
		}
		e.UpdatedAt = p.Now
		changes, err := identity.Changes(&before, e)
		if err != nil {
			t.Fatal(err)
		}
		err = p.Store.Update(t.Context(), func(tx catalog.Tx) error {
			return tx.Entries().Put(t.Context(), catalog.Write{Entry: e, Events: []catalog.Event{{Type: kind, OccurredAt: p.Now, Changes: changes}}})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// probe finds an entry down until it fails, or up.
func (p *remembered) probe(t *testing.T, id string) {
	t.Helper()
	up := p.rng.IntN(2) == 0
	err := p.Store.Update(t.Context(), func(tx catalog.Tx) error {
		state, err := tx.CheckStates().Get(t.Context(), id)
		if err != nil {
			state = nil
		}
		var events []catalog.Event
		for i := range verify.FailuresToFail {
			c := catalog.Check{EntryID: id, At: p.Now.Add(time.Duration(i-9) * time.Second), Kind: "http", Up: up, HTTPStatus: map[bool]int{true: 200, false: 500}[up], Vantages: 1}
			next, event := verify.Next(state, &c)
			if state = &next; event != nil {
				events = append(events, *event)
			}
			if err := tx.Checks().Append(t.Context(), c); err != nil {
				return err
			}
		}
		return tx.CheckStates().Set(t.Context(), []catalog.CheckState{*state}, events)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestThePast holds what the register says of its past to what it said then: the whole
// answer where its snapshot is kept, and where not, each member that it claims to know.
func TestThePast(t *testing.T) {
	p := remember(t)
	first := p.Now
	p.write(t)
	for range 4 {
		p.change(t)
		p.publish(t)
		p.write(t)
	}
	t.Run("history", func(t *testing.T) { p.history(t, first) })
	t.Run("snapshots kept", func(t *testing.T) { p.restated(t, true) })
	old, err := filepath.Glob(filepath.Join(p.dir, "*.snapshot"))
	if err != nil || len(old) != 5 {
		t.Fatalf("snapshots %v, %v", old, err)
	}
	for _, name := range old {
		if filepath.Base(name) != snapshot.FileOf(p.s.Snapshot()) {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	if p.s, err = New(p.s.config); err != nil {
		t.Fatal(err)
	}
	t.Run("snapshots gone", func(t *testing.T) { p.restated(t, false) })
	t.Run("refusals", p.refuse)
	t.Run("pages", p.pages)
}

// restated asks for each answer that was written down.
func (p *remembered) restated(t *testing.T, kept bool) {
	known, bases := 0, map[string]int{}
	for at, said := range p.said {
		for id, want := range said {
			target := "/api/v1/entries/" + id + "?at=" + at.Format(time.RFC3339)
			w := get(p.s, http.MethodGet, target)
			got := decode[wire.RestatedEntry](t, w)
			if w.Code != http.StatusOK || got.Standing != wire.StandingShown || got.Snapshot == nil {
				t.Fatalf("%s: %d %s", target, w.Code, w.Body)
			}
			if kept && !bytes.Equal(got.Answer, bytes.TrimSpace(want)) {
				t.Errorf("%s: the whole answer is %.300s, want %.300s", target, got.Answer, want)
			}
			known += p.hold(t, target, &got, want, bases)
		}
	}
	t.Logf("%d members, by basis %v", known, bases)
	if known == 0 || !kept && (bases[wire.BasisLog] == 0 || bases[wire.BasisLater] == 0 || bases[wire.BasisFeed] == 0 || bases[wire.BasisUnchanged] == 0 || bases[wire.BasisScores] == 0) {
		t.Errorf("only %d members are known, by basis %v", known, bases)
	}
}

// hold compares what is restated with what was said, and counts the members.
func (p *remembered) hold(t *testing.T, target string, got *wire.RestatedEntry, body json.RawMessage, bases map[string]int) (n int) {
	t.Helper()
	var want map[string]json.RawMessage
	if err := json.Unmarshal(body, &want); err != nil {
		t.Fatal(err)
	}
	for _, m := range got.Members {
		said, there := want[m.Name]
		if !there {
			continue // a part of a member, or one that answers do not have
		}
		n++
		bases[m.Basis]++
		if strings.HasSuffix(m.Name, "_score") && (m.Basis == wire.BasisScores || m.Basis == wire.BasisLog || m.Basis == wire.BasisLater || m.Basis == wire.BasisFeed) {
			var a, b float64
			if json.Unmarshal(m.Value, &a) != nil || json.Unmarshal(said, &b) != nil || m.Basis != wire.BasisScores && math.Abs(a-b) >= 1 {
				t.Errorf("%s: %s is %s by %s, was %s", target, m.Name, m.Value, m.Basis, said)
			}
			continue
		}
		if !equalJSON(m.Value, said) {
			t.Errorf("%s: %s is %.200s by %s, was %.200s", target, m.Name, m.Value, m.Basis, said)
		}
	}
	for _, name := range got.Unknown {
		if _, there := want[name]; !there {
			t.Errorf("%s: %s is not known, and no member", target, name)
		}
	}
	if len(got.Members) == 0 || string(got.Answer) != "null" && len(got.Unknown) > 0 {
		t.Errorf("%s: %d members, %d unknown", target, len(got.Members), len(got.Unknown))
	}
	return n
}

// equalJSON compares values; a list or text that is not there is empty.
func equalJSON(a, b json.RawMessage) bool {
	norm := func(v json.RawMessage) string {
		var x any
		if json.Unmarshal(v, &x) != nil {
			return string(v)
		}
		if s, ok := x.(string); ok {
			if at, err := time.Parse(time.RFC3339, s); err == nil {
				x = at.UTC().Format(time.RFC3339)
			}
			if s == "" {
				x = nil
			}
		}
		if l, ok := x.([]any); ok && len(l) == 0 {
			x = nil
		}
		out, _ := json.Marshal(x)
		return string(out)
	}
	return norm(a) == norm(b)
}

// present: differences from an instant to now are those to the last day, under one tag until
// something happens.
func (p *remembered) present(t *testing.T, id string, first time.Time, whole wire.EntryDifferences) {
	t.Helper()
	at := "/api/v1/entries/" + id + "/differences?from=" + first.Format(time.RFC3339)
	w := get(p.s, http.MethodGet, at)
	tag, open := w.Header().Get("Etag"), decode[wire.EntryDifferences](t, w)
	if to, err := time.Parse(time.RFC3339, open.To); err != nil || to.Before(first) || to.After(p.Now.Add(time.Second)) {
		t.Errorf("%s: to the present is %s, %v", id, open.To, err)
	}
	if whole.To = open.To; !reflect.DeepEqual(open, whole) {
		t.Errorf("%s: to the present\n%+v\nto its instant\n%+v", id, open, whole)
	}
	now := p.Now
	defer func() { p.Now = now }()
	p.Now = now.Add(time.Minute)
	for _, again := range []string{at, at + "&to=" + open.To} {
		if w := get(p.s, http.MethodGet, again, "If-None-Match", tag); w.Code != http.StatusNotModified {
			t.Errorf("%s: asked again %d %s", again, w.Code, w.Body)
		}
	}
}

// history: what happened is told once, newest first, bound to the log; differences are those
// of the answers.
func (p *remembered) history(t *testing.T, first time.Time) {
	changed := 0
	for id := range p.said[first] {
		h := decode[wire.EntryHistory](t, get(p.s, http.MethodGet, "/api/v1/entries/"+id+"/history"))
		var paged []wire.PastEvent
		for cursor := ""; ; {
			w := get(p.s, http.MethodGet, "/api/v1/entries/"+id+"/history?limit=2"+cursor)
			page := decode[wire.EntryHistory](t, w)
			paged = append(paged, page.Items...)
			if page.NextCursor == nil {
				break
			}
			cursor = "&cursor=" + *page.NextCursor
		}
		if len(paged) != len(h.Items) || h.Total != len(h.Items) || h.Proof == nil {
			t.Fatalf("%d items, %d in pages of two, %d in all", len(h.Items), len(paged), h.Total)
		}
		if !slices.IsSortedFunc(h.Items, func(a, b wire.PastEvent) int { return strings.Compare(b.At, a.At) }) {
			t.Errorf("%s: not newest first", id)
		}
		for _, i := range h.Items {
			if i.Event != nil && i.Leaf != nil && !i.Bound {
				t.Errorf("%s: leaf %d does not bind %s", id, *i.Leaf, *i.Event)
			}
		}
		now, there := p.said[p.Now][id]
		if !there {
			continue
		}
		w := get(p.s, http.MethodGet, fmt.Sprintf("/api/v1/entries/%s/differences?from=%s&to=%s", id, first.Format(time.RFC3339), p.Now.Format(time.RFC3339)))
		diff := decode[wire.EntryDifferences](t, w)
		p.present(t, id, first, diff)
		var before, after map[string]json.RawMessage
		if json.Unmarshal(p.said[first][id], &before) != nil || json.Unmarshal(now, &after) != nil {
			t.Fatal("not JSON")
		}
		var want, got []string
		for name := range before {
			if name != "manifest" && !bytes.Equal(before[name], after[name]) {
				want = append(want, name)
			}
		}
		for _, m := range diff.Members {
			if before[m.Name] != nil {
				got = append(got, m.Name)
			}
		}
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s differs in %v, want %v: %s", id, got, want, w.Body)
		}
		changed += len(want)
	}
	if changed == 0 {
		t.Error("nothing changed")
	}
}

// TestSecondsOfThePast asks at the very time of a snapshot, which is told in seconds, what it says
// of an entry that became public within that second, and at times that are not over or not yet.
func TestSecondsOfThePast(t *testing.T) {
	p := remember(t)
	some, err := p.Pick(t.Context(), catalog.StatusActive)
	if err != nil {
		t.Fatal(err)
	}
	e := *some
	p.Now = p.Now.Truncate(time.Second).Add(time.Hour + 600*time.Millisecond)
	e.ID, e.Slug, e.IdentityKey, e.UpstreamRef = catalog.NewID("test", "young"), "young", "", ""
	e.CreatedAt, e.UpdatedAt, e.PublishedAt, e.ContentChangedAt = p.Now, p.Now, p.Now, p.Now
	err = p.Store.Update(t.Context(), func(tx catalog.Tx) error {
		return tx.Entries().Put(t.Context(), catalog.Write{Entry: &e, Events: []catalog.Event{{Type: catalog.EventCreated, OccurredAt: p.Now}}})
	})
	if err != nil {
		t.Fatal(err)
	}
	published := p.Now
	p.publish(t)
	entry := "/api/v1/entries/" + e.ID
	now := decode[wire.RestatedEntry](t, get(p.s, http.MethodGet, entry+"?at="+published.Add(time.Minute).Format(time.RFC3339)))
	if now.Snapshot == nil || now.Snapshot.AsOf != wire.Instant(published.Truncate(time.Second)) {
		t.Fatalf("the snapshot is %+v, want one of %s", now.Snapshot, published.Truncate(time.Second))
	}
	at := decode[wire.RestatedEntry](t, get(p.s, http.MethodGet, entry+"?at="+now.Snapshot.AsOf))
	if at.Standing != wire.StandingShown || len(at.Answer) == 0 || !bytes.Equal(at.Answer, now.Answer) || *at.Snapshot != *now.Snapshot {
		t.Errorf("at the time of its snapshot it is %s by %+v: %.80s", at.Standing, at.Snapshot, at.Answer)
	}
	before := decode[wire.RestatedEntry](t, get(p.s, http.MethodGet, entry+"?at="+published.Add(-time.Second).Format(time.RFC3339)))
	if before.Standing != wire.StandingNotYet || before.Snapshot == nil || before.Snapshot.ID == now.Snapshot.ID {
		t.Errorf("a second before it is %s by %+v", before.Standing, before.Snapshot)
	}
	for _, since := range []string{now.Snapshot.AsOf, published.Format(time.DateOnly)} {
		if h := decode[wire.EntryHistory](t, get(p.s, http.MethodGet, entry+"/history?from="+since)); h.Total != 1 {
			t.Errorf("from %s on %d things happened", since, h.Total)
		}
	}
	p.unended(t, entry)
}

// unended: what is not over is the present, told as what is settled, and what has not begun is refused
// in each parameter alike.
func (p *remembered) unended(t *testing.T, entry string) {
	t.Helper()
	now := p.s.config.Now()
	day := now.Format(time.DateOnly)
	first := get(p.s, http.MethodGet, entry+"?at="+day)
	told := decode[wire.RestatedEntry](t, first)
	if at, err := time.Parse(time.RFC3339, told.At); err != nil || at.After(now) || told.Standing != wire.StandingShown {
		t.Errorf("today is %s, %s: %v", told.At, told.Standing, err)
	}
	if w := get(p.s, http.MethodGet, entry+"?at="+told.At, "If-None-Match", first.Header().Get("Etag")); w.Code != http.StatusNotModified {
		t.Errorf("asked again at %s: %d %s", told.At, w.Code, w.Body)
	}
	for _, when := range []string{now.Add(24 * time.Hour).Format(time.DateOnly), now.Add(2 * time.Minute).Format(time.RFC3339), "2999-01-01"} {
		for _, target := range []string{"?at=" + when, "/differences?from=2020-01-01&to=" + when, "/differences?from=" + when, "/history?from=" + when, "/history?to=" + when} {
			if w := get(p.s, http.MethodGet, entry+target); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "is in the future") {
				t.Errorf("%s: %d %s", target, w.Code, w.Body)
			}
		}
	}
	ahead := now.Add(30 * time.Second).Format(time.RFC3339) // by a clock that is a little ahead
	for _, target := range []string{"?at=" + ahead, "/differences?from=" + day + "&to=" + day, "/differences?from=" + day, "/differences?from=2020-01-01&to=" + ahead, "/history?to=" + day} {
		if w := get(p.s, http.MethodGet, entry+target); w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
}

// refuse asks for what cannot be answered.
func (p *remembered) refuse(t *testing.T) {
	some := p.s.Current().Lines[0].ID
	for target, code := range map[string]int{"/api/v1/entries/nobody/history": 404, "/api/v1/entries/" + some + "/restated": 422, "/api/v1/entries/" + some + "/restated?at=soon": 422,
		"/api/v1/entries/" + some + "?at=2999-01-01": 422, "/api/v1/entries/" + some + "/differences?from=2026-11-20&to=2026-11-01": 422, "/api/v1/entries/" + some + "/history?x=1": 422,
		"/api/v1/entries/" + some + "/history?cursor=x": 422, "/api/v1/entries/" + some + "?at=2020-01-01": 200, "/api/v1/entries/nobody?at=2020-01-01": 404, "/api/v1/entries/" + some + "?then=2020-01-01": 422} {
		if w := get(p.s, http.MethodGet, target); w.Code != code {
			t.Errorf("%s: %d, want %d: %s", target, w.Code, code, w.Body)
		}
	}
	if got := decode[wire.RestatedEntry](t, get(p.s, http.MethodGet, "/api/v1/entries/"+some+"?at=2020-01-01")); got.Standing != wire.StandingNotYet || len(got.Members) > 0 {
		t.Errorf("before it was published: %+v", got)
	}
}

// pages shows the same to people in each language.
func (p *remembered) pages(t *testing.T) {
	slug := p.s.Current().Lines[0].Slug
	for route, want := range map[string]string{"/past": "not known on", "/fr/past": "Inconnu à l’une", "/de/past": "nicht bekannt", "/nl/past": "niet bekend"} {
		for query, shown := range map[string]string{"?entry=" + slug + "&from=2026-11-22&to=2026-11-26": want, "?entry=" + slug + "&from=2026-11-22": "/differences?from=2026-11-22t23%3a59%3a59.999z&amp;to=",
			"?entry=" + slug: "/api/v1/entries/", "?entry=nobody&from=2026-11-22": "No entry has this id",
			"?entry=" + slug + "&from=2026-11-26&to=2026-11-22": "later than to", "?entry=" + slug + "&from=soon": "use an RFC 3339 date or instant such as 2026-03-31"} {
			w := get(p.s, http.MethodGet, route+query, "Accept", "text/html")
			if w.Code != http.StatusOK || !strings.Contains(strings.ToLower(w.Body.String()), strings.ToLower(shown)) {
				t.Errorf("%s: %d %.300s", route+query, w.Code, w.Body)
			}
		}
	}
}
