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
	page, err := wire.EncodeEntry(s, false)
	if err != nil {
		return nil, err
	}
	files := []artifact.File{{Route: entryRoute(e.ID, ""), Alias: entryRoute(e.Slug, ""), Type: artifact.JSON, Class: artifact.ClassEntry, Body: page}}
	for _, part := range []struct {
		name string
		body any
	}{
		{"provenance", wire.NewProvenance(s)},
		{"quality-score", wire.NewQualityScore(s)},
		{"quality-history", wire.NewQualityHistory(s)},
		{"checks", wire.NewChecks(s)},
		{"preview", wire.NewPreview(s)},
	} {
		f, err := sealed(entryRoute(e.ID, part.name), artifact.ClassEntryPart, part.body, s.ChangedAt)
		if err != nil {
			return nil, fmt.Errorf("entry %s, %s: %w", e.ID, part.name, err)
		}
		files = append(files, f)
	}
	return files, nil
}

// Linked renders the pages that set an entry beside others.
func Linked(c *snapshot.Catalog, ordinal int) ([]artifact.File, error) {
	id := c.Lines[ordinal].ID
	relations, relationsAt := wire.NewRelations(c, ordinal)
	related, relatedAt := wire.NewRelated(c, ordinal, c.Related(ordinal))
	alternatives, alternativesAt := wire.NewRelated(c, ordinal, c.Alternatives(ordinal))
	var files []artifact.File
	for _, part := range []struct {
		name string
		body any
		at   time.Time
	}{
		{"relations", relations, relationsAt}, {"related", related, relatedAt}, {"alternatives", alternatives, alternativesAt},
	} {
		f, err := sealed(entryRoute(id, part.name), artifact.ClassEntryPart, part.body, part.at)
		if err != nil {
			return nil, fmt.Errorf("entry %s, %s: %w", id, part.name, err)
		}
		files = append(files, f)
	}
	return files, nil
}

func sealed(route string, class artifact.Class, body any, changed time.Time) (artifact.File, error) {
	b, err := wire.Seal(body, changed, false)
	return artifact.File{Route: route, Type: artifact.JSON, Class: class, Body: b}, err
}
