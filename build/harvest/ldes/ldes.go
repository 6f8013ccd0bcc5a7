// Package ldes reads Linked Data Event Streams, such as the feeds of DCAT-AP of SEMIC: it
// follows the relations of the tree, keeps of each record the last version, and hands that to
// the connector that reads RDF. What was deleted is rejected, so that it counts as gone.
//
// In which order a tree has its members nobody promises, so all pages are read before the
// first record is handed on; versions lie in a scratch file meanwhile, and 64 bytes of memory
// say which is the last one of a record. The reader is our own, for there is none in Go.
package ldes

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"time"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/rdf"
)

// Kind is the word for this connector in `assay harvest --kind`.
const Kind = "ldes"

// FilterBase is the filter that says under which address captured pages were found.
const FilterBase = "base"

const (
	// CodeSyntax is a place where a page breaks the rules of its syntax, so that something of
	// it is lost.
	CodeSyntax source.Code = "rdf_syntax"
	// pagesMax is how many pages are read at most: ten million versions at a hundred a page.
	pagesMax = 100_000
	// pageMax is the longest page, in bytes.
	pageMax = 32 << 20
	// markEvery is after how many records the place is kept.
	markEvery = 100
	// clocks is by how much those of the register and the source may differ, with the time from a change
	// to its publication.
	clocks = 24 * time.Hour
)

// accept names the syntaxes; only TriG has the graphs in which a feed of DCAT-AP says what is
// new.
const accept = "application/trig, text/turtle;q=0.9, application/n-triples;q=0.8, application/rdf+xml;q=0.6, application/ld+json;q=0.5, */*;q=0.1"

// Connector implements source.Connector.
type Connector struct {
	// RDF reads the records.
	RDF source.Connector
	// TempDir is where versions lie during a run; empty is the system's place for temporary
	// files.
	TempDir string
}

// Run implements source.Connector. A live feed is read from its first page on, without the
// pages that are older than the last complete run where the tree says so; of captured ones
// each page is read by itself. The cursor is the version that was handed on last: versions are
// handed on in the order of their times, so that an interrupted run reads the pages again, but
// hands no record on twice.
func (c Connector) Run(ctx context.Context, in source.Input, emit func(source.Draft) error, reject func(source.Rejection) error) error {
	kept, err := newVersions(c.TempDir)
	if err != nil {
		return err
	}
	defer kept.close()
	h := &harvest{Connector: c, in: &in, emit: emit, reject: reject, kept: kept, terms: usual()}
	if !in.Since.IsZero() {
		h.since = in.Since.Add(-clocks)
	}
	switch {
	case in.Fetch != nil:
		err = h.live(ctx)
	case in.Open != nil:
		err = h.captured(ctx, in.Name, in.Open)
	case in.Files != nil:
		err = h.folder(ctx)
	default:
		err = fmt.Errorf("open %s: the input is neither a file nor a folder nor live", in.Name)
	}
	if err != nil {
		return err
	}
	return h.handOn(ctx)
}

// harvest is a run under way.
type harvest struct {
	Connector
	in     *source.Input
	emit   func(source.Draft) error
	reject func(source.Rejection) error
	kept   *versions
	terms  terms
	// since is from when versions are of interest, zero for all.
	since time.Time
	// members counts those of all pages, streams the pages that say of which stream they are.
	members, streams int
	// broken tells that a page could not be read to its end, window what the feed says of how
	// long it keeps its members.
	broken bool
	window string
}

// live walks the tree.
func (h *harvest) live(ctx context.Context) error {
	at, err := h.in.Address()
	if err != nil {
		return err
	}
	ahead, met := []string{at.String()}, map[string]bool{at.String(): true}
	for n := 0; len(ahead) > 0; n++ {
		if n >= pagesMax {
			return h.reject(source.Rejection{Place: ahead[0], Code: source.CodeRepeatedPage, Reason: fmt.Sprintf("the feed has more than %d pages", pagesMax),
				Remedy: "give the address of a node that leads to fewer"})
		}
		next, err := h.fetch(ctx, ahead[0])
		if err != nil {
			return err
		}
		ahead = ahead[1:]
		for _, to := range next {
			if !met[to] {
				met[to] = true
				ahead = append(ahead, to)
			}
		}
	}
	return nil
}

