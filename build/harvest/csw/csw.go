// Package csw reads catalogue services of OGC (CSW 2.0.2 and 3.0, by GET or POST as
// their capabilities say): records of ISO 19139
// where the service gives them, else those of Dublin Core.
package csw

import (
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/dublincore"
	"github.com/assay-register/assay/build/harvest/source/iso19115"
	"github.com/assay-register/assay/build/harvest/source/xmltree"
)

// Kind is the word for this connector in `assay harvest --kind`.
const Kind = "csw"

// The filters of a source.
const (
	// FilterPage says under which address the catalogue shows a record: an
	// address with {id}. Without it the request of the record itself stands.
	FilterPage = "page"
	// FilterSchema is the outputSchema to ask for, instead of trying.
	FilterSchema = "schema"
	// FilterConstraint narrows what is asked for, in CQL.
	FilterConstraint = "constraint"
)

const (
	gmd   = "http://www.isotc211.org/2005/gmd"
	core  = "http://www.opengis.net/cat/csw/2.0.2"
	core3 = "http://www.opengis.net/cat/csw/3.0"
)

// rows is how many records are asked for at once.
const rows = "50"

// accept is what answers are read in.
const accept = "application/xml, text/xml;q=0.9"

// CodeException is a service that answered with an exception report.
const CodeException source.Code = "service_exception"

// Connector implements source.Connector.
type Connector struct{}

// Run implements source.Connector. A live service is asked page by page; the
// cursor is the address of the next page. Captured answers are read from a file
// or the XML files of a folder or archive.
func (Connector) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	h := &harvest{in: &in, emit: emit, reject: reject, page: source.PagePattern(in.Source.Filters[FilterPage])}
	if in.Fetch != nil {
		return h.live(ctx)
	}
	return xmltree.Captured(ctx, &in, reject, func(r io.Reader, name string) error {
		_, err := h.answer(ctx, r, name, in.PageURL())
		return err
	})
}

// harvest is a run under way.
type harvest struct {
	in     *source.Input
	emit   func(source.Draft) error
	reject func(source.Rejection) error
	page   func(id string) string
}

// live reads a service.
func (h *harvest) live(ctx context.Context) error {
	at, err := h.in.Address()
	if err != nil {
		return err
	}
	base := bare(at)
	if h.in.Cursor != "" {
		h.shown(base, versionOf(h.in.Cursor))
		a, err := h.fetch(ctx, h.in.Cursor)
		if err != nil {
			return err
		}
		return h.follow(ctx, h.in.Cursor, a)
	}
	can, err := h.negotiate(ctx, base)
	if err != nil {
		return err
	}
	h.shown(base, can.version)
	return h.ask(ctx, can.ways(base, h.in.Source.Filters))
}

// shown lets records be shown by the service itself where nobody says a page.
func (h *harvest) shown(base *url.URL, version string) {
	if h.page == nil {
		h.page = func(id string) string { return record(base, version, id) }
	}
}

// versionOf is the version in which a page is asked for.
func versionOf(at string) string {
	if u, err := url.Parse(at); err == nil && u.Query().Get("version") == version3 {
		return version3
	}
	return version2
}

// ask reads the service in the first way that it understands.
func (h *harvest) ask(ctx context.Context, ways []string) error {
	for i, first := range ways {
		last := i == len(ways)-1
		a, err := h.fetch(ctx, first)
		if err != nil && (last || !refused(err)) {
			return err
		}
		if err != nil || !last && (a.exception != nil || a.records == 0 && a.matched > 0) {
			continue // another way may do
		}
		return h.follow(ctx, first, a)
	}
	return nil
}

// refused tells that a service answered and did not like what it was asked.
func refused(err error) bool {
	var e *source.FetchError
	return errors.As(err, &e) && slices.Contains([]int{http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotAcceptable,
		http.StatusInternalServerError, http.StatusNotImplemented}, e.Status)
}

// bare is the address of the service without the words of a request.
func bare(at *url.URL) *url.URL {
	return without(at, "service", "version", "request", "acceptversions")
}

