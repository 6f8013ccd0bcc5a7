// Package proof looks on the web for the two proofs of officialness that no
// record can give (decisions §5): that the institution's own site links to the
// source, and that the source publishes its terms or a privacy policy there. It
// reads few pages, each within bounds, and tells a page without the proof from
// a page that could not be read.
package proof

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// Subject is the source that is to be proved.
type Subject struct {
	// Served are the addresses at which the source is used.
	Served []string
	// Pages are the pages to look at, the likeliest first. Those that lie
	// under no official domain are not looked at.
	Pages []string
	// Official tells whether a host lies under an official domain of the
	// institution.
	Official func(host string) bool
}

// Outcome says how the search for a proof ended.
type Outcome int

// Outcomes.
const (
	// Untried is a source without a page to look at, or a spent budget.
	Untried Outcome = iota
	// Held is a proof that was seen.
	Held
	// NotHeld is a proof that all pages lack.
	NotHeld
	// Failed is a page that could not be read, so that nothing is known.
	Failed
)

// Finding is the outcome of looking for one proof.
type Finding struct {
	Kind    catalog.SignalKind
	Outcome Outcome
	// EvidenceURL is the page that was looked at.
	EvidenceURL string
	Detail      string
}

// Prover looks for proofs on the web.
type Prover interface {
	// Prove looks for the reciprocal link and for the policy. Of each kind it
	// returns one finding, sorted by kind.
	Prove(ctx context.Context, s Subject) []Finding
}

// Limits bound what one Web reads. A zero field takes its default.
type Limits struct {
	// Pages is how many pages are fetched in all; 500.
	Pages int
	// PerSource is how many pages are looked at for one source; 3.
	PerSource int
	// PageBytes is how much of a page is read; 1 MiB.
	PageBytes int64
}

func (l Limits) orDefault() Limits {
	if l.Pages <= 0 {
		l.Pages = 500
	}
	if l.PerSource <= 0 {
		l.PerSource = 3
	}
	if l.PageBytes <= 0 {
		l.PageBytes = 1 << 20
	}
	return l
}

// Web is a Prover over pages that are fetched. Pages are kept for the life of
// it, since many sources name the same ones. It is for one goroutine.
type Web struct {
	fetch  source.Fetch
	limits Limits
	spent  int
	pages  map[string]*page
}

// NewWeb makes a Prover that fetches pages politely with fetch, within the
// limits.
func NewWeb(fetch source.Fetch, limits Limits) *Web {
	return &Web{fetch: fetch, limits: limits.orDefault(), pages: map[string]*page{}}
}

// page is what a page says, or why it could not be read.
type page struct {
	url   string
	links []link
	err   error
}

// errSpent says that the budget of pages is spent.
var errSpent = errors.New("no more pages may be fetched in this run")

// Prove implements Prover.
func (w *Web) Prove(ctx context.Context, s Subject) []Finding {
	var pages []string
	for _, u := range s.Pages {
		if s.Official(catalog.Host(u)) && !slices.Contains(pages, u) && len(pages) < w.limits.PerSource {
			pages = append(pages, u)
		}
	}
	return []Finding{
		w.look(ctx, catalog.SignalPolicy, pages, s.Official, func(p *page) (string, error) { return w.policy(ctx, s, p) }),
		w.look(ctx, catalog.SignalReciprocal, pages, s.Official, func(p *page) (string, error) { return reciprocal(s, p), nil }),
	}
}

// look searches the pages for what seen finds. One page that cannot be read
// leaves the outcome open, unless another page has the proof.
func (w *Web) look(ctx context.Context, kind catalog.SignalKind, pages []string, official func(string) bool, seen func(*page) (string, error)) Finding {
	out := Finding{Kind: kind}
	for _, u := range pages {
		p := w.read(ctx, u)
		found, err := "", p.err
		if err == nil && official(catalog.Host(p.url)) { // it may lead elsewhere
			found, err = seen(p)
		}
		switch {
		case errors.Is(err, errSpent) || ctx.Err() != nil:
			return Finding{Kind: kind}
		case err == nil && found != "":
			return Finding{Kind: kind, Outcome: Held, EvidenceURL: p.url, Detail: found}
		case err != nil && !absent(err):
			out = Finding{Kind: kind, Outcome: Failed, EvidenceURL: u, Detail: err.Error()}
		case out.Outcome == Untried:
			out = Finding{Kind: kind, Outcome: NotHeld, EvidenceURL: u, Detail: notSeen[kind]}
		}
	}
	return out
}

var notSeen = map[catalog.SignalKind]string{
	catalog.SignalPolicy:     "the page leads to no terms, licence or privacy policy of the institution",
	catalog.SignalReciprocal: "the page does not link to the source",
}

// absent tells an answer that says "there is no such page" from a failure.
func absent(err error) bool {
	var f *source.FetchError
	return errors.As(err, &f) && (f.Status == http.StatusNotFound || f.Status == http.StatusGone)
}

// read fetches a page and collects its links, once in the life of the Web.
func (w *Web) read(ctx context.Context, u string) *page {
	if p := w.pages[u]; p != nil {
		return p
	}
	if w.spent >= w.limits.Pages {
		return &page{url: u, err: errSpent}
	}
	w.spent++
	p := &page{url: u}
	resp, err := w.fetch(ctx, source.Request{URL: u, Accept: "text/html, application/xhtml+xml"})
	if err == nil {
		p.url = resp.URL
		p.links, err = readLinks(resp, w.limits.PageBytes)
		_ = resp.Body.Close() // what was read was read
	}
	if p.err = err; ctx.Err() == nil {
		w.pages[u] = p
	}
	return p
}
