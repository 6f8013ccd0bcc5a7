package dcatap

import (
	"context"
	"fmt"
	"net/url"

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
	if at == "" {
		at = h.in.PageURL()
	}
	seen := map[string]bool{}
	for {
		seen[at] = true
		next, err := h.page(ctx, at)
		if err != nil || next == "" {
			return err
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

// page reads a page and returns the address of the next. A page that cannot be
// read to its end is an error, so that the run goes on there another time.
func (h *harvest) page(ctx context.Context, at string) (string, error) {
	resp, err := h.in.Fetch(ctx, source.Request{URL: at, Accept: rdf.Accept})
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	base := at
	if resp.URL != "" {
		base = resp.URL
	}
	o, err := h.document(ctx, resp.Body, at, base, resp.Header.Get("Content-Type"))
	switch {
	case err != nil:
		return "", err
	case o.broken != nil:
		// What is missing may be the way to the other pages, so the listing is
		// not complete.
		return "", fmt.Errorf("read %s: %s", at, o.broken.Reason)
	case o.next == "":
		return "", nil
	}
	u, err := url.Parse(base)
	if err == nil {
		u, err = u.Parse(o.next)
	}
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("read %s: the address of the next page cannot be used: %q", at, o.next)
	}
	return u.String(), nil
}
