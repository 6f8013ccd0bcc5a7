package month

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// Open lets the portals listen, until the function it gives is called.
func (w *World) Open() (stop func(), err error) {
	stop = func() {
		for _, s := range w.servers {
			_ = s.Close()
		}
	}
	if err := w.settle(); err != nil {
		stop()
		return nil, err
	}
	return stop, nil
}

// settle lets those portals listen that are not down, and no others: a host that
// is down refuses connections.
func (w *World) settle() error {
	want := map[string]http.Handler{}
	for _, p := range w.Portals {
		if !p.Down {
			want[p.Host] = w.handler(p)
		}
		if p.Former != "" {
			want[p.Former] = w.forwarder(p)
		}
	}
	for host, s := range w.servers {
		if want[host] == nil {
			_ = s.Close()
			delete(w.servers, host)
		}
	}
	for host, handler := range want {
		if s := w.servers[host]; s != nil {
			s.Handler.(*place).set(handler)
			continue
		}
		l, err := new(net.ListenConfig).Listen(context.Background(), "tcp4", host)
		if err != nil {
			return fmt.Errorf("%w; another rehearsal may be running", err)
		}
		here := new(place)
		here.set(handler)
		s := &http.Server{Handler: here, ReadHeaderTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0)}
		w.servers[host] = s
		go s.Serve(l) // it ends when the server is closed
	}
	return nil
}

// place is an address at which one portal answers, and another one later.
type place struct{ now atomic.Pointer[http.Handler] }

func (p *place) set(h http.Handler) { p.now.Store(&h) }

// ServeHTTP implements http.Handler.
func (p *place) ServeHTTP(w http.ResponseWriter, r *http.Request) { (*p.now.Load()).ServeHTTP(w, r) }

// forwarder answers at the address that a portal has left.
func (w *World) forwarder(p *Portal) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		w.log = append(w.log, Request{Step: w.step, At: time.Now(), Portal: p.Key, Purpose: ForMoved, Method: r.Method, URI: r.RequestURI, Status: http.StatusPermanentRedirect})
		to := "http://" + p.Host + r.RequestURI
		w.mu.Unlock()
		http.Redirect(rw, r, to, http.StatusPermanentRedirect)
	})
}

// handler answers for one portal.
func (w *World) handler(p *Portal) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		a := p.answer(r, w.step)
		w.log = append(w.log, Request{Step: w.step, At: time.Now(), Portal: p.Key, Purpose: a.purpose, Item: a.item, Method: r.Method, URI: r.RequestURI, Status: a.status})
		slow := p.Slow
		w.mu.Unlock()
		if slow > 0 {
			t := time.NewTimer(slow)
			defer t.Stop()
			select {
			case <-t.C:
			case <-r.Context().Done():
				return
			}
		}
		rw.Header().Set("Content-Type", a.body.media)
		rw.WriteHeader(a.status)
		_, _ = io.WriteString(rw, a.body.text) // who left does not read it
	})
}

// answered is what a portal says, and what it was asked for.
type answered struct {
	purpose Purpose
	item    string
	status  int
	body    body
}

func (p *Portal) answer(r *http.Request, step int) answered {
	b, isList := p.list(r.URL)
	a := answered{purpose: ForOther, status: http.StatusNotFound, body: body{"text/plain", "not here\n"}}
	if isList {
		a = answered{purpose: ForList, status: http.StatusOK, body: b}
	}
	for _, it := range p.Items {
		switch {
		case strings.Contains(r.URL.Path, it.Key):
			a = it.answer(r.URL.Path, step)
		case isList && p.Kind == "ogc":
			// What is listed is the service itself, which a probe asks by a request of
			// its protocol.
			if a.item = it.Key; it.Answer != Good && r.URL.Query().Has("request") {
				a = it.data(step)
			}
		}
	}
	return a
}

// answer is what an item's page or data says.
func (it *Item) answer(path string, step int) answered {
	page := body{"text/html; charset=utf-8", "<!doctype html><title>" + it.Title + "</title><p>A page."}
	switch {
	case strings.HasPrefix(path, "/page/"), strings.HasPrefix(path, "/explore/"):
		return answered{ForOther, it.Key, http.StatusOK, page}
	case strings.HasPrefix(path, "/d/") && it.Answer == Good:
		// The page is all that was promised.
		return answered{ForData, it.Key, http.StatusOK, page}
	}
	return it.data(step)
}

// data is what the data of an item says.
func (it *Item) data(step int) answered {
	a := answered{purpose: ForData, item: it.Key}
	switch it.Answer {
	case Good:
		a.status, a.body = http.StatusOK, body{"text/csv", it.table(step)}
	case Closed:
		a.status, a.body = http.StatusUnauthorized, body{"text/plain", "who are you?\n"}
	case Gone:
		a.status, a.body = http.StatusNotFound, body{"text/plain", "no such table\n"}
	case Broken:
		a.status, a.body = http.StatusInternalServerError, body{"text/plain", "out of order\n"}
	case Page:
		a.status, a.body = http.StatusOK, body{"text/html; charset=utf-8", "<!doctype html><title>Welcome</title><p>Welcome."}
	}
	return a
}
