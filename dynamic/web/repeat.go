package web

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// Repeat is an answer that is given again without asking its handler. It is
// counted and logged like the first one.
type Repeat struct {
	front  *Front
	method string
	begin  time.Time
	w      response
}

// Repeat begins to repeat a 200 to a request for a path, as the client sent it.
// id is what the client calls the request, if it is harmless.
func (f *Front) Repeat(operation, method, path, id string) *Repeat {
	p := &Repeat{front: f, method: method, begin: f.Now(),
		w: response{id: requestID(id), url: &url.URL{Path: path}, operation: operation, status: http.StatusOK}}
	if f.Observer != nil {
		f.Observer.Begin()
	}
	return p
}

// ID is the id of the request.
func (p *Repeat) ID() string { return p.w.id }

// End tells that the answer was sent, and how many bytes of content.
func (p *Repeat) End(sent int64) {
	p.w.bytes = sent
	p.front.end(context.Background(), &p.w, p.method, p.begin)
}
