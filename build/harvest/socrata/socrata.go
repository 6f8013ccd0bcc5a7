// Package socrata reads the Discovery API of Socrata (Tyler Data & Insights):
// the catalogue of one portal or of all, live or as captured answers: the
// envelope of results, an array, or JSON lines of results.
package socrata

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// Kind is the word for this connector in `assay harvest --kind`.
const Kind = "socrata"

// pageSize is how many results are asked for at once, pagedMax how far the API
// gives results by their number. Beyond that it scrolls on from an id.
const (
	pageSize = 100
	pagedMax = 10_000
)

// narrowing are the parameters of the API that a source's filters may set.
var narrowing = []string{"domains", "search_context", "categories", "tags", "only", "provenance", "attribution", "license", "q", "approval_status"}

// Connector implements source.Connector. The filters of its source are those
// parameters (lists separated by commas), and language. The API cannot say
// what changed since a time.
type Connector struct{}

// lists hold the results of an answer.
var lists = []string{"results"}

// Catalogue implements source.Describer: by the domain that all results are of.
func (Connector) Catalogue(ctx context.Context, in source.Input) (source.Catalogue, error) {
	feed := source.Feed{Paths: lists}
	return feed.Describe(ctx, &in, nil, func(it source.Item) string {
		var r record
		if json.Unmarshal(it.Raw, &r) != nil || r.Metadata.Domain == "" {
			return ""
		}
		return "https://" + strings.ToLower(strings.TrimSpace(string(r.Metadata.Domain))) + "/"
	})
}

// Run implements source.Connector.
func (Connector) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	m := mapper{in: &in, emit: emit, reject: reject}
	feed := source.Feed{Paths: lists, Each: m.each}
	if in.Fetch != nil {
		u, err := in.Address()
		if err != nil {
			return err
		}
		feed.First, feed.Next = first(u, in.Source.Filters), m.next
	}
	return feed.Run(ctx, &in, reject)
}

// first is the address of the first page: at the host of the source, for its
// own domain alone unless the host is the API's.
func first(u *url.URL, filters map[string]string) string {
	q := url.Values{"limit": {strconv.Itoa(pageSize)}, "offset": {"0"}, "order": {"dataset_id"}}
	for _, name := range narrowing {
		for v := range strings.SplitSeq(filters[name], ",") {
			if v = strings.TrimSpace(v); v != "" {
				q.Add(name, v)
			}
		}
	}
	host := strings.ToLower(u.Host)
	api := strings.HasPrefix(host, "api.") && strings.HasSuffix(host, "socrata.com")
	if !api && !q.Has("domains") {
		q.Set("domains", host)
		if !q.Has("search_context") {
			q.Set("search_context", host)
		}
	}
	return u.Scheme + "://" + u.Host + "/api/catalog/v1?" + q.Encode()
}

// next is the page after one; beyond the reach of numbers it scrolls on from
// the last result, which is possible as they are in the order of their ids.
func (m *mapper) next(p source.Page) string {
	total := -1
	if !p.Body.Head("resultSetSize", &total) {
		total = -1
	}
	u, err := url.Parse(p.URL)
	if err != nil || p.Records == 0 {
		return ""
	}
	q := u.Query()
	if !q.Has("scroll_id") {
		next := source.NextOffset(p, "offset", total)
		if at, err := url.Parse(next); err != nil || next == "" || reach(at.Query()) <= pagedMax {
			return next
		}
	}
	if m.last == "" || q.Get("scroll_id") == m.last {
		return ""
	}
	q.Del("offset")
	q.Del("order")
	q.Set("scroll_id", m.last)
	u.RawQuery = q.Encode()
	return u.String()
}

// reach is the number of the last result on a page.
func reach(q url.Values) int {
	at, err := strconv.Atoi(q.Get("offset"))
	if err != nil {
		return 0
	}
	return at + pageSize
}

// mapper turns results into drafts.
type mapper struct {
	in *source.Input
	// last is the id of the last result, from which scrolling goes on.
	last   string
	emit   func(source.Draft) error
	reject func(source.Rejection) error
}

func (m *mapper) each(j *source.JSON, it source.Item, seed string) error {
	var r record
	if bad := j.Decode(it, &r); bad != nil {
		return m.reject(*bad)
	}
	if r.Resource.ID != "" {
		m.last = string(r.Resource.ID)
	}
	if r.Resource.ID == "" && it.Path == "" {
		return m.reject(source.Rejection{Place: j.Place(it), Code: source.CodeNoRecords, Reason: "this is no result: it has no resource with an id",
			Remedy: "give an answer of api/catalog/v1, or JSON lines of its results"})
	}
	d, bad := m.draft(&r, j.Place(it), seed)
	if bad != nil {
		bad.Place = j.Place(it)
		return m.reject(*bad)
	}
	return m.emit(d)
}

// host is the portal of a result; the API lists many.
func (m *mapper) host(r *record) string {
	if domain := strings.ToLower(strings.TrimSpace(string(r.Metadata.Domain))); domain != "" {
		return domain
	}
	if h := catalog.Host(string(r.Permalink)); h != "" {
		return h
	}
	return m.in.Host("socrata")
}
