package store

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/jsonx/plain"
)

// encode writes records as JSON, on all processors. encoding/json writes what
// the short way cannot.
func encode[T any](list []T) ([]string, error) {
	docs := make([]string, len(list))
	err := share(len(list), func(from, to int) error {
		var short []byte
		var long bytes.Buffer
		enc := json.NewEncoder(&long)
		enc.SetEscapeHTML(false)
		for i := from; i < to; i++ {
			var ok bool
			if short, ok = plain.Append(short[:0], &list[i]); ok {
				docs[i] = string(short)
				continue
			}
			long.Reset()
			if err := enc.Encode(list[i]); err != nil {
				return fmt.Errorf("encode %T: %w: %w", list[i], catalog.ErrInvalid, err)
			}
			docs[i] = strings.TrimSuffix(long.String(), "\n")
		}
		return nil
	})
	return docs, err
}

// shareMin is the least number of records for which starting helpers pays.
const shareMin = 32

// share calls do for parts of 0 ≤ i < n at the same time.
func share(n int, do func(from, to int) error) error {
	if n < shareMin {
		return do(0, n)
	}
	const parts = 4
	var g errgroup.Group
	for p := range parts {
		g.Go(func() error { return do(n*p/parts, n*(p+1)/parts) })
	}
	return g.Wait()
}

// decodeInto reads a document that encode wrote; each text of the record has
// memory of its own.
func decodeInto(doc string, into any) error {
	if err := json.Unmarshal([]byte(doc), into); err != nil {
		return fmt.Errorf("decode %T: %w", into, err)
	}
	return nil
}

// decodeShared is decodeInto the short way, in a fifth of the time: the texts
// of the record share the memory of its document, and whoever keeps one keeps
// the whole document. The record must be zero.
func decodeShared[T any](doc string, into *T) error {
	if plain.Read(doc, into) {
		return nil
	}
	var zero T
	*into = zero
	return decodeInto(doc, into)
}

// micros is the form of a time that is always known.
func micros(t time.Time) int64 { return t.UnixMicro() }

// microsOrNull is the form of a time that may be unknown.
func microsOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMicro()
}

func fromMicros(n int64) time.Time { return time.UnixMicro(n).UTC() }

func fromNull(n sql.NullInt64) time.Time {
	if !n.Valid {
		return time.Time{}
	}
	return fromMicros(n.Int64)
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// longKey is the length up to which a lookup key is stored as it is.
// PostgreSQL cannot index a value above 2,700 bytes.
const longKey = 512

// lookupKey shortens a key of any length to one that can be indexed and is
// equal only for equal keys.
func lookupKey(s string) string {
	const mark = "sha256:"
	if len(s) <= longKey && !strings.HasPrefix(s, mark) {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	return mark + hex.EncodeToString(sum[:])
}
