package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
)

// batch is how many entries one Update of the benchmarks writes.
const batch = 1000

// realistic is an entry of the usual size: a document of 2.5 kB and a
// provenance of 1.2 kB.
func realistic(n int) catalog.Write {
	w := newEntry(n)
	e := w.Entry
	e.Description = strings.Repeat("Daily precipitation sums of all stations in the district, checked. ", 12)
	e.DescriptionEn, e.PublisherName = e.Description[:400], "Office of Meteorology and Hydrology"
	e.PrimarySourceURL = fmt.Sprintf("https://data.example/dataset/rainfall-%d", n)
	e.HomepageURL, e.DocsURL, e.Tags = e.PrimarySourceURL, e.PrimarySourceURL+"/docs", []string{"climate", "rain", "weather"}
	e.MatchKey = catalog.MatchKey(e.Type, e.PrimarySourceURL, strings.ToLower(e.Name))
	e.IdentityKey = catalog.IdentityKey(e.Type, e.PrimarySourceURL, e.Name)
	e.Dataset = &catalog.DatasetDetails{LandingPage: e.PrimarySourceURL, Frequency: "DAILY"}
	for i := range 3 {
		e.Dataset.Distributions = append(e.Dataset.Distributions, catalog.Distribution{ID: fmt.Sprint(n, "-", i), Format: "CSV",
			MediaType: "text/csv", DownloadURL: fmt.Sprintf("%s/file-%d.csv", e.PrimarySourceURL, i), ModifiedAt: e.CreatedAt})
	}
	for _, f := range []string{"description", "primary_source_url", "tags", "publisher_name", "formats"} {
		w.Provenance.Rows = append(w.Provenance.Rows, catalog.FieldRow{Field: f, Basis: catalog.BasisPublisher, SourceID: "data.example",
			SourceURL: e.PrimarySourceURL, UpstreamField: "result." + f, ObservedAt: e.CreatedAt})
	}
	w.Events[0].Changes = []catalog.FieldChange{{Field: "name", From: json.RawMessage("null"), To: json.RawMessage(`"x"`)}}
	return w
}

func benchUpdate(b *testing.B, s catalog.Store, fn func(context.Context, catalog.Tx) error) {
	b.Helper()
	if err := s.Update(b.Context(), func(tx catalog.Tx) error { return fn(b.Context(), tx) }); err != nil {
		b.Fatal(err)
	}
}

func load(b *testing.B, s catalog.Store, from, n int) {
	b.Helper()
	writes := make([]catalog.Write, n)
	for i := range writes {
		writes[i] = realistic(from + i)
	}
	b.StartTimer()
	benchUpdate(b, s, func(ctx context.Context, tx catalog.Tx) error { return tx.Entries().Put(ctx, writes...) })
	b.StopTimer()
}

// BenchmarkPut measures entries per second through Put: new ones, and the same
// ones again with a change.
func BenchmarkPut(b *testing.B, open func(b *testing.B) catalog.Store) {
	for _, name := range []string{"new", "again"} {
		b.Run(name, func(b *testing.B) {
			s := open(b)
			b.StopTimer()
			if name == "again" {
				for i := range 20 {
					load(b, s, i*batch, batch)
				}
			}
			b.ResetTimer()
			for i := range b.N {
				if name == "again" {
					i %= 20
				}
				load(b, s, i*batch, batch)
			}
			b.ReportMetric(float64(b.N*batch)/b.Elapsed().Seconds(), "entries/s")
		})
	}
}

// BenchmarkScan measures entries per second through a whole scan.
func BenchmarkScan(b *testing.B, open func(b *testing.B) catalog.Store) {
	s := open(b)
	b.StopTimer()
	for i := range 20 {
		load(b, s, i*batch, batch)
	}
	b.ResetTimer()
	b.StartTimer()
	for range b.N {
		n := 0
		err := s.View(b.Context(), func(tx catalog.Tx) error {
			return tx.Entries().Scan(b.Context(), catalog.Range{}, func(*catalog.Entry) error { n++; return nil })
		})
		if err != nil || n != 20*batch {
			b.Fatalf("scanned %d: %v", n, err)
		}
	}
	b.ReportMetric(float64(b.N*20*batch)/b.Elapsed().Seconds(), "entries/s")
}

// BenchmarkJobs measures jobs per second that four workers lease one by one
// and settle.
func BenchmarkJobs(b *testing.B, open func(b *testing.B) catalog.Store) {
	s := open(b)
	benchUpdate(b, s, func(ctx context.Context, tx catalog.Tx) error {
		list := make([]catalog.Job, b.N)
		for i := range list {
			list[i] = newJob(i)
		}
		_, err := tx.Jobs().Enqueue(ctx, list...)
		return err
	})
	b.ResetTimer()
	together(4, func(w int) {
		worker := fmt.Sprint("worker", w)
		for more := true; more; {
			err := s.Update(b.Context(), func(tx catalog.Tx) error {
				jobs, err := tx.Jobs().Lease(b.Context(), worker, []string{"probe"}, day, day.Add(time.Hour), 1)
				more = len(jobs) > 0
				if err != nil || !more {
					return err
				}
				return tx.Jobs().Settle(b.Context(), jobs[0].ID, worker, day, nil, time.Time{})
			})
			if err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}
