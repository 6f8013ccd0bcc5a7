// Package ogcrecords reads catalogues by OGC API - Records: the collections of
// records of an API, page by page, or what was captured of them.
package ogcrecords

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
)

// Kind is the word for this connector in `assay harvest --kind`.
const Kind = "ogc-records"

// The filters of a source: the ids of the collections to read, with commas;
// words to search for; and the address at which the catalogue shows a record,
// with {id}.
const (
	FilterCollections = "collections"
	FilterQuery       = "q"
	FilterPage        = "page"
)

// rows is how many records are asked for at once.
const rows = "100"

// Connector implements source.Connector.
type Connector struct{}

// itemLists hold the records of an answer.
var itemLists = []string{"features", "records"}

// Catalogue implements source.Describer: a page of items has a link to itself.
func (Connector) Catalogue(ctx context.Context, in source.Input) (source.Catalogue, error) {
	feed := source.Feed{Paths: itemLists}
	return feed.Describe(ctx, &in, func(j *source.JSON) (c source.Catalogue) {
		var links []link
		j.Head("links", &links)
		at, _, _ := strings.Cut(linked(links, "self"), "?")
		c.Names(at)
		return c
	}, nil)
}

// Run implements source.Connector. A live source is the landing page of an API,
// a collection of it or the items of one; the cursor is the address of the next
// page of items.
func (Connector) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	m := mapper{in: &in, emit: emit, reject: reject, page: source.PagePattern(in.Source.Filters[FilterPage])}
	feed := source.Feed{Paths: itemLists, Each: m.each}
	if in.Fetch == nil {
		return feed.Run(ctx, &in, reject)
	}
	lists, err := m.items(ctx)
	if err != nil {
		return err
	}
	feed.Next = next
	cursor := in.Cursor
	if at := slices.IndexFunc(lists, func(l string) bool { return sameList(l, cursor) }); at > 0 {
		lists = lists[at:] // those before it are done
	}
	expected, told := map[string]int{}, in.Expect
	for i, list := range lists {
		in.Expect = func(records int) {
			expected[list] = records
			if told != nil {
				told(sum(expected))
			}
		}
		if i > 0 {
			in.Cursor = ""
			if err := in.Done(list); err != nil {
				return err
			}
		}
		feed.First = list
		if err := feed.Run(ctx, &in, reject); err != nil {
			return err
		}
	}
	return nil
}

// sum is how many records the lists have together.
func sum(lists map[string]int) (n int) {
	for _, records := range lists {
		n += records
	}
	return n
}

// sameList tells that an address is a page of a list.
func sameList(list, at string) bool {
	a, errA := url.Parse(list)
	b, errB := url.Parse(at)
	return errA == nil && errB == nil && at != "" && a.Host == b.Host && a.Path == b.Path
}

// link is a link of OGC API - Common.
type link struct {
	Href  source.Loose `json:"href"`
	Rel   source.Loose `json:"rel"`
	Type  source.Loose `json:"type"`
	Title source.Loose `json:"title"`
}

// linked is the first link of a relation that leads to JSON.
func linked(links []link, rels ...string) string {
	found := ""
	for _, l := range links {
		if !slices.Contains(rels, string(l.Rel)) || l.Href == "" {
			continue
		}
		if strings.Contains(string(l.Type), "json") {
			return string(l.Href)
		}
		if found == "" && l.Type == "" {
			found = string(l.Href)
		}
	}
	return found
}

// next is the address of the page after one.
func next(p source.Page) string {
	matched := -1
	if p.Body.Head("numberMatched", &matched) {
		p.Expects(matched)
	}
	var links []link
	if !p.Body.Head("links", &links) {
		return ""
	}
	return against(p.URL, linked(links, "next"))
}

// against resolves a link against the page it stands on; "" stays.
func against(base, href string) string {
	if href == "" {
		return ""
	}
	b, err := url.Parse(base)
	if err != nil {
		return href
	}
	u, err := b.Parse(href)
	if err != nil {
		return ""
	}
	return u.String()
}

