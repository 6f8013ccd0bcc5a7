package ogc

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"path"

	"github.com/assay-register/assay/build/harvest/source"
)

// The faults of documents.
const (
	// CodeSyntax is a document that is neither XML nor JSON.
	CodeSyntax source.Code = "invalid_syntax"
	// CodeNotOGC is a document that no geographic web service gives.
	CodeNotOGC source.Code = "not_ogc"
	// CodeException is a service that answered with an exception report.
	CodeException source.Code = "service_exception"
)

// doc is one document on its way to a draft.
type doc struct {
	// place names the document in messages.
	place string
	// address is where the document was found, "" when that is not known.
	address string
	// beside gives the collections to which a landing page links, and the
	// address they came from; no data when there are none. It may be nil.
	beside func(link string) (data []byte, address string, bad *source.Rejection, err error)
}

// document emits the draft of one document, or rejects it.
func (m *mapper) document(data []byte, bad *source.Rejection, d *doc) error {
	if bad != nil {
		return m.reject(*bad)
	}
	var s *service
	var err error
	if trimmed := bytes.TrimLeft(data, " \t\r\n"); len(trimmed) > 0 && trimmed[0] == '{' {
		var faults []source.Rejection
		if s, faults, err = d.api(data); err == nil {
			err = m.rejectAll(faults)
			if err != nil {
				return err
			}
		}
	} else {
		s, err = parseXML(data)
	}
	if fetch := (*source.FetchError)(nil); errors.As(err, &fetch) {
		return err
	}
	if err != nil {
		return m.reject(d.unreadable(err))
	}
	if s.protocol == "exception" {
		text, _ := source.Line(s.exception)
		text, _ = source.Cut(text, 300)
		return m.reject(source.Rejection{Place: d.place, Code: CodeException, Reason: "the service answered with an exception: " + text,
			Remedy: "give the address at which the service describes itself"})
	}
	draft, bad := m.draft(s, d)
	if bad != nil {
		return m.reject(*bad)
	}
	draft.Document(data)
	return m.emit(draft)
}

func (m *mapper) rejectAll(list []source.Rejection) error {
	for _, bad := range list {
		if err := m.reject(bad); err != nil {
			return err
		}
	}
	return nil
}

// unreadable is the rejection of a document that cannot be read.
func (d *doc) unreadable(err error) source.Rejection {
	bad := source.Rejection{Place: d.place, Code: CodeSyntax, Reason: err.Error(), Remedy: "publish a valid document"}
	var x *xmlError
	if errors.As(err, &x) {
		bad.Place = fmt.Sprintf("%s:%d", d.place, x.line)
	}
	if errors.Is(err, errNoOGC) {
		bad.Code, bad.Remedy = CodeNotOGC, "give a GetCapabilities answer or the landing page of an OGC API"
	}
	return bad
}

// pagesMax is how many pages of collections are asked for.
const pagesMax = 100

// api reads a landing page and the collections to which it links. Collections
// that are broken cost members, not the service, and are reported; a page that
// cannot be fetched fails the run, so that no member is taken for gone.
func (d *doc) api(data []byte) (*service, []source.Rejection, error) {
	l, err := parseJSON(data)
	if err != nil {
		return nil, nil, err
	}
	if !l.isLanding() {
		return nil, nil, fmt.Errorf("%w: collections speak for no service; they are read with the landing page beside them", errNoOGC)
	}
	s := l.service()
	next := l.link("data")
	if d.beside == nil || next == nil || len(l.Collections) > 0 {
		return s, nil, nil
	}
	href, base := next.Href, d.address
	for range pagesMax {
		data, from, bad, err := d.beside(against(base, href))
		if err != nil || bad != nil || data == nil {
			return s, faults(bad), err
		}
		page, err := parseJSON(data)
		if err != nil {
			at := doc{place: collectionsPlace(d.place, from)}
			broken := at.unreadable(err)
			return s, faults(&broken), nil
		}
		s.add(page.Collections)
		more := page.link("next")
		if more == nil || from == "" {
			return s, nil, nil
		}
		href, base = more.Href, from
	}
	return s, nil, nil
}

func collectionsPlace(place, from string) string {
	if from != "" {
		return from
	}
	return path.Join(path.Dir(place), collectionsFile)
}

func faults(bad *source.Rejection) []source.Rejection {
	if bad == nil {
		return nil
	}
	return []source.Rejection{*bad}
}

// against resolves a link against the page it stands on.
func against(base, href string) string {
	b, err := url.Parse(base)
	if err != nil {
		return href
	}
	u, err := b.Parse(href)
	if err != nil {
		return href
	}
	return u.String()
}
