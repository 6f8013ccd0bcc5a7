package publish

import (
	"cmp"
	"context"
	"iter"
	"strings"

	"github.com/assay-register/assay/build/publish/bucket"
	"github.com/assay-register/assay/build/publish/spool"
)

// kept is an object as it was in generation N, replaced since.
type kept struct {
	Key string `json:"key"`
	N   int    `json:"n,omitempty"`
}

func newKept() *spool.Sorted[kept] {
	return spool.NewSorted(func(a, b *kept) int { return cmp.Or(strings.Compare(a.Key, b.Key), cmp.Compare(a.N, b.N)) })
}

// from is the key under which it lies.
func (k *kept) from() string { return genKey(k.N, keptDir+k.Key) }

// eachKept calls fn for what is kept of a generation: by its book, or, where a publish did
// not come to write one, by what lies there.
func eachKept(ctx context.Context, b bucket.Bucket, g *generation, fn func(kept) error) error {
	if g.Kept {
		for k, err := range sortedBook(ctx, b, genKey(g.N, keptFile), func(k *kept) string { return k.Key }) {
			if err != nil {
				return err
			}
			if err := fn(kept{k.Key, g.N}); err != nil {
				return err
			}
		}
		return nil
	}
	prefix := genKey(g.N, keptDir)
	for o, err := range b.List(ctx, prefix) {
		if err != nil {
			return err
		}
		if err := fn(kept{o.Key[len(prefix):], g.N}); err != nil {
			return err
		}
	}
	return nil
}

// putKept writes the book of what is kept of the present generation. What a publish that
// did not end kept besides is found by listing.
func putKept(ctx context.Context, b bucket.Bucket, now generation, resumed bool, list *spool.Sorted[kept]) error {
	if resumed {
		all := newKept()
		defer all.Close()
		now.Kept = false
		if err := eachKept(ctx, b, &now, all.Add); err != nil {
			return err
		}
		list = all
	}
	book, err := spool.New[kept]()
	if err != nil {
		return err
	}
	defer book.Close()
	for k, err := range list.All() {
		if err != nil {
			return err
		}
		if err := book.Add(&kept{Key: k.Key}); err != nil {
			return err
		}
	}
	return putBook(ctx, b, genKey(now.N, keptFile), book)
}

// clearGeneration removes the books of one that is not kept any more: the objects first,
// what names them last, so that a publish that is killed here is gone on with.
func clearGeneration(ctx context.Context, b bucket.Bucket, g *generation) error {
	err := eachKept(ctx, b, g, func(k kept) error { return b.Delete(ctx, k.from()) })
	for _, name := range []string{planFile, progressFile, keptFile, indexFile} {
		if err == nil {
			err = b.Delete(ctx, genKey(g.N, name))
		}
	}
	return err
}

// listed yields what lies in the bucket as what is not known, but for the books.
func listed(ctx context.Context, b bucket.Bucket) (*spool.Sorted[bucket.Listed], error) {
	all := spool.NewSorted(func(a, b *bucket.Listed) int { return strings.Compare(a.Key, b.Key) })
	for o, err := range b.List(ctx, "") {
		if err != nil {
			return all, err
		}
		if strings.HasPrefix(o.Key, hidden) || checkKey("", o.Key) != nil {
			continue
		}
		if err := all.Add(o); err != nil {
			return all, err
		}
	}
	return all, nil
}

// indexed yields an index as what is known.
func indexed(lines iter.Seq2[line, error]) iter.Seq2[known, error] {
	return func(yield func(known, error) bool) {
		for l, err := range lines {
			if !yield(known{line: l}, err) {
				return
			}
		}
	}
}

// confirmed yields what an index names, without what is not known of it unless it lies in
// the bucket with its size, and what lies there besides.
func confirmed(lines iter.Seq2[known, error], there *spool.Sorted[bucket.Listed]) iter.Seq2[known, error] {
	return merged(lines, there.All(), func(a *known, b *bucket.Listed) int { return strings.Compare(a.Key, b.Key) }, func(k *known, o *bucket.Listed) (*known, error) {
		switch {
		case k == nil:
			k = &known{line: line{Key: o.Key}, Strange: true}
		case o == nil || k.Size > 0 && k.Size != o.Size:
			k.Version, k.Unsure = "", true
		}
		return k, nil
	})
}
