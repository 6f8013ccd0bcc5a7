package wire

import (
	"strconv"

	"github.com/assay-register/assay/render/catalog"
)

// FeedPage is a page of the change feed, oldest event first.
type FeedPage struct {
	Events     []FeedEvent `json:"events"`
	NextCursor string      `json:"next_cursor"`
	HasMore    bool        `json:"has_more"`
	Links      FeedLinks   `json:"links"`
}

// FeedLinks lead from the live feed to the next page and to the static pages.
type FeedLinks struct {
	Next string `json:"next"`
	Head string `json:"head"`
}

// FeedSummary tells where the change feed stands.
type FeedSummary struct {
	// Latest is the last public event, nil before the first one.
	Latest *FeedEvent `json:"latest"`
	// Counted is over how many of the latest events Types counts, Since the
	// time of the oldest of them.
	Counted int         `json:"counted"`
	Since   *string     `json:"since"`
	Types   []TypeCount `json:"types"`
	// BeginCursor leads to the first event, EndCursor behind the last one.
	BeginCursor string    `json:"begin_cursor"`
	EndCursor   string    `json:"end_cursor"`
	Links       FeedLinks `json:"links"`
}

// TypeCount counts the events of a type.
type TypeCount struct {
	Type  catalog.EventKind `json:"type"`
	Count int               `json:"count"`
}

// FeedStatic is a complete static page of the change feed: the public events of
// a range of numbers. It never changes.
type FeedStatic struct {
	Events []FeedEvent `json:"events"`
	Page   int         `json:"page"`
	// Prev is null on the first page.
	Prev *string `json:"prev"`
	Head string  `json:"head"`
	// NextCursor goes on in the live feed behind the page.
	NextCursor string `json:"next_cursor"`
}

// FeedHead is the last static page, the one that changes until it is complete.
type FeedHead struct {
	Events []FeedEvent `json:"events"`
	// Page is the number it will have, FullPages how many are complete.
	Page       int     `json:"page"`
	FullPages  int     `json:"full_pages"`
	Prev       *string `json:"prev"`
	NextCursor string  `json:"next_cursor"`
}

// Bounds of the change feed, in events.
const (
	FeedDefault = 100
	FeedMax     = 1000
	// FeedPageSize is how many numbers a static page stands for.
	FeedPageSize = 1000
	// SummaryOver is how many of the latest events the summary counts.
	SummaryOver = 1000
)

// Routes of the change feed.
const (
	RouteFeed        = "/api/v1/webhooks/feed/events"
	RouteFeedSummary = "/api/v1/webhooks/feed/summary"
	// RouteFeedHead is the one static page that changes.
	RouteFeedHead = "/api/v1/webhooks/feed/head"
)

// RouteFeedPage is the static page of a number, counted from one.
func RouteFeedPage(n int) string { return "/api/v1/webhooks/feed/pages/" + strconv.Itoa(n) }
