// Package oaipmh reads repositories by OAI-PMH 2.0: records of DCAT, ISO 19139
// or Dublin Core, whichever the repository gives and says most.
package oaipmh

import (
	"cmp"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/xmltree"
)

// Kind is the word for this connector in `assay harvest --kind`.
const Kind = "oai-pmh"

// The filters of a source.
const (
	// FilterPrefix is the metadataPrefix to ask for, instead of the best of
	// those that the repository lists.
	FilterPrefix = "prefix"
	// FilterSet is the set to ask for.
	FilterSet = "set"
	// FilterPage says under which address the repository shows a record: an
	// address with {id}.
	FilterPage = "page"
	// FilterUntyped is "dataset" where records of Dublin Core that state no
	// type are data.
	FilterUntyped = "untyped"
)

// CodeProtocol is a repository that answered with an error of the protocol.
const CodeProtocol source.Code = "oai_error"

// Connector implements source.Connector.
type Connector struct {
	// RDF reads the records of DCAT; without it they are not asked for.
	RDF source.Connector
}

// Run implements source.Connector. A repository is asked page by page, for what
// changed since the last complete run; the cursor is the address of the next
// page. Captured answers are read from a file, or the XML files of a folder or
// archive.
func (c Connector) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	h := &harvest{Connector: c, in: &in, emit: emit, reject: reject, page: source.PagePattern(in.Source.Filters[FilterPage])}
	if in.Fetch != nil {
		return h.live(ctx)
	}
	return xmltree.Captured(ctx, &in, reject, func(r io.Reader, name string) error {
		a, err := h.answer(ctx, r, name, in.PageURL())
		if err == nil && a.fault != nil {
			err = reject(*a.fault)
		}
		return err
	})
}

// Catalogue implements source.Describer: every answer repeats the address of its
// repository (OAI-PMH 2.0, section 3.2).
func (c Connector) Catalogue(ctx context.Context, in source.Input) (out source.Catalogue, err error) {
	if in.Open == nil || in.Fetch != nil {
		return out, nil
	}
	d := xmltree.Document{Name: in.Name, Limits: in.Limits}
	d.Take = func(n xml.Name) bool { return n.Local == "request" && strings.HasPrefix(n.Space, namespace) }
	d.Each = func(n *xmltree.Node, _ string) error {
		out.Names(n.Text)
		return nil
	}
	ignore := func(source.Rejection) error { return nil }
	err = xmltree.Captured(ctx, &in, ignore, func(r io.Reader, name string) error {
		_, _, err := d.Read(ctx, r, ignore)
		return err
	})
	return out, err
}

// namespace begins that of the protocol (OAI-PMH 2.0, section 3.2).
const namespace = "http://www.openarchives.org/OAI/2.0"

// harvest is a run under way.
type harvest struct {
	Connector
	in     *source.Input
	emit   func(source.Draft) error
	reject func(source.Rejection) error
	page   func(id string) string
}

// pagesMax bounds how many pages one run asks for.
const pagesMax = 100_000

func (h *harvest) live(ctx context.Context) error {
	at, err := h.in.Address()
	if err != nil {
		return err
	}
	at.RawQuery, at.Fragment = "", ""
	next, resumed := h.in.Cursor, h.in.Cursor != ""
	seen := map[string]bool{}
	for range pagesMax {
		if next == "" {
			if next, err = h.first(ctx, at); err != nil || next == "" {
				return err
			}
		}
		if seen[next] {
			return h.reject(source.Rejection{Place: next, Code: source.CodeRepeatedPage, Reason: "the repository gives a resumption token that it gave before", Remedy: "make the repository go on"})
		}
		seen[next] = true
		a, err := h.fetch(ctx, next)
		if err != nil {
			return err
		}
		switch {
		case a.code == "badResumptionToken" && resumed:
			next, resumed = "", false // the token has expired; begin anew
			continue
		case a.code == "noRecordsMatch" && !h.in.Since.IsZero():
			return nil
		case a.fault != nil:
			return h.reject(*a.fault)
		case a.token == "":
			return nil
		}
		next, resumed = ask(at, "verb", "ListRecords", "resumptionToken", a.token), false
		if err := h.in.Done(next); err != nil {
			return err
		}
	}
	return h.reject(source.Rejection{Place: next, Code: source.CodeRepeatedPage, Reason: fmt.Sprintf("the repository has more than %d pages", pagesMax), Remedy: "narrow the source by its filter set"})
}

