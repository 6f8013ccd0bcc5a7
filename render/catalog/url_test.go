package catalog

import (
	"net/url"
	"strings"
	"testing"
)

// FuzzPlainHost: net/url finds the same host wherever one is found.
func FuzzPlainHost(f *testing.F) {
	for _, raw := range []string{"https://data.example/a?b=c#d", "http://Data.Example.", "https://data.example", "https://data.example:8080/", "https://user@data.example/",
		"https://data.example/%zz", "https://data.example/a b", "https:///x", "http://", "HTTPS://data.example", "https://-.example/[a]?{b}", "ftp://data.example", "https://[::1]/", "https://δεδομένα.example"} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		host := plainHost(raw)
		if host == "" {
			return
		}
		u, err := url.Parse(raw)
		if err != nil || u.Hostname() != host || u.User != nil || u.Scheme != "http" && u.Scheme != "https" || strings.ContainsAny(raw, unsafeInURL) {
			t.Errorf("%q has the host %q, not %q (%v)", raw, u.Hostname(), host, err)
		}
		if err := CheckText("url", raw, len(raw)); err != nil {
			t.Error(err)
		}
	})
}

func TestPlainHost(t *testing.T) {
	for raw, want := range map[string]string{"https://data.example/a?b=c#d": "data.example", "http://Data.Example.": "Data.Example.", "https://data.example#x": "data.example",
		"https://data.example:443/": "", "https://a@data.example/": "", "https://data.example/%20": "", "https://data.example/ä": "", "https:///": "", "data.example": "", "HTTP://data.example": ""} {
		if got := plainHost(raw); got != want {
			t.Errorf("%q has the host %q, want %q", raw, got, want)
		}
	}
	if got := Host(" https://Data.Example./x "); got != "data.example" {
		t.Errorf("host %q", got)
	}
}
