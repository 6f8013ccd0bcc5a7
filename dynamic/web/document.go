package web

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/pages"
)

// Head is what an answer says about its content.
type Head struct {
	Type, Cache string
	// Snapshot is named in Assay-Snapshot in place of the current one.
	Snapshot string
	// Link is the value of the Link header, "" for none.
	Link string
	// Modified is the time of a file, zero for what is made for a request.
	Modified time.Time
}

// policy is the content security policy of pages: the one that they state
// themselves, and that no other site may frame them, which only a header can say.
var policy = []string{pages.Policy + "; frame-ancestors 'none'"}

// Page sets the headers by which an answer is a page.
func Page(h http.Header) {
	h["Content-Type"] = []string{pages.HTML}
	h["Content-Security-Policy"] = policy
}

// Document is an answer that is held in memory.
type Document struct {
	Head
	Body *Body
	// Prefer orders the codings; PreferFast if nil.
	Prefer []Coding
}

// Write answers with the document, in the coding that suits the client best,
// or with 304 when the client has it.
func (d *Document) Write(w http.ResponseWriter, r *http.Request) error {
	content, coding := d.Body.Bytes(), Identity
	if Compressible(d.Type) {
		prefer := d.Prefer
		if prefer == nil {
			prefer = PreferFast
		}
		content, coding = d.Body.In(Negotiate(r.Header.Get("Accept-Encoding"), prefer))
	}
	if !d.Begin(w, r, d.Body.Sum(), coding, int64(len(content))) {
		return nil
	}
	w.Write(content) //nolint:errcheck // the client is gone, nobody can be told
	return nil
}

// Begin writes the header of an answer whose content has the given hash and,
// coded, the given size. It reports whether the content is to follow.
func (d *Head) Begin(w http.ResponseWriter, r *http.Request, sum string, c Coding, size int64) bool {
	h := w.Header()
	h["Cache-Control"] = []string{d.Cache}
	if strings.HasPrefix(d.Type, "text/html") {
		h["Content-Security-Policy"] = policy
	}
	if Compressible(d.Type) {
		h["Vary"] = []string{"Accept-Encoding"}
	}
	if d.Snapshot != "" {
		h["Assay-Snapshot"] = []string{d.Snapshot}
	}
	if d.Link != "" {
		h["Link"] = []string{d.Link}
	}
	if !d.Modified.IsZero() {
		h["Last-Modified"] = []string{d.Modified.UTC().Format(http.TimeFormat)}
	}
	if match, ok := fresh(r, sum, c, d.Modified); ok {
		h["Etag"] = []string{match}
		w.WriteHeader(http.StatusNotModified)
		return false
	}
	h["Etag"] = []string{tag(sum, c)}
	h["Content-Type"] = []string{d.Type}
	h["Content-Length"] = []string{strconv.FormatInt(size, 10)}
	if c != Identity {
		h["Content-Encoding"] = []string{c.String()}
	}
	w.WriteHeader(http.StatusOK)
	return r.Method != http.MethodHead
}
