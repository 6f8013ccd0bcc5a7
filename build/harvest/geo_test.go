package harvest_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/fetch"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// TestOneRecordInTwoProfiles: a folder that holds a record both as ISO 19139
// and as ISO 19115-3 is one entry.
func TestOneRecordInTwoProfiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	folder := fstest.MapFS{}
	for _, name := range []string{"dataset-19139.xml", "dataset-19115-3.xml", "others.xml"} {
		data, err := os.ReadFile("source/iso19115/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		folder[name] = &fstest.MapFile{Data: data}
	}
	in := source.Input{Name: "records", Files: folder, Source: w.official}
	in.Source.Kind = "iso"
	r, err := harvest.Run(w.ctx, w.st, harvest.Connectors()["iso"], in, harvest.Options{Now: w.now})
	if err != nil || r.Created != 2 || r.In != 8 {
		t.Fatalf("%v: %s", err, r.Summary())
	}
	entries := w.entries()
	names := map[string]catalog.EntryType{}
	for _, e := range entries {
		names[e.Name] = e.Type
	}
	if len(entries) != 2 || names["Grundwasserstände"] != catalog.TypeDataset || names["Groundwater features"] != catalog.TypeAPI {
		t.Errorf("%v", names)
	}
}

// catalogueService answers GetRecords with n records in pages of ten, and with
// 503 while it is down and asked for more than the first.
func catalogueService(n int, down *atomic.Bool, asked *atomic.Int32) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		start, _ := strconv.Atoi(r.URL.Query().Get("startPosition"))
		if start > 1 && down.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		var list strings.Builder
		for i := start; i < min(start+10, n+1); i++ {
			fmt.Fprintf(&list, `<csw:Record><identifier>r%d</identifier><title>River %[1]d</title><type>dataset</type></csw:Record>`, i)
		}
		next := start + 10
		if next > n {
			next = 0
		}
		_, _ = io.WriteString(w, fmt.Sprintf(`<csw:GetRecordsResponse xmlns:csw="http://www.opengis.net/cat/csw/2.0.2"><csw:SearchResults numberOfRecordsMatched="%d" nextRecord="%d">%s</csw:SearchResults></csw:GetRecordsResponse>`, n, next, list.String()))
	})
}

// TestCatalogueServiceBreaksOff: a run over a catalogue service that breaks off
// goes on at its page, and a second run changes nothing.
func TestCatalogueServiceBreaksOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var down atomic.Bool
	var asked atomic.Int32
	down.Store(true)
	server := httptest.NewServer(catalogueService(25, &down, &asked))
	t.Cleanup(server.Close)
	src := w.official
	src.Kind, src.URL = "csw", server.URL+"/csw"
	run := func() harvest.Report {
		w.now = w.now.Add(time.Minute)
		f := fetch.New(fetch.Options{Client: server.Client(), Gap: time.Nanosecond, Attempts: 1})
		// What the run says of its failure is in the report.
		r, _ := harvest.Run(w.ctx, w.st, harvest.Connectors()["csw"], source.Input{Name: src.URL, Source: src, AllowPrivate: true}, harvest.Options{Now: w.now, Fetcher: f})
		return r
	}
	if r := run(); r.Created != 10 || r.State != catalog.RunPartial {
		t.Fatalf("%s: %s", r.State, r.Summary())
	}
	down.Store(false)
	asked.Store(0)
	if r := run(); r.Created != 25 || r.State != catalog.RunComplete || r.Resumed != 1 || asked.Load() != 2 {
		t.Errorf("%s, resumed %d, asked %d: %s", r.State, r.Resumed, asked.Load(), r.Summary())
	}
	if r := run(); r.Unchanged != 25 || r.Created != 0 || len(w.entries()) != 25 {
		t.Errorf("again: %s", r.Summary())
	}
}