// ask is the address of a request.
func ask(base *url.URL, pairs ...string) string {
	q := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	u := *base
	u.RawQuery = q.Encode()
	return u.String()
}

// prefixes are the metadata prefixes that are read, the one that says most
// first; a prefix may go on with a version.
var prefixes = []struct {
	name string
	rdf  bool
}{{"dcat_ap", true}, {"dcat-ap", true}, {"dcat", true}, {"rdf", true}, {"iso19115-3", false}, {"iso19139", false}, {"gmd", false}, {"iso", false}, {"oai_dc", false}}

// first is the address of the first page.
func (h *harvest) first(ctx context.Context, at *url.URL) (string, error) {
	prefix := h.in.Source.Filters[FilterPrefix]
	if prefix == "" {
		a, err := h.fetch(ctx, ask(at, "verb", "ListMetadataFormats"))
		if err != nil {
			return "", err
		}
		if a.fault != nil {
			return "", h.reject(*a.fault)
		}
		prefix = cmp.Or(h.best(a.formats), "oai_dc") // which every repository has
	}
	pairs := []string{"verb", "ListRecords", "metadataPrefix", prefix}
	if set := h.in.Source.Filters[FilterSet]; set != "" {
		pairs = append(pairs, "set", set)
	}
	if !h.in.Since.IsZero() {
		// Days are what every repository understands; one more covers clocks.
		pairs = append(pairs, "from", h.in.Since.UTC().AddDate(0, 0, -1).Format(time.DateOnly))
	}
	return ask(at, pairs...), nil
}

// best is the prefix of those that a repository lists.
func (h *harvest) best(formats []string) string {
	for _, p := range prefixes {
		if p.rdf && h.RDF == nil {
			continue
		}
		i := slices.IndexFunc(formats, func(f string) bool { return strings.HasPrefix(strings.ToLower(f), p.name) })
		if i >= 0 {
			return formats[i]
		}
	}
	return ""
}

// answer is what a page says.
type answer struct {
	token   string
	formats []string
	// code is that of the error that the repository states, fault its rejection.
	code  string
	fault *source.Rejection
}

func (h *harvest) fetch(ctx context.Context, at string) (answer, error) {
	resp, err := h.in.Fetch(ctx, source.Request{URL: at, Accept: "text/xml, application/xml;q=0.9", Unconditional: true})
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	return h.answer(ctx, resp.Body, at, at)
}

// answer reads a page and takes its records.
func (h *harvest) answer(ctx context.Context, r io.Reader, name, seed string) (answer, error) {
	var a answer
	d := xmltree.Document{Name: name, Limits: h.in.Limits, What: "answer of OAI-PMH", Remedy: "give the address of the repository, or answers of ListRecords"}
	d.Take = func(n xml.Name) bool {
		return slices.Contains([]string{"record", "resumptionToken", "error", "metadataFormat"}, n.Local) && strings.HasPrefix(n.Space, namespace)
	}
	d.Each = func(n *xmltree.Node, place string) error {
		switch n.Name {
		case "resumptionToken":
			a.token = strings.TrimSpace(n.Text)
			if all, err := strconv.Atoi(n.Attr("completeListSize")); err == nil {
				h.in.Expects(all)
			}
		case "metadataFormat":
			a.formats = append(a.formats, n.Value("metadataPrefix"))
		case "error":
			a.code, a.fault = n.Attr("code"), fault(n, place)
		case "record":
			return h.record(ctx, n, place, seed)
		}
		return nil
	}
	_, _, err := d.Read(ctx, r, h.reject)
	return a, err
}

// remedies say what helps against the errors of the protocol.
var remedies = map[string]string{
	"noRecordsMatch": "check the filter set", "noSetHierarchy": "remove the filter set", "cannotDisseminateFormat": "correct the filter prefix",
	"badResumptionToken": "harvest again with --restart",
}

func fault(n *xmltree.Node, place string) *source.Rejection {
	code, text := n.Attr("code"), strings.TrimSpace(n.Text)
	text = source.Token(text)
	text, _ = source.Cut(text, 300)
	out := source.CodeNoRecords
	if code != "noRecordsMatch" {
		out = CodeProtocol
	}
	return &source.Rejection{Place: place, Code: out, Reason: fmt.Sprintf("the repository answered %s: %s", code, text),
		Remedy: cmp.Or(remedies[code], "check the address and the filters of the source")}
}
