// Package identity gives entries the identity they keep for ever (id, slug,
// keys), finds the entry that a record is about, and tells what changed. The
// harvest and the import both stand on it, so that a source gets the same
// identity whichever way it comes in (decisions §4).
package identity

import (
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/search"
)

// Keys fills the identity key and the match key.
func Keys(e *catalog.Entry) {
	e.IdentityKey = catalog.IdentityKey(e.Type, Primary(e), e.Name)
	e.MatchKey = catalog.MatchKey(e.Type, Primary(e), search.Fold(e.Name))
}

// Primary is the address that stands for the entry in its keys. Without any,
// the upstream ref takes its place, so that two records that only share a
// name stay apart.
func Primary(e *catalog.Entry) string {
	urls := []string{e.PrimarySourceURL}
	if e.API != nil {
		urls = append(urls, e.API.BaseURL, e.API.OpenAPIURL)
	}
	if e.MCP != nil {
		urls = append(urls, e.MCP.EndpointURL)
	}
	if e.Dataset != nil {
		urls = append(urls, e.Dataset.LandingPage)
	}
	for _, u := range append(urls, e.HomepageURL, e.UpstreamRef) {
		if u != "" {
			return u
		}
	}
	return ""
}
