// Package proxy lets readers try what an entry lists: it forwards a request
// from outside the register's network to outside of it, and to nowhere else
// (decisions §6, "Proxy").
package proxy

import (
	"context"
	"net/http"
	"time"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// Bounds of a forwarded request.
const (
	timeLimit    = 10 * time.Second
	redirectsMax = 5
	// inFlightMax bounds what the answers of others take of the memory.
	inFlightMax = 32
	// countTimeout is for writing down that an entry was used.
	countTimeout = 5 * time.Second
)

// Config is what the proxy needs.
type Config struct {
	Store catalog.Store
	// Client is guarded: it connects to public addresses only, decided when
	// the connection is made. nil for a service without a proxy.
	Client *http.Client
	Now    func() time.Time
	// Observe is told of each request that was forwarded, by the slug of its
	// entry, and whether an answer came; nil for nobody.
	Observe func(slug string, answered bool)
}

type proxy struct {
	Config
	slots   chan struct{}
	timeout time.Duration
}

// Forward answers a request for what an entry lists.
func Forward(c Config) web.Handler {
	return newProxy(c).serve
}

func newProxy(c Config) *proxy {
	if c.Observe == nil {
		c.Observe = func(string, bool) {}
	}
	return &proxy{Config: c, slots: make(chan struct{}, inFlightMax), timeout: timeLimit}
}

func (p *proxy) serve(w http.ResponseWriter, r *http.Request) error {
	var q wire.ProxyRequest
	if err := web.Decode(r, &q); err != nil {
		return err
	}
	if err := check(&q); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), p.timeout)
	defer cancel()
	answer, err := p.forward(ctx, &q)
	if err != nil {
		return err
	}
	body, err := web.JSON(answer)
	if err != nil {
		return err
	}
	d := web.Document{Head: web.Head{Type: artifact.JSON, Cache: web.CacheNever}, Body: web.NewBody(body)}
	return d.Write(w, r)
}

func (p *proxy) forward(ctx context.Context, q *wire.ProxyRequest) (*wire.ProxyAnswer, error) {
	e, err := p.entry(ctx, q.Entry)
	if err != nil {
		return nil, err
	}
	t := newTarget(e)
	out, err := t.request(ctx, q)
	if err != nil {
		return nil, err
	}
	if p.Client == nil {
		return nil, problem(http.StatusServiceUnavailable, "This service has no proxy.")
	}
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	default:
		return nil, problem(http.StatusServiceUnavailable, "Too many requests are being forwarded; try again.")
	}
	answer, err := p.exchange(out, t)
	p.Observe(e.Slug, err == nil)
	if err != nil {
		return nil, err
	}
	return answer, p.count(ctx, e.ID)
}

// count keeps that an entry was used, by day and nothing else. The answer may
// have taken all the time there was, so this has its own.
func (p *proxy) count(ctx context.Context, entryID string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), countTimeout)
	defer cancel()
	use := catalog.UseDay{EntryID: entryID, Day: p.Now().UTC().Format(time.DateOnly), Uses: catalog.Uses{Proxied: 1}}
	return p.Store.Update(ctx, func(tx catalog.Tx) error { return tx.UseDays().Add(ctx, use) })
}
