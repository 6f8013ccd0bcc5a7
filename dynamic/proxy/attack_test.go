package proxy

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/wire"
)

// TestOtherTargetsAreRefused tries to lead the proxy to what the entry does
// not list, in every spelling of an address.
func TestOtherTargetsAreRefused(t *testing.T) {
	r := newRig(t, func(http.ResponseWriter, *http.Request) {})
	for _, path := range []string{
		"http://evil.example/", "//evil.example/", "https://api.example/", "http://api.example:8080/", "http://api.example:443/",
		"http://api.example.evil.example/", "http://api.example@evil.example/", "http://evil.example/?http://api.example/",
		"http://user:pass@api.example/", "http://user@api.example/", "http://xapi.example/", "http://example/",
		"http://127.0.0.1/", "http://2130706433/", "http://0177.0.0.1/", "http://0x7f.1/", "http://127.1/", "http://localhost/",
		"http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://[64:ff9b::7f00:1]/", "http://[2002:7f00:1::]/", "http://169.254.169.254/latest/meta-data/",
		"http://metadata.google.internal/", "file:///etc/passwd", "gopher://api.example/", "ftp://api.example/", "javascript:alert(1)", "data:text/plain,x",
		"http:api.example/", "http:///x", "unix:///run/docker.sock", "http://[fe80::1%25eth0]/", "http://api.example:80:80/", "http://api.example:x/", "%zz", "http://%31%32%37.0.0.1/",
	} {
		body, err := json.Marshal(wire.ProxyRequest{Entry: "open-api", Method: "GET", Path: path})
		if err != nil {
			t.Fatal(err)
		}
		if w := r.ask(string(body)); w.Code != 403 {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	if len(r.seen) > 0 {
		t.Errorf("%d requests left the proxy", len(r.seen))
	}
}

// TestWhatIsInvalid sends what can be no request.
func TestWhatIsInvalid(t *testing.T) {
	r := newRig(t, func(http.ResponseWriter, *http.Request) {})
	for member, status := range map[string]int{
		`"method":"POST"`: 422, `"method":"get"`: 422, `"method":"CONNECT"`: 422, `"method":"GET / HTTP/1.1\r\nX: y"`: 422, `"method":1`: 422,
		`"path":"/a\r\nHost: evil.example"`: 422, `"path":"/a b"`: 422, `"path":"/a#b"`: 422, `"path":"\\\\evil.example\\x"`: 422, `"path":"/é"`: 422,
		`"path":"/` + strings.Repeat("a", 2048) + `"`: 422,
		`"headers":{"X-A":"1\r\nX-B: 2"}`:             422, `"headers":{"X-A":"1\n2"}`: 422, `"headers":{"X-A":"1\u0000"}`: 422, `"headers":{"X-A\r\nX-B":"1"}`: 422,
		`"headers":{"X A":"1"}`: 422, `"headers":{"":"1"}`: 422, `"headers":{"X-A:":"1"}`: 422, `"headers":{"X-É":"1"}`: 422, `"headers":{"X-A":" 1"}`: 422,
		`"headers":{"X-A":1}`: 422, `"headers":["X-A"]`: 422, `"query":{"a":["1"]}`: 422, `"query":{"a\n":"1"}`: 422, `"query":{"":"1"}`: 422, `"query":{"a":"1\u0000"}`: 422,
		`"headers":{"X-A":"` + strings.Repeat("a", 1025) + `"}`: 422, `"entry":""`: 422, `"entry":"` + strings.Repeat("a", 200) + `"`: 422,
		`"headers":{` + many(21) + `}`: 422, `"query":{` + many(21) + `}`: 422, `"url":"http://evil.example/"`: 422, `"method"`: 400,
	} {
		body := `{"entry":"open-api","method":"GET",` + member + `}`
		if w := r.ask(body); w.Code != status || len(w.Body.String()) > 4096 {
			t.Errorf("%.80s: %d %.200s", member, w.Code, w.Body)
		}
	}
	for body, status := range map[string]int{``: 400, `[]`: 422, `{}`: 422, `null`: 422, `{"entry":"open-api"}`: 422, `{"entry":"open-api","method":null}`: 422, `{"entry":"open-api","method":"GET"}{}`: 400} {
		if w := r.ask(body); w.Code != status {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
	if len(r.seen) > 0 {
		t.Errorf("%d requests left the proxy", len(r.seen))
	}
}

func many(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`"X-%d":"1"`, i)
	}
	return strings.Join(list, ",")
}

// TestHeadersThatDoNotTravel: no cookies, credentials or hop-by-hop headers.
func TestHeadersThatDoNotTravel(t *testing.T) {
	r := newRig(t, func(http.ResponseWriter, *http.Request) {})
	for _, name := range []string{
		"Cookie", "cookie", "Set-Cookie", "Cookie2", "Authorization", "AUTHORIZATION", "Proxy-Authorization", "X-Api-Key", "Apikey", "X-Auth-Token", "X-CSRF-Token", "X-Amz-Security-Token",
		"X-Amz-Signature", "X-Session-Id", "Ocp-Apim-Subscription-Key", "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "Host", "Content-Length",
		"Content-Type", "Expect", "Via", "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "True-Client-IP", "CF-Connecting-IP", "Metadata-Flavor", "Metadata", "X-aws-ec2-metadata-token",
		"X-Google-Metadata-Request", "X-Original-URL", "X-Rewrite-URL", "X-HTTP-Method-Override", "Sec-Fetch-Mode", "User-Agent", "Accept-Encoding",
	} {
		if w := r.ask(`{"entry":"open-api","method":"GET","headers":{"` + name + `":"x"}}`); w.Code != 422 || !strings.Contains(w.Body.String(), name) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	if len(r.seen) > 0 {
		t.Fatalf("%d requests left the proxy", len(r.seen))
	}
	r.answer(t, `{"entry":"open-api","method":"GET","headers":{"Accept":"text/csv","Range":"bytes=0-9","X-Note":"1"}}`)
	got := r.seen[0].Header
	for name := range got {
		switch name {
		case "Accept", "Range", "X-Note", "User-Agent", "Accept-Encoding":
		default:
			t.Errorf("%s: %s travelled unasked", name, got.Get(name))
		}
	}
}

// TestRedirects: each hop is checked like the request.
func TestRedirects(t *testing.T) {
	location := ""
	hops := 0
	r := newRig(t, func(w http.ResponseWriter, q *http.Request) {
		if q.Header.Get("Referer") != "" || q.Header.Get("Cookie") != "" {
			t.Errorf("headers %v", q.Header)
		}
		w.Header().Set("Set-Cookie", "session=1")
		if strings.HasPrefix(q.URL.Path, "/hop") {
			hops++
			w.Header().Set("Location", fmt.Sprintf("/hop%d", hops))
			if hops == 6 {
				w.Header().Set("Location", "/end")
			}
			w.WriteHeader(http.StatusFound)
			return
		}
		if q.URL.Path == "/v1" {
			w.Header().Set("Location", location)
			w.WriteHeader(http.StatusTemporaryRedirect)
			return
		}
		io.WriteString(w, "end")
	})
	for to, status := range map[string]int{
		"http://evil.example/": 403, "//evil.example/": 403, "http://127.0.0.1/": 403, "http://169.254.169.254/": 403, "http://[::1]/": 403,
		"http://user:pass@api.example/": 403, "file:///etc/passwd": 403, "gopher://api.example/": 403, "https://api.example/": 403, "http://api.example:81/": 403,
		"/hop": 502, "/end": 200, "http://ping.example:8081/end": 200, "http://api.example:80/end": 200,
	} {
		location, hops = to, 0
		w := r.ask(`{"entry":"open-api","method":"GET"}`)
		if w.Code != status {
			t.Errorf("redirect to %s: %d %s", to, w.Code, w.Body)
		}
	}
	location, hops = "/hop", 2 // six hops in all from here: 307, then five
	location = "/end"
	if a := r.answer(t, `{"entry":"open-api","method":"GET"}`); a.URL != "http://api.example/end" || *a.Body != "end" {
		t.Errorf("%+v", a)
	}
}

// TestFiveRedirectsAreFollowed and no sixth.
func TestFiveRedirectsAreFollowed(t *testing.T) {
	left := 0
	r := newRig(t, func(w http.ResponseWriter, q *http.Request) {
		if left--; left >= 0 {
			http.Redirect(w, q, "/next", http.StatusFound)
		}
	})
	for n, status := range map[int]int{5: 200, 6: 502} {
		left = n
		if w := r.ask(`{"entry":"open-api","method":"GET"}`); w.Code != status {
			t.Errorf("%d redirects: %d", n, w.Code)
		}
	}
}

// TestAnAddressThatTheGuardRefuses: the entry lists it, and still nobody asks.
func TestAnAddressThatTheGuardRefuses(t *testing.T) {
	r := newRig(t, func(http.ResponseWriter, *http.Request) {})
	r.put(t, "inside", func(e *catalog.Entry) { e.API = &catalog.APIDetails{BaseURL: "http://inside.example/"} })
	w := r.ask(`{"entry":"inside","method":"GET"}`)
	if w.Code != 403 || strings.Contains(w.Body.String(), "10.0.0.1") || len(r.seen) > 0 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestSlowAndBrokenPublishers end in time and tell nothing of the inside.
func TestSlowAndBrokenPublishers(t *testing.T) {
	release := make(chan struct{})
	r := newRig(t, func(w http.ResponseWriter, q *http.Request) {
		switch q.URL.Path {
		case "/v1/hang":
			<-release
		case "/v1/drip":
			for range 1000 {
				if _, err := io.WriteString(w, "x"); err != nil {
					return
				}
				w.(http.Flusher).Flush()
				select {
				case <-release:
					return
				case <-time.After(20 * time.Millisecond):
				}
			}
		case "/v1/headers":
			for i := range 20000 {
				w.Header().Add("X-Many", fmt.Sprintf("%d and some more text", i))
			}
		case "/v1/reset":
			panic(http.ErrAbortHandler)
		case "/v1/short":
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, "short")
		}
	})
	t.Cleanup(func() { close(release) })
	ends := func(timeout time.Duration, answers map[string]int) {
		r.proxy.timeout = timeout
		var wg sync.WaitGroup
		for path, status := range answers {
			wg.Go(func() {
				begin := time.Now()
				w := r.ask(`{"entry":"open-api","method":"GET","path":"` + path + `"}`)
				if w.Code != status || time.Since(begin) > timeout+5*time.Second || strings.Contains(w.Body.String(), "127.0.0.1") {
					t.Errorf("%s: %d after %s: %.300s", path, w.Code, time.Since(begin), w.Body)
				}
			})
		}
		wg.Wait()
	}
	ends(300*time.Millisecond, map[string]int{"/hang": 504, "/drip": 504})
	// What breaks by itself is no matter of time, however busy the machine is.
	ends(time.Minute, map[string]int{"/reset": 502, "/short": 502, "/headers": 502})
}

// TestTheProxyHasFewPlaces: more at a time are told to come back.
func TestTheProxyHasFewPlaces(t *testing.T) {
	busy, release := make(chan struct{}, inFlightMax), make(chan struct{})
	r := newRig(t, func(http.ResponseWriter, *http.Request) {
		busy <- struct{}{}
		<-release
	})
	var wg sync.WaitGroup
	for range inFlightMax {
		wg.Go(func() {
			if w := r.ask(`{"entry":"open-api","method":"GET"}`); w.Code != 200 {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
	for range inFlightMax {
		<-busy
	}
	if w := r.ask(`{"entry":"open-api","method":"GET"}`); w.Code != 503 || w.Header().Get("Retry-After") == "" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	close(release)
	wg.Wait()
}

// FuzzForward: whatever a client sends, only listed hosts are asked and no
// answer is a 500.
func FuzzForward(f *testing.F) {
	for _, seed := range []string{"", "/a", "//b", "http://x", "http:\\\\x", "/%2e%2e/", "?a", "http://api.example@x/", "http://api.example:80/"} {
		f.Add(seed, "X-A", "1")
	}
	f.Fuzz(func(t *testing.T, path, name, value string) {
		tg := newTarget(&catalog.Entry{Type: catalog.TypeAPI, API: &catalog.APIDetails{BaseURL: "http://api.example/v1"}})
		q := wire.ProxyRequest{Entry: "e", Method: "GET", Path: path, Headers: map[string]string{name: value}}
		if check(&q) != nil {
			return
		}
		r, err := tg.request(t.Context(), &q)
		if err != nil {
			return
		}
		if r.URL.Host != "" && hostOf(r.URL) != "api.example:80" || r.URL.User != nil || r.URL.Scheme != "http" {
			t.Errorf("%q leads to %s", path, r.URL)
		}
		var sent strings.Builder
		if err := r.Write(&sent); err != nil {
			t.Errorf("%q %q %q: %v", path, name, value, err)
		}
		head, _, _ := strings.Cut(sent.String(), "\r\n\r\n")
		if lines := strings.Split(head, "\r\n"); len(lines) > 4 || strings.ContainsAny(head[:0]+strings.Join(lines, ""), "\r\n") {
			t.Errorf("%q %q %q became %q", path, name, value, head)
		}
	})
}
