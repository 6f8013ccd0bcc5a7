package harvest_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/render/catalog"
)

// TestPublishersOfASource: each stated publisher with its institution, how that was
// found, and how many entries it has.
func TestPublishersOfASource(t *testing.T) {
	w := newWorld(t)
	a, b, c := draft("h:k:1", "Tide Times", tides), draft("h:k:2", "Tide Tables", tides+"/tables"), draft("h:k:3", "Currents", tides+"/c")
	a.PublisherName, a.Entry.PublisherName, b.PublisherName, b.Entry.PublisherName = "Harbour Board", "Harbour Board", "Harbour Board", "Harbour Board"
	c.PublisherName, c.Entry.PublisherName = "", ""
	w.run(w.official, harvest.Options{}, a, b, c)
	// A removed entry is none of the source's any more.
	gone := draft("h:k:4", "Tide Gauges", tides+"/gauges")
	gone.PublisherName, gone.Entry.PublisherName = "Harbour Board", "Harbour Board"
	w.run(w.official, harvest.Options{}, a, b, c, gone)
	w.update(func(tx catalog.Tx) error {
		e := w.known("h:k:4")
		e.Status, e.RemovedAt = catalog.StatusRemoved, w.now
		return tx.Entries().Put(w.ctx, catalog.Write{Entry: &e, Events: []catalog.Event{{Type: catalog.EventRemoved, OccurredAt: w.now}}})
	})
	rows, err := harvest.Publishers(t.Context(), w.st, w.official.ID)
	if err != nil || len(rows) == 0 {
		t.Fatal(rows, err)
	}
	first := rows[0]
	if first.Publisher != "Harbour Board" || first.Records != 2 || first.InstitutionID == "" || first.State != catalog.InstitutionKnown || first.Key != "gb-tides" || first.Rule == "" || first.Evidence != "gb-tides" {
		t.Errorf("%+v", first)
	}
	total := 0
	for _, r := range rows {
		total += r.Records
	}
	if total != 3 {
		t.Errorf("%d entries in %+v", total, rows)
	}
	if rows, err = harvest.Publishers(t.Context(), w.st, "none"); err != nil || len(rows) != 0 {
		t.Errorf("a source without entries: %+v, %v", rows, err)
	}
}

// TestOfficialSourceWithoutCountry: the operator is told before the run.
func TestOfficialSourceWithoutCountry(t *testing.T) {
	for _, c := range []struct {
		source, given string
		warned        bool
	}{{"", "", true}, {"GB", "", false}, {"", "GB", false}} {
		w := newWorld(t)
		s := w.official
		s.CountryCode = c.source
		var log bytes.Buffer
		w.run(s, harvest.Options{Country: c.given, Log: slog.New(slog.NewTextHandler(&log, nil))}, draft("h:k:1", "Tide Times", tides))
		if warned := strings.Contains(log.String(), "names no country"); warned != c.warned {
			t.Errorf("source %q, harvest %q: %s", c.source, c.given, log.String())
		}
	}
}
