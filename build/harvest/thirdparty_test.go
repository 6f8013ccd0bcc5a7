package harvest_test

import (
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
)

// lookalikes are hosts that resemble tides.example.uk and do not lie below it.
var lookalikes = []string{
	"tides.example.uk.example.com", "tides.example.ukx", "eviltides.example.uk", "tides-example.uk", "example.uk", "uk", "tides.example.local",
	"xn--tdes-goa.example.uk", "tıdes.example.uk", "tides.example.uk.", "tides.example.uk@evil.example", "cowin.gov.cin", "cdcgov.local", "gov.uk.example.com",
}

func TestLookalikesAreNeverOfficial(t *testing.T) {
	for _, host := range lookalikes {
		t.Run(host, func(t *testing.T) {
			w := newWorld(t)
			d := draft("h:k:1", "Tide Times", "https://"+host+"/v1")
			d.Entry.RepoURL = "https://github.com/TideOffice-evil/api"
			w.run(w.official, harvest.Options{}, d)
			e := w.entries()
			if len(e) == 0 {
				return // the address itself was refused
			}
			want := strings.TrimSuffix(host, ".") == "tides.example.uk"
			if held(t, &e[0], catalog.SignalDomain) != want || held(t, &e[0], catalog.SignalGithub) {
				t.Errorf("signals %+v", e[0].Signals)
			}
			d.PublisherKey = ""
			other := newWorld(t)
			if other.run(other.official, harvest.Options{}, d); (other.only().InstitutionID != "") != want {
				t.Errorf("institution %q by the host %s", other.only().InstitutionID, host)
			}
		})
	}
}

// server is an MCP server that names a page of the tide office as its source.
func server(endpoint, repo string) source.Draft {
	d := draft("registry:mcp:1", "Tide server", "")
	d.PublisherKey, d.PublisherName = "", "Tide Office"
	d.Entry.Type, d.Entry.API, d.Entry.CountryCode = catalog.TypeMCPServer, nil, "GB"
	d.Entry.PrimarySourceURL, d.Entry.RepoURL = "https://www.tides.example.uk/data", repo
	d.Entry.MCP = &catalog.MCPDetails{EndpointURL: endpoint}
	return d
}

func TestServersOfOthersAreNeverOfficial(t *testing.T) {
	const ours, theirs = "https://mcp.tides.example.uk/mcp", "https://tides-mcp.example.com/mcp"
	for _, c := range []struct {
		name, endpoint, repo string
		third                bool
		signals              []catalog.Signal
		status               catalog.Status
	}{
		{"run elsewhere", theirs, "https://github.com/somebody/tides", true, nil, ""},
		{"run locally", "", "https://github.com/somebody/tides", true, nil, ""},
		{"without anything", "", "", true, nil, ""},
		{"run elsewhere, listed by portals", theirs, "", true, []catalog.Signal{{Kind: catalog.SignalBacklink, Held: true, EvidenceURL: "https://p.example/"},
			{Kind: catalog.SignalReciprocal, Held: true, EvidenceURL: "https://p.example/"}, {Kind: catalog.SignalPolicy, Held: true, EvidenceURL: "https://p.example/"}},
			catalog.StatusPending},
		{"run by the office", ours, "", false, nil, catalog.StatusPending},
		{"run elsewhere, repository of the office", theirs, "https://github.com/TideOffice/mcp", false,
			[]catalog.Signal{{Kind: catalog.SignalBacklink, Held: true, EvidenceURL: "https://p.example/"}}, catalog.StatusPending},
		{"run by the office, with its repository", ours, "https://github.com/TideOffice/mcp", false,
			[]catalog.Signal{{Kind: catalog.SignalBacklink, Held: true, EvidenceURL: "https://p.example/"}}, catalog.StatusActive},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			d := server(c.endpoint, c.repo)
			d.Entry.Signals = c.signals
			r := w.run(w.plain, harvest.Options{}, d)
			if c.status == "" {
				if r.Rejected != 1 || r.RejectedBy[harvest.CodeNotOfficial] != 1 {
					t.Fatal(r.Summary())
				}
				return
			}
			e := w.only()
			if e.Status != c.status || e.ThirdParty != c.third || (e.InstitutionID == "") != c.third {
				t.Errorf("status %s, third party %v, institution %q, signals %+v", e.Status, e.ThirdParty, e.InstitutionID, e.Signals)
			}
			if c.third && score.Confidence(e.Signals) >= score.ProvenThreshold {
				t.Errorf("confidence %d", score.Confidence(e.Signals))
			}
			n := len(w.events())
			if r := w.run(w.plain, harvest.Options{}, d); r.Unchanged != 1 || len(w.events()) != n {
				t.Errorf("the same again: %s %+v", r.Summary(), w.events()[n:])
			}
		})
	}
}

// A connector that says a source is a third party's is believed even where the
// addresses are official.
func TestThirdPartyNeverHoldsTheInstitutionsProofs(t *testing.T) {
	w := newWorld(t)
	d := draft("h:k:1", "Tide Times", tides)
	d.Entry.ThirdParty, d.Entry.RepoURL = true, "https://github.com/TideOffice/api"
	for range 2 {
		w.run(w.official, harvest.Options{}, d)
	}
	e := w.only()
	if e.Status != catalog.StatusPending || held(t, &e, catalog.SignalDomain) || held(t, &e, catalog.SignalGithub) || !held(t, &e, catalog.SignalBacklink) {
		t.Errorf("status %s, signals %+v", e.Status, e.Signals)
	}
	if len(w.events()) != 1 {
		t.Errorf("events %+v", w.events())
	}
}
