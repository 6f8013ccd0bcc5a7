package wire

import (
	"strconv"
	"time"
)

// CatalogChanges asks for one page of the DCAT-AP catalogue, narrowed to the
// entries that changed. Pages of one walk name their snapshot.
type CatalogChanges struct {
	// Since keeps the entries that changed at or after it; zero keeps all.
	Since time.Time
	// Number counts pages from one.
	Number int
	// Form is ttl, jsonld or rdf.
	Form string
	// Snapshot is the id of the snapshot that the page is cut from.
	Snapshot string
}

// Route is the route of page number n of the same walk, below the base URL.
func (q *CatalogChanges) Route(n int) string {
	route := "/api/v1/catalog/dcat." + q.Form + "?page=" + strconv.Itoa(n)
	if !q.Since.IsZero() {
		route += "&modified_since=" + q.Since.UTC().Format(time.RFC3339)
	}
	return route + "&snapshot=" + q.Snapshot
}

// CatalogPage is an answer to CatalogChanges.
type CatalogPage struct {
	Body []byte
	// Pages is how many pages the walk has, at least one.
	Pages int
}

// ChangesParams choose a page of the DCAT-AP catalogue.
func ChangesParams() []Param {
	return []Param{
		{Name: "modified_since", In: "query", Kind: KindString, Format: "date-time", Example: "2026-01-01T00:00:00Z",
			Description: "Only entries whose record was published or modified at or after this instant; a date is the beginning of its UTC day. " +
				"Entries that left stand in `/tombstones.ndjson`."},
		{Name: "page", In: "query", Kind: KindInteger, Min: 1,
			Description: "Page number. With it, or with `modified_since`, the answer is a page of at most 500 entries whose Hydra links lead to the others."},
		snapshotParam(),
	}
}
