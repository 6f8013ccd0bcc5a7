package sample

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

// replayed is the sample register in a store that all tests read.
var replayed struct {
	once   sync.Once
	dir    string
	store  catalog.Store
	loader *loader
	err    error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if replayed.store != nil {
		_ = replayed.store.Close()
	}
	if replayed.dir != "" {
		_ = os.RemoveAll(replayed.dir)
	}
	os.Exit(code)
}

// load replays the sample register into a fresh store, once.
func load(t *testing.T) (catalog.Store, *loader) {
	t.Helper()
	r := &replayed
	r.once.Do(func() {
		if r.dir, r.err = os.MkdirTemp("", "assay-sample-"); r.err != nil {
			return
		}
		if r.store, r.err = sqlite.Open(context.Background(), filepath.Join(r.dir, "assay.db")); r.err != nil {
			return
		}
		r.loader, r.err = replay(context.Background(), r.store)
	})
	if r.err != nil {
		t.Fatal(r.err)
	}
	return r.store, r.loader
}

// TestEveryStateCanBeSeen holds the sample to what the product must show.
func TestEveryStateCanBeSeen(t *testing.T) {
	st, l := load(t)
	for _, m := range l.missed {
		t.Errorf("%s was rejected: %s", m.Place, m.Reason)
	}
	types, states, statuses := map[catalog.EntryType]int{}, map[catalog.VerificationState]int{}, map[catalog.Status]int{}
	countries, merged, future, unlicensed, weak := map[string]bool{}, 0, 0, 0, 0
	err := st.View(context.Background(), func(tx catalog.Tx) error {
		verdicts := map[string]catalog.VerificationState{}
		err := tx.CheckStates().Scan(context.Background(), catalog.Range{}, func(s *catalog.CheckState) error {
			verdicts[s.EntryID] = s.State
			return nil
		})
		if err != nil {
			return err
		}
		return tx.Entries().Scan(context.Background(), catalog.Range{}, func(e *catalog.Entry) error {
			if err := e.Validate(); err != nil {
				t.Errorf("entry %s: %v", e.Name, err)
			}
			statuses[e.Status]++
			if e.MergedIntoID != "" {
				merged++
			}
			if e.PublishedAt.After(Instant) {
				future++
			}
			if !e.Visible(Instant) {
				return nil
			}
			types[e.Type]++
			countries[e.CountryCode] = true
			state := verdicts[e.ID]
			if state == "" {
				state = catalog.StateUnverified
			}
			states[state]++
			if e.LicenseRaw == "" {
				unlicensed++
			}
			if e.LicenseRaw != "" && e.LicenseID == "" {
				weak++
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(types, states, statuses, len(countries), "countries", merged, "merged", future, "future", unlicensed, "without licence", weak, "unrecognised")
	for _, c := range []struct {
		what       string
		have, want int
	}{
		{"visible entries", types[catalog.TypeAPI] + types[catalog.TypeDataset] + types[catalog.TypeMCPServer], 150},
		{"APIs", types[catalog.TypeAPI], 50}, {"datasets", types[catalog.TypeDataset], 50}, {"MCP servers", types[catalog.TypeMCPServer], 8},
		{"countries", len(countries), 25}, {"verified", states[catalog.StateVerified], 100}, {"failing", states[catalog.StateFailing], 5},
		{"stale", states[catalog.StateStale], 3}, {"unverified", states[catalog.StateUnverified], 5},
		{"deprecated", statuses[catalog.StatusDeprecated], 5}, {"pending", statuses[catalog.StatusPending], 2},
		{"removed", statuses[catalog.StatusRemoved], 4}, {"merged", merged, 2}, {"future", future, 1},
		{"without licence", unlicensed, 15}, {"with unrecognised licence", weak, 2},
	} {
		if c.have < c.want {
			t.Errorf("%s: %d, at least %d should be seen", c.what, c.have, c.want)
		}
	}
}

func TestExpand(t *testing.T) {
	for _, trace := range []string{"U121", "X3", "U0", "Uk"} {
		if _, err := expand(trace); err == nil {
			t.Errorf("trace %q must be refused", trace)
		}
	}
	if got, err := expand("U2 T1"); err != nil || len(got) != slots || got[slots-3:] != "UUT" {
		t.Errorf("expand gives %q, %v", got, err)
	}
}

// TestProfilesCanBeSeen: data of several formats were sampled by the code that
// samples live sources, rows about persons are masked, identifiers recognised,
// schemas changed, and what sources say about themselves was taken over.
func TestProfilesCanBeSeen(t *testing.T) {
	st, l := load(t)
	unreadable := map[string]bool{}
	for r, id := range l.ids {
		unreadable[id] = r.Data.Unreadable
	}
	ctx := context.Background()
	kinds, masked, joined, tools := map[string]int{}, 0, 0, 0
	events := map[catalog.EventKind]int{}
	err := st.View(ctx, func(tx catalog.Tx) error {
		err := tx.Profiles().Scan(ctx, catalog.Range{}, func(p *catalog.Profile) error {
			kinds[p.Kind+" "+p.Status]++
			if p.Status == catalog.ProfileError || p.Status == catalog.ProfileUnsupported && !unreadable[p.EntryID] {
				t.Errorf("%s: %s %s", p.Source, p.Status, p.ErrorMessage)
			}
			for _, f := range p.Fields {
				if f.Personal != "" {
					masked++
				}
				if f.Matches {
					joined++
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		list, err := tx.Events().After(ctx, 0, 1_000_000)
		for _, e := range list {
			events[e.Type]++
		}
		if err != nil {
			return err
		}
		return tx.Provenances().Scan(ctx, catalog.Range{}, func(p *catalog.Provenance) error {
			for _, r := range p.Rows {
				if r.Basis == catalog.BasisObserved && r.Field == "mcp.handshake_at" {
					tools++
				}
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(kinds, masked, "masked fields", joined, "identifiers", tools, "handshakes", events[catalog.EventSchemaChanged], "changes of a schema")
	if len(kinds) < 5 || masked < 3 || joined < 6 || tools < 5 || events[catalog.EventSchemaChanged] < 2 {
		t.Error("too little to be seen")
	}
}
