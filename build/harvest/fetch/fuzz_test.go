package fetch

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

func FuzzHeaders(f *testing.F) {
	f.Add("120", `"etag"`, "Sat, 21 Nov 2026 09:00:00 GMT", "https://u:p@x.example/?k")
	f.Add("Sat, 21 Nov 2026 09:00:00 GMT", "", "", "://")
	f.Fuzz(func(t *testing.T, retry, etag, modified, address string) {
		h := http.Header{"Retry-After": {retry}, "Etag": {etag}, "Last-Modified": {modified}}
		if retryAfter(h, time.Unix(0, 0)) < 0 {
			t.Errorf("a negative pause for %q", retry)
		}
		for _, v := range validatorsOf("x", h) {
			if len(v.ETag) > validatorMax || v.ETag == "" && v.LastModified == "" {
				t.Errorf("validator %+v", v)
			}
		}
		if u, err := url.Parse(Public(address)); err == nil && (u.User != nil || u.RawQuery != "" || u.Fragment != "") {
			t.Errorf("%q shows %s", address, Public(address))
		}
		if isPage([]byte(retry)) && !strings.Contains(retry, "<") {
			t.Errorf("%q is no web page", retry)
		}
	})
}
