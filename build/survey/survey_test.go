package survey_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-register/assay/build/survey"
	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// web answers each address with a body, or fails.
type web map[string]string

func (w web) RoundTrip(r *http.Request) (*http.Response, error) {
	body, ok := w[r.URL.String()]
	switch {
	case !ok:
		return &http.Response{StatusCode: 404, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
	case body == "broken":
		return nil, errors.New("connection reset")
	}
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/octet-stream"}}, ContentLength: int64(len(body)),
		Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}

// desk is a store with one entry and a surveyor beside it.
type desk struct {
	t     *testing.T
	st    catalog.Store
	id    string
	now   time.Time
	pages web
	said  error
}

func newDesk(t *testing.T, e catalog.Entry) *desk {
	t.Helper()
	st, err := sqlite.Open(context.Background(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	e.ID, e.Slug, e.Name, e.Status = catalog.NewID("entry", "x"), "x", "X", catalog.StatusActive
	e.FreeAccessClass = catalog.AccessUnknown
	if e.AuthType == "" {
		e.AuthType = catalog.AuthUnknown
	}
	e.IdentityKey, e.MatchKey = catalog.IdentityKey(e.Type, "", e.Name), catalog.MatchKey(e.Type, "", "x")
	e.CreatedAt, e.UpdatedAt, e.PublishedAt = noon, noon, noon
	d := &desk{t: t, st: st, id: e.ID, now: noon, pages: web{}}
	d.update(func(ctx context.Context, tx catalog.Tx) error {
		return tx.Entries().Put(ctx, catalog.Write{Entry: &e, Events: []catalog.Event{{Type: catalog.EventCreated, OccurredAt: noon}},
			Provenance: &catalog.Provenance{EntryID: e.ID, Rows: []catalog.FieldRow{{Field: "name", Basis: catalog.BasisPublisher}}}})
	})
	return d
}

func (d *desk) update(fn func(context.Context, catalog.Tx) error) {
	d.t.Helper()
	if err := d.st.Update(context.Background(), func(tx catalog.Tx) error { return fn(context.Background(), tx) }); err != nil {
		d.t.Fatal(err)
	}
}

// look takes a look a day later.
func (d *desk) look(server *verify.Server) string {
	d.t.Helper()
	d.now = d.now.Add(24 * time.Hour)
	s := &survey.Surveyor{Store: d.st, Run: "run", Clock: func() time.Time { return d.now }, Report: func(_ string, err error) { d.said = err }}
	return s.Survey(context.Background(), &http.Client{Transport: d.pages}, d.id, &verify.Outcome{Server: server, Check: catalog.Check{At: d.now, URL: "https://x.example/mcp"}})
}

// state reads what is stored: the entry, its profile if there is one, its trail
// and its events after the first.
func (d *desk) state() (e *catalog.Entry, p *catalog.Profile, rows []catalog.FieldRow, events []catalog.Event) {
	d.t.Helper()
	d.update(func(ctx context.Context, tx catalog.Tx) error {
		found, err := tx.Entries().Get(ctx, d.id)
		if err != nil {
			return err
		}
		e = &found[0]
		if p, err = tx.Profiles().Get(ctx, d.id); errors.Is(err, catalog.ErrNotFound) {
			p, err = nil, nil
		}
		if err != nil {
			return err
		}
		trail, err := tx.Provenances().Get(ctx, d.id)
		if err != nil {
			return err
		}
		rows = trail.Rows
		events, err = tx.Events().After(ctx, 1, 100)
		return err
	})
	return e, p, rows, events
}

const csv = "country,population,day\nGR,10,2024-01-01\nBG,7,2024-01-02\nRO,19,2024-01-03\nDE,80,2024-01-04\nFR,68,2024-01-05\n"

func dataset(urls ...string) catalog.Entry {
	e := catalog.Entry{Type: catalog.TypeDataset, Dataset: &catalog.DatasetDetails{}}
	for _, u := range urls {
		e.Dataset.Distributions = append(e.Dataset.Distributions, catalog.Distribution{DownloadURL: u})
	}
	return e
}

// TestProfileOverTime: a first profile, the same again, a new field, a failure
// that leaves what is known, a removed field.
func TestProfileOverTime(t *testing.T) {
	const url = "https://x.example/data.csv"
	d := newDesk(t, dataset("https://x.example/report.pdf", url))
	steps := []struct {
		body, result string
		fields       int
		failures     int
		event        catalog.EventKind
	}{
		{csv, survey.First, 3, 0, catalog.EventUpdated},
		{csv, survey.Unchanged, 3, 0, ""},
		{strings.ReplaceAll(csv, "\n", ",1\n"), "additive", 4, 0, catalog.EventSchemaChanged},
		{"broken", verify.SurveyFailed, 4, 1, ""},
		{"\x00\x01\x02\x03", survey.Unsupported, 4, 2, ""},
		{strings.ReplaceAll(csv, "\n", ",1\n"), survey.Unchanged, 4, 0, ""},
		{csv, "breaking", 3, 0, catalog.EventSchemaChanged},
	}
	seen := 0
	for i, s := range steps {
		d.pages[url] = s.body
		result := d.look(nil)
		_, p, _, events := d.state()
		if result != s.result || p == nil || len(p.Fields) != s.fields || p.FailureCount != s.failures || p.Status != catalog.ProfileOK {
			t.Fatalf("step %d: %s (%v), %+v", i, result, d.said, p)
		}
		if s.failures > 0 && p.LastErrorMessage == "" || s.failures == 0 && !p.ProfiledAt.Equal(d.now) || !p.UpdatedAt.Equal(d.now) {
			t.Errorf("step %d: %+v", i, p)
		}
		fresh := events[seen:]
		seen = len(events)
		if s.event == "" && len(fresh) > 0 || s.event != "" && (len(fresh) != 1 || fresh[0].Type != s.event) {
			t.Errorf("step %d: events %+v", i, fresh)
		}
	}
	_, _, _, events := d.state()
	var data struct {
		Severity string
		Changes  []struct{ Kind, Field string }
	}
	if err := json.Unmarshal(events[1].Data, &data); err != nil || data.Severity != "additive" || len(data.Changes) == 0 {
		t.Errorf("%s, %v", events[1].Data, err)
	}
}

func TestWhatCannotBeProfiled(t *testing.T) {
	for name, c := range map[string]struct {
		entry  catalog.Entry
		pages  web
		result string
		status string
	}{
		"no distribution":     {dataset(), nil, survey.Nothing, ""},
		"no known format":     {dataset("https://x.example/a.pdf"), nil, survey.Unsupported, catalog.ProfileUnsupported},
		"not there":           {dataset("https://x.example/a.csv"), nil, verify.SurveyFailed, catalog.ProfileError},
		"a page, not a table": {dataset("https://x.example/a.csv"), web{"https://x.example/a.csv": "<!doctype html><html><body>Moved</body></html>"}, survey.Unsupported, catalog.ProfileUnsupported},
		"an API without document": {catalog.Entry{Type: catalog.TypeAPI, API: &catalog.APIDetails{BaseURL: "https://x.example"}}, nil,
			survey.Nothing, ""},
		"no handshake": {catalog.Entry{Type: catalog.TypeMCPServer, MCP: &catalog.MCPDetails{EndpointURL: "https://x.example"}}, nil, survey.Nothing, ""},
		"a document that is data": {catalog.Entry{Type: catalog.TypeAPI, API: &catalog.APIDetails{OpenAPIURL: "https://x.example/o"}},
			web{"https://x.example/o": `[{"a":1},{"a":2}]`}, verify.SurveyFailed, catalog.ProfileError},
	} {
		d := newDesk(t, c.entry)
		d.pages = c.pages
		result := d.look(nil)
		_, p, _, events := d.state()
		if result != c.result || (p == nil) != (c.status == "") || p != nil && (p.Status != c.status || p.ErrorMessage == "") || len(events) > 0 {
			t.Errorf("%s: %s (%v), %+v, %v", name, result, d.said, p, events)
		}
	}
}

const document = `{"openapi":"3.0.3","info":{"title":"T","version":"4.2"},"servers":[{"url":"/v4"}],
"components":{"securitySchemes":{"k":{"type":"apiKey","in":"query","name":"k"}}},"security":[{"k":[]}],
"paths":{"/stations":{"get":{"summary":"Stations","responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"height":{"type":"number"}}}}}}}}}}}}`

func TestAPIDescriptionIsTakenOver(t *testing.T) {
	const url = "https://x.example/openapi.json"
	e := catalog.Entry{Type: catalog.TypeAPI, API: &catalog.APIDetails{OpenAPIURL: url, Version: "stated"}}
	d := newDesk(t, e)
	d.pages[url] = document
	if result := d.look(nil); result != survey.First {
		t.Fatalf("%s: %v", result, d.said)
	}
	got, p, rows, events := d.state()
	a := got.API
	if a.Version != "stated" || a.BaseURL != "https://x.example/v4" || a.SpecFormat != "openapi" || a.EndpointsCount != 1 || len(a.Endpoints) != 1 || got.AuthType != catalog.AuthAPIKey {
		t.Errorf("%+v, %s", a, got.AuthType)
	}
	if len(p.Fields) != 2 || p.Kind != "openapi" || len(events) != 2 {
		t.Errorf("%+v, %d events", p, len(events))
	}
	observed := map[string]bool{}
	for _, r := range rows {
		if r.Basis == catalog.BasisObserved && r.SourceURL == url && r.ObservedAt.Equal(d.now) {
			observed[r.Field] = true
		}
	}
	if diff := cmp.Diff(map[string]bool{"api.base_url": true, "api.spec_format": true, "api.endpoints": true, "auth_type": true}, observed); diff != "" {
		t.Error(diff)
	}
	// What was observed follows the document; the same again writes nothing.
	if result := d.look(nil); result != survey.Unchanged {
		t.Error(result)
	}
	d.pages[url] = strings.Replace(document, "/v4", "/v5", 1)
	d.look(nil)
	got, _, rows, events = d.state()
	if got.API.BaseURL != "https://x.example/v5" || len(events) != 3 || len(rows) != 5 {
		t.Errorf("%s, %d events, %d rows", got.API.BaseURL, len(events), len(rows))
	}
}

func TestServerIsTakenOver(t *testing.T) {
	d := newDesk(t, catalog.Entry{Type: catalog.TypeMCPServer, MCP: &catalog.MCPDetails{EndpointURL: "https://x.example/mcp", Tools: []catalog.MCPTool{{Name: "old"}}}})
	server := &verify.Server{Version: "1.2", Protocol: "2025-11-25", HasTools: true, Tools: []catalog.MCPTool{
		{Name: "find\n it", Description: "Ask maria.papadopoulou@mail.example.org", ReadOnly: true}, {Name: " "}}}
	if result := d.look(server); result != survey.Server {
		t.Fatalf("%s: %v", result, d.said)
	}
	e, p, rows, events := d.state()
	m := e.MCP
	if m.Version != "1.2" || len(m.ProtocolVersions) != 1 || len(m.Tools) != 1 || m.Tools[0].Name != "find it" || !m.Tools[0].ReadOnly || !m.HandshakeAt.Equal(d.now) {
		t.Errorf("%+v", m)
	}
	if strings.Contains(m.Tools[0].Description, "papadopoulou") {
		t.Errorf("an address is published: %s", m.Tools[0].Description)
	}
	if p != nil || len(rows) != 5 || len(events) != 1 || len(events[0].Changes) != 4 {
		t.Errorf("%+v, %d rows, %+v", p, len(rows), events)
	}
	// A later handshake that says the same is no change of what the entry says, another tool is.
	before, first := e.UpdatedAt, d.now
	d.now = d.now.Add(48 * time.Hour)
	d.look(server)
	if e, _, _, _ = d.state(); !e.MCP.HandshakeAt.Equal(d.now) || !e.UpdatedAt.Equal(before) || !e.MCP.UpdatedAt.Equal(first) {
		t.Errorf("a handshake at %s: %s, %+v", d.now, e.UpdatedAt, e.MCP)
	}
	d.now = d.now.Add(48 * time.Hour)
	server.Tools = server.Tools[:0]
	d.look(server)
	if e, _, _, _ = d.state(); !e.UpdatedAt.Equal(d.now) || !e.MCP.UpdatedAt.Equal(d.now) {
		t.Errorf("tools that went at %s: %s, %+v", d.now, e.UpdatedAt, e.MCP)
	}
}

// TestNoPersonalValueIsStored reads what the database holds after a look at a
// table about persons.
func TestNoPersonalValueIsStored(t *testing.T) {
	const url = "https://x.example/people.csv"
	d := newDesk(t, dataset(url))
	d.pages[url] = "Nachname,Vorname,E-Mail,Telefon\nUnverwechselbar,Quirin,quirin.u@mail.example.org,+49 30 7654321\nEinzigartig,Wiebke,wiebke.e@mail.example.org,+49 30 1234567\n"
	if result := d.look(nil); result != survey.First {
		t.Fatalf("%s: %v", result, d.said)
	}
	_, p, _, events := d.state()
	var all bytes.Buffer
	for _, v := range []any{p, events} {
		if err := json.NewEncoder(&all).Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	for _, secret := range []string{"Unverwechselbar", "Quirin", "quirin.u", "7654321", "Einzigartig", "Wiebke", "1234567"} {
		if strings.Contains(all.String(), secret) {
			t.Errorf("%s is stored: %s", secret, all.String())
		}
	}
}

func TestEntryThatLeft(t *testing.T) {
	d := newDesk(t, dataset("https://x.example/data.csv"))
	d.pages["https://x.example/data.csv"] = csv
	d.update(func(ctx context.Context, tx catalog.Tx) error {
		found, err := tx.Entries().Get(ctx, d.id)
		if err != nil {
			return err
		}
		kind, err := found[0].Transition(catalog.Change{To: catalog.StatusRemoved, Reason: "gone", At: noon})
		if err != nil {
			return err
		}
		return tx.Entries().Put(ctx, catalog.Write{Entry: &found[0], Events: []catalog.Event{{Type: kind, OccurredAt: noon}}})
	})
	if result := d.look(nil); result != survey.Nothing || d.said != nil {
		t.Errorf("%s, %v", result, d.said)
	}
}
