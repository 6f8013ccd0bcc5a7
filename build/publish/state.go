package publish

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"github.com/assay-register/assay/build/publish/bucket"
)

// state is what the bucket says of itself: it names the publishes that ended.
type state struct {
	// Generations are those kept for a rollback and the present one, oldest
	// first.
	Generations []generation `json:"generations"`
	// Clearing are those that are not kept any more, and whose books may be there yet.
	Clearing []generation `json:"clearing,omitempty"`
}

type generation struct {
	N           int       `json:"n"`
	Snapshot    string    `json:"snapshot"`
	PublishedAt time.Time `json:"published_at"`
	// Index is the form of its index: from indexForm on it names the pages of entries.
	Index int `json:"index,omitempty"`
	// Edge is a digest of the configuration of servers that lies beside it.
	Edge string `json:"edge,omitempty"`
	// Site is a digest of all that it was made of, "" where that is not known; Objects is how
	// many it has, Left how many of earlier ones wait for their deletion.
	Site    string `json:"site,omitempty"`
	Objects int    `json:"objects,omitempty"`
	Left    int    `json:"left,omitempty"`
	// Whole tells that it is a snapshot file and not what is in one.
	Whole bool `json:"whole,omitempty"`
	// Kept tells that a book names what is kept of it.
	Kept bool `json:"kept,omitempty"`
}

// indexForm is the form of an index that this release writes.
const indexForm = 2

// stateMax bounds the documents that are read as a whole, in bytes.
const stateMax = 16 << 20

// readSmall reads a document as a whole; a missing one is nil.
func readSmall(ctx context.Context, b bucket.Bucket, key string) ([]byte, error) {
	f, err := b.Get(ctx, key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, stateMax))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	if text == nil {
		text = []byte{} // it is there, and empty
	}
	return text, nil
}

// readJSON reads a small document; a missing one leaves v as it is.
func readJSON(ctx context.Context, b bucket.Bucket, key string, v any) error {
	text, err := readSmall(ctx, b, key)
	if err != nil || text == nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return damaged(key, err)
	}
	return nil
}

func writeJSON(ctx context.Context, b bucket.Bucket, key string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return b.Put(ctx, key, bytes.NewReader(text), bucket.Object{Type: "application/json", Cache: noStore, Size: int64(len(text))})
}

// noStore keeps caches from the bucket's own books.
const noStore = "no-store"

// check refuses a state that no publish wrote: generations count up from 1.
func (s *state) check() error {
	last := 0
	for _, g := range append(slices.Clone(s.Clearing), s.Generations...) {
		if g.N <= last || g.N > generationMax {
			return damaged(stateKey, fmt.Errorf("generation %d follows %d", g.N, last))
		}
		last = g.N
	}
	return nil
}

// generationMax is more publishes than anyone makes.
const generationMax = 1 << 40

// current is the generation that is live; zero before the first publish.
func (s *state) current() generation {
	if len(s.Generations) == 0 {
		return generation{}
	}
	return s.Generations[len(s.Generations)-1]
}

// find is the latest generation of a snapshot.
func (s *state) find(snapshot string) (generation, bool) {
	for i := len(s.Generations) - 1; i >= 0; i-- {
		if s.Generations[i].Snapshot == snapshot {
			return s.Generations[i], true
		}
	}
	return generation{}, false
}

// retain drops the generations that are neither among the newest keep nor were
// replaced less than keepFor ago, by the rule of snapshot files (decisions §2). The
// present one always stays.
func (s *state) retain(keep int, keepFor time.Duration, now time.Time) {
	from := 0
	for i := 0; i < len(s.Generations)-1; i++ {
		replaced := s.Generations[i+1].PublishedAt
		if len(s.Generations)-i <= keep || now.Sub(replaced) < keepFor {
			break
		}
		from = i + 1
	}
	s.Clearing = append(s.Clearing, s.Generations[:from]...)
	s.Generations = s.Generations[from:]
}

// oldest is the number of the oldest generation that is kept, 0 if there is
// none.
func (s *state) oldest() int {
	if len(s.Generations) == 0 {
		return 0
	}
	return s.Generations[0].N
}
