package harvest_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/assay-register/assay/build/harvest"
	"github.com/assay-register/assay/build/harvest/fetch"
	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// listing is what one line of the portal's pages says.
type listing struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	URL  string `json:"url"`
}

// paged is a connector for pages of JSON lines; its cursor is the number of
// the next page, and a page that lists nothing is the last.
type paged struct{}

func (paged) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	page := 1
	if in.Cursor != "" {
		n, err := strconv.Atoi(in.Cursor)
		if err != nil {
			return err
		}
		page = n
	}
	for ; ; page++ {
		n, err := paged{}.page(ctx, in, page, emit, reject)
		if err != nil || n == 0 {
			return err
		}
		if err := in.Done(strconv.Itoa(page + 1)); err != nil {
			return err
		}
	}
}

func (paged) page(ctx context.Context, in source.Input, page int, emit func(source.Draft) error, reject func(source.Rejection) error) (int, error) {
	resp, err := in.Fetch(ctx, source.Request{URL: fmt.Sprintf("%s?page=%d", in.Source.URL, page), Accept: "application/x-ndjson"})
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	n := 0
	for ; lines.Scan(); n++ {
		place := fmt.Sprintf("page %d, line %d", page, n+1)
		var l listing
		if !utf8.Valid(lines.Bytes()) {
			err = reject(source.Rejection{Place: place, Code: source.CodeInvalidUTF8, Reason: "not UTF-8", Remedy: "encode it"})
		} else if bad := json.Unmarshal(lines.Bytes(), &l); bad != nil {
			err = reject(source.Rejection{Place: place, Code: source.CodeInvalidField, Reason: bad.Error(), Remedy: "write JSON"})
		} else {
			d := draft(l.ID, l.Name, l.URL)
			d.Place = place
			err = emit(d)
		}
		if err != nil {
			return n, err
		}
	}
	return n, lines.Err()
}

// portal serves pages of listings.
type portal struct {
	*httptest.Server
	pause time.Duration
	// before looks at a request first; true has answered it.
	before func(w http.ResponseWriter, r *http.Request) bool

	mu      sync.Mutex
	pages   [][]string
	fetched map[int]int
}

// newPortal serves pages of size listings each; some records stand twice, on
// pages far apart, and some are broken.
func newPortal(t testing.TB, pages, size int) *portal {
	p := &portal{fetched: map[int]int{}}
	for page := range pages {
		var lines []string
		for i := range size {
			n := page*size + i
			if n%17 == 16 {
				n -= 9
			}
			line, _ := json.Marshal(listing{fmt.Sprintf("h:k:%d", n), fmt.Sprintf("Service %d", n), fmt.Sprintf("%s/%d", tides, n)})
			if n%23 == 5 {
				line = []byte(`{"id": broken by someone@example.org}`)
			}
			lines = append(lines, string(line))
		}
		p.pages = append(p.pages, lines)
	}
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	return p
}

func (p *portal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	page, _ := strconv.Atoi(r.URL.Query().Get("page"))
	p.mu.Lock()
	p.fetched[page]++
	var lines []string
	if page <= len(p.pages) {
		lines = p.pages[page-1]
	}
	before := p.before
	p.mu.Unlock()
	if before != nil && before(w, r) {
		return
	}
	time.Sleep(p.pause)
	w.Header().Set("Content-Type", "application/x-ndjson")
	for _, line := range lines {
		fmt.Fprintln(w, line)
	}
}

// look sets before while the portal serves.
func (p *portal) look(before func(http.ResponseWriter, *http.Request) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.before = before
}

// most is how often a page was fetched at most.
func (p *portal) most() (most int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range p.fetched {
		most = max(most, n)
	}
	return most
}

func (p *portal) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fetched = map[int]int{}
}

// drop removes the lines that hold a text.
func (p *portal) drop(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, lines := range p.pages {
		var kept []string
		for _, l := range lines {
			if !strings.Contains(l, text) {
				kept = append(kept, l)
			}
		}
		p.pages[i] = kept
	}
}

func (p *portal) source(w *world) catalog.Source {
	s := w.official
	s.URL = p.URL + "/api"
	return s
}

// impatient gives up on what a healthy server does at once even on a busy machine.
func impatient(client *http.Client) *fetch.Fetcher { return within(client, time.Second) }

// patient waits so long that only size can end what a busy machine serves slowly.
func patient(client *http.Client) *fetch.Fetcher { return within(client, time.Minute) }

func within(client *http.Client, longest time.Duration) *fetch.Fetcher {
	return fetch.New(fetch.Options{Client: client, Gap: time.Microsecond, Attempts: 2, Backoff: time.Microsecond, HeaderTime: longest,
		Stall: longest / 2, BodyTime: longest, Limits: source.Limits{Bytes: 4 << 20, Ratio: 20, RatioFrom: 1 << 20}})
}

// live harvests the portal an hour after the last run.
func (w *world) live(p *portal, opts harvest.Options) (harvest.Report, error) {
	w.now = w.now.Add(time.Hour)
	opts.Now = w.now
	if opts.Fetcher == nil {
		opts.Fetcher = impatient(p.Client())
	}
	return harvest.Run(w.ctx, w.st, paged{}, source.Input{Source: p.source(w)}, opts)
}
