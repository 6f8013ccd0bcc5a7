package catalog

import (
	"context"
	"time"
)

// RawRecord is what a source published of an entry, as it came, before the register made
// anything of it.
type RawRecord struct {
	EntryID  string `json:"entry_id"`
	SourceID string `json:"source_id"`
	// SHA256 is the lower-case hex hash of the bytes, Size how many they are.
	SHA256 string `json:"sha256"`
	Size   int    `json:"size"`
	// Media is their media type.
	Media string `json:"media"`
	// ObservedAt is when a harvest first saw it, SupersededAt when another one took its
	// place, zero for the present one.
	ObservedAt   time.Time `json:"observed_at"`
	SupersededAt time.Time `json:"superseded_at,omitzero"`
	// Body is the bytes as one frame of Zstandard (RFC 8878); nil where it was not asked
	// for, or is not kept.
	Body []byte `json:"-"`
}

// RawRecordMax bounds the bytes of a record that is kept; of a longer one the hash is kept alone.
const RawRecordMax = 1 << 20

// RawRecords stores what sources published. Bytes that several entries or times have in
// common are stored once.
type RawRecords interface {
	// Put stores the present records of entries; one that is the present one already
	// changes nothing, another one takes the place of that of the same entry and source.
	Put(ctx context.Context, list ...RawRecord) error
	// Of returns the records of an entry without their bytes, the present ones first, then
	// by the time at which they were superseded, the latest first.
	Of(ctx context.Context, entryID string) ([]RawRecord, error)
	// Body returns the compressed bytes of a hash, nil where they were not kept, or
	// ErrNotFound.
	Body(ctx context.Context, sum string) ([]byte, error)
	// Forget deletes the records of entries, and bytes that no other entry has.
	Forget(ctx context.Context, entryIDs ...string) error
	// Prune forgets what was superseded before the time and returns how many.
	Prune(ctx context.Context, before time.Time) (int64, error)
}
