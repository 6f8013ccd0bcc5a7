package csw

import (
	"context"
	"fmt"
	"net/url"
	"strconv"

	"github.com/assay-register/assay/build/harvest/source"
)

// pagesMax bounds how many pages one run asks for.
const pagesMax = 100_000

// follow asks for the pages after one that was read.
func (h *harvest) follow(ctx context.Context, at string, a answer) error {
	for range pagesMax {
		if a.exception != nil {
			return h.reject(*a.exception)
		}
		next, bad := after(at, a)
		if bad != nil {
			return h.reject(*bad)
		}
		if next == "" {
			return nil
		}
		if err := h.in.Done(next); err != nil {
			return err
		}
		var err error
		if a, err = h.fetch(ctx, next); err != nil {
			return err
		}
		at = next
	}
	return h.reject(source.Rejection{Place: at, Code: source.CodeRepeatedPage, Reason: fmt.Sprintf("the service has more than %d pages", pagesMax), Remedy: "narrow the source by its constraint"})
}

// after is the address of the page after one: at the position that the page
// names, else after the records that came. bad says that the service stopped
// before its own number of records, or goes back.
func after(at string, a answer) (next string, bad *source.Rejection) {
	u, err := url.Parse(at)
	if err != nil {
		return "", nil
	}
	q := u.Query()
	start := max(number(q.Get("startPosition")), 1)
	position := a.next
	switch {
	case position == 0, position < 0 && (a.records == 0 || a.matched >= 0 && start+a.records > a.matched):
		position = 0
	case position < 0:
		position = start + a.records
	case position <= start:
		return "", &source.Rejection{Place: at, Code: source.CodeRepeatedPage, Reason: fmt.Sprintf("the page at position %d names %d as the next", start, position),
			Remedy: "make the service honour startPosition"}
	case a.matched >= 0 && position > a.matched:
		position = 0
	}
	if position > 0 && a.records == 0 {
		position = 0
	}
	if position == 0 {
		if got := start - 1 + a.records; a.matched > got {
			return "", &source.Rejection{Place: at, Code: source.CodeTruncated, Reason: fmt.Sprintf("the service counts %d records and gave %d", a.matched, got),
				Remedy: "ask again later, or narrow the source by its constraint"}
		}
		return "", nil
	}
	q.Set("startPosition", strconv.Itoa(position))
	u.RawQuery = q.Encode()
	return u.String(), nil
}
