package main

import (
	"net/http"
	"path/filepath"
	"testing"
)

// TestEdgesBelowAPath: a register whose address has a path answers below it,
// through nginx and Caddy as the build configures them, with a service and
// without one.
func TestEdgesBelowAPath(t *testing.T) {
	t.Parallel()
	const path = "/data/reg.1"
	db, _ := smallSite(t)
	site := filepath.Join(t.TempDir(), "site")
	must(t, "build", "--db", "sqlite:"+db, "--out", site, "--base-url", "https://register.example"+path)
	service := start(t, "serve", "--addr", "127.0.0.1:0", "--site", site, "--db", storeLike(t, db), "--base-url", "https://register.example"+path,
		"--worker=false", "--limit-reads", "0", "--mail-dir", t.TempDir())
	for _, e := range edges {
		t.Run(e.name, func(t *testing.T) {
			base := "http://" + freeAddr(t)
			e.start(t, base[len("http://"):], site, service)
			tellsBelow(t, base, path, []answer{
				{path: "", status: 200, media: "text/html; charset=utf-8"}, {path: "/api/v1/entries?limit=2", status: 200, media: "application/json; charset=utf-8"},
				{path: "/api/v1/identifiers/restate/https%3A%2F%2Fexample.org", status: 404, media: "application/problem+json"},
				{path: "/api/v1/entries/", status: 308, location: path + "/api/v1/entries"}, {path: "/metrics", status: 404, media: "application/problem+json"},
				{path: "x", status: 404, media: "application/problem+json"}})
		})
		t.Run(e.name+" without a service", func(t *testing.T) {
			base := "http://" + freeAddr(t)
			e.start(t, base[len("http://"):], site, "")
			must(t, "check", base+path)
			tellsBelow(t, base, path, []answer{
				{path: "", status: 200, media: "text/html; charset=utf-8"}, {path: "/api/v1/entries?limit=2", status: 501, media: "application/problem+json"},
				{path: "/api/v1/entries/", status: 308, location: path + "/api/v1/entries"},
				{path: "/api/v1/entries/index.json", status: 308, location: path + "/api/v1/entries/"},
				{path: "x", status: 404, media: "application/problem+json"}, {path: "/nothing", status: 404, media: "application/problem+json"}})
		})
	}
}

func tellsBelow(t *testing.T, base, path string, list []answer) {
	t.Helper()
	for _, want := range list {
		want.path = path + want.path
		got := ask(t, base, answer{path: want.path})
		if len(got.location) > len(base) && got.location[:len(base)] == base {
			got.location = got.location[len(base):]
		}
		if got.status != want.status || got.location != want.location || got.status != http.StatusPermanentRedirect && got.media != want.media {
			t.Errorf("%s: %+v, want %+v", want.path, got, want)
		}
	}
}
