package harvest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// DefaultKeepRaw is how long a record stays that another one took the place of.
const DefaultKeepRaw = 365 * 24 * time.Hour

// rawEncoder compresses one record at a time.
var rawEncoder = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1))
})

// rawOf is what a source published of a draft. What is too long to be kept has its hash
// alone.
func rawOf(d *source.Draft) catalog.RawRecord {
	if len(d.Raw) == 0 {
		return catalog.RawRecord{}
	}
	sum := sha256.Sum256(d.Raw)
	r := catalog.RawRecord{SHA256: hex.EncodeToString(sum[:]), Size: len(d.Raw), Media: d.RawMedia}
	if e, err := rawEncoder(); err == nil && len(d.Raw) <= catalog.RawRecordMax {
		r.Body = e.EncodeAll(d.Raw, nil)
	}
	return r
}

// of notes the entry that a record belongs to. One that was removed keeps no record.
func (c *candidate) of(e *catalog.Entry) {
	if e.Status != catalog.StatusRemoved {
		c.is = e.ID
	}
}

// keepRaw stores the records of a batch as they came, in the transaction that writes what
// became of them.
func (r *run) keepRaw(ctx context.Context, tx catalog.Tx, batch []*candidate) error {
	if r.opts.KeepRaw < 0 {
		return nil
	}
	list := make([]catalog.RawRecord, 0, len(batch))
	for _, c := range batch {
		if c.is == "" || c.raw.SHA256 == "" || c.rejection != nil {
			continue
		}
		raw := c.raw
		raw.EntryID, raw.SourceID, raw.ObservedAt = c.is, r.in.Source.ID, r.opts.Now
		list = append(list, raw)
	}
	if len(list) == 0 {
		return nil
	}
	return tx.RawRecords().Put(ctx, list...)
}
