package check

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/bundle"
	"github.com/assay-register/assay/render/wire"
)

// faultsMax bounds how many faults are listed; all are counted.
const faultsMax = 100

// Fault is one thing that is wrong with a site.
type Fault struct {
	Route string `json:"route"`
	What  string `json:"what"`
}

// Report tells what was checked and what is wrong.
type Report struct {
	Routes, Manifests, Links int
	// Live are the documents that a service answered itself, later than its snapshot.
	Live int
	// Graphs are documents of RDF, Statements what they say; Concepts are
	// those of the OKF bundle.
	Graphs, Statements, Feeds, Concepts int
	// Rescored are the entries whose scores were made again from what is published of them.
	Rescored int
	// Leaves are those of the log of verdicts.
	Leaves     int64
	FaultCount int
	Faults     []Fault
}

func (r *Report) fault(route, format string, args ...any) {
	r.FaultCount++
	if len(r.Faults) < faultsMax {
		r.Faults = append(r.Faults, Fault{route, fmt.Sprintf(format, args...)})
	}
}

// checker verifies one site.
type checker struct {
	// ctx is that of the one call of Check that the checker lives for.
	ctx    context.Context
	pages  output.Pages
	report Report
	// routes are those of the site, or known tells what it has under one.
	routes *listing
	known  *lookup
	// room is how many bytes of names may still be remembered.
	room  int
	base  string
	first wire.SnapshotPage
	forms *formSums
	// pages are the DCAT-AP documents that hold several entries, by route.
	paged map[string]*catalogPage
	// bundle are the media types of the files of the OKF bundle, by path.
	bundle map[string]string
	// places are the ids of the pages by route, fragments the places that
	// other pages lead to.
	places    map[string]map[string]bool
	fragments []fragment
	// archived is how many of them the archive holds.
	archived int
	// shown is what the log of verdicts must say, too, by entry; keys sign it.
	shown map[string]shown
	keys  []note.Verifier
	// rules are those by which scores are made again, nil for none; scored is what was read
	// of the entry whose turn it is. newer tells that a document is later than the snapshot.
	rules  *wire.Rules
	scored scored
	newer  bool
	// early is the hash of what a list says of an entry whose page was not read yet.
	early map[string]uint64
}

// Site verifies a published site: that every route of routes.ndjson has the
// bytes it names, that every manifest and every class sum can be recomputed,
// that every link leads somewhere, that the DCAT-AP documents, the feeds, the
// OKF bundle and the SHACL report keep the rules of their formats, and, given
// the site that was published before, that no entry vanished without a
// tombstone and no publication time moved. The error is for a site that cannot
// be read at all.
//
// The memory that it takes is bounded whatever a site says of itself: the list of routes
// goes to a temporary file, and a site whose pages name more than fits is an error.
//
// The keys are those that sign the log of verdicts; without any, the log must be signed
// by the key that it names itself.
func Site(ctx context.Context, site, before output.Pages, progress func(string, int, int), keys ...note.Verifier) (Report, error) {
	if progress == nil {
		progress = func(string, int, int) {}
	}
	c := newChecker(ctx, site)
	c.keys = keys
	err := c.site(ctx, site, before, progress)
	return c.report, errors.Join(err, c.routes.err, c.routes.close())
}

func (c *checker) site(ctx context.Context, site, before output.Pages, progress func(string, int, int)) error {
	if err := c.readSnapshot(ctx); err != nil {
		return err
	}
	if err := c.readRoutes(ctx); err != nil {
		return err
	}
	if err := c.readRules(ctx); err != nil {
		return err
	}
	if err := c.eachRoute(ctx, progress); err != nil {
		return err
	}
	c.checkUnscored()
	c.checkForms()
	c.checkPlaces()
	c.checkPaging()
	c.checkBundle(ctx)
	c.checkShapes(ctx)
	c.checkLog(ctx, before, c.keys)
	if err := c.checkRest(ctx, site); err != nil || before == nil {
		return err
	}
	if err := c.checkSame(ctx, before); err != nil {
		return err
	}
	return c.checkPromises(ctx, before)
}

func newChecker(ctx context.Context, site output.Pages) *checker {
	return &checker{ctx: ctx, pages: site, routes: &listing{limit: heldMax}, room: roomMax, forms: &formSums{sums: map[string]formSum{}},
		paged: map[string]*catalogPage{}, bundle: map[string]string{}, places: map[string]map[string]bool{}, shown: map[string]shown{}, early: map[string]uint64{}}
}

// sum is the hash of what a route leads to; false where it leads nowhere.
func (c *checker) sum(route string) (sum [sha256.Size]byte, ok bool) {
	if c.known != nil {
		return c.known.sum(route)
	}
	if l := c.routes.find(route); l != nil {
		return l.sum, true
	}
	return sum, false
}

