// Package udata reads portals that run udata, such as data.gouv.fr: datasets
// and dataservices (APIs), live through the API or as captured answers, single
// objects, lists, JSON lines, or fixtures that hold a dataset with its
// dataservices.
package udata

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// Kind is the word for this connector in `assay harvest --kind`.
const Kind = "udata"

// pageSize is how many records are asked for at once.
const pageSize = "100"

// narrowing are the parameters of the API that a source's filters may set.
var narrowing = []string{"q", "organization", "tag", "license", "format", "badge", "topic", "schema"}

// Connector implements source.Connector. The filters of its source are those
// parameters; only, which is datasets or dataservices; base, the address of the
// portal that captured files are of; and language, that of its texts.
type Connector struct{}

// lists hold the records of an answer.
var lists = []string{"data"}

// Catalogue implements source.Describer: by the portal that shows all the records.
func (Connector) Catalogue(ctx context.Context, in source.Input) (source.Catalogue, error) {
	feed := source.Feed{Paths: lists}
	return feed.Describe(ctx, &in, nil, func(it source.Item) string {
		var r record
		if json.Unmarshal(it.Raw, &r) != nil {
			return ""
		}
		if r.Dataset != nil {
			r = *r.Dataset
		}
		return base(cmp.Or(string(r.Page), string(r.WebURL)))
	})
}

// Run implements source.Connector. A live source lists its datasets first, then
// its dataservices; pages are in the order of creation, so that they do not
// shift while records are added.
func (Connector) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	m := mapper{in: &in, base: base(in.Portal()), emit: emit, reject: reject}
	feed := source.Feed{Paths: lists, Each: m.each}
	if in.Fetch != nil {
		u, err := in.Address()
		if err != nil {
			return err
		}
		m.api = base(u.String())
		feed.First, feed.Next = m.list("datasets"), m.next
		if strings.Contains(u.Path, "dataservices") || in.Source.Filters["only"] == "dataservices" {
			feed.First = m.list("dataservices")
		}
	}
	return feed.Run(ctx, &in, reject)
}

// base is the address of the portal, without the paths of its API and pages.
func base(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// list is the address of the first page of a list.
func (m *mapper) list(what string) string {
	q := url.Values{"page": {"1"}, "page_size": {pageSize}, "sort": {"created"}}
	for _, name := range narrowing {
		if v := m.in.Source.Filters[name]; v != "" {
			q.Set(name, v)
		}
	}
	return m.api + "/api/1/" + what + "/?" + q.Encode()
}

// next is the page after one: the list goes on as long as the answer says that
// there is a next page; the dataservices come after the datasets.
func (m *mapper) next(p source.Page) string {
	total := -1
	if p.Body.Head("total", &total) {
		p.Expects(total)
	}
	var more string
	if p.Body.Head("next_page", &more) && more != "" && p.Records > 0 {
		u, err := url.Parse(p.URL)
		if err != nil {
			return ""
		}
		q := u.Query()
		n, err := strconv.Atoi(q.Get("page"))
		if err != nil {
			return ""
		}
		q.Set("page", strconv.Itoa(n+1))
		u.RawQuery = q.Encode()
		return u.String()
	}
	if strings.Contains(p.URL, "/datasets/") && m.in.Source.Filters["only"] != "datasets" {
		return m.list("dataservices")
	}
	return ""
}

// mapper turns datasets and dataservices into drafts.
type mapper struct {
	in *source.Input
	// base is the address of the portal, "" when it is not known; api that of
	// its live API.
	base, api string
	emit      func(source.Draft) error
	reject    func(source.Rejection) error
}

// each takes a dataset, a dataservice, or a fixture of both.
func (m *mapper) each(j *source.JSON, it source.Item, seed string) error {
	var r record
	if bad := j.Decode(it, &r); bad != nil {
		return m.reject(*bad)
	}
	at := where{place: j.Place(it), seed: seed}
	if r.Dataset == nil {
		return m.one(&r, at)
	}
	d := r.Dataset
	if d.Organization == nil {
		d.Organization = r.Organization
	}
	if d.Resources == nil {
		d.Resources = r.Resources
	}
	if err := m.one(d, at); err != nil {
		return err
	}
	for i := range r.Dataservices {
		if err := m.one(&r.Dataservices[i], at); err != nil {
			return err
		}
	}
	return nil
}

// where is a record's place in the input.
type where struct{ place, seed string }

// one takes one dataset or dataservice.
func (m *mapper) one(r *record, at where) error {
	kind, path := "dataset", "datasets"
	if r.service() {
		kind, path = "dataservice", "dataservices"
	}
	b := source.NewBuilder(m.in, at.place, at.seed, m.base)
	b.DefaultLang = m.in.Language()
	b.Country()
	host := m.in.Host("udata")
	if h := catalog.Host(m.base); h != "" {
		host = h
	}
	if r.ID != "" {
		// Datasets and dataservices have ids of one space.
		b.Identify(host, Kind, "id", string(r.ID))
	}
	b.Names("title", source.Text{Value: string(r.Title)})
	bad := refuse(r, kind)
	if bad == nil {
		bad = m.pages(b, r, path)
	}
	if bad != nil {
		bad.Place, bad.UpstreamRef = at.place, b.Draft.Entry.UpstreamRef
		return m.reject(*bad)
	}
	b.Descriptions("description", source.Text{Value: string(r.Description)})
	b.Terms("tags", "", r.Tags...)
	b.Tags("tags", r.Tags...)
	m.publisher(b, r)
	b.Licence("license", string(r.License))
	if kind == "dataservice" {
		m.service(b, r)
	} else {
		m.dataset(b, r)
	}
	return m.emit(b.Done())
}
