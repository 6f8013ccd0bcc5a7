package pages

import (
	"strings"
	"testing"

	"github.com/assay-register/assay/render/snapshot"
)

// TestTheme: a register's colours are a style sheet of their own, named by its
// hash and led to by each page; a register without colours has none.
func TestTheme(t *testing.T) {
	site := snapshot.Site{BaseURL: "https://register.example/reg", Name: "Test"}
	if f := theme(site); f.Route != "" || newKit(site).themed() != "" {
		t.Errorf("a register without colours has %s", f.Route)
	}
	site.Accent, site.AccentDark = "#7a1f5c", "#f2a7d4"
	f := theme(site)
	for _, part := range []string{"--accent: #7a1f5c; --on-accent: #ffffff", "(prefers-color-scheme: dark)", "--accent: #f2a7d4; --on-accent: #0b0f14"} {
		if !strings.Contains(string(f.Body), part) {
			t.Errorf("the style sheet lacks %s:\n%s", part, f.Body)
		}
	}
	if !strings.HasPrefix(f.Route, "/assets/theme.") || f.Type != "text/css; charset=utf-8" {
		t.Errorf("it lies at %s as %s", f.Route, f.Type)
	}
	k := newKit(site)
	parts, err := k.frame(locales()["en"], "home")
	if err != nil || !strings.Contains(string(parts.title+parts.meta), `<link rel="stylesheet" href="/reg`+f.Route+`">`) {
		t.Errorf("no page leads to it, %v", err)
	}
	files := assetFiles(site)
	if len(files) != len(assetFiles(snapshot.Site{}))+1 {
		t.Errorf("%d assets", len(files))
	}
}
