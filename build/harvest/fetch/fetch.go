// Package fetch gets the pages of live sources: one request at a time to a
// host with a gap between them, patient with servers that are busy, and
// bounded in size and time whatever a server does.
package fetch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
)

// Options bound what a Fetcher does; zero fields take their defaults.
type Options struct {
	// Client makes the requests. It is the guarded one of the program.
	Client *http.Client
	// Gap is the least time between the starts of two requests to one host;
	// 0 is a second (decisions §5).
	Gap time.Duration
	// Attempts is how many requests are made for a page at most; 0 is 4.
	Attempts int
	// Backoff is the first pause before a further attempt, 0 is 2 s; it
	// doubles each time up to a minute, and up to half of it is left to chance.
	Backoff time.Duration
	// RetryAfterMax is the longest pause that a host's Retry-After is granted
	// within a run; 0 is 2 minutes. A host that asks for more ends the run.
	RetryAfterMax time.Duration
	// HeaderTime is how long an answer may take to begin, redirects included;
	// 0 is 60 s.
	HeaderTime time.Duration
	// Stall is how long a body may pause, 0 is 30 s; BodyTime how long is
	// waited for one body in total, 0 is an hour.
	Stall, BodyTime time.Duration
	// MinRate is the least speed of a body in bytes per second of waiting,
	// looked at after Stall; 0 is 1,024.
	MinRate int64
	// Redirects is how many redirects are followed; 0 is 5.
	Redirects int
	// Limits bounds a body after decompression.
	Limits source.Limits
	// Now and Sleep are the clock; nil is the real one. Jitter is a random
	// number from 0 to 1; nil draws one.
	Now    func() time.Time
	Sleep  func(context.Context, time.Duration) error
	Jitter func() float64
}

const maxBackoff = time.Minute

func (o Options) orDefault() Options {
	o.Gap, o.Backoff = cmp.Or(o.Gap, time.Second), cmp.Or(o.Backoff, 2*time.Second)
	o.Attempts, o.Redirects = cmp.Or(o.Attempts, 4), cmp.Or(o.Redirects, 5)
	o.RetryAfterMax, o.HeaderTime = cmp.Or(o.RetryAfterMax, 2*time.Minute), cmp.Or(o.HeaderTime, time.Minute)
	o.Stall, o.BodyTime = cmp.Or(o.Stall, 30*time.Second), cmp.Or(o.BodyTime, time.Hour)
	o.MinRate, o.Limits = cmp.Or(o.MinRate, 1024), o.Limits.OrDefault()
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Jitter == nil {
		o.Jitter = rand.Float64
	}
	return o
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// Fetcher makes the requests of all sources of a harvest. It may be used by
// several goroutines.
type Fetcher struct {
	opts   Options
	client *http.Client
	hosts  pace
}

// New makes a fetcher.
func New(o Options) *Fetcher {
	f := &Fetcher{opts: o.orDefault()}
	f.hosts = pace{gap: f.opts.Gap, now: f.opts.Now, sleep: f.opts.Sleep, next: map[string]time.Time{}}
	client, follow := *o.Client, o.Client.CheckRedirect
	client.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		if len(via) > f.opts.Redirects {
			return fmt.Errorf("%w: more than %d", errRedirects, f.opts.Redirects)
		}
		if follow != nil {
			if err := follow(r, via); err != nil {
				return fmt.Errorf("%w: %w", errRedirects, err)
			}
		}
		return f.hosts.wait(r.Context(), r.URL.Host)
	}
	f.client = &client
	return f
}

