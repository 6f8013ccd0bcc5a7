package transfer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/build/harvest/identity"
	"github.com/assay-register/assay/build/transfer"
	"github.com/assay-register/assay/dynamic/store/sqlite"
	"github.com/assay-register/assay/render/catalog"
)

var now = time.Date(2026, 11, 21, 9, 0, 0, 123456789, time.UTC)

func open(t testing.TB) catalog.Store {
	t.Helper()
	st, err := sqlite.Open(context.Background(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	return st
}

func export(t testing.TB, st catalog.Store) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := transfer.Export(context.Background(), st, &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func load(t testing.TB, st catalog.Store, data []byte) transfer.Report {
	t.Helper()
	r, err := transfer.Import(context.Background(), st, bytes.NewReader(data), transfer.Options{Now: now, Batch: 7, Workers: 3})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// entry is the n-th entry of a made-up register.
func entry(n int) *catalog.Entry {
	e := &catalog.Entry{
		Type: catalog.TypeDataset, Name: fmt.Sprintf("Δεδομένα <%d> & \"άλλα\"", n), NativeLang: "el",
		Description:      "Line one\nline two \u2028 " + strings.Repeat("τιμή ", n%50),
		PrimarySourceURL: fmt.Sprintf("https://data.example.gov/set/%d", n), Tags: []string{"a", "β"}, Formats: []string{"CSV"},
		FreeAccessClass: catalog.AccessFreeNoAuth, AuthType: catalog.AuthNone, Status: catalog.StatusActive,
		UpstreamRef: fmt.Sprintf("data.example.gov:ckan:%d", n), CreatedAt: now, UpdatedAt: now, PublishedAt: now, ContentChangedAt: now,
		InstitutionID: catalog.NewID("institution", "gr-x"), SourceID: catalog.NewID("source", "s"), LicenseID: "CC-BY-4.0",
		Admission: &catalog.Admission{Rule: catalog.AdmittedBySource, Reason: "official", At: now},
		Signals:   []catalog.Signal{{Kind: catalog.SignalDomain, Held: true, ObservedAt: now}},
		Dataset: &catalog.DatasetDetails{Spatial: []string{"GR"}, TemporalStart: now.AddDate(-1, 0, 0),
			Distributions: []catalog.Distribution{{AccessURL: fmt.Sprintf("https://data.example.gov/set/%d.csv", n), ByteSize: 1 << 40}}},
		Members: []catalog.Member{{Name: "layer", Formats: []string{"WMS"}}}, ExtractionConfidence: 97,
	}
	identity.Keys(e)
	e.ID = catalog.EntryID(e.UpstreamRef, e.IdentityKey, 1)
	e.Slug = fmt.Sprintf("dedomena-%d", n)
	identity.StampDetails(e, nil, now)
	return e
}

// rich fills a store with n entries and everything that belongs to them.
func rich(t testing.TB, st catalog.Store, n int) {
	t.Helper()
	ctx := context.Background()
	err := st.Update(ctx, func(tx catalog.Tx) error {
		inst := catalog.Institution{ID: catalog.NewID("institution", "gr-x"), Key: "gr-x", Name: "Υπουργείο", CountryCode: "GR",
			Type: catalog.InstGovernment, OfficialDomains: []string{"example.gov"}, CreatedAt: now, UpdatedAt: now}
		src := catalog.Source{ID: catalog.NewID("source", "s"), Kind: "ckan", Title: "Portal", Official: "law", CreatedAt: now, UpdatedAt: now}
		if err := tx.Institutions().Put(ctx, inst); err != nil {
			return err
		}
		if err := tx.Sources().Put(ctx, src); err != nil {
			return err
		}
		return tx.Licences().Put(ctx, catalog.Licence{ID: "CC-BY-4.0", Title: "CC BY 4.0", CommercialUse: catalog.RightYes})
	})
	if err != nil {
		t.Fatal(err)
	}
	for from := 0; from < n; from += 500 {
		err := st.Update(ctx, func(tx catalog.Tx) error {
			var writes []catalog.Write
			for i := from; i < min(n, from+500); i++ {
				e := entry(i)
				if i%5 == 4 { // a duplicate of its neighbour, or a deprecated one with a successor
					e.Status, e.MergedIntoID, e.RemovedAt = catalog.StatusRemoved, entry(i-1).ID, now
				} else if i%5 == 3 {
					e.Status, e.SuccessorID, e.StatusReason = catalog.StatusDeprecated, entry(i-1).ID, "replaced"
				}
				writes = append(writes, catalog.Write{Entry: e,
					Provenance: &catalog.Provenance{EntryID: e.ID, Rows: []catalog.FieldRow{{Field: "name", Basis: catalog.BasisPublisher,
						UpstreamField: "title", Note: "a \"quoted\" <note>", ObservedAt: now}}},
					Events: []catalog.Event{{Type: catalog.EventCreated, OccurredAt: now},
						{Type: catalog.EventUpdated, OccurredAt: now, Changes: []catalog.FieldChange{{Field: "name", From: json.RawMessage(`"<a>"`), To: json.RawMessage("null")}}}}})
			}
			if err := tx.Entries().Put(ctx, writes...); err != nil {
				return err
			}
			for i := from; i < min(n, from+500); i += 3 {
				if err := belongings(ctx, tx, entry(i).ID); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func belongings(ctx context.Context, tx catalog.Tx, id string) error {
	count := int64(42)
	half := 49.5
	for i := range 3 {
		c := catalog.Check{EntryID: id, At: now.Add(time.Duration(i) * time.Hour), Kind: "http", URL: "https://data.example.gov/", Up: i > 0, Vantages: 1}
		if err := tx.Checks().Append(ctx, c); err != nil {
			return err
		}
	}
	steps := []func() error{
		func() error {
			s := catalog.CheckState{EntryID: id, ID: catalog.NewID("state", id), State: catalog.StateVerified, CreatedAt: now, UpdatedAt: now}
			return tx.CheckStates().Set(ctx, []catalog.CheckState{s}, []catalog.Event{{Type: catalog.EventVerified, EntryID: id, OccurredAt: now}})
		},
		func() error {
			return tx.Profiles().Put(ctx, catalog.Profile{ID: catalog.NewID("profile", id), EntryID: id, Kind: "csv", Status: "ok", RecordCount: &count,
				SampleRecords: []json.RawMessage{json.RawMessage(`{"a":1.50,"b":"<x>"}`)}, CreatedAt: now, UpdatedAt: now})
		},
		func() error {
			return tx.Overrides().Put(ctx, catalog.Override{ID: catalog.NewID("override", id), EntryID: id, Field: "name", Value: json.RawMessage(`"Better"`), By: "m", Reason: "r", CreatedAt: now})
		},
		func() error {
			err := tx.Targets().Put(ctx, catalog.Target{ID: catalog.NewID("target", id), EntryID: id, Availability: 99.5, WindowDays: 30, Active: true, By: "a", CreatedAt: now, UpdatedAt: now})
			if err != nil {
				return err
			}
			return tx.Incidents().Put(ctx, catalog.Incident{ID: catalog.NewIncidentID(id, now), EntryID: id, Host: "host.example", Cause: catalog.CauseSource, From: now, OpenedAt: now, Evidence: []catalog.IncidentCheck{{At: now, EntryID: id}}},
				catalog.Incident{ID: catalog.NewIncidentID("host.example", now), Host: "host.example", Cause: catalog.CauseUnreachable, From: now, OpenedAt: now, Until: now.Add(time.Hour)})
		},
		func() error {
			return tx.Evidences().Put(ctx, catalog.Evidence{ID: catalog.NewID("evidence", id), EntryID: id, SHA256: strings.Repeat("ab", 32), Body: []byte("{\x00}"), CreatedAt: now})
		},
		func() error {
			if err := tx.Checks().PutDays(ctx, catalog.CheckDay{EntryID: id, Day: "2026-10-01", Checks: 4, Up: 3, P50MS: 120, P95MS: 300}); err != nil {
				return err
			}
			if err := tx.UseDays().Put(ctx, catalog.UseDay{EntryID: id, Day: "2026-10-02", Uses: catalog.Uses{Watches: 1, Citations: 2, Proxied: 3}}); err != nil {
				return err
			}
			return tx.Scores().Put(ctx, catalog.ScoreDay{EntryID: id, Day: "2026-11-21", MQA: 61.3, Trust: 50, Ranking: &half, Axes: [5]*float64{&half}})
		},
		func() error {
			return tx.Events().Append(ctx, catalog.Event{Type: catalog.EventCatalogBuilt, OccurredAt: now, Data: json.RawMessage(`{"snapshot":"x"}`)})
		},
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
