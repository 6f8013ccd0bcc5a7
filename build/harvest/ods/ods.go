// Package ods reads portals that run Opendatasoft, through the Explore API 2.1
// (catalog/datasets), or what was captured of it: the envelope of results, an
// export of the catalogue (an array), one dataset, or JSON lines.
package ods

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// Kind is the word for this connector in `assay harvest --kind`.
const Kind = "ods"

// The API gives 100 datasets at once, and no more than the first ten thousand
// by their number; the export has all of them in one answer.
const (
	pageSize = 100
	pagedMax = 10_000
)

// Connector implements source.Connector. The filters of its source are where,
// refine and exclude (lists separated by vertical bars, "publisher:SNCF") and
// lang of the API; base, the address of the portal that captured files are of;
// and language, that of its texts.
type Connector struct{}

// lists hold datasets, in version 2.1 of the API and 2.0.
var lists = []string{"results", "datasets"}

// Catalogue implements source.Describer: the answers of version 2.0 have links to
// their portal.
func (Connector) Catalogue(ctx context.Context, in source.Input) (source.Catalogue, error) {
	feed := source.Feed{Paths: lists}
	return feed.Describe(ctx, &in, func(j *source.JSON) (c source.Catalogue) {
		var links []struct {
			Rel  source.Loose `json:"rel"`
			Href source.Loose `json:"href"`
		}
		j.Head("links", &links)
		for _, l := range links {
			if l.Rel == "self" {
				c.Names(base(string(l.Href)))
			}
		}
		return c
	}, nil)
}

// Run implements source.Connector.
func (Connector) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	m := mapper{in: &in, base: base(in.Portal()), emit: emit, reject: reject}
	m.api = m.base
	feed := source.Feed{Paths: lists, Each: m.each}
	if in.Fetch != nil {
		u, err := in.Address()
		if err != nil {
			return err
		}
		m.api = base(u.String())
		feed.First, feed.Next = m.first(), m.next
	}
	return feed.Run(ctx, &in, reject)
}

// base is the address of the portal, without the paths of its API and pages.
func base(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return ""
	}
	p := u.Path
	for _, mark := range []string{"/api/", "/explore/", "/catalog/"} {
		if i := strings.Index(p+"/", mark); i >= 0 {
			p = p[:i]
		}
	}
	return u.Scheme + "://" + u.Host + strings.TrimRight(p, "/")
}

// query are the parameters that narrow what is listed.
func (m *mapper) query() url.Values {
	q := url.Values{}
	filters := m.in.Source.Filters
	for _, name := range []string{"refine", "exclude"} {
		for v := range strings.SplitSeq(filters[name], "|") {
			if v != "" {
				q.Add(name, v)
			}
		}
	}
	if v := filters["lang"]; v != "" {
		q.Set("lang", v)
	}
	where := filters["where"]
	if !m.in.Since.IsZero() {
		since := "modified >= date'" + m.in.Since.UTC().Format(time.DateOnly) + "'"
		if where != "" {
			since = "(" + where + ") AND " + since
		}
		where = since
	}
	if where != "" {
		q.Set("where", where)
	}
	return q
}

// first is the address of the first page.
func (m *mapper) first() string {
	q := m.query()
	q.Set("limit", strconv.Itoa(pageSize))
	q.Set("offset", "0")
	q.Set("order_by", "dataset_id")
	return m.api + "/api/explore/v2.1/catalog/datasets?" + q.Encode()
}

// export is the address of the whole catalogue, in another order than the
// pages, so that it does not look like the first of them.
func (m *mapper) export() string {
	q := m.query()
	q.Set("order_by", "dataset_id desc")
	return m.api + "/api/explore/v2.1/catalog/exports/json?" + q.Encode()
}

func (m *mapper) next(p source.Page) string {
	if strings.Contains(p.URL, "/exports/") {
		return ""
	}
	total := -1
	if !p.Body.Head("total_count", &total) {
		total = -1
	}
	if total > pagedMax {
		return m.export()
	}
	return source.NextOffset(p, "offset", total)
}

