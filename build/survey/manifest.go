package survey

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
)

// manifestForm names the form of a manifest and its version.
const manifestForm = "assay.survey/1"

// manifest is what a look keeps for good: what lay at a source, by its hash,
// its size and its schema. It holds no value of the data, so nothing personal,
// and no time, so that the same finding is the same bytes.
type manifest struct {
	Form string `json:"manifest"`
	// Name, Slug, Type and Source tell which entry it is about.
	Name   string            `json:"name"`
	Slug   string            `json:"slug"`
	Type   catalog.EntryType `json:"type"`
	Source string            `json:"primary_source_url"`
	// URL is the address that was read, SHA256 and Bytes are of what was read:
	// the whole document unless Truncated.
	URL       string          `json:"url"`
	SHA256    string          `json:"sha256"`
	Bytes     int             `json:"bytes"`
	Truncated bool            `json:"truncated"`
	Kind      string          `json:"kind"`
	Records   *int64          `json:"record_count"`
	Fields    []manifestField `json:"fields"`
}

type manifestField struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Concept string `json:"concept,omitempty"`
}

// keep stores the manifest of a good sample when the source is new or its
// schema changed, and when none was kept before, so that what is kept grows
// with what changes and not with the number of looks.
func (w *change) keep(ctx context.Context, tx catalog.Tx, f *findings, changed bool) error {
	p := f.profile
	if f.sum == ([sha256.Size]byte{}) || p == nil || p.Status != catalog.ProfileOK || len(p.Fields) == 0 {
		return nil
	}
	if !changed {
		kept, err := keeps(ctx, tx, w.Entry.ID)
		if err != nil || kept {
			return err
		}
	}
	body, err := json.Marshal(newManifest(w.Entry, f, p))
	if err != nil {
		return fmt.Errorf("manifest of what was sampled: %w", err)
	}
	sum := sha256.Sum256(body)
	e := catalog.Evidence{EntryID: w.Entry.ID, SHA256: hex.EncodeToString(sum[:]), Body: body, Media: artifact.JSON, Kept: true, CreatedAt: w.At}
	e.ID = catalog.NewID("evidence", e.EntryID+" "+e.SHA256)
	return tx.Evidences().Put(ctx, e)
}

// keeps tells whether a manifest of an entry is kept.
func keeps(ctx context.Context, tx catalog.Tx, entryID string) (kept bool, err error) {
	err = tx.Evidences().Scan(ctx, catalog.Only(entryID), func(e *catalog.Evidence) error {
		kept = kept || e.Kept
		return nil
	})
	return kept, err
}

func newManifest(e *catalog.Entry, f *findings, p *catalog.Profile) *manifest {
	m := &manifest{Form: manifestForm, Name: e.Name, Slug: e.Slug, Type: e.Type, Source: e.PrimarySourceURL, URL: f.source,
		SHA256: hex.EncodeToString(f.sum[:]), Bytes: f.bytes, Truncated: p.Truncated, Kind: p.Kind, Records: p.RecordCount, Fields: []manifestField{}}
	for _, x := range p.Fields {
		m.Fields = append(m.Fields, manifestField{x.Name, x.Type, x.Concept})
	}
	return m
}
