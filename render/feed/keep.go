package feed

import (
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
)

// Keep returns a function that tells whether a path below Root belongs to the
// snapshot, for the sweep of files that an earlier build wrote.
func Keep(c *snapshot.Catalog) func(path string) bool {
	known := map[string]bool{}
	put := func(route, media string) { known[strings.TrimPrefix(artifact.Path(route, media), Root[1:])] = true }
	for _, f := range []form{rssForm, atomForm, jsonForm} {
		put(Root+f.name, f.media)
	}
	put(Root+"rss/verified", RSS)
	countries, institutions := grouped(c)
	for _, f := range []form{atomForm, jsonForm} {
		for code := range countries {
			put(countryRoute(code)+f.name, f.media)
		}
		for id := range institutions {
			put(institutionRoute(id)+f.name, f.media)
		}
	}
	return func(path string) bool {
		if id, ok := strings.CutPrefix(path, "entry/"); ok {
			return c.ByID(strings.TrimSuffix(id, ".atom")) >= 0 && strings.HasSuffix(id, ".atom")
		}
		return known[path]
	}
}
