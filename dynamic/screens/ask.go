package screens

import (
	"bytes"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/wire"
)

// answer holds what the interface answers.
type answer struct {
	header http.Header
	status int
	body   []byte
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write implements http.ResponseWriter.
func (a *answer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	a.body = append(a.body, b...)
	return len(b), nil
}

// ask puts a request to the register's own interface in the name of the
// reader's address, and of the caller whom the context of r knows.
func (c *Config) ask(r *http.Request, method, path string, query url.Values, body any) (*answer, error) {
	inner := r.Clone(r.Context())
	inner.Method, inner.Header = method, http.Header{"Accept": {wire.MediaJSON}}
	inner.URL = &url.URL{Path: c.path(path), RawQuery: query.Encode()}
	inner.RequestURI, inner.Form, inner.PostForm = inner.URL.RequestURI(), nil, nil
	if client := web.ClientOf(r.Context()); client != "" {
		address, _, _ := strings.Cut(client, "/")
		inner.RemoteAddr = net.JoinHostPort(address, "0")
	}
	inner.Body, inner.ContentLength = http.NoBody, 0
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		inner.Body, inner.ContentLength = readCloser{bytes.NewReader(b)}, int64(len(b))
		inner.Header.Set("Content-Type", wire.MediaJSON)
	}
	a := &answer{header: http.Header{}}
	c.API.ServeHTTP(a, inner)
	return a, nil
}

type readCloser struct{ *bytes.Reader }

// Close implements io.Closer.
func (readCloser) Close() error { return nil }

// problem tells what a client error says, by field; nil for a success.
func (a *answer) problem() *problem {
	if a.status < http.StatusBadRequest {
		return nil
	}
	p := &problem{Status: a.status, Fields: map[string]string{}}
	var said wire.Problem
	if json.Unmarshal(a.body, &said) != nil || said.Detail == "" && said.Title == "" {
		p.Text = http.StatusText(a.status)
		return p
	}
	p.Text = said.Detail
	if p.Text == "" {
		p.Text = said.Title
	}
	for _, e := range said.Errors {
		field, ok := strings.CutPrefix(e.Location, "body.")
		if !ok {
			p.Text += " " + e.Message
			continue
		}
		p.Fields[field] = e.Message
	}
	return p
}

// problem is why something was not done.
type problem struct {
	Status int
	Text   string
	// Fields says by field what is wrong with its value.
	Fields map[string]string
}
