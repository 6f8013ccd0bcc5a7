package harvest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"hash/fnv"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/survey"
	"github.com/assay-register/assay/build/verify"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// doubles answer in the place of all hosts: half of the addresses give data to
// everybody, of the others some ask for a password and some are gone.
type doubles struct{}

func (doubles) RoundTrip(req *http.Request) (*http.Response, error) {
	h := fnv.New32a()
	_, _ = io.WriteString(h, req.URL.String())
	resp := &http.Response{StatusCode: http.StatusOK, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"Content-Type": {"text/csv"}},
		Body: io.NopCloser(strings.NewReader("station,level\na,1\nb,2\n")), Request: req}
	switch n := h.Sum32() % 10; {
	case strings.HasSuffix(req.URL.Path, ".json"):
		resp.Header.Set("Content-Type", "application/json")
		resp.Body = io.NopCloser(strings.NewReader(`{"openapi":"3.0.0","info":{"title":"x","version":"7.1","termsOfService":"https://x.example/terms"},
			"servers":[{"url":"https://x.example/v7"}],"paths":{"/a":{"get":{"responses":{"200":{"description":"ok"}}}}},
			"components":{"securitySchemes":{"key":{"type":"apiKey","in":"header","name":"k"}}},"security":[{"key":[]}]}`))
	case n >= 8:
		resp.StatusCode = http.StatusNotFound
	case n >= 5:
		resp.StatusCode = http.StatusUnauthorized
		resp.Header.Set("WWW-Authenticate", "Bearer")
	}
	return resp, nil
}

// probed is a register of one source of RDF that is probed between its harvests.
type probed struct {
	*testing.T
	st   catalog.Store
	src  catalog.Source
	now  time.Time
	text func() io.ReadCloser
}

func newProbed(t *testing.T, text func() io.ReadCloser) *probed {
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	now := time.Date(2026, 11, 1, 8, 0, 0, 0, time.UTC)
	if err := harvest.LoadReference(t.Context(), st, now); err != nil {
		t.Fatal(err)
	}
	return &probed{T: t, st: st, now: now, text: text,
		src: catalog.Source{ID: harvest.SourceID("harbours"), Key: "harbours", Kind: "dcat", Title: "Harbours", URL: "https://harbours.example/", CountryCode: "BE", Official: "by law"}}
}

func (p *probed) harvest() harvest.Report {
	p.Helper()
	p.now = p.now.Add(time.Hour)
	in := source.Input{Name: "harbours.ttl", Source: p.src, Open: func(context.Context) (io.ReadCloser, error) { return p.text(), nil }}
	r, err := harvest.Run(p.Context(), p.st, harvest.Connectors()["dcat"], in, harvest.Options{Now: p.now, Complete: true})
	if err != nil {
		p.Fatal(err)
	}
	return r
}

// probe checks one of so many entries and looks at it closer.
func (p *probed) probe(every int) *verify.Summary {
	p.Helper()
	p.now = p.now.Add(time.Hour)
	begin := time.Now() // hosts are taken up again when time has gone by
	clock := func() time.Time { return p.now.Add(time.Since(begin)) }
	r := &verify.Runner{Store: p.st, Worker: "w", Confirm: -1, Concurrency: 64, Clock: clock, SurveyEvery: time.Hour, Idle: time.Millisecond, Surveyor: &survey.Surveyor{Store: p.st, Run: "r", Clock: clock},
		Prober: verify.NewProber(verify.ProberOptions{Client: &http.Client{Transport: doubles{}}, Gap: time.Microsecond, Clock: clock})}
	n := 0
	var ids []string
	p.count(func(e *catalog.Entry) bool {
		if _, ok := verify.TargetOf(e); ok && e.Status == catalog.StatusActive {
			if n++; n%every == 0 {
				ids = append(ids, e.ID)
			}
		}
		return false
	})
	sum, err := r.Run(p.Context(), verify.Selection{Entries: ids})
	if err != nil {
		p.Fatal(err)
	}
	return sum
}

// state is every entry with its provenance, as stored, by id.
func (p *probed) state() map[string][2]string {
	p.Helper()
	all := map[string][2]string{}
	err := p.st.View(p.Context(), func(tx catalog.Tx) error {
		err := tx.Entries().Scan(p.Context(), catalog.Range{}, func(e *catalog.Entry) error {
			doc, err := json.Marshal(e)
			all[e.ID] = [2]string{string(doc)}
			return err
		})
		if err != nil {
			return err
		}
		return tx.Provenances().Scan(p.Context(), catalog.Range{}, func(x *catalog.Provenance) error {
			doc, err := json.Marshal(x)
			all[x.EntryID] = [2]string{all[x.EntryID][0], string(doc)}
			return err
		})
	})
	if err != nil {
		p.Fatal(err)
	}
	return all
}

func (p *probed) count(what func(*catalog.Entry) bool) (n int) {
	p.Helper()
	err := p.st.View(p.Context(), func(tx catalog.Tx) error {
		return tx.Entries().Scan(p.Context(), catalog.Range{}, func(e *catalog.Entry) error {
			if what(e) {
				n++
			}
			return nil
		})
	})
	if err != nil {
		p.Fatal(err)
	}
	return n
}

