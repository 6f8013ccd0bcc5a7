package fetch

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// Session is the use of a fetcher by one run of one source: it counts the
// pages and asks at the first one whether anything changed.
type Session struct {
	fetcher *Fetcher
	known   []catalog.Validator

	mu    sync.Mutex
	asked int
	pages int
	found []catalog.Validator
}

// Session begins the use by a run. known are the validators of the run before
// it; with none the first page is asked for unconditionally.
func (f *Fetcher) Session(known []catalog.Validator) *Session {
	return &Session{fetcher: f, known: known}
}

// Fetch implements source.Fetch.
func (s *Session) Fetch(ctx context.Context, r source.Request) (*source.Response, error) {
	s.mu.Lock()
	first := s.asked == 0 && !r.Unconditional
	s.asked++
	s.mu.Unlock()
	var v validators
	if first {
		v = s.of(r.URL)
	}
	resp, err := s.fetcher.get(ctx, r, v)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages++
	if first {
		s.found = validatorsOf(r.URL, resp.Header)
	}
	return resp, nil
}

// Pages is how many pages were delivered so far.
func (s *Session) Pages() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pages
}

// Forget drops the validators of the first page, since it does not speak for the others.
func (s *Session) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.found = nil
}

// Validators are those of the first page.
func (s *Session) Validators() []catalog.Validator {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.found
}

func (s *Session) of(url string) validators {
	for _, k := range s.known {
		if k.URL == url {
			return validators{k.ETag, k.LastModified}
		}
	}
	return validators{}
}

// validators are what a conditional request compares (RFC 9110, section 13).
type validators struct{ etag, modified string }

func (v validators) set(h http.Header) {
	if v.etag != "" {
		h.Set("If-None-Match", v.etag)
	}
	if v.modified != "" {
		h.Set("If-Modified-Since", v.modified)
	}
}

// validatorMax is the longest validator that is kept, in bytes.
const validatorMax = 512

func validatorsOf(url string, h http.Header) []catalog.Validator {
	v := catalog.Validator{URL: url, ETag: h.Get("ETag"), LastModified: h.Get("Last-Modified")}
	if len(v.ETag) > validatorMax {
		v.ETag = ""
	}
	if _, err := http.ParseTime(v.LastModified); err != nil {
		v.LastModified = ""
	}
	if v.ETag == "" && v.LastModified == "" {
		return nil
	}
	return []catalog.Validator{v}
}

// Unchanged tells whether an error says that the source has not changed since
// the validators were taken.
func Unchanged(err error) bool {
	var e *source.FetchError
	return errors.As(err, &e) && e.Code == CodeNotModified
}
