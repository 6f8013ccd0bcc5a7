package publish

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"path/filepath"
	"strings"

	"github.com/assay-register/assay/build/publish/bucket"
	"github.com/assay-register/assay/build/publish/spool"
)

// Places below the hidden folder of the bucket.
const (
	hidden   = bucket.Books
	stateKey = bucket.StateKey
	genDir   = hidden + "gen/"
)

func genKey(n int, name string) string { return fmt.Sprintf("%s%d/%s", genDir, n, name) }

// Books of a generation.
const (
	indexFile    = "manifest.ndjson.gz"
	planFile     = "plan.ndjson.gz"
	progressFile = "progress.json"
	keptDir      = "kept/"
	keptFile     = "kept.ndjson.gz"
)

// line is one object in the index of a generation.
type line struct {
	Key string `json:"key"`
	// Version tells whether an object is the one that is wanted: a digest of
	// its bytes and its description. "" is one of which nothing is known.
	Version string `json:"version,omitempty"`
	Rank    rank   `json:"rank,omitempty"`
	// Size is that of a document that is stored as it is, in bytes.
	Size int64 `json:"size,omitempty"`
	// Entry is the route of the page of an entry, for which promises are kept; "" for
	// everything else.
	Entry string `json:"entry,omitempty"`
	// Gone is the generation that had no such key any more, 0 for a live one.
	Gone int `json:"gone,omitempty"`
}

// known is what is known of an object of the bucket.
type known struct {
	line
	// Touched tells that a publish that did not end may have written it, Deleted that it
	// may have deleted it, Unsure that it may not be there.
	Touched, Deleted, Unsure bool
	// Strange is an object that no index names.
	Strange bool
}

func byKey(a, b *known) int { return strings.Compare(a.Key, b.Key) }

// readIndex yields the objects of a generation. Each key must be one that a
// site may have, and greater than the one before: an index that is not like
// that would have pages deleted that are live.
func readIndex(ctx context.Context, b bucket.Bucket, n int) iter.Seq2[line, error] {
	return sortedBook(ctx, b, genKey(n, indexFile), func(l *line) string { return l.Key })
}

// sortedBook reads a book whose keys are those of pages, and in order.
func sortedBook[T any](ctx context.Context, b bucket.Bucket, book string, keyOf func(*T) string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		last := ""
		for v, err := range readBook[T](ctx, b, book) {
			key := keyOf(&v)
			if err == nil {
				err = checkKey(book, key)
			}
			if err == nil && key <= last {
				err = damaged(book, fmt.Errorf("%q follows %q", key, last))
			}
			if !yield(v, err) || err != nil {
				return
			}
			last = key
		}
	}
}

// checkKey refuses a key of the books that leads to the books themselves, or out
// of the target.
func checkKey(book, key string) error {
	if !filepath.IsLocal(filepath.FromSlash(key)) || path.Clean(key) != key || strings.HasPrefix(key+"/", hidden) {
		return damaged(book, fmt.Errorf("%q is no key of a page", key))
	}
	return nil
}

// damaged is the error of a book that no publish wrote.
func damaged(book string, err error) error {
	return fmt.Errorf("%s is damaged: %w; restore it, or publish to another target", book, err)
}

// readBook yields the values of compressed NDJSON; a missing object yields none.
func readBook[T any](ctx context.Context, b bucket.Bucket, key string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		f, err := b.Get(ctx, key)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(none, err)
			return
		}
		defer f.Close()
		for v, err := range spool.Decode[T](f) {
			if err != nil {
				yield(none, damaged(key, err))
				return
			}
			if !yield(v, nil) {
				return
			}
		}
	}
}

// putBook stores a list.
func putBook[T any](ctx context.Context, b bucket.Bucket, key string, list *spool.List[T]) error {
	in, err := list.Stored()
	if err != nil {
		return err
	}
	return b.Put(ctx, key, in, bucket.Object{Type: "application/gzip", Cache: noStore, Size: in.Size()})
}

// join goes through two lists that are in order, and calls fn for what is in either: with
// nil for the one that has it not. The first value of each is its own; b may repeat one.
func join[A, B any](a iter.Seq2[A, error], b iter.Seq2[B, error], compare func(*A, *B) int, fn func(*A, *B) error) error {
	nextB, stop := iter.Pull2(b)
	defer stop()
	vb, err, more := nextB()
	behind := func(before func() bool) error { // those of b that come before the next of a
		for more && err == nil && before() {
			if err := fn(nil, &vb); err != nil {
				return err
			}
			vb, err, more = nextB()
		}
		return err
	}
	for va, errA := range a {
		if errA != nil {
			return errA
		}
		if err := behind(func() bool { return compare(&va, &vb) > 0 }); err != nil {
			return err
		}
		if !more || compare(&va, &vb) < 0 {
			if err := fn(&va, nil); err != nil {
				return err
			}
			continue
		}
		if err := fn(&va, &vb); err != nil {
			return err
		}
		vb, err, more = nextB()
	}
	return behind(func() bool { return true })
}

// errStop ends a walk whose reader has enough.
var errStop = errors.New("enough")

// merged yields what fn makes of two lists that are joined, but for nil.
func merged[A, B, C any](a iter.Seq2[A, error], b iter.Seq2[B, error], compare func(*A, *B) int, fn func(*A, *B) (*C, error)) iter.Seq2[C, error] {
	return func(yield func(C, error) bool) {
		err := join(a, b, compare, func(x *A, y *B) error {
			c, err := fn(x, y)
			if err == nil && c != nil && !yield(*c, nil) {
				err = errStop
			}
			return err
		})
		if err != nil && !errors.Is(err, errStop) {
			var none C
			yield(none, err)
		}
	}
}