// document is what an API says about itself or its collections.
type document struct {
	Links       []link       `json:"links"`
	Collections []collection `json:"collections"`
}

type collection struct {
	ID       source.Loose `json:"id"`
	ItemType source.Loose `json:"itemType"`
	Links    []link       `json:"links"`
}

// collectionsMax bounds how many pages of collections are read.
const collectionsMax = 100

// items are the addresses of the lists of records.
func (m *mapper) items(ctx context.Context) ([]string, error) {
	at, err := m.in.Address()
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(strings.TrimRight(at.Path, "/"), "/items") {
		return []string{m.query(at.String())}, nil
	}
	doc, from, err := m.get(ctx, at.String())
	if err != nil {
		return nil, err
	}
	if own := linked(doc.Links, "items"); own != "" && len(doc.Collections) == 0 {
		return []string{m.query(against(from, own))}, nil
	}
	if to := linked(doc.Links, "data", "http://www.opengis.net/def/rel/ogc/1.0/data"); len(doc.Collections) == 0 && to != "" {
		if doc, from, err = m.get(ctx, against(from, to)); err != nil {
			return nil, err
		}
	}
	var lists []string
	for range collectionsMax {
		lists = append(lists, m.listed(doc, from)...)
		more := against(from, linked(doc.Links, "next"))
		if more == "" {
			break
		}
		if doc, from, err = m.get(ctx, more); err != nil {
			return nil, err
		}
	}
	if len(lists) == 0 {
		return nil, m.reject(source.Rejection{Place: from, Code: source.CodeNoRecords, Reason: "the API has no collection of records",
			Remedy: "give the landing page of an OGC API - Records, or name its collections with the filter collections"})
	}
	return lists, nil
}

// listed are the items of the collections of records of a page; of those that
// are named if the source names some.
func (m *mapper) listed(d *document, from string) []string {
	var out []string
	var named []string
	if raw := m.in.Source.Filters[FilterCollections]; raw != "" {
		named = strings.Split(raw, ",")
	}
	for _, c := range d.Collections {
		wanted := strings.EqualFold(string(c.ItemType), "record") || strings.EqualFold(string(c.ItemType), "catalog")
		if named != nil {
			wanted = slices.Contains(named, string(c.ID))
		}
		if at := linked(c.Links, "items"); wanted && at != "" {
			out = append(out, m.query(against(from, at)))
		} else if wanted && c.ID != "" {
			out = append(out, m.query(strings.TrimRight(strings.SplitN(from, "?", 2)[0], "/")+"/"+url.PathEscape(string(c.ID))+"/items"))
		}
	}
	return out
}

// query puts the number of records and the words to search for to a list.
func (m *mapper) query(list string) string {
	u, err := url.Parse(list)
	if err != nil {
		return list
	}
	q := u.Query()
	q.Set("limit", rows)
	if words := m.in.Source.Filters[FilterQuery]; words != "" {
		q.Set("q", words)
	}
	u.RawQuery = q.Encode()
	return u.String()
}

func (m *mapper) get(ctx context.Context, at string) (*document, string, error) {
	resp, err := m.in.Fetch(ctx, source.Request{URL: at, Accept: "application/json", Unconditional: true})
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	limit := int64(m.in.Limits.OrDefault().Record)
	data, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if err != nil {
		return nil, "", fmt.Errorf("read %s: %w", at, err)
	}
	if int64(len(data)) > limit {
		return nil, "", fmt.Errorf("read %s: the document is longer than %d bytes", at, limit)
	}
	var d document
	var syntax *json.SyntaxError
	if err := json.Unmarshal(data, &d); errors.As(err, &syntax) {
		return nil, "", fmt.Errorf("read %s: it is no JSON: give the landing page of an OGC API - Records: %w", at, err)
	} else if err != nil {
		return nil, "", fmt.Errorf("read %s: %w", at, err)
	}
	from := resp.URL
	if from == "" {
		from = at
	}
	return &d, from, nil
}
