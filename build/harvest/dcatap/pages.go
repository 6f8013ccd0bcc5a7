package dcatap

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/build/rdf"
)

// pagesMax is how many pages a catalogue has at most: at ten datasets a page
// still a million of them.
const pagesMax = 100_000

// pages walks the pages of a live catalogue (Hydra Core Vocabulary:
// hydra:PartialCollectionView with hydra:next, and the older
// hydra:PagedCollection with hydra:nextPage). The cursor is the address of the
// next page.
func (h *harvest) pages(ctx context.Context) error {
	at := h.in.Cursor
	if at == "" || strings.HasPrefix(at, listedCursor) {
		at = h.in.PageURL()
	}
	seen := map[string]bool{}
	for {
		seen[at] = true
		next, listed, err := h.page(ctx, at)
		if err != nil {
			return err
		}
		if next == "" {
			if len(listed) > 0 {
				return h.listed(ctx, at, listed)
			}
			return nil
		}
		bad := source.Rejection{Place: at, Code: source.CodeRepeatedPage, Remedy: "let the last page name no next one"}
		switch {
		case seen[next]:
			bad.Reason = fmt.Sprintf("the page names %s as the next one, which was read before", next)
		case len(seen) >= pagesMax:
			bad.Reason = fmt.Sprintf("after %d pages there is still a next one, %s", pagesMax, next)
		default:
			if err := h.in.Done(next); err != nil {
				return err
			}
			at = next
			continue
		}
		return h.reject(bad)
	}
}

// page reads a page and returns the address of the next, and those of datasets that it lists in place of describing
// any. A page that cannot be
// read to its end is an error, so that the run goes on there another time.
func (h *harvest) page(ctx context.Context, at string) (next string, listed []string, err error) {
	resp, err := h.in.Fetch(ctx, source.Request{URL: at, Accept: rdf.Accept})
	if err != nil {
		return "", nil, err
	}
	defer resp.Body.Close()
	base := at
	if resp.URL != "" {
		base = resp.URL
	}
	o, err := h.document(ctx, resp.Body, at, base, resp.Header.Get("Content-Type"))
	switch {
	case err != nil:
		return "", nil, err
	case o.broken != nil:
		// What is missing may be the way to the other pages, so the listing is
		// not complete.
		return "", nil, fmt.Errorf("read %s: %s", at, o.broken.Reason)
	case o.next == "":
		return "", o.listed, nil
	}
	u, err := url.Parse(base)
	if err == nil {
		u, err = u.Parse(o.next)
	}
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return "", nil, fmt.Errorf("read %s: the address of the next page cannot be used: %q", at, o.next)
	}
	return u.String(), nil, nil
}
