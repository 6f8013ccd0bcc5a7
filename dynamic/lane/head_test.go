package lane

import (
	"bufio"
	"bytes"
	"net/http"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	const host = "Host: x\r\n"
	for raw, want := range map[string]*Request{
		"GET / HTTP/1.1\r\nHost: x\r\n\r\n":                                                                 {Path: "/"},
		"HEAD /a/b-c_d.~1 HTTP/1.1\r\nhost:[::1]:80\r\n\r\n":                                                {Path: "/a/b-c_d.~1", Head: true},
		"GET / HTTP/1.1\r\nCONNECTION: Keep-Alive\r\nHost: x\r\n\r\n":                                       {Path: "/"},
		"GET / HTTP/1.1\r\n" + host + "Accept:  a, b  \r\nAccept-Encoding: br\r\nX-Request-ID: one\r\n\r\n": {Path: "/", Accept: "a, b", AcceptEncoding: "br", ID: "one"},
		"GET / HTTP/1.1\r\n" + host + "Accept:\r\nif-none-match: \"a\"\r\n\r\n":                             {Path: "/", Conditional: true},
		"GET / HTTP/1.1\r\n" + host + "If-Modified-Since: x\r\n\r\n":                                        {Path: "/", Conditional: true},

		"": nil, "\r\n\r\n": nil, "GET / HTTP/1.1\r\n\r\n": nil, "GET / HTTP/1.1\r\nHost:\r\n\r\n": nil, "GET / HTTP/1.1\r\n" + host: nil,
		"GET / HTTP/1.0\r\n" + host + "\r\n": nil, "GET / HTTP/2.0\r\n" + host + "\r\n": nil, "PUT / HTTP/1.1\r\n" + host + "\r\n": nil, "get / HTTP/1.1\r\n" + host + "\r\n": nil,
		"GET /? HTTP/1.1\r\n" + host + "\r\n": nil, "GET /%61 HTTP/1.1\r\n" + host + "\r\n": nil, "GET * HTTP/1.1\r\n" + host + "\r\n": nil, "GET  / HTTP/1.1\r\n" + host + "\r\n": nil,
		"GET /a b HTTP/1.1\r\n" + host + "\r\n": nil, "GET http://x/ HTTP/1.1\r\n" + host + "\r\n": nil, "GET / HTTP/1.1 \r\n" + host + "\r\n": nil,
		"GET / HTTP/1.1\r\n" + host + host + "\r\n": nil, "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n": nil, "GET / HTTP/1.1\r\nHost : x\r\n\r\n": nil,
		"GET / HTTP/1.1\n" + host + "\r\n\r\n": nil, "GET / HTTP/1.1\r\n" + host + " Accept: a\r\n\r\n": nil, "GET / HTTP/1.1\r\n" + host + "Accept: a\r\n b\r\n\r\n": nil,
		"GET / HTTP/1.1\r\n" + host + "Accept: a\tb\r\n\r\n": nil, "GET / HTTP/1.1\r\n" + host + "Accept: a\x00\r\n\r\n": nil, "GET / HTTP/1.1\r\n" + host + "Accept: a\rb\r\n\r\n": nil, "GET / HTTP/1.1\r\n" + host + "Accept: \x80\r\n\r\n": nil,
		"GET / HTTP/1.1\r\n" + host + "Accept: a\r\naccept: b\r\n\r\n": nil, "GET / HTTP/1.1\r\n" + host + ": a\r\n\r\n": nil, "GET / HTTP/1.1\r\n" + host + "Accept\r\n\r\n": nil, "GET / HTTP/1.1\r\n" + host + "\r\n\r\n": nil,
		"GET / HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n": nil, "GET / HTTP/1.1\r\n" + host + "Connection: keep-alive, upgrade\r\n\r\n": nil,
		"GET / HTTP/1.1\r\n" + host + "\r\nGET / HTTP/1.1\r\n" + host + "\r\n": nil, "GET / HTTP/1.1\r\n" + host + strings.Repeat("a", 99) + ": b\r\n\r\n": nil,
	} {
		got, ok := parse([]byte(raw))
		if ok != (want != nil) || ok && got != *want {
			t.Errorf("%q: %+v, %v", raw, got, ok)
		}
	}
	for _, name := range []string{"Content-Length", "Transfer-Encoding", "Expect", "Upgrade", "TE", "Trailer", "Range", "If-Range", "If-Match", "Authorization", "Cookie", "Proxy-Connection", "Keep-Alive", "X-Http-Method-Override"} {
		if _, ok := parse([]byte("GET / HTTP/1.1\r\n" + host + name + ": 0\r\n\r\n")); ok {
			t.Errorf("a field %s is plain", name)
		}
	}
}

// FuzzParse: what the parser lets pass is one request for net/http too, and the
// same one.
func FuzzParse(f *testing.F) {
	f.Add([]byte("GET /a HTTP/1.1\r\nHost: x\r\nAccept: a\r\nAccept-Encoding: br\r\nX-Request-Id: 1\r\n\r\n"))
	f.Add([]byte("HEAD / HTTP/1.1\r\nhost: [::1]\r\nIf-None-Match: *\r\nConnection: keep-alive\r\n\r\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, ok := parse(raw)
		if !ok {
			return
		}
		in := bufio.NewReader(bytes.NewReader(raw))
		r, err := http.ReadRequest(in)
		if err != nil {
			t.Fatal(err)
		}
		h := r.Header
		conditional := h.Get("If-None-Match")+h.Get("If-Modified-Since") != ""
		want := Request{Head: r.Method == "HEAD", Path: r.URL.Path, Accept: h.Get("Accept"), AcceptEncoding: h.Get("Accept-Encoding"), ID: h.Get("X-Request-Id"), Conditional: got.Conditional}
		if got != want || conditional && !got.Conditional || in.Buffered() > 0 || r.ContentLength != 0 || len(r.TransferEncoding) > 0 || r.Close || r.Host == "" || r.URL.RawQuery != "" || r.URL.RawPath != "" || !r.ProtoAtLeast(1, 1) {
			t.Errorf("%q: %+v, net/http reads %+v", raw, got, r)
		}
	})
}