// again harvests what has not changed and counts the entries that did.
func (p *probed) again() {
	p.Helper()
	before := p.state()
	r := p.harvest()
	changed := 0
	for id, x := range p.state() {
		if x != before[id] {
			if changed++; changed <= 3 {
				p.Errorf("changed without a cause:\n%s\n%s", before[id], x)
			}
		}
	}
	if r.Updated != 0 || r.Created != 0 || changed != 0 {
		p.Errorf("%d entries changed: %s", changed, r.Summary())
	}
}

const harbours = `@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> .
@prefix ar: <http://publications.europa.eu/resource/authority/access-right/> .
<https://harbours.example/tides> a dcat:Dataset ; dct:title "Tides"@en ; dct:identifier "tides" ; dct:accessRights ar:PUBLIC ; dcat:distribution <https://harbours.example/tides/csv> .
<https://harbours.example/tides/csv> a dcat:Distribution ; dcat:accessURL <https://files.harbours.example/TIDES> ; dcat:downloadURL <https://files.harbours.example/TIDES> ; dct:format "CSV" .
<https://harbours.example/berths> a dcat:Dataset ; dct:title "Berths"@en ; dct:identifier "berths" ; dcat:distribution <https://harbours.example/berths/csv> .
<https://harbours.example/berths/csv> a dcat:Distribution ; dcat:accessURL <https://files.harbours.example/berths.csv> ; dcat:downloadURL <https://files.harbours.example/BERTHS> ; dct:format "CSV" .
<https://harbours.example/api> a dcat:DataService ; dct:title "Berths by API"@en ; dct:identifier "api" ; dcat:landingPage <https://harbours.example/api.html> ;
  dcat:endpointDescription <https://harbours.example/openapi.json> .
`

// What probes and closer looks learned survives a harvest that says nothing new;
// what the source says then wins over it.
func TestHarvestAfterProbes(t *testing.T) {
	t.Parallel()
	text := harbours
	// The addresses are drawn so that one file is open and one asks for a password.
	text = strings.NewReplacer("TIDES", address(t, "https://files.harbours.example/", 0, 5), "BERTHS", address(t, "https://files.harbours.example/", 5, 8)).Replace(text)
	p := newProbed(t, func() io.ReadCloser { return io.NopCloser(strings.NewReader(text)) })
	if r := p.harvest(); r.Created != 3 {
		t.Fatal(r.Summary())
	}
	p.probe(1)
	open := func(e *catalog.Entry) bool {
		return e.FreeAccessClass == catalog.AccessFreeNoAuth && e.AuthType == catalog.AuthNone
	}
	closed := func(e *catalog.Entry) bool { return e.AuthType == catalog.AuthBearer }
	read := func(e *catalog.Entry) bool {
		return e.API != nil && e.API.Version == "7.1" && e.API.TermsURL != "" && e.API.EndpointsCount == 1 && e.AuthType == catalog.AuthAPIKey
	}
	if p.count(open) != 1 || p.count(closed) != 1 || p.count(read) != 1 {
		t.Fatalf("the probes learned: %d open, %d closed, %d read", p.count(open), p.count(closed), p.count(read))
	}
	p.again()
	p.probe(1)
	p.again()

	text = strings.Replace(text, "ar:PUBLIC", "ar:NON_PUBLIC", 1)
	if r := p.harvest(); r.Updated != 1 || p.count(open) != 0 || p.count(closed) != 1 || p.count(read) != 1 {
		t.Errorf("after the source shut one: %s; %d open, %d closed, %d read", r.Summary(), p.count(open), p.count(closed), p.count(read))
	}
	text = strings.Replace(text, "openapi.json", "openapi-8.json", 1)
	if r := p.harvest(); r.Updated != 1 || p.count(read) != 0 || p.count(closed) != 1 {
		t.Errorf("after the source has another description: %s; %d read", r.Summary(), p.count(read))
	}
}

// address is one below a folder whose double behaves as the numbers say.
func address(t *testing.T, folder string, from, to uint32) string {
	for i := range 1000 {
		name := string(rune('a'+i%26)) + string(rune('a'+i/26)) + ".csv"
		h := fnv.New32a()
		_, _ = io.WriteString(h, folder+name)
		if n := h.Sum32() % 10; n >= from && n < to {
			return name
		}
	}
	t.Fatal("no such address")
	return ""
}

// TestBelgiumAfterProbes does so with a national register.
func TestBelgiumAfterProbes(t *testing.T) {
	if os.Getenv("ASSAY_SOAK") == "" {
		t.Skip("set ASSAY_SOAK=1")
	}
	packed, err := os.ReadFile("../../../shared/data/dcat-large/belgium-full-2025-04.ttl.gz")
	if err != nil {
		t.Skip(err)
	}
	p := newProbed(t, func() io.ReadCloser { return io.NopCloser(bytes.NewReader(packed)) })
	p.Log(p.harvest().Summary())
	sum := p.probe(20)
	p.Logf("probes: %d checked, %d down, %d ask for a password; %d entries are open", sum.Checked, sum.Down, sum.RequiresAuth,
		p.count(func(e *catalog.Entry) bool { return e.FreeAccessClass == catalog.AccessFreeNoAuth }))
	p.again()
	p.probe(20)
	p.again()
}