func (c *checker) readSnapshot(ctx context.Context) error {
	b, err := readPage(ctx, c.pages, "/snapshot.json", artifact.JSON, snapshotMax)
	if err != nil {
		return fmt.Errorf("/snapshot.json: %w", err)
	}
	if err := json.Unmarshal(b, &c.first); err != nil {
		return fmt.Errorf("/snapshot.json: %w", err)
	}
	c.base = pathOf(c.first.BaseURL)
	return nil
}

func pathOf(base string) string {
	_, rest, _ := strings.Cut(base, "://")
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return strings.TrimSuffix(rest[i:], "/")
	}
	return ""
}

// namesMax is how many routes may lead to one document: a build writes two, and
// releases to come may write more.
const namesMax = 8

// routesMin is how many routes are read whatever a site counts: what is wrong with a
// small one is then told.
const routesMin = 1000

// routesMax is how many routes a site may have by what its snapshot.json says.
// Without a bound, a site of a stranger could fill the memory by its list.
func (c *checker) routesMax() int {
	files := 0
	for _, a := range c.first.Artefacts {
		if a.Files > 0 {
			files += min(a.Files, math.MaxInt32)
		}
	}
	return max(routesMin, files*namesMax)
}

// readRoutes reads every route and checks the sums of snapshot.json.
func (c *checker) readRoutes(ctx context.Context) error {
	classes, most, n, tree := map[string]*classTotal{}, c.routesMax(), 0, bundle.Tree{}
	strange, other := 0, ""
	for _, a := range c.first.Artefacts {
		if classes[a.Class] != nil {
			c.report.fault("/snapshot.json", "names the class %s twice", a.Class)
		}
		classes[a.Class] = &classTotal{sum: sha256.New()}
	}
	err := output.EachRoute(ctx, c.pages, func(l *wire.RouteLine) error {
		if n++; n > most {
			return fmt.Errorf("/routes.ndjson has more than %d lines, far more than /snapshot.json counts documents: one of them is of another site; publish it again", most)
		}
		sum, err := hex.DecodeString(l.SHA256)
		if err != nil || len(sum) != sha256.Size {
			c.report.fault(l.Route, "routes.ndjson gives no SHA-256")
			sum = make([]byte, sha256.Size)
		}
		if t := classes[l.Class]; t == nil {
			strange, other = strange+1, l.Class
		} else if l.SameAs == "" {
			t.add(l)
			tree.Add(l.Route, sum)
		}
		return c.routes.add(l.Route, [sha256.Size]byte(sum))
	})
	if err != nil {
		return err
	}
	c.routes.seal()
	if strange > 0 {
		c.report.fault("/snapshot.json", "does not name the class of %d lines of routes.ndjson, such as %q", strange, other)
	}
	for _, a := range c.first.Artefacts {
		t := classes[a.Class]
		if t.files != a.Files || t.bytes != a.Bytes || hex.EncodeToString(t.sum.Sum(nil)) != a.SHA256 {
			c.report.fault("/snapshot.json", "the sum of class %s does not match routes.ndjson", a.Class)
		}
	}
	if bound := c.first.EntryDocuments; bound != nil {
		if made := tree.Sum(); made == nil || made.Root != bound.Root || made.Leaves != bound.Leaves {
			c.report.fault("/snapshot.json", "entry_documents does not match routes.ndjson")
		}
		if hex.EncodeToString(tree.Rules) != c.first.RulesSHA256 {
			c.report.fault("/snapshot.json", "rules_sha256 does not match routes.ndjson")
		}
	}
	return nil
}

func (c *checker) eachRoute(ctx context.Context, progress func(string, int, int)) error {
	line := uint64(0)
	return output.EachRoute(ctx, c.pages, func(l *wire.RouteLine) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		c.report.Routes++
		progress("check", c.report.Routes, int(c.routes.lines))
		line++
		if known := c.routes.find(l.Route); known == nil {
			return fmt.Errorf("/routes.ndjson changed while it was read: check again when no publish is under way")
		} else if known.line != line {
			c.report.fault(l.Route, "stands twice in routes.ndjson")
		}
		c.checkRoute(ctx, l)
		return c.crowded()
	})
}

// checkRoute reads a page once, for its hash and for the rules of its format.
func (c *checker) checkRoute(ctx context.Context, l *wire.RouteLine) {
	f, err := c.pages.Open(ctx, l.Route, l.Type)
	if err != nil {
		c.report.fault(l.Route, "cannot be read: %v", err)
		return
	}
	defer f.Close()
	newer, _ := f.(interface{ Newer() bool })
	switch {
	case newer != nil && newer.Newer():
		c.checkNewer(l, f)
		return
	case c.answered(l):
		c.checkAnswer(l, f)
	default:
		c.checkDocument(l, f)
	}
	if l.SameAs == "" {
		return
	}
	own, _ := c.sum(l.Route)
	if other, ok := c.sum(l.SameAs); !ok || own != other {
		c.report.fault(l.Route, "differs from %s", l.SameAs)
	}
}