// mapper turns datasets into drafts.
type mapper struct {
	in *source.Input
	// base is the address of the portal, "" when it is not known; api that of
	// its live API.
	base, api string
	emit      func(source.Draft) error
	reject    func(source.Rejection) error
}

func (m *mapper) each(j *source.JSON, it source.Item, seed string) error {
	var r record
	if bad := j.Decode(it, &r); bad != nil {
		return m.reject(*bad)
	}
	if r.Dataset != nil { // version 2.0 wraps each dataset
		r = *r.Dataset
	}
	d, bad := m.draft(&r, j.Place(it), seed)
	if bad != nil {
		bad.Place = j.Place(it)
		return m.reject(*bad)
	}
	return m.emit(d)
}

func (m *mapper) draft(r *record, place, seed string) (source.Draft, *source.Rejection) {
	id, _ := source.Line(string(r.ID))
	if id == "" {
		return source.Draft{}, &source.Rejection{Code: source.CodeNoRecords, Reason: "this is no dataset: it has no dataset_id",
			Remedy: "give an answer of catalog/datasets, or an export of the catalogue"}
	}
	host := m.in.Host("ods")
	if h := catalog.Host(m.base); h != "" {
		host = h
	}
	d := &r.Metas.Default
	b := source.NewBuilder(m.in, place, seed, m.base)
	// The portal declares the language of each dataset's metadata; without that
	// nothing is known, as many portals mix languages.
	b.DefaultLang = m.in.Language()
	if tag, ok := source.Language(string(d.Language)); ok {
		b.DefaultLang = tag
	}
	b.Draft.Entry.Type = catalog.TypeDataset
	b.Inherit("type", "the catalogue lists datasets")
	b.Country()
	b.Identify(host, Kind, "dataset_id", id)
	b.Names("metas.default.title", d.Title...)
	bad := m.refuse(b, r)
	if bad == nil {
		bad = m.pages(b, r, id)
	}
	if bad != nil {
		bad.UpstreamRef = b.Draft.Entry.UpstreamRef
		return source.Draft{}, bad
	}
	b.Descriptions("metas.default.description", d.Description...)
	b.Terms("metas.default.keyword", "", d.Keyword...)
	b.Tags("metas.default.keyword, metas.default.theme", append(slices.Clone([]string(d.Keyword)), d.Theme...)...)
	b.Themes("metas.default.theme", d.Theme...)
	m.publisher(b, r)
	b.Licence("metas.default.license", string(d.License), string(d.LicenseURL))
	m.files(b, r, id)
	m.times(b, r)
	return b.Done(), nil
}

// refuse says why a dataset does not become an entry.
func (m *mapper) refuse(b *source.Builder, r *record) *source.Rejection {
	name := b.Draft.Entry.Name
	switch {
	case name == "":
		return &source.Rejection{Code: source.CodeMissingName, Reason: fmt.Sprintf("the dataset %s has no title", r.ID), Remedy: "give the dataset a title"}
	case r.DataVisible != nil && !*r.DataVisible, r.Visibility == "restricted":
		return &source.Rejection{Code: source.CodePrivate, Reason: name + " is listed, but its data are not public", Remedy: "make the dataset public"}
	case source.TestName(name):
		return &source.Rejection{Code: source.CodeTest, Reason: name + " is there to try something out", Remedy: "delete the dataset"}
	}
	return nil
}

// pages maps the address: the dataset's page in the portal.
func (m *mapper) pages(b *source.Builder, r *record, id string) *source.Rejection {
	e := &b.Draft.Entry
	if refs := r.Metas.Default.References; len(refs) > 0 {
		b.URL(&e.HomepageURL, "homepage_url", "metas.default.references", refs[0])
	}
	if m.base == "" {
		return &source.Rejection{Code: source.CodeMissingURL, Reason: e.Name + " has no address", Remedy: "give the address of the portal: url of the source, or --url beside --file"}
	}
	e.PrimarySourceURL = m.base + "/explore/dataset/" + url.PathEscape(id) + "/"
	b.Dataset().LandingPage = e.PrimarySourceURL
	b.Compute("primary_source_url", "dataset_id", "the dataset's page in the portal", "")
	b.Compute("dataset.landing_page", "dataset_id", "the dataset's page in the portal", "")
	return nil
}
