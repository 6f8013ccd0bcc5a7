// Package events renders the change feed as static pages: one for each thousand
// event numbers, which never changes once it is complete, and a head that does.
package events

import (
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// Class groups the pages in snapshot.json.
const Class artifact.Class = "changes"

// Range is the numbers of page n, counted from one: after < number <= through.
func Range(n int) (after, through int64) {
	return int64(n-1) * wire.FeedPageSize, int64(n) * wire.FeedPageSize
}

// Full is how many pages are complete when the log goes up to a number.
func Full(last int64) int { return int(last / wire.FeedPageSize) }

// Page renders a complete page.
func Page(site snapshot.Site, n int, list []wire.FeedEvent) (artifact.File, error) {
	body, err := jsonx.Marshal(page(site, n, list))
	return artifact.File{Route: wire.RouteFeedPage(n), Type: artifact.JSON, Class: Class, Body: body}, err
}

func page(site snapshot.Site, n int, list []wire.FeedEvent) wire.FeedStatic {
	_, through := Range(n)
	return wire.FeedStatic{Events: full(list), Page: n, Prev: prev(site, n), Head: site.BaseURL + wire.RouteFeedHead, NextCursor: wire.Cursor(through)}
}

// Head renders the page that is not complete yet; last is the number up to
// which it was read.
func Head(site snapshot.Site, last int64, list []wire.FeedEvent) (artifact.File, error) {
	n := Full(last)
	body, err := jsonx.Marshal(wire.FeedHead{Events: full(list), Page: n + 1, FullPages: n, Prev: prev(site, n+1), NextCursor: wire.Cursor(last)})
	return artifact.File{Route: wire.RouteFeedHead, Type: artifact.JSON, Class: Class, Body: body}, err
}

func prev(site snapshot.Site, n int) *string {
	if n < 2 {
		return nil
	}
	s := site.BaseURL + wire.RouteFeedPage(n-1)
	return &s
}

func full(list []wire.FeedEvent) []wire.FeedEvent {
	if list == nil {
		return []wire.FeedEvent{}
	}
	return list
}
