package entries

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/sitetest"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/snapshot"
)

// remembering is the operations on a site that changes, and their memory.
type remembering struct {
	t       *testing.T
	dir     string
	library *query.Library
	answers *Answers
	routes  map[string]web.Handler
	builds  int
}

func newRemembering(t *testing.T) *remembering {
	t.Helper()
	m := &remembering{t: t, dir: t.TempDir(), builds: 1}
	sitetest.Make(t, m.dir, sitetest.Options{Entries: 30})
	var err error
	if m.library, err = query.Open(m.dir, slog.New(slog.DiscardHandler), nil); err != nil {
		t.Fatal(err)
	}
	m.answers = NewAnswers(m.library)
	none := func(http.ResponseWriter, *http.Request) error { return nil }
	m.routes = map[string]web.Handler{"list": List(m.answers, none), "facets": Facets(m.answers, none), "search": Search(m.answers), "suggest": Suggestions(m.answers)}
	return m
}

// ask asks for something and says whether the answer was made for it.
func (m *remembering) ask(route, query string) (made bool) {
	m.t.Helper()
	before := m.answers.known.Used()
	w := httptest.NewRecorder()
	if err := m.routes[route](w, httptest.NewRequestWithContext(context.Background(), http.MethodGet, "/?"+query, nil)); err != nil {
		m.t.Fatalf("%s %s: %v", route, query, err)
	}
	return m.answers.known.Used() != before
}

// lay lays an overlay that takes an entry away.
func (m *remembering) lay(i int) {
	m.t.Helper()
	s := m.library.Current()
	if err := errors.Join(sitetest.Overlay(m.dir, s.ID, nil, nil, snapshot.Change{ID: s.Lines[i].ID}), m.library.Refresh(time.Now())); err != nil {
		m.t.Fatal(err)
	}
}

// build replaces the snapshot.
func (m *remembering) build() (id string) {
	m.t.Helper()
	id = sitetest.Make(m.t, m.dir, sitetest.Options{Entries: 30, Generation: m.builds}).Catalog.ID
	m.builds++
	if err := m.library.Refresh(time.Now()); err != nil {
		m.t.Fatal(err)
	}
	return id
}

// TestAnswersOfNow: changed entries make searches anew, not lists, which do not show
// them; what was remembered of overlays that are replaced is forgotten.
func TestAnswersOfNow(t *testing.T) {
	m := newRemembering(t)
	for route, query := range map[string]string{"list": "limit=7", "facets": "type=API", "search": "q=service", "suggest": "q=se"} {
		if !m.ask(route, query) || m.ask(route, query) {
			t.Errorf("%s is not remembered", route)
		}
	}
	var used int64
	for i := range 20 {
		m.lay(i)
		if m.ask("list", "limit=7") {
			t.Fatal("an overlay makes lists anew")
		}
		m.ask("search", "q=service")
		m.ask("suggest", "q=se")
		if i == 0 {
			used = m.answers.known.Used()
		}
	}
	if now := m.answers.known.Used(); now > used+used/10 {
		t.Errorf("after twenty overlays answers take %d bytes, after one %d", now, used)
	}
}

// TestAnswersOfKeptSnapshots: what was remembered of a replaced snapshot stays while it
// can be asked for, and goes when it has expired.
func TestAnswersOfKeptSnapshots(t *testing.T) {
	m := newRemembering(t)
	first := m.library.Current().ID
	m.ask("list", "limit=7")
	m.build()
	m.ask("list", "limit=7")
	if m.ask("list", "limit=7&snapshot="+first) {
		t.Error("the answer of a replaced snapshot was forgotten")
	}
	sitetest.Expire(m.dir, first)
	one := m.answers.known.Used() / 2
	m.build()
	m.ask("list", "limit=7")
	if now := m.answers.known.Used(); now > 2*one+one/2 {
		t.Errorf("answers of three snapshots take %d bytes, those of two %d", now, 2*one)
	}
}
