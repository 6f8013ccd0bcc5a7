package web

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/wire"
)

// problemType describes one named problem type.
type problemType struct{ name, title, text string }

var problemTypes = []problemType{
	{ProblemParameter, "Invalid parameter", "A query parameter is unknown, given twice or has a value that is not allowed. " +
		"errors lists each of them with what is allowed."},
	{ProblemExpired, "Snapshot expired", "The snapshot that the request names is no longer published. " +
		"Snapshots stay readable for at least two hours; begin again at /api/v1/entries."},
	{ProblemRemoved, "Entry removed", "The entry was public once and has been removed. " +
		"successor names the entry that took its place, if there is one."},
}

func titleOf(name string, status int) string {
	for _, t := range problemTypes {
		if t.name == name {
			return t.title
		}
	}
	return cmp.Or(http.StatusText(status), "Error")
}

// DescribeProblem serves the page that the type of a problem names.
func DescribeProblem(w http.ResponseWriter, r *http.Request) error {
	i := slices.IndexFunc(problemTypes, func(t problemType) bool { return t.name == r.PathValue("name") })
	if i < 0 {
		return NotFound("No problem type has this name.")
	}
	text := problemTypes[i].title + "\n\n" + problemTypes[i].text + "\n"
	d := Document{Head: Head{Type: "text/plain; charset=utf-8", Cache: CacheLive}, Body: NewBody([]byte(text))}
	return d.Write(w, r)
}

// writeProblem answers with a problem document (RFC 9457).
func writeProblem(w *response, r *http.Request, e *Error, base string) {
	p := e.Problem
	p.Status = cmp.Or(p.Status, http.StatusInternalServerError)
	p.Title = cmp.Or(p.Title, titleOf(p.Type, p.Status))
	p.Instance = cmp.Or(p.Instance, instance(w.url))
	switch {
	case p.Type == "":
		p.Type = "about:blank"
	case !strings.Contains(p.Type, "://"):
		p.Type = base + "/problems/" + p.Type
	}
	body, err := JSON(p)
	if err != nil {
		body = fmt.Appendf(nil, `{"type":"about:blank","title":"Internal Server Error","status":%d}`, p.Status)
	}
	headersOf(w.Header(), e)
	send(w, r, p.Status, wire.MediaProblem, body)
}

// writePage answers with a page that says the same to people.
func writePage(w *response, r *http.Request, e *Error, page []byte) {
	headersOf(w.Header(), e)
	w.Header().Set("Vary", "Accept")
	ReplyPage(w, r, cmp.Or(e.Problem.Status, http.StatusInternalServerError), page)
}

// headersOf makes the headers those of an error: what a handler said of the answer that it did not give is void.
func headersOf(h http.Header, e *Error) {
	for _, name := range []string{"Accept-Ranges", "Etag", "Last-Modified", "Content-Encoding", "Link", "Vary"} {
		h.Del(name)
	}
	maps.Copy(h, e.Header)
	if e.Problem.Status == http.StatusServiceUnavailable && h.Get("Retry-After") == "" {
		h.Set("Retry-After", retryAfter)
	}
}

// JSON encodes a value compactly and without HTML escaping.
func JSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode %T: %w", v, err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// shown is how many bytes of a client's value an error repeats.
const shown = 100

// Shorten cuts a client's value for an error message.
func Shorten(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= shown {
		return s
	}
	return strings.ToValidUTF8(s[:shown], "") + "…"
}

// TooMany is the 429 of who has to wait for a time; whole seconds, so that who waits as long is
// never early.
func TooMany(detail string, wait time.Duration) error {
	return &Error{Problem: wire.Problem{Status: http.StatusTooManyRequests, Detail: detail},
		Header: http.Header{"Retry-After": {strconv.Itoa(max(1, int((wait+time.Second-1)/time.Second)))}}}
}
