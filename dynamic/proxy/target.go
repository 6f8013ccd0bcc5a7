package proxy

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/score"
	"github.com/assay-register/assay/render/wire"
)

// mergersMax bounds a chain of mergers.
const mergersMax = 8

// entry finds a public entry by id or slug that may be tried without
// credentials.
func (p *proxy) entry(ctx context.Context, name string) (*catalog.Entry, error) {
	e, err := p.find(ctx, name)
	if err != nil {
		return nil, err
	}
	visible := e.Status == catalog.StatusActive || e.Status == catalog.StatusDeprecated
	switch {
	case e.Status == catalog.StatusRemoved && !e.PublishedAt.IsZero():
		return nil, problem(http.StatusGone, "The entry was removed from the register.")
	case !visible || e.PublishedAt.IsZero() || e.PublishedAt.After(p.Now()):
		return nil, problem(http.StatusNotFound, "No entry has this id or slug.")
	case e.FreeAccessClass != catalog.AccessFreeNoAuth:
		return nil, problem(http.StatusForbidden, fmt.Sprintf("The access class of this entry is %s; only entries of the class %s can be tried.",
			e.FreeAccessClass, catalog.AccessFreeNoAuth))
	}
	return e, nil
}

// find reads an entry, following mergers.
func (p *proxy) find(ctx context.Context, name string) (found *catalog.Entry, err error) {
	err = p.Store.View(ctx, func(tx catalog.Tx) error {
		id := strings.ToLower(name)
		if owners, err := tx.Entries().BySlug(ctx, name); err != nil {
			return err
		} else if owner := owners[name]; owner != "" {
			id = owner
		}
		for range mergersMax {
			list, err := tx.Entries().Get(ctx, id)
			if err != nil {
				return err
			}
			if len(list) == 0 {
				return problem(http.StatusNotFound, "No entry has this id or slug.")
			}
			if found, id = &list[0], list[0].MergedIntoID; id == "" {
				return nil
			}
		}
		return problem(http.StatusGone, "The entry was merged too often to be found.")
	})
	return found, err
}

// target is where an entry's requests may go.
type target struct {
	main *url.URL
	// base tells that main is the base of an API, to which paths are added.
	base bool
	// hosts are names with ports.
	hosts map[string]bool
}

// newTarget collects the addresses of an entry at which a machine can ask; the
// sites of its documentation and code are not its own to be asked.
func newTarget(e *catalog.Entry) *target {
	t := &target{hosts: map[string]bool{}}
	if e.API != nil {
		t.add(e.API.BaseURL)
		t.base = t.main != nil
		t.add(e.API.PingURL)
	}
	for _, a := range score.AccessOf(e).Actions {
		if a.Kind != "docs" && a.Kind != "landing" {
			t.add(a.URL)
		}
	}
	t.add(e.PrimarySourceURL)
	return t
}

func (t *target) add(raw string) {
	u, err := url.Parse(raw)
	if raw == "" || err != nil || plain(u) != nil {
		return
	}
	if t.main == nil {
		t.main = u
	}
	t.hosts[hostOf(u)] = true
}

// request makes the request that is forwarded.
func (t *target) request(ctx context.Context, q *wire.ProxyRequest) (*http.Request, error) {
	if t.main == nil {
		return nil, problem(http.StatusForbidden, "The entry lists no address that can be asked.")
	}
	u, err := t.resolve(q.Path)
	if err != nil {
		return nil, err
	}
	if err := t.allows(u); err != nil {
		return nil, err
	}
	if len(q.Query) > 0 {
		more := url.Values{}
		for k, v := range q.Query {
			more.Set(k, v)
		}
		u.RawQuery = strings.TrimPrefix(u.RawQuery+"&"+more.Encode(), "&")
	}
	r, err := http.NewRequestWithContext(ctx, q.Method, u.String(), http.NoBody)
	if err != nil {
		return nil, problem(http.StatusForbidden, "The address cannot be asked.")
	}
	for k, v := range q.Headers {
		r.Header.Set(k, v)
	}
	return r, nil
}

// resolve is the address that a path means.
func (t *target) resolve(path string) (*url.URL, error) {
	ref, err := url.Parse(path)
	if err != nil {
		return nil, problem(http.StatusForbidden, "The path is no part of an address.")
	}
	if !t.base || ref.Scheme != "" || ref.Host != "" || path == "" {
		return t.main.ResolveReference(ref), nil
	}
	u := t.main.JoinPath(ref.EscapedPath())
	u.RawQuery = ref.RawQuery
	return u, nil
}

// allows refuses every address that the entry does not list.
func (t *target) allows(u *url.URL) error {
	if err := plain(u); err != nil {
		return err
	}
	if !t.hosts[hostOf(u)] {
		return problem(http.StatusForbidden, "The entry does not list the host "+u.Host+".")
	}
	return nil
}

// plain refuses other schemes than http and https, and credentials.
func plain(u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Opaque != "" {
		return problem(http.StatusForbidden, "Only http and https addresses without credentials can be asked.")
	}
	return nil
}

// hostOf is the name and the port that an address leads to.
func hostOf(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return strings.TrimSuffix(strings.ToLower(u.Hostname()), ".") + ":" + port
}
