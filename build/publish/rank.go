package publish

import (
	"slices"
	"strings"

	"github.com/assay-register/assay/render/artifact"
)

// rank is when an object is written: those of a lower rank come first, so that
// what leads to others follows them.
type rank int

const (
	// rankEntry are the pages about one entry.
	rankEntry rank = iota
	// rankPinned are the list pages under a snapshot's name.
	rankPinned
	// rankWhole are the documents about the catalog.
	rankWhole
	// rankLead are the documents that readers begin with.
	rankLead
	rankRoutes
	// rankSnapshot is the page by which a reader learns of the new snapshot.
	rankSnapshot
)

// leads are the routes that readers begin with.
var leads = []string{"/", "/api/v1/entries", "/api/v1/institutions", "/llms.txt", "/robots.txt", "/sitemap.xml"}

func rankOf(route string, class artifact.Class) rank {
	switch {
	case route == "/snapshot.json":
		return rankSnapshot
	case route == "/routes.ndjson":
		return rankRoutes
	case slices.Contains(leads, route) || strings.HasPrefix(route, "/.well-known/"):
		return rankLead
	case strings.HasPrefix(route, "/s/"):
		return rankPinned
	}
	switch class {
	case artifact.ClassEntry, artifact.ClassEntryPart, "badge", "dcat-entry":
		return rankEntry
	}
	return rankWhole
}
