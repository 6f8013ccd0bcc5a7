package check

import (
	"strings"
	"testing"

	"github.com/assay-register/assay/render/wire"
)

func TestCheckHTML(t *testing.T) {
	for page, want := range map[string]string{
		`<a href="/there">x</a><img src="/there">`:                                  "",
		`<a href="/gone">x</a>`:                                                     "dead link to /gone",
		`<link rel="stylesheet" href="/assets/none.css">`:                           "dead link to /assets/none.css",
		`<script src="/gone.js"></script>`:                                          "dead link to /gone.js",
		`<form action="/gone"><input name="q"></form>`:                              "dead link to /gone",
		`<form action="/api/v1/proxy"></form>`:                                      "",
		`<a href="/there?q=1">x</a>`:                                                "",
		`<a href="#here">x</a>`:                                                     "leads to #here, which it has not",
		`<p id="here"></p><a href="#here">x</a>`:                                    "",
		`<a href="/there#top">x</a>`:                                                "leads to /there#top, which that page has not",
		`<a href="/there#known">x</a>`:                                              "",
		`<a href="relative">x</a>`:                                                  "depends on where the page lies",
		`<a href="javascript:alert(1)">x</a>`:                                       "which pages must not",
		`<a href="//other.example/x">x</a>`:                                         "which pages must not",
		`<a href="https://other.example/x">x</a><a href="mailto:a@b.example">x</a>`: "",
		`<link rel="canonical" href="https://register.example/gone">`:               "dead link to /gone",
		`<link rel="canonical" href="https://register.example">`:                    "",
		`<a href="https://register.example.evil/gone">x</a>`:                        "",
		`<img src="data:image/png;base64,x">`:                                       "",
		`<html data-strings-fr="/assets/none.json">`:                                "dead link to /assets/none.json",
		`<a href="/%CE%BA">x</a>`:                                                   "",
	} {
		c := &checker{routes: routesOf(t, "/there", "/", "/κ"), places: map[string]map[string]bool{"/there": {"known": true}},
			first: wire.SnapshotPage{BaseURL: "https://register.example"}}
		c.checkHTML(&wire.RouteLine{Route: "/page"}, strings.NewReader(page))
		c.checkPlaces()
		got := ""
		for _, f := range c.report.Faults {
			got += f.What
		}
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", page, got, want)
		}
	}
}

// Under a path the addresses of a page begin with it.
func TestCheckHTMLBelowAPath(t *testing.T) {
	c := &checker{routes: routesOf(t, "/there"), places: map[string]map[string]bool{}, base: "/register",
		first: wire.SnapshotPage{BaseURL: "https://example.org/register"}}
	c.checkHTML(&wire.RouteLine{Route: "/page"}, strings.NewReader(`<a href="/register/there">x</a><link href="https://example.org/register/there"><a href="https://example.org/else">x</a>`))
	if c.report.FaultCount > 0 {
		t.Errorf("%+v", c.report.Faults)
	}
}

// routesOf is a list of routes.
func routesOf(t *testing.T, routes ...string) *listing {
	t.Helper()
	l := &listing{limit: heldMax}
	for _, route := range routes {
		if err := l.add(route, [32]byte{}); err != nil {
			t.Fatal(err)
		}
	}
	l.seal()
	return l
}
