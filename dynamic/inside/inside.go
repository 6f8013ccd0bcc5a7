// Package inside asks the register's own interface inside the process, for
// pages and tools that show what an operation answers. The request that came
// in was counted already, so what it causes is not counted again; the client
// and the caller that its context knows go with it.
package inside

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/assay-register/assay/dynamic/limit"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// answerMax bounds an answer, in bytes, if nothing less is asked for: what the
// register answers to one question is smaller.
const answerMax = 8 << 20

// accept prefers JSON and takes what has another form only.
const accept = wire.MediaJSON + ", */*;q=0.1"

// ErrTooLong is the error of an answer that is larger than the API takes.
var ErrTooLong = errors.New("the answer is too long")

// API is the register's own interface.
type API struct {
	handler http.Handler
	most    int
}

// New makes an API of what answers all requests of the register.
func New(handler http.Handler) *API { return &API{handler, answerMax} }

// AtMost is the same API for answers of at most so many bytes; others are
// ErrTooLong.
func (a *API) AtMost(bytes int) *API { return &API{a.handler, bytes} }

// Answer is what the interface answered.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Get asks for a resource, as JSON where there is a choice.
func (a *API) Get(ctx context.Context, target string) (*Answer, error) {
	return a.Ask(ctx, http.MethodGet, target, nil)
}

// Ask puts a request to the interface. The target is the escaped path with the
// query, as it stands behind the host; a body other than nil travels as JSON.
// What the client got wrong is an answer, not an error.
func (a *API) Ask(ctx context.Context, method, target string, body any) (*Answer, error) {
	// What is looked for stands in the query, and errors are logged.
	path, _, _ := strings.Cut(target, "?")
	r, err := request(limit.Exempt(ctx), method, target, body)
	if err != nil {
		return nil, fmt.Errorf("ask %s %s: the target or the body is malformed", method, path)
	}
	rec := &recorder{Answer: Answer{Header: http.Header{}}, most: a.most}
	if err := rec.serve(a.handler, r); err != nil {
		return nil, fmt.Errorf("ask %s %s: %w", method, path, err)
	}
	return &rec.Answer, nil
}

func request(ctx context.Context, method, target string, body any) (*http.Request, error) {
	content := io.Reader(http.NoBody)
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		content = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(ctx, method, target, content)
	if err != nil {
		return nil, err
	}
	r.RequestURI, r.RemoteAddr = r.URL.RequestURI(), remote(ctx)
	r.Header.Set("Accept", accept)
	if secret, ok := ctx.Value(bearerKey{}).(string); ok {
		r.Header.Set("Authorization", "Bearer "+secret)
	}
	if body != nil {
		r.Header.Set("Content-Type", wire.MediaJSON)
	}
	return r, nil
}

// Lacks tells that no entry has an id or a slug: 404, 410 for one that was removed, 0 where
// there is one or had been under this name.
func (a *API) Lacks(ctx context.Context, site snapshot.Site, name string) (int, error) {
	got, err := a.Get(ctx, wire.Path(site, "/api/v1/entries/"+url.PathEscape(name)))
	if err != nil || got.Status != http.StatusNotFound && got.Status != http.StatusGone {
		return 0, err
	}
	return got.Status, nil
}

type bearerKey struct{}

// WithBearer has questions of the context carry a token.
func WithBearer(ctx context.Context, token string) context.Context {
	return context.WithValue(ctx, bearerKey{}, token)
}

// remote is the address of the client whom the context knows, as that of a
// connection: the front makes the same client of it.
func remote(ctx context.Context) string {
	address, _, _ := strings.Cut(web.ClientOf(ctx), "/")
	if address == "" {
		return ""
	}
	return net.JoinHostPort(address, "0")
}

// Problem is what an answer says went wrong (RFC 9457), nil for a success. Its
// Detail or its Title is never empty. A redirect is no success: nobody follows
// it here.
func (a *Answer) Problem() *wire.Problem {
	if a.Status < http.StatusMultipleChoices {
		return nil
	}
	p := &wire.Problem{}
	if json.Unmarshal(a.Body, p) != nil || p.Detail == "" && p.Title == "" {
		p = &wire.Problem{Title: http.StatusText(a.Status), Detail: fmt.Sprintf("The register answered with status %d.", a.Status)}
	}
	p.Status = a.Status
	return p
}

// recorder keeps an answer while it is written.
type recorder struct {
	Answer
	most    int
	tooLong bool
}

// serve runs a handler. One that gives up its answer in the middle says so by
// a panic, which is for the connection that it believes to have.
func (rec *recorder) serve(h http.Handler, r *http.Request) (err error) {
	defer func() {
		switch v := recover(); {
		case rec.tooLong && (v == nil || v == http.ErrAbortHandler): //nolint:errorlint // a value of panic
			err = ErrTooLong
		case v == http.ErrAbortHandler: //nolint:errorlint // as above
			err = errors.New("the answer broke off")
		case v != nil:
			panic(v)
		case rec.Status == 0 && r.Context().Err() != nil:
			err = r.Context().Err()
		}
	}()
	h.ServeHTTP(rec, r)
	if r.Context().Err() == nil {
		rec.WriteHeader(http.StatusOK) // of a handler that wrote nothing
	}
	return nil
}

// Header implements http.ResponseWriter.
func (rec *recorder) Header() http.Header { return rec.Answer.Header }

// WriteHeader implements http.ResponseWriter.
func (rec *recorder) WriteHeader(status int) {
	if rec.Status == 0 {
		rec.Status = status
	}
}

// Write implements http.ResponseWriter.
func (rec *recorder) Write(b []byte) (int, error) {
	rec.WriteHeader(http.StatusOK)
	if len(rec.Body)+len(b) > rec.most {
		rec.tooLong = true
		return 0, ErrTooLong
	}
	rec.Body = append(rec.Body, b...)
	return len(b), nil
}