// without is an address without some of its words, in whatever case.
func without(at *url.URL, words ...string) *url.URL {
	u := *at
	q := u.Query()
	for key := range q {
		if slices.Contains(words, strings.ToLower(key)) {
			q.Del(key)
		}
	}
	u.RawQuery, u.Fragment, u.ForceQuery = q.Encode(), "", false
	return &u
}

func with(base *url.URL, pairs ...string) string {
	u := *base
	q := u.Query()
	for i := 0; i < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// record is the address at which the service gives one record.
func record(base *url.URL, version, id string) string {
	return with(base, "service", "CSW", "version", version, "request", "GetRecordById", "elementSetName", "full", "outputSchema", gmd, "id", id)
}

// answer is what a page says.
type answer struct {
	// records is how many it held, exception what it complains of.
	records   int
	exception *source.Rejection
	// matched is how many there are in all, next the position of the next page,
	// -1 when the page does not say.
	matched, next int
}

func (h *harvest) fetch(ctx context.Context, at string) (answer, error) {
	u, err := url.Parse(at)
	if err != nil {
		return answer{}, fmt.Errorf("go on at %s: %w", at, err)
	}
	asked := source.Request{URL: at}
	if u.Fragment == posted {
		if asked, err = document(u); err != nil {
			return answer{}, err
		}
	}
	asked.Accept, asked.Unconditional = accept, true
	resp, err := h.in.Fetch(ctx, asked)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	a, err := h.answer(ctx, resp.Body, at, asked.URL)
	h.in.Expects(a.matched)
	return a, err
}

// answer reads a page and takes its records.
func (h *harvest) answer(ctx context.Context, r io.Reader, name, seed string) (answer, error) {
	a := answer{matched: -1, next: -1}
	d := xmltree.Document{Name: name, Limits: h.in.Limits, Take: wanted, Enter: func(n *xmltree.Node) {
		if n.Name == "SearchResults" {
			a.matched, a.next = number(n.Attr("numberOfRecordsMatched")), number(n.Attr("nextRecord"))
		}
	}}
	if h.in.Fetch == nil {
		d.What, d.Remedy = "record of a catalogue service", "give answers of GetRecords"
	}
	d.Each = func(n *xmltree.Node, place string) error {
		if n.Name == "ExceptionReport" || n.Name == "ServiceExceptionReport" {
			a.exception = exception(n, place)
			if h.in.Fetch == nil {
				return h.reject(*a.exception)
			}
			return nil
		}
		return h.take(n, place, seed)
	}
	n, _, err := d.Read(ctx, r, h.reject)
	a.records = n
	return a, err
}

// wanted tells which elements are records, or say what is wrong.
func wanted(n xml.Name) bool {
	switch n.Local {
	case "ExceptionReport", "ServiceExceptionReport":
		return true
	case "Record", "SummaryRecord", "BriefRecord":
		return strings.HasPrefix(n.Space, "http://www.opengis.net/cat/csw/")
	}
	return iso19115.Root(n)
}

func number(raw string) int {
	n, err := strconv.Atoi(strings.TrimSpace(raw))
	if err != nil || n < 0 {
		return -1
	}
	return n
}

func exception(n *xmltree.Node, place string) *source.Rejection {
	var said []string
	n.Each(func(n *xmltree.Node) {
		for _, raw := range []string{n.Attr("exceptionCode"), n.Attr("locator"), n.Text} {
			if line, _ := source.Line(raw); line != "" {
				said = append(said, line)
			}
		}
	})
	text, _ := source.Cut(cmp.Or(strings.Join(said, ", "), "it does not say why"), 300)
	return &source.Rejection{Place: place, Code: CodeException, Reason: "the service answered with an exception: " + text,
		Remedy: "check the address, and the filters schema and constraint of the source"}
}

// take emits or rejects one record.
func (h *harvest) take(n *xmltree.Node, place, seed string) error {
	if iso19115.Root(xml.Name{Local: n.Name}) {
		return iso19115.Each(n, iso19115.Origin{In: h.in, Kind: Kind, Seed: seed, Page: h.page}, place, h.emit, h.reject)
	}
	d, bad := dublincore.Draft(n, dublincore.Origin{In: h.in, Kind: Kind, Place: place, Seed: seed, Page: h.page, Untyped: true})
	if bad != nil {
		return h.reject(*bad)
	}
	return h.emit(d)
}
