package dynamic

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/assay-register/assay/dynamic/sitetest"
)

// sink is a response writer that costs nothing.
type sink struct {
	header http.Header
	status int
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) Write(b []byte) (int, error) { return len(b), nil }
func (s *sink) WriteHeader(status int)      { s.status = status }

const benchEntries = 2000

// targets are the requests of the benchmarks by kind: one and many addresses.
func targets(site *sitetest.Site) map[string][]string {
	var entries, lists []string
	for i := range site.Catalog.Lines {
		entries = append(entries, "/api/v1/entries/"+site.Catalog.Lines[i].Slug)
	}
	for i := range 90 {
		lists = append(lists, fmt.Sprintf("/api/v1/entries?page=%d&type=API,DATASET", i+1))
	}
	return map[string][]string{"entry": entries[:1], "entries": entries, "default": {"/api/v1/entries"}, "list": lists[:1], "lists": lists,
		"facets": {"/api/v1/entries/facets?type=API"}, "missing": {"/api/v1/entries/nothing"}}
}

// BenchmarkHandler calls the handler alone. "cold" keeps no document in memory.
func BenchmarkHandler(b *testing.B) {
	site := sitetest.Make(b, b.TempDir(), sitetest.Options{Entries: benchEntries})
	for _, budget := range []int64{0, 1} {
		s, err := New(Config{SiteDir: site.Dir, FileBudget: budget})
		if err != nil {
			b.Fatal(err)
		}
		for _, kind := range []string{"entry", "entries", "default", "list", "lists", "facets", "missing"} {
			for _, coding := range []string{"", "br"} {
				if budget == 1 && kind != "entries" {
					continue
				}
				b.Run(fmt.Sprintf("%s/%s/%s", map[int64]string{0: "hot", 1: "cold"}[budget], kind, "as-"+coding), func(b *testing.B) {
					bench(b, s, targets(site)[kind], coding)
				})
			}
		}
	}
}

func bench(b *testing.B, s *Service, targets []string, coding string) {
	requests := make([]*http.Request, len(targets))
	for i, t := range targets {
		requests[i] = httptest.NewRequest("GET", t, nil)
		requests[i].Header.Set("Accept-Encoding", coding)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		w := &sink{header: http.Header{}}
		s.Handler().ServeHTTP(w, requests[i%len(requests)])
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "req/s")
}

// BenchmarkScan answers lists that nobody asked for before.
func BenchmarkScan(b *testing.B) {
	site := sitetest.Make(b, b.TempDir(), sitetest.Options{Entries: benchEntries})
	s, err := New(Config{SiteDir: site.Dir})
	if err != nil {
		b.Fatal(err)
	}
	at := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		since := at.Add(time.Duration(i) * time.Second).Format(time.RFC3339)
		s.Handler().ServeHTTP(&sink{header: http.Header{}}, httptest.NewRequest("GET", "/api/v1/entries?search=air&updated_since="+url.QueryEscape(since), nil))
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "req/s")
}

// BenchmarkLoopback asks over TCP with kept connections, client included.
func BenchmarkLoopback(b *testing.B) {
	site := sitetest.Make(b, b.TempDir(), sitetest.Options{Entries: benchEntries})
	s, err := New(Config{SiteDir: site.Dir})
	if err != nil {
		b.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	go s.Run(ctx, listener)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}}
	for _, kind := range []string{"entry", "entries", "default", "list"} {
		list := targets(site)[kind]
		b.Run(kind, func(b *testing.B) {
			b.SetParallelism(8)
			b.RunParallel(func(pb *testing.PB) {
				for i := 0; pb.Next(); i++ {
					r, _ := http.NewRequest("GET", "http://"+listener.Addr().String()+list[i%len(list)], nil)
					r.Header.Set("Accept-Encoding", "br")
					res, err := client.Do(r)
					if err != nil {
						b.Error(err)
						return
					}
					io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "req/s")
		})
	}
}
