package verify

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Exchange is one request of a probe with what came of it.
type Exchange struct {
	Method, URL string
	// Status is 0 when no answer came.
	Status      int
	ContentType string
	// Bytes is the length that the server announced, else what was read.
	Bytes    int64
	Began    time.Time
	Duration time.Duration
	// Reached tells that a connection was made.
	Reached bool
	// RetryAfter is the pause that the host asked for.
	RetryAfter time.Duration
	// announced is what the answer says of the end of what it is from.
	announced announced
	Err       string
}

// visit makes the requests of one probe: each waits for the host's gate, is
// bounded in bytes and is noted.
type visit struct {
	ctx   context.Context
	next  http.RoundTripper
	gates *gates
	// limit bounds the bytes of each answer.
	limit int64

	mu   sync.Mutex
	made []*Exchange
}

// RoundTrip implements http.RoundTripper.
func (v *visit) RoundTrip(r *http.Request) (*http.Response, error) {
	host := hostOf(r.URL)
	// The libraries detach the context of a session; the probe's own ends it.
	ctx, cancel := context.WithCancel(r.Context())
	stop := context.AfterFunc(v.ctx, cancel)
	end := func() { stop(); cancel() }
	if err := v.gates.enter(ctx, host, v); err != nil {
		end()
		return nil, err
	}
	ex := &Exchange{Method: r.Method, URL: r.URL.String(), Began: v.gates.clock()}
	v.note(func() { v.made = append(v.made, ex) })
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) {
		v.note(func() { ex.Reached = true })
	}})
	resp, err := v.next.RoundTrip(r.WithContext(ctx))
	v.note(func() {
		ex.Duration = v.gates.clock().Sub(ex.Began)
		if err != nil {
			ex.Err = short(err.Error())
			return
		}
		ex.Status, ex.ContentType = resp.StatusCode, resp.Header.Get("Content-Type")
		ex.RetryAfter = retryAfter(resp, v.gates.clock())
		ex.announced = announcedIn(resp.Header)
	})
	if err != nil {
		v.gates.leave(host, v, true, 0)
		end()
		return nil, err
	}
	resp.Body = &counted{ReadCloser: resp.Body, left: v.limit, ended: func(n int64) {
		if resp.ContentLength > n {
			n = resp.ContentLength
		}
		v.note(func() { ex.Bytes, ex.Duration = n, v.gates.clock().Sub(ex.Began) })
		v.gates.leave(host, v, true, ex.RetryAfter)
		end()
	}}
	return resp, nil
}

func (v *visit) note(fact func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	fact()
}

// exchanges are the requests so far, as far as they are.
func (v *visit) exchanges() []Exchange {
	v.mu.Lock()
	defer v.mu.Unlock()
	list := make([]Exchange, len(v.made))
	for i, ex := range v.made {
		list[i] = *ex
	}
	return list
}

// last is the latest request; false when there was none.
func (v *visit) last() (Exchange, bool) {
	list := v.exchanges()
	if len(list) == 0 {
		return Exchange{}, false
	}
	return list[len(list)-1], true
}

// reached tells whether any server took a connection.
func (v *visit) reached() bool {
	for _, ex := range v.exchanges() {
		if ex.Reached {
			return true
		}
	}
	return false
}

// errTooLong ends an answer that is longer than a probe reads.
var errTooLong = errors.New("the answer is longer than a probe reads")

// counted bounds a body and tells its end once.
type counted struct {
	io.ReadCloser
	left  int64
	n     int64
	once  sync.Once
	ended func(n int64)
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, errTooLong
	}
	n, err := c.ReadCloser.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	c.n += int64(n)
	return n, err
}

// Close implements io.Closer.
func (c *counted) Close() error {
	err := c.ReadCloser.Close()
	c.once.Do(func() { c.ended(c.n) })
	return err
}

// maxRetryAfter bounds the pause that a host may ask for.
const maxRetryAfter = 24 * time.Hour

// retryAfter reads the pause that a busy host asks for, in seconds or as a date
// (RFC 9110, section 10.2.3).
func retryAfter(resp *http.Response, now time.Time) time.Duration {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode != http.StatusServiceUnavailable {
		return 0
	}
	value := strings.TrimSpace(resp.Header.Get("Retry-After"))
	if n, err := strconv.ParseUint(value, 10, 31); err == nil {
		return min(time.Duration(n)*time.Second, maxRetryAfter)
	}
	if t, err := http.ParseTime(value); err == nil {
		return min(max(0, t.Sub(now)), maxRetryAfter)
	}
	return 0
}
