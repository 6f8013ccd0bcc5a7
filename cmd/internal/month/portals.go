package month

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
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
	for _, p := range w.Portals {
		s := w.servers[p.Key]
		if p.Down && s != nil {
			_ = s.Close()
			delete(w.servers, p.Key)
		}
		if p.Down || s != nil {
			continue
		}
		l, err := new(net.ListenConfig).Listen(context.Background(), "tcp4", p.Host)
		if err != nil {
			return fmt.Errorf("%s: %w; another rehearsal may be running", p.Key, err)
		}
		s = &http.Server{Handler: w.handler(p), ReadHeaderTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0)}
		w.servers[p.Key] = s
		go s.Serve(l) //nolint:errcheck // it ends when the server is closed
	}
	return nil
}

// handler answers for one portal.
func (w *World) handler(p *Portal) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		a := p.answer(r)
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

func (p *Portal) answer(r *http.Request) answered {
	b, isList := p.list(r.URL)
	a := answered{purpose: ForOther, status: http.StatusNotFound, body: body{"text/plain", "not here\n"}}
	if isList {
		a = answered{purpose: ForList, status: http.StatusOK, body: b}
	}
	for _, it := range p.Items {
		if strings.Contains(r.URL.Path, it.Key) {
			a = it.answer(r.URL.Path)
		} else if isList && p.Kind == "ogc" {
			a.item = it.Key
		}
	}
	return a
}

// answer is what an item's page or data says.
func (it *Item) answer(path string) answered {
	if strings.HasPrefix(path, "/page/") || strings.HasPrefix(path, "/d/") || strings.HasPrefix(path, "/explore/") {
		return answered{ForOther, it.Key, http.StatusOK, body{"text/html; charset=utf-8", "<!doctype html><title>" + it.Title + "</title><p>A page."}}
	}
	a := answered{purpose: ForData, item: it.Key}
	switch it.Answer {
	case Good:
		a.status, a.body = http.StatusOK, body{"text/csv", "id,name\n1,one\n2,two\n"}
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
