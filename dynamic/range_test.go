package dynamic

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestRanges asks for parts of documents of every kind: on disk, in memory,
// made for the request. A part is one of the document as it is, also for
// clients that take coded forms, under the validator of the whole.
func TestRanges(t *testing.T) {
	t.Parallel()
	s, _ := startWithBig(t)
	for _, target := range []string{"/big.ndjson", "/openapi.json", "/api/v1/entries/e3-record", "/api/v1/entries?type=API", "/snapshot.json"} {
		whole := get(s, "GET", target)
		body, tag := whole.Body.Bytes(), whole.Header().Get("Etag")
		n := len(body)
		if whole.Header().Get("Accept-Ranges") != "bytes" {
			t.Errorf("%s does not say that it has parts", target)
		}
		for spec, want := range map[string]string{
			"bytes=0-99": string(body[:100]), "bytes=-7": string(body[n-7:]), fmt.Sprintf("bytes=%d-", n-1): string(body[n-1:]),
			fmt.Sprintf("bytes=5-%d", n+50): string(body[5:]),
		} {
			for _, coding := range []string{"", "gzip", "br, zstd"} {
				w := get(s, "GET", target, "Range", spec, "Accept-Encoding", coding)
				if w.Code != 206 || w.Body.String() != want || w.Header().Get("Etag") != tag || w.Header().Get("Content-Encoding") != "" ||
					!strings.HasSuffix(w.Header().Get("Content-Range"), fmt.Sprintf("/%d", n)) || w.Header().Get("Content-Length") != fmt.Sprint(len(want)) {
					t.Errorf("%s, %s in %q: %d, %d bytes, %v", target, spec, coding, w.Code, w.Body.Len(), w.Header())
				}
			}
		}
		severalRanges(t, get(s, "GET", target, "Range", "bytes=0-4, 10-19"), body)
		for _, none := range []string{fmt.Sprintf("bytes=%d-", n), "bytes=-0", "bytes=-00, -0"} {
			w := get(s, "GET", target, "Range", none)
			if w.Code != 416 || w.Header().Get("Content-Range") != fmt.Sprintf("bytes */%d", n) ||
				w.Header().Get("Content-Type") != "application/problem+json" || w.Header().Get("Etag") != "" {
				t.Errorf("%s, %s: %d %v %s", target, none, w.Code, w.Header(), w.Body)
			}
		}
		if w := get(s, "GET", target, "Range", "bytes=-0, 0-4"); w.Code != 206 || !bytes.Equal(w.Body.Bytes(), body[:5]) {
			t.Errorf("%s, its last no bytes and its first: %d %q", target, w.Code, w.Body)
		}
		whenUnchanged(t, s, target, tag, body)
	}
}

// severalRanges compares the parts of one answer.
func severalRanges(t *testing.T, w *httptest.ResponseRecorder, body []byte) {
	t.Helper()
	_, params, err := mime.ParseMediaType(w.Header().Get("Content-Type"))
	if err != nil || w.Code != 206 {
		t.Fatalf("several parts: %d %v", w.Code, w.Header())
	}
	parts := multipart.NewReader(w.Body, params["boundary"])
	for _, want := range [][]byte{body[:5], body[10:20]} {
		p, err := parts.NextPart()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(p); err != nil || !bytes.Equal(got, want) || p.Header.Get("Content-Range") == "" {
			t.Errorf("%q, want %q: %v", got, want, err)
		}
	}
}

// whenUnchanged asks for parts under conditions.
func whenUnchanged(t *testing.T, s *Service, target, tag string, body []byte) {
	t.Helper()
	for _, x := range []struct {
		header []string
		status int
		want   []byte
	}{
		{[]string{"If-Range", tag}, 206, body[:5]},
		{[]string{"If-Range", `"another"`}, 200, body},
		{[]string{"If-Range", "W/" + tag}, 200, body},
		{[]string{"If-None-Match", tag}, 304, nil},
		{[]string{"If-None-Match", `"another"`}, 206, body[:5]},
		{[]string{"If-Match", `"another"`}, 412, nil},
		{[]string{"If-Match", tag}, 206, body[:5]},
		{[]string{"If-Match", `"another"`, "If-None-Match", tag}, 412, nil},
		{[]string{"If-Match", strings.TrimSuffix(tag, `"`) + `-gzip"`}, 412, nil},
	} {
		w := get(s, "GET", target, append(x.header, "Range", "bytes=0-4")...)
		if w.Code != x.status || x.status != 412 && !bytes.Equal(w.Body.Bytes(), x.want) {
			t.Errorf("%s with %v: %d, %d bytes", target, x.header, w.Code, w.Body.Len())
		}
	}
	for header, want := range map[string]int{"lines=1-2": 200, "bytes=9-2": 416, "bytes=x": 416} {
		if w := get(s, "GET", target, "Range", header); w.Code != want {
			t.Errorf("%s, %s: %d, want %d", target, header, w.Code, want)
		}
	}
	if w := get(s, "HEAD", target, "Range", "bytes=0-4"); w.Code != 200 || w.Header().Get("Content-Length") != fmt.Sprint(len(body)) || w.Body.Len() > 0 {
		t.Errorf("%s, HEAD: %d %v", target, w.Code, w.Header())
	}
}
