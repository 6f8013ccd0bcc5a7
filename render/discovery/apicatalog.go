package discovery

import (
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

const apiRoute = "/api/v1/entries"

// apiCatalog renders /.well-known/api-catalog, the APIs that this register
// publishes (RFC 9727, section 4). The API stands under the first address that
// answers, its list of entries; the relations are those of RFC 8631. There is
// no status link: the site can be served without the service that tells it.
func apiCatalog(c *snapshot.Catalog) ([]artifact.File, error) {
	const route = "/.well-known/api-catalog"
	license := []object{{{"href", licenceURL(c.Site.License)}}}
	api := object{{"anchor", address(c.Site, apiRoute)}}
	for _, relation := range []struct {
		name  string
		pages []string
	}{
		{"service-desc", []string{"/openapi.json"}},
		{"service-doc", []string{"/docs"}},
		{"service-meta", []string{"/llms.txt", "/api/v1/catalog/summary", "/snapshot.json"}},
	} {
		if targets := targetsOf(c.Site, relation.pages); len(targets) > 0 {
			api = append(api, member{relation.name, targets})
		}
	}
	items, apis := targetsOf(c.Site, []string{apiRoute}), []object{append(api, member{"license", license})}
	for _, p := range wire.Protocols() {
		items = append(items, object{{"href", address(c.Site, p.Start)}, {"type", p.Type}, {"title", p.Name}})
		apis = append(apis, object{
			{"anchor", address(c.Site, p.Start)},
			{"service-desc", targetsOf(c.Site, []string{"/openapi.json"})},
			{"service-doc", []object{{{"href", address(c.Site, p.Guide)}, {"type", "text/html"}, {"title", p.Name + ": " + p.Description}}}},
			{"license", license},
		})
	}
	body, err := jsonx.Marshal(object{{"linkset", append([]object{{{"anchor", address(c.Site, route)}, {"item", items}}}, apis...)}})
	// The profile of artifact.APICatalog is a matter of the answer: it has
	// quotes, which routes.ndjson does not expect in a type.
	return []artifact.File{{Route: route, Type: artifact.Linkset, Class: ClassDiscovery, Body: body}}, err
}

// targetsOf links those of the paths that are built.
func targetsOf(site snapshot.Site, paths []string) []object {
	var out []object
	for _, path := range paths {
		for _, op := range pages() {
			if op.Path == path {
				out = append(out, object{{"href", address(site, path)}, {"type", op.Media}, {"title", op.Summary}})
			}
		}
	}
	return out
}
