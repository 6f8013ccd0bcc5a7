package check

import (
	"cmp"
	"context"
	"crypto/sha256"
	"iter"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

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
	c, err := newPart(ctx, site)
	if err != nil {
		return Report{}, err
	}
	if err := c.documents(ctx, site, change, progress); err != nil {
		return c.report, err
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

// newPart is a checker of some documents of a site.
func newPart(ctx context.Context, site Index) (*checker, error) {
	c := newChecker(ctx, site)
	c.known = &lookup{site: site, recent: map[string]found{}}
	return c, c.readSnapshot(ctx)
}

// documents checks the documents side by side.
func (c *checker) documents(ctx context.Context, site Index, change *Change, progress func(string, int, int)) error {
	lines := make(chan wire.RouteLine)
	g, ctx := errgroup.WithContext(ctx)
	parts := make([]*checker, runtime.GOMAXPROCS(0))
	for i := range parts {
		part, err := newPart(ctx, site)
		if err != nil {
			return err
		}
		parts[i], part.forms = part, c.forms
		g.Go(func() error {
			for l := range lines {
				part.document(ctx, &l)
			}
			return part.known.err
		})
	}
	g.Go(func() error {
		defer close(lines)
		read := 0
		for l, err := range change.Documents {
			if err != nil {
				return err
			}
			select {
			case lines <- l:
				read++
				progress("check", read, change.Count)
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	err := g.Wait()
	for _, part := range parts {
		c.take(part)
	}
	slices.SortFunc(c.report.Faults, func(a, b Fault) int { return cmp.Or(cmp.Compare(a.Route, b.Route), cmp.Compare(a.What, b.What)) })
	return err
}

// document checks one, and forgets what is for all documents together.
func (c *checker) document(ctx context.Context, l *wire.RouteLine) {
	c.report.Routes++
	c.checkRoute(ctx, l)
	clear(c.paged)
	clear(c.places)
	clear(c.bundle)
	c.fragments = c.fragments[:0]
}

// take adds what another checker found.
func (c *checker) take(part *checker) {
	r, p := &c.report, &part.report
	r.Routes, r.Manifests, r.Links = r.Routes+p.Routes, r.Manifests+p.Manifests, r.Links+p.Links
	r.Graphs, r.Statements, r.Feeds, r.Concepts = r.Graphs+p.Graphs, r.Statements+p.Statements, r.Feeds+p.Feeds, r.Concepts+p.Concepts
	r.FaultCount += p.FaultCount
	r.Faults = append(r.Faults, p.Faults[:min(len(p.Faults), faultsMax-len(r.Faults))]...)
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