// get fetches a page with as many attempts as it takes and is allowed.
func (f *Fetcher) get(ctx context.Context, r source.Request, v validators) (*source.Response, error) {
	var last *source.FetchError
	for try := 1; ; try++ {
		resp, err := f.attempt(ctx, r, v)
		if err == nil {
			return resp, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !errors.As(err, &last) {
			return nil, err
		}
		last.Attempts = try
		pause := f.pause(last, try)
		if try >= f.opts.Attempts || pause < 0 {
			return nil, last
		}
		if err := f.opts.Sleep(ctx, pause); err != nil {
			return nil, err
		}
	}
}

// pause is how long to wait before the next attempt, negative for never.
func (f *Fetcher) pause(e *source.FetchError, try int) time.Duration {
	if e.RetryAfter > 0 && retryable(e) {
		if e.RetryAfter > f.opts.RetryAfterMax {
			return -1
		}
		return e.RetryAfter
	}
	if !retryable(e) {
		return -1
	}
	d := min(f.opts.Backoff<<min(try-1, 10), maxBackoff)
	return d - time.Duration(f.opts.Jitter()*float64(d)/2)
}

// attempt makes one request and reads the beginning of its body, so that most
// failures show while they can still be mended by another attempt.
func (f *Fetcher) attempt(ctx context.Context, r source.Request, v validators) (*source.Response, error) {
	fail := func(code source.Code, status int, err error) error {
		return &source.FetchError{URL: Public(r.URL), Code: code, Status: status, Err: err}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	method, content := http.MethodGet, io.Reader(http.NoBody)
	if r.Body != nil {
		method, content = http.MethodPost, bytes.NewReader(r.Body)
	}
	req, err := http.NewRequestWithContext(ctx, method, r.URL, content)
	if err != nil || req.URL.Host == "" {
		cancel(nil)
		return nil, fail(source.CodeBadURL, 0, errors.New("no address of a page"))
	}
	if r.Body != nil {
		req.Header.Set("Content-Type", r.ContentType)
	}
	if r.Accept != "" {
		req.Header.Set("Accept", r.Accept)
	}
	// Asked for by ourselves, so that the bytes are counted before and after.
	req.Header.Set("Accept-Encoding", "gzip")
	v.set(req.Header)
	if err := f.hosts.wait(ctx, req.URL.Host); err != nil {
		cancel(nil)
		return nil, err
	}
	late := time.AfterFunc(f.opts.HeaderTime, func() { cancel(errHeaderTime) })
	resp, err := f.client.Do(req)
	late.Stop()
	if err != nil {
		code, cause := classify(ctx, err)
		cancel(nil)
		return nil, fail(code, 0, cause)
	}
	out, err := f.answer(ctx, cancel, r, v, resp)
	if err != nil {
		cancel(nil)
		resp.Body.Close()
		return nil, err
	}
	return out, nil
}

// headBytes is how much of a body is read before the page is handed on.
const headBytes = 1 << 20

func (f *Fetcher) answer(ctx context.Context, cancel context.CancelCauseFunc, r source.Request, v validators, resp *http.Response) (*source.Response, error) {
	if e := f.refused(r, v, resp); e != nil {
		return nil, e
	}
	b := &body{ctx: ctx, cancel: cancel, opts: &f.opts, url: r.URL, status: resp.StatusCode, packed: resp.Body, closer: resp.Body}
	if err := b.unpack(resp.Header.Get("Content-Encoding")); err != nil {
		return nil, err
	}
	head, err := io.ReadAll(io.LimitReader(b, headBytes))
	if err != nil {
		return nil, err
	}
	if e := wrongType(r, resp, head); e != nil {
		return nil, e
	}
	b.head = head
	return &source.Response{Body: b, URL: resp.Request.URL.String(), Header: resp.Header}, nil
}

// refused turns every status but that of a page into an error.
func (f *Fetcher) refused(r source.Request, v validators, resp *http.Response) error {
	e := &source.FetchError{URL: Public(r.URL), Status: resp.StatusCode, Err: errors.New(statusText(resp))}
	switch s := resp.StatusCode; {
	case s == http.StatusOK || s == http.StatusNonAuthoritativeInfo:
		return nil
	case s == http.StatusNotModified && v != (validators{}):
		e.Code = CodeNotModified
	case s == http.StatusTooManyRequests:
		e.Code = CodeThrottled
	default:
		e.Code = CodeStatus
	}
	if e.RetryAfter = retryAfter(resp.Header, f.opts.Now()); e.RetryAfter > 0 {
		f.hosts.rest(resp.Request.URL.Host, min(e.RetryAfter, f.opts.RetryAfterMax))
	}
	return e
}

func statusText(resp *http.Response) string {
	if text := http.StatusText(resp.StatusCode); text != "" {
		return fmt.Sprintf("status %d %s", resp.StatusCode, text)
	}
	return fmt.Sprintf("status %d", resp.StatusCode)
}
