package wire

import (
	"reflect"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// SeriesMembersMax bounds the members that a series page names; all of them are
// behind its link.
const SeriesMembersMax = 1000

// SeriesHead says of an entry which series it belongs to (decisions-2 §E).
type SeriesHead struct {
	ID    string  `json:"id"`
	Title string  `json:"title"`
	Lang  *string `json:"lang"`
	// Basis is publisher_stated where the source names the series, else
	// platform_computed: equal titles of one publisher with different periods.
	Basis catalog.Basis `json:"basis"`
	// EntryID is the entry of a stated series.
	EntryID *string `json:"entry_id"`
	Count   int     `json:"count"`
}

// EntrySeries is the place of an entry in its series.
type EntrySeries struct {
	SeriesHead
	Previous *Ref   `json:"previous"`
	Next     *Ref   `json:"next"`
	Href     string `json:"href"`
}

// SeriesPage is a series with its members in order of their periods.
type SeriesPage struct {
	SeriesHead
	Members []SeriesMember `json:"members"`
	Links   SeriesLinks    `json:"links"`
}

// SeriesMember is a dataset of a series.
type SeriesMember struct {
	Entry Ref `json:"entry"`
	// PeriodStart and PeriodEnd are what it is about, as a year, month or day;
	// null for unknown, and for a period that goes on.
	PeriodStart *string `json:"period_start"`
	PeriodEnd   *string `json:"period_end"`
	Version     *string `json:"version"`
}

// SeriesLinks lead on from a series.
type SeriesLinks struct {
	Self    string `json:"self"`
	Entries string `json:"entries_href"`
}

// SeriesRoute is the route of a series.
func SeriesRoute(id string) string { return "/api/v1/series/" + id }

func newSeriesHead(s *snapshot.Series) SeriesHead {
	h := SeriesHead{ID: s.ID, Title: s.Title, Lang: null(s.Lang), Basis: catalog.BasisComputed, EntryID: null(s.EntryID), Count: len(s.Members)}
	if s.Stated {
		h.Basis = catalog.BasisPublisher
	}
	return h
}

// newEntrySeries is the place of an entry, nil where it is in no series, and the
// latest change among what it shows.
func newEntrySeries(c *snapshot.Catalog, ordinal int) (*EntrySeries, int64) {
	s := c.SeriesOf(ordinal)
	if s == nil {
		return nil, 0
	}
	out := &EntrySeries{SeriesHead: newSeriesHead(s), Href: Path(c.Site, SeriesRoute(s.ID))}
	changed := int64(0)
	at := func(n int) *Ref {
		if n < 0 || n >= len(s.Members) {
			return nil
		}
		l := &c.Lines[s.Members[n]]
		changed = max(changed, l.Shown)
		ref := NewRef(l)
		return &ref
	}
	for n, o := range s.Members {
		if int(o) == ordinal {
			out.Previous, out.Next = at(n-1), at(n+1)
		}
	}
	return out, changed
}

// NewSeriesPage makes the page of a series, and tells the latest change among what
// it shows.
func NewSeriesPage(c *snapshot.Catalog, s *snapshot.Series) (SeriesPage, time.Time) {
	p := SeriesPage{SeriesHead: newSeriesHead(s), Members: []SeriesMember{},
		Links: SeriesLinks{Self: Path(c.Site, SeriesRoute(s.ID)), Entries: Path(c.Site, "/api/v1/entries?series="+s.ID)}}
	changed := int64(0)
	for _, o := range s.Members[:min(len(s.Members), SeriesMembersMax)] {
		l := &c.Lines[o]
		changed = max(changed, l.Shown)
		p.Members = append(p.Members, SeriesMember{NewRef(l), null(l.Member.Period.From), null(l.Member.Period.To), null(l.Member.Version)})
	}
	return p, time.Unix(changed, 0)
}

// seriesOperation describes the page of a series.
func seriesOperation() Operation {
	return Operation{ID: "getSeries", Path: SeriesRoute("{id}"), Tag: TagEntries, Summary: "One series of datasets",
		Description: "Datasets of one publisher that differ by their period or version, or that their source puts into a series, in that order. " +
			"A series is named by `relations` of its members; lists and searches show it once with `collapse=series`.",
		Params:   []Param{{Name: "id", In: "path", Kind: KindString, Format: "uuid", Description: "Series id.", Example: exampleID}},
		Response: reflect.TypeFor[SeriesPage](), Problems: problemsEntry, Cache: CacheRevalidate, Static: true, Sealed: true, Media: MediaJSON}
}

// collapseParam shows each series once.
func collapseParam() Param {
	return Param{Name: "collapse", In: "query", Kind: KindList, Enum: []string{"series"},
		Description: "`series` shows each series of datasets once, by the member that comes first; totals count it once."}
}
