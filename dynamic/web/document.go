package web

import (
	"net/http"
	"strings"
	"time"

	"github.com/assay-register/assay/render/pages"
	"github.com/assay-register/assay/render/wire"
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
	// lines are those of the head that Prepare made.
	lines *lines
}

// lines are the values of header fields that all answers with one head share.
// Nothing appends to them in place, as they are full.
type lines struct {
	values                       [4]string
	media, cache, link, modified []string
	compressible, page           bool
}

// Prepare makes what is the same for all answers with this head. Only Snapshot
// may be changed afterwards.
func (d *Head) Prepare() { d.lines = d.makeLines() }

func (d *Head) makeLines() *lines {
	l := &lines{values: [4]string{d.Type, d.Cache, d.Link}, compressible: Compressible(d.Type), page: strings.HasPrefix(d.Type, "text/html")}
	v := &l.values
	l.media, l.cache = v[:1:1], v[1:2:2]
	if d.Link != "" {
		l.link = v[2:3:3]
	}
	if !d.Modified.IsZero() {
		v[3] = d.Modified.UTC().Format(http.TimeFormat)
		l.modified = v[3:]
	}
	return l
}

var (
	varyCoding   = []string{"Accept-Encoding"}
	acceptRanges = []string{"bytes"}
)

// policy is the content security policy of pages.
var policy = []string{wire.FramedPolicy}

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
// with the part of it that the client wants, with 304 when the client has it, or with 412
// when it wants another one.
func (d *Document) Write(w http.ResponseWriter, r *http.Request) error {
	if WantsPart(r) {
		return d.Part(w, r)
	}
	if d.lines == nil {
		d.Prepare()
	}
	want := Identity
	if d.lines.compressible {
		prefer := d.Prefer
		if prefer == nil {
			prefer = PreferFast
		}
		want = Negotiate(r.Header.Get("Accept-Encoding"), prefer)
	}
	form, coding := d.Body.in(want)
	follows, err := d.begin(w, r, d.Body.Sum(), coding, form)
	if follows {
		w.Write(form.content) //nolint:errcheck // the client is gone, nobody can be told
	}
	return err
}

// Begin writes the header of an answer whose content has the given hash and,
// coded, the given size. It reports whether the content is to follow, and fails with 412
// where the client set a condition that does not hold.
func (d *Head) Begin(w http.ResponseWriter, r *http.Request, sum string, c Coding, size int64) (bool, error) {
	if d.lines == nil {
		d.Prepare()
	}
	return d.begin(w, r, sum, c, newForm(nil, sum, c, size))
}

func (d *Head) begin(w http.ResponseWriter, r *http.Request, sum string, c Coding, f *form) (bool, error) {
	if missed(r, sum, codings, d.Modified) {
		return false, errMissed
	}
	if !d.introduce(w, r, sum, c) {
		return false, nil
	}
	h := w.Header()
	h["Etag"] = f.etag()
	h["Content-Type"] = d.lines.media
	if f.values[1] != unknownLength {
		h["Content-Length"] = f.length()
	}
	if c != Identity {
		h["Content-Encoding"] = []string{c.String()}
	}
	w.WriteHeader(http.StatusOK)
	return r.Method != http.MethodHead, nil
}

// introduce sets the fields that a 200 and a 304 share, and answers 304 to a
// client that has the content. It reports whether the content is still to be
// announced.
func (d *Head) introduce(w http.ResponseWriter, r *http.Request, sum string, c Coding) bool {
	h := w.Header()
	h["Accept-Ranges"] = acceptRanges
	h["Cache-Control"] = d.lines.cache
	if d.lines.page {
		h["Content-Security-Policy"] = policy
	}
	if d.lines.compressible {
		h["Vary"] = varyCoding
	}
	if d.Snapshot != "" {
		h[wire.SnapshotHeader] = []string{d.Snapshot}
	}
	if d.lines.link != nil {
		h["Link"] = d.lines.link
	}
	if d.lines.modified != nil {
		h["Last-Modified"] = d.lines.modified
	}
	if match, ok := fresh(r, sum, c, d.Modified); ok {
		h["Etag"] = []string{match}
		w.WriteHeader(http.StatusNotModified)
		return false
	}
	return true
}
