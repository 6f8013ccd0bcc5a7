// Package api renders the JSON answers of the register as static files.
package api

import (
	"fmt"
	"time"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// PageSize is how many entries a static list page has (decisions §2).
const PageSize = 20

// Emit takes one finished file.
type Emit func(artifact.File) error

func entryRoute(id, part string) string {
	if part == "" {
		return "/api/v1/entries/" + id
	}
	return "/api/v1/entries/" + id + "/" + part
}

// Entry renders the pages that show one entry alone.
func Entry(s *snapshot.Scored) ([]artifact.File, error) {
	e := s.Entry()
	page, err := wire.EntryIn(artifact.Buffer(roomOf), s)
	if err != nil {
		return nil, fmt.Errorf("entry %s: %w", e.ID, err)
	}
	files := make([]artifact.File, 1, 7)
	files[0] = file(entryRoute(e.ID, ""), artifact.ClassEntry, &page)
	files[0].Alias = entryRoute(e.Slug, "")
	provenance, quality, history, checks, preview := wire.NewProvenance(s), wire.NewQualityScore(s), wire.NewQualityHistory(s), wire.NewChecks(s.Row, s.Day), wire.NewPreview(s)
	incidents := wire.NewEntryIncidents(s)
	return parts(files, e.ID, []part{
		{"provenance", &provenance, s.SettledAt}, {"quality-score", &quality, wire.ScoredAt(s)}, {"quality-history", &history, s.SettledAt},
		{"checks", &checks, s.ChangedAt}, {"preview", &preview, s.SettledAt}, {"incidents", &incidents, wire.IncidentsAt(s)},
	})
}

// Related renders the pages that set an entry beside others.
func Related(c *snapshot.Catalog, ordinal int) ([]artifact.File, error) {
	id := c.Lines[ordinal].ID
	relations, relationsAt := wire.NewRelations(c, ordinal)
	related, relatedAt := wire.NewRelated(c, ordinal, c.Related(ordinal))
	alternatives, alternativesAt := wire.NewRelated(c, ordinal, c.Alternatives(ordinal))
	files := make([]artifact.File, 0, 4)
	// A series is written beside the first of its members.
	if s := c.SeriesOf(ordinal); s != nil && int(s.Members[0]) == ordinal {
		page, changed := wire.NewSeriesPage(c, s)
		f, err := sealed(wire.SeriesRoute(s.ID), artifact.ClassEntryPart, page, changed)
		if err != nil {
			return nil, fmt.Errorf("series %s: %w", s.ID, err)
		}
		files = append(files, f)
	}
	return parts(files, id, []part{
		{"relations", &relations, relationsAt}, {"related", &related, relatedAt}, {"alternatives", &alternatives, alternativesAt},
	})
}

// part is a page below that of an entry, with the latest change among what it
// shows.
type part struct {
	name string
	body any
	at   time.Time
}

// parts appends the files of the parts of an entry.
func parts(files []artifact.File, id string, list []part) ([]artifact.File, error) {
	for i := range list {
		p := &list[i]
		page, err := wire.SealIn(artifact.Buffer(roomOf), p.body, p.at)
		if err != nil {
			return nil, fmt.Errorf("entry %s, %s: %w", id, p.name, err)
		}
		files = append(files, file(entryRoute(id, p.name), artifact.ClassEntryPart, &page))
	}
	return files, nil
}

// roomOf is what nearly every page needs, in bytes.
const roomOf = 32 << 10

func file(route string, class artifact.Class, page *wire.Sealed) artifact.File {
	return artifact.File{Route: route, Type: artifact.JSON, Class: class, Body: page.Body, Pooled: true, Sums: &artifact.Sums{Body: page.Sum, Manifest: page.Answer}}
}

// sealed renders a page that is made once for a whole catalog.
func sealed(route string, class artifact.Class, body any, changed time.Time) (artifact.File, error) {
	page, err := wire.SealIn(nil, body, changed)
	return artifact.File{Route: route, Type: artifact.JSON, Class: class, Body: page.Body, Sums: &artifact.Sums{Body: page.Sum, Manifest: page.Answer}}, err
}