// fetch reads a page and gives the addresses that it leads to.
func (h *harvest) fetch(ctx context.Context, at string) ([]string, error) {
	resp, err := h.in.Fetch(ctx, source.Request{URL: at, Accept: accept, Unconditional: true})
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	base := at
	if resp.URL != "" {
		base = resp.URL
	}
	p, err := h.page(ctx, resp.Body, at, base, resp.Header.Get("Content-Type"))
	if err != nil {
		return nil, err
	}
	if p.broken != nil {
		// What is missing may be the way to other pages, so the listing is not complete.
		return nil, fmt.Errorf("read %s: %s", at, p.broken.Reason)
	}
	var list []string
	for _, to := range p.next(&h.terms, h.since) {
		u, err := url.Parse(to)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" {
			return nil, fmt.Errorf("read %s: the address of another page cannot be used: %q", at, to)
		}
		u.Fragment, u.RawFragment = "", ""
		list = append(list, u.String())
	}
	return list, nil
}

// folder reads the pages of a folder.
func (h *harvest) folder(ctx context.Context) error {
	return fs.WalkDir(h.in.Files, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("read %s: %w", h.in.Name, err)
		case ctx.Err() != nil:
			return fmt.Errorf("read %s: %w", h.in.Name, ctx.Err())
		case d.IsDir() || rdf.Extension(name) == rdf.Unknown:
			return nil
		}
		return h.captured(ctx, path.Join(h.in.Name, name), func(context.Context) (io.ReadCloser, error) { return h.in.Files.Open(name) })
	})
}

// captured reads a page that lies in a file.
func (h *harvest) captured(ctx context.Context, name string, open func(context.Context) (io.ReadCloser, error)) error {
	r, err := open(ctx)
	if err != nil {
		return fmt.Errorf("open %s: %w", name, err)
	}
	defer r.Close()
	base := h.in.Source.Filters[FilterBase]
	if base == "" {
		base = h.in.PageURL()
	}
	p, err := h.page(ctx, r, name, base, "")
	if err != nil || p.broken == nil {
		return err
	}
	h.broken = true
	return h.reject(*p.broken)
}

// handOn gives the last versions to the connector that reads them.
func (h *harvest) handOn(ctx context.Context) error {
	if h.streams == 0 && h.members == 0 && !h.broken {
		return h.reject(source.Rejection{Place: h.in.Name, Code: source.CodeNoRecords, Reason: "no page is a node of an event stream or has members",
			Remedy: "give the address of a Linked Data Event Stream"})
	}
	if h.window != "" && h.since.IsZero() {
		if err := h.reject(source.Rejection{Place: h.in.Name, Code: source.CodeWindow, Reason: "the feed keeps its members for a time only (" + h.window + "), so what it does not list may still be there",
			Remedy: "let it keep the latest version of each record"}); err != nil {
			return err
		}
	}
	list := h.kept.inOrder()
	h.in.Expects(len(list))
	for i := range list {
		v := &list[i]
		if h.in.Cursor != "" && v.cursor() <= h.in.Cursor {
			continue
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read %s: %w", h.in.Name, err)
		}
		if err := h.version(ctx, v); err != nil {
			return err
		}
		if (i+1)%markEvery == 0 && i+1 < len(list) {
			if err := h.in.Done(v.cursor()); err != nil {
				return err
			}
		}
	}
	return nil
}

// version hands one on as a document of its own.
func (h *harvest) version(ctx context.Context, v *version) error {
	place, body, err := h.kept.read(v)
	if err != nil {
		return err
	}
	if v.deleted {
		// Without a reference it counts as gone.
		return h.reject(source.Rejection{Place: place, Code: source.CodeDeleted, Reason: "the feed says that " + string(body) + " was deleted", Remedy: "nothing to do"})
	}
	in := *h.in
	in.Name, in.Fetch, in.Files, in.Mark, in.Expect, in.Cursor = place+".nt", nil, nil, nil, nil, ""
	in.Open = func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	at := func(bad source.Rejection) error { bad.Place = place; return h.reject(bad) }
	return h.RDF.Run(ctx, in, func(d source.Draft) error { d.Place = place; return h.emit(d) }, at)
}
