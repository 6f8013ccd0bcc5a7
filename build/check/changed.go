package check

import (
	"context"
	"crypto/sha256"
	"iter"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/wire"
)

// Index is a site that finds the hash of a document by its route.
type Index interface {
	output.Pages
	Sum(route string) (sum [sha256.Size]byte, found bool, err error)
}

// Change is what became of a site since it was published.
type Change struct {
	// Documents are those that are new or other than before, under each of their routes,
	// as many as Count says.
	Documents iter.Seq2[wire.RouteLine, error]
	Count     int
	// Promises are the pages of entries among them, and of those that are gone; Before is
	// the site that they are compared with.
	Promises iter.Seq2[Promise, error]
	Before   output.Pages
}

// Changed verifies what changed of a site of which the rest was verified before: the
// hash of each of the documents, its links, the rules of its format, and the promises.
// What only all documents together show (Site), it does not look for. The memory that it
// takes does not grow with the site.
func Changed(ctx context.Context, site Index, change *Change, progress func(string, int, int)) (Report, error) {
	if progress == nil {
		progress = func(string, int, int) {}
	}
	c := newChecker(ctx, site)
	c.known = &lookup{site: site, recent: map[string]found{}}
	if err := c.readSnapshot(ctx); err != nil {
		return c.report, err
	}
	for l, err := range change.Documents {
		if err != nil || ctx.Err() != nil {
			return c.report, orDone(ctx, err)
		}
		c.report.Routes++
		progress("check", c.report.Routes, change.Count)
		c.checkRoute(ctx, &l)
		// These are for what is said of all documents together.
		clear(c.paged)
		clear(c.places)
		clear(c.bundle)
		c.fragments = c.fragments[:0]
	}
	gone, err := c.tombstones(ctx)
	if err != nil {
		return c.report, err
	}
	for p, err := range change.Promises {
		if err != nil {
			return c.report, err
		}
		if err := c.promise(ctx, change.Before, &p, gone); err != nil {
			return c.report, err
		}
	}
	return c.report, c.known.err
}

func orDone(ctx context.Context, err error) error {
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// recentMax bounds the routes that a lookup remembers.
const recentMax = 1 << 16

// lookup asks the index of a site, and remembers what pages name again and again.
type lookup struct {
	site   Index
	recent map[string]found
	// err is the first one; nothing is known of what could not be read.
	err error
}

type found struct {
	sum [sha256.Size]byte
	ok  bool
}

func (k *lookup) sum(route string) (sum [sha256.Size]byte, ok bool) {
	if f, known := k.recent[route]; known {
		return f.sum, f.ok
	}
	sum, ok, err := k.site.Sum(route)
	if err != nil && k.err == nil {
		k.err = err
	}
	if len(k.recent) == recentMax {
		clear(k.recent)
	}
	k.recent[route] = found{sum, ok}
	return sum, ok
}
