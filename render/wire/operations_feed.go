package wire

import (
	"reflect"

	"github.com/assay-register/assay/render/catalog"
)

// TagChanges are the operations by which a client learns what changed.
const TagChanges = "changes"

// FeedParams choose a part of the change feed.
func FeedParams() []Param {
	return []Param{
		{Name: "cursor", In: "query", Kind: KindString, Pattern: CursorPattern, Means: "a cursor that an answer gave", Example: Cursor(0),
			Description: "Where to go on: `next_cursor` of an earlier answer. It never expires; without it the feed begins at the first event."},
		{Name: "limit", In: "query", Kind: KindInteger, Min: 1, Max: FeedMax, Default: FeedDefault, Description: "Events of the answer, at most."},
		enum("type", "Kind of the event.", catalog.EventKinds()),
		{Name: "entry", In: "query", Kind: KindList, Description: "Id or slug of an entry.", Example: []string{exampleSlug}},
		{Name: "country", In: "query", Kind: KindList, Pattern: countryPattern, Means: countryMeans, Description: "ISO 3166-1 alpha-2 code of the entry's country, in either case.", Example: []string{"GR"}},
		{Name: "institution", In: "query", Kind: KindList, Format: "uuid", Description: "Institution id."},
		{Name: "tag", In: "query", Kind: KindList, Description: "Tags; the entry must carry all of them.", Example: []string{"transport"}},
	}
}

// changeOperations are the change feed, live and as static pages.
func changeOperations() []Operation {
	ops := []Operation{
		{ID: "listEvents", Path: RouteFeed, Summary: "Change feed",
			Description: "What happened, oldest first. Ask again with `next_cursor` to go on: a reader that follows it from any cursor gets every later event once and in order. " +
				"`has_more` tells whether events lie behind the cursor already; a filter may leave a page empty while it is true. Filters look at the entry as it is now.",
			Params: FeedParams(), Response: reflect.TypeFor[FeedPage](), Problems: []int{400, 422}, Cache: CacheRevalidate},
		{ID: "getFeedSummary", Path: RouteFeedSummary, Summary: "Where the change feed stands",
			Description: "The latest event, counts by type over the latest events, and the cursors of both ends.",
			Response:    reflect.TypeFor[FeedSummary](), Problems: []int{422}, Cache: CacheRevalidate},
		{ID: "getFeedHead", Path: RouteFeedHead, Static: true, Summary: "Newest static page of the change feed",
			Description: "The events since the last complete page, as of the last build. `full_pages` tells how many complete pages there are.",
			Response:    reflect.TypeFor[FeedHead](), Problems: []int{404, 422}, Cache: CacheRevalidate},
		{ID: "getFeedPage", Path: "/api/v1/webhooks/feed/pages/{n}", Static: true, Summary: "Static page of the change feed",
			Description: "A complete page of the change feed. It never changes and can be kept for ever.",
			Params:      []Param{{Name: "n", In: "path", Kind: KindInteger, Min: 1, Description: "Page number, up to `full_pages` of the head.", Example: 1}},
			Response:    reflect.TypeFor[FeedStatic](), Problems: []int{404, 422}, Cache: CacheRevalidate},
	}
	for i := range ops {
		ops[i].Tag, ops[i].Media = TagChanges, MediaJSON
	}
	return ops
}
