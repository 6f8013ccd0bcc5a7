package wire

import (
	"strings"

	"github.com/assay-register/assay/site"
)

// LocalRoute is where a page lies in a language, if it exists in every one.
func LocalRoute(lang, route string) string {
	switch {
	case lang == site.Languages()[0]:
		return route
	case route == "/":
		return "/" + lang
	}
	return "/" + lang + route
}

// RouteLost is the page that people see where nothing is.
const RouteLost = "/404.html"

// RouteLang is the language of the page at a route, and its route in the first one.
func RouteLang(route string) (lang, first string) {
	languages := site.Languages()
	code, rest, more := strings.Cut(strings.TrimPrefix(route, "/"), "/")
	for _, lang := range languages[1:] {
		if code == lang && (more || route == "/"+lang) {
			return lang, "/" + rest
		}
	}
	return languages[0], route
}

// SitePage is one page of the web site about the register as a whole.
type SitePage struct {
	Route, Title, Description string
	// Changes tells that the page shows the catalog and changes with it.
	Changes bool
}

// SitePages lists the pages where people begin, for the sitemap and for
// /llms.txt.
func SitePages() []SitePage {
	return []SitePage{
		{"/", "Start", "The register, best first, with a search.", true},
		{"/browse", "Browse", "The register by type, state, country, quality, access, institution, format, licence, language and topic.", true},
		{"/browse/institution", "Institutions", "All institutions that have an entry, by country, each known or only named by a catalogue.", true},
		{"/leaderboard", "Leaderboard", "Institutions and countries by quality, with the number of entries and the confidence of each rank.", true},
		{"/sources", "Sources", "The catalogues that the register reads, with the log of their harvests.", true},
		{"/status", "Status", "How well the register does its own work.", true},
		{"/methodology", "How scores are made", "Every rule, weight and formula.", false},
		{"/verify", "Verify evidence", "Check the evidence about an entry in the browser, offline.", false},
		{"/docs", "Documentation", "The guides.", false},
		{"/docs/api", "API reference", "Every operation of the interface, to be read by people.", false},
		{"/accessibility", "Accessibility", "The accessibility statement.", false},
		{"/submit", "Suggest a source", "How to propose a source for the register.", false},
	}
}
