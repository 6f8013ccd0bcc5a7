package verify

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/assay-register/assay/render/catalog"
)

// FuzzJudge: whatever a server answers, the verdict is one of the known ones
// and its text can be stored.
func FuzzJudge(f *testing.F) {
	f.Add(200, "application/json", "{}", "/v1", true)
	f.Add(403, "text/html; charset=\xff", "Error code: 1009", "/login", false)
	f.Add(200, "", "\xef\xbb\xbf<!DOCTYPE html>", "/sso/x.aspx", true)
	f.Add(-7, "text/html;;;=", "<WMS_Capabilities version=\"1.3.0\">", "%zz", true)
	f.Fuzz(func(t *testing.T, status int, contentType, body, path string, data bool) {
		final, err := url.Parse("https://data.example.gov" + path)
		if err != nil {
			final = nil
		}
		asked := &url.URL{Scheme: "https", Host: "data.example.gov", Path: "/"}
		v := judge(data, &answer{status: status, header: http.Header{"Content-Type": {contentType}}, head: []byte(body), asked: asked, final: final})
		if v.up != (v.class == "") || v.up != (v.text == "") || v.auth && !v.up {
			t.Fatalf("verdict %+v", v)
		}
		if v.class != "" {
			if err := catalog.OneOf("class", v.class, catalog.ErrorClasses()); err != nil {
				t.Fatal(err)
			}
		}
		if s := short(contentType); !utf8.ValidString(s) || strings.ContainsRune(s, 0) || len(s) > shortBytes+len("…") {
			t.Fatalf("text %q", s)
		}
	})
}

// FuzzRetryAfter: no header makes a pause that is negative or longer than the
// bound.
func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"120", "-1", "99999999999999999999", "Wed, 21 Oct 2026 07:28:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "1e3", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		for _, status := range []int{200, 429, 503} {
			d := retryAfter(&http.Response{StatusCode: status, Header: http.Header{"Retry-After": {value}}}, start)
			if d < 0 || d > maxRetryAfter || status == 200 && d != 0 {
				t.Fatalf("%q: %s", value, d)
			}
		}
	})
}

// FuzzMCPAnswer: whatever an MCP server says, the handshake ends with a verdict
// in the time it has.
func FuzzMCPAnswer(f *testing.F) {
	f.Add("application/json", `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}`)
	f.Add("application/json", `{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"resultType":"complete"}}`)
	f.Add("text/event-stream", "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}\n\n")
	f.Add("application/json", `[[[[[[`)
	f.Add("application/json; x=\xff", `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"","data":{"supported":null}}}`)
	var contentType, body string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write([]byte(body))
	}))
	f.Cleanup(srv.Close)
	f.Fuzz(func(t *testing.T, typ, text string) {
		contentType, body = typ, text
		o := testProber(200*time.Millisecond).Probe(t.Context(), Target{Kind: KindMCP, URL: srv.URL, Data: true})
		c := &o.Check
		if c.Up != (c.Class == "") || len(o.Exchanges) > 2*requestsMax || !utf8.ValidString(c.Error+c.ContentType) {
			t.Fatalf("%+v after %d requests", c, len(o.Exchanges))
		}
	})
}

// FuzzPayload: a payload is read or refused with its words.
func FuzzPayload(f *testing.F) {
	for _, s := range []string{`{"entries":["a"]}`, `{"all":true}`, ``, `null`, `{"entries":null,"all":1}`, `[`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		p, err := ParsePayload(doc)
		if err == nil && p.All && len(p.Entries) > 0 {
			t.Fatalf("%s: %+v", doc, p)
		}
	})
}

// FuzzTarget: an address that is probed is one of the web, without credentials,
// and names its host.
func FuzzTarget(f *testing.F) {
	f.Add("https://a.gov/ows?service=WFS", "ogc-wms")
	f.Add("http://[::1]:8080/odata", "odata")
	f.Add("HTTPS://A.GOV./%2f?q=%zz", "sparql")
	f.Fuzz(func(t *testing.T, raw, format string) {
		e := api(catalog.APIDetails{BaseURL: raw, SpecFormat: format})
		target, ok := TargetOf(&e)
		if !ok {
			return
		}
		u, err := url.Parse(target.URL)
		if err != nil || u.User != nil || target.Host == "" || u.Scheme != "http" && u.Scheme != "https" || target.Host != hostOf(u) {
			t.Fatalf("%q as %s: %+v, %v", raw, format, target, err)
		}
	})
}
