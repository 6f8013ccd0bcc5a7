package snapshot

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/jsonx"
)

// Parts of an encoded snapshot (PartRoute).
const (
	HeadFile  = "head.json"
	LinesFile = "lines.ndjson"
	ItemsFile = "items.ndjson"
	// ThroughFile holds Catalog.Through in decimal: a
	// snapshot of the same id may show more events, as most change nothing that
	// is shown.
	ThroughFile = "through"
)

// head is what an encoded snapshot holds besides lines and items.
type head struct {
	Format       int                   `json:"format"`
	ID           string                `json:"id"`
	Site         Site                  `json:"site"`
	Day          time.Time             `json:"day"`
	AsOf         time.Time             `json:"as_of"`
	Entries      int                   `json:"entries"`
	Gone         []Tombstone           `json:"gone"`
	Redirects    map[string]string     `json:"redirects"`
	Institutions []catalog.Institution `json:"institutions"`
	Licences     []catalog.Licence     `json:"licences"`
	MergedBodies map[string]string     `json:"merged_institutions,omitempty"`
}

// EncodeHead writes what stands beside the lines.
func (c *Catalog) EncodeHead(w io.Writer) error {
	h := head{Format, c.ID, c.Site, c.Day, c.AsOf, len(c.Lines), c.Gone, c.Redirects, nil, nil, c.MergedBodies}
	for _, id := range slices.Sorted(maps.Keys(c.Institutions)) {
		if c.Institutions[id].ID != id {
			continue // merged
		}
		h.Institutions = append(h.Institutions, *c.Institutions[id])
	}
	for _, id := range slices.Sorted(maps.Keys(c.Licences)) {
		h.Licences = append(h.Licences, *c.Licences[id])
	}
	b, err := jsonx.Marshal(&h)
	if err != nil {
		return fmt.Errorf("snapshot %s: %w", c.ID, err)
	}
	_, err = w.Write(b)
	return err
}

// EncodeLines writes the index, one line an entry.
func (c *Catalog) EncodeLines(w io.Writer) error {
	buf := bufio.NewWriterSize(w, 1<<16)
	for i := range c.Lines {
		b, err := jsonx.Marshal(&c.Lines[i])
		if err != nil {
			return fmt.Errorf("line of entry %s: %w", c.Lines[i].ID, err)
		}
		buf.Write(b)
		buf.WriteByte('\n')
	}
	return buf.Flush()
}

// Decode reads an encoded snapshot. items stays in use by the catalog.
func Decode(headR, lines io.Reader, items io.ReaderAt) (*Catalog, error) {
	var h head
	if err := json.NewDecoder(headR).Decode(&h); err != nil {
		return nil, fmt.Errorf("snapshot head: %w", err)
	}
	if h.Format != Format {
		return nil, fmt.Errorf("snapshot %s has format %d, this program reads %d: build the site again: %w", h.ID, h.Format, Format, catalog.ErrInvalid)
	}
	c := &Catalog{ID: h.ID, Site: h.Site, Day: h.Day, AsOf: h.AsOf, Gone: h.Gone, Redirects: h.Redirects, Items: items, Outages: &Outages{},
		Institutions: map[string]*catalog.Institution{}, Licences: map[string]*catalog.Licence{}}
	for i := range h.Institutions {
		c.Institutions[h.Institutions[i].ID] = &h.Institutions[i]
	}
	c.MergedBodies = h.MergedBodies
	for i := range h.Licences {
		c.Licences[h.Licences[i].ID] = &h.Licences[i]
	}
	c.Lines = make([]Line, h.Entries)
	interner := newInterner()
	dec := json.NewDecoder(bufio.NewReaderSize(lines, 1<<16))
	var traits Traits // those of one line after the other
	for i := range c.Lines {
		traits = Traits{}
		c.Lines[i].Traits = &traits
		if err := dec.Decode(&c.Lines[i]); err != nil {
			return nil, fmt.Errorf("snapshot %s, line %d of %d: %w", h.ID, i+1, h.Entries, err)
		}
		interner.keep(&c.Lines[i])
	}
	c.order()
	return c, nil
}
