package iso

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/harvest/source/xmltree"
)

// Bounds of a web-accessible folder.
const (
	// foldersMax is how many listings are read, depthMax how deep they lie.
	foldersMax, depthMax = 1000, 5
	// listingBytes bounds one listing.
	listingBytes = 16 << 20
	// marked is after how many files the run stores how far it is.
	marked = 20
)

const accept = "application/xml, text/xml;q=0.9, text/html;q=0.8, */*;q=0.1"

// live reads the document at the address of the source, or if that is a page,
// the XML files to which it links as the listing of a folder.
func (h *harvest) live(ctx context.Context) error {
	at, err := h.in.Address()
	if err != nil {
		return err
	}
	resp, err := h.in.Fetch(ctx, source.Request{URL: at.String(), Accept: accept, Unconditional: true})
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body := bufio.NewReader(resp.Body)
	head, err := body.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read %s: %w", at, err)
	}
	if !page(head, resp.Header) {
		return h.document(ctx, body, at.String(), at.String())
	}
	f := &folder{h: h, root: base(resp.URL, at), files: map[string]bool{}}
	links, err := f.links(body, f.root)
	if err != nil {
		return err
	}
	if err := f.list(ctx, links); err != nil {
		return err
	}
	h.in.Expects(len(f.files))
	return f.read(ctx)
}

// base is the address of a folder: where redirects led, else what was asked for.
func base(final string, asked *url.URL) *url.URL {
	if u, err := url.Parse(final); err == nil && u.Host != "" {
		return u
	}
	return asked
}

// page tells that a body is HTML.
func page(head []byte, h http.Header) bool {
	head = bytes.ToLower(bytes.TrimLeft(head, "\ufeff \t\r\n"))
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html")) ||
		strings.HasPrefix(h.Get("Content-Type"), "text/html") && !bytes.HasPrefix(head, []byte("<?xml"))
}

// folder is a web-accessible folder.
type folder struct {
	h     *harvest
	root  *url.URL
	files map[string]bool
}

// list follows the links of listings, breadth first: folders below the first
// one, and XML files.
func (f *folder) list(ctx context.Context, links []string) error {
	type listing struct {
		at    string
		depth int
	}
	seen, queue := map[string]bool{f.root.String(): true}, []listing{}
	take := func(links []string, depth int) {
		for _, link := range links {
			switch {
			case xmltree.File(link):
				f.files[link] = true
			case !seen[link] && strings.HasSuffix(link, "/") && depth < depthMax:
				seen[link] = true
				queue = append(queue, listing{link, depth + 1})
			}
		}
	}
	take(links, 0)
	for n := 1; len(queue) > 0; n++ {
		at := queue[0]
		if queue = queue[1:]; n >= foldersMax {
			return f.h.reject(source.Rejection{Place: at.at, Code: source.CodeInputTooLarge, Reason: fmt.Sprintf("the folder holds more than %d folders", foldersMax),
				Remedy: "make a source of each folder"})
		}
		links, err := f.fetch(ctx, at.at)
		if err != nil {
			return err
		}
		take(links, at.depth)
	}
	return nil
}

func (f *folder) fetch(ctx context.Context, at string) ([]string, error) {
	resp, err := f.h.in.Fetch(ctx, source.Request{URL: at, Accept: "text/html"})
	if err != nil {
		return nil, f.gone(at, err)
	}
	defer resp.Body.Close()
	u, err := url.Parse(at)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", at, err)
	}
	return f.links(resp.Body, u)
}

// links are the addresses to which a listing links, below the first folder and
// without the orders of columns.
func (f *folder) links(r io.Reader, at *url.URL) ([]string, error) {
	data, err := io.ReadAll(io.LimitReader(r, listingBytes))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", at, err)
	}
	found := map[string]bool{}
	z := html.NewTokenizer(bytes.NewReader(data))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		if kind != html.StartTagToken {
			continue
		}
		if t := z.Token(); t.Data == "a" {
			for _, a := range t.Attr {
				if u, err := at.Parse(strings.TrimSpace(a.Val)); a.Key == "href" && err == nil && f.below(u) {
					found[u.String()] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// below tells that an address lies in the folder.
func (f *folder) below(u *url.URL) bool {
	root := f.root.Path
	if !strings.HasSuffix(root, "/") {
		if path.Ext(root) != "" {
			root = path.Dir(root)
		}
		root = strings.TrimSuffix(root, "/") + "/"
	}
	return u.Scheme == f.root.Scheme && u.Host == f.root.Host && u.RawQuery == "" && u.Fragment == "" &&
		strings.HasPrefix(u.Path, root) && u.Path != root && !strings.Contains(u.Path, "/../")
}

// read takes the files in the order of their addresses. The cursor is the last
// one that was taken.
func (f *folder) read(ctx context.Context) error {
	in := f.h.in
	names := slices.Sorted(maps.Keys(f.files))
	if len(names) == 0 {
		return f.h.reject(source.Rejection{Place: f.root.String(), Code: source.CodeNoRecords, Reason: "the page links to no XML file in its folder",
			Remedy: "give the address of a folder that lists its files, or of a record"})
	}
	if most := in.Limits.OrDefault().Files; len(names) > most {
		bad := source.Rejection{Place: f.root.String(), Code: source.CodeInputTooLarge, Reason: fmt.Sprintf("the folder lists %d files, of which the first %d are read", len(names), most),
			Remedy: "make a source of each folder"}
		if err := f.h.reject(bad); err != nil {
			return err
		}
		names = names[:most]
	}
	for i, name := range names {
		if name <= in.Cursor {
			continue
		}
		if err := f.file(ctx, name); err != nil {
			return err
		}
		if i%marked == marked-1 && i < len(names)-1 {
			if err := in.Done(name); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *folder) file(ctx context.Context, name string) error {
	resp, err := f.h.in.Fetch(ctx, source.Request{URL: name, Accept: accept})
	if err != nil {
		return f.gone(name, err)
	}
	defer resp.Body.Close()
	return f.h.document(ctx, resp.Body, name, name)
}

// gone rejects what the listing names and is not there; any other failure ends
// the run, so that no record is taken for gone.
func (f *folder) gone(name string, err error) error {
	var e *source.FetchError
	if errors.As(err, &e) && (e.Status == http.StatusNotFound || e.Status == http.StatusGone || e.Status == http.StatusForbidden) {
		return f.h.reject(source.Rejection{Place: name, Code: source.CodeUnreadable, Reason: fmt.Sprintf("the folder lists it and answers %d for it", e.Status),
			Remedy: "make the file readable, or take it out of the folder"})
	}
	return err
}
