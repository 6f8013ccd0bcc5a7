package web

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/assay-register/assay/render/wire"
)

// WantsPart tells whether a request asks for a part of a document (RFC 9110,
// section 14.2: only GET can, and units that are not known are ignored). Parts are those of the document as it is, never
// of a coded form of it, under the strong validator of the former.
func WantsPart(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.HasPrefix(r.Header.Get("Range"), "bytes=")
}

// Part answers a request that wants a part with it: 206, with all parts if it
// names several; the whole if the client's copy is of other content (If-Range);
// 304 if it has all of it; 412 if it wants a part of other content only; 416 if there is no such part. sum is the hash of the
// content.
func (d *Head) Part(w http.ResponseWriter, r *http.Request, sum string, content io.ReadSeeker) error {
	if d.lines == nil {
		d.Prepare()
	}
	// Bytes of this content must not be put beside those of another, or of a coded form.
	if missed(r, sum, Identity+1, d.Modified) {
		return errMissed
	}
	h := w.Header()
	if !d.introduce(w, r, sum, Identity) {
		return nil
	}
	h["Etag"] = []string{tag(sum, Identity)}
	h["Content-Type"] = d.lines.media
	p := &partWriter{ResponseWriter: w, control: http.NewResponseController(w)}
	http.ServeContent(p, withoutEmpty(r), "", d.Modified, content)
	if !p.outside {
		return nil
	}
	size, err := content.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	return &Error{Problem: wire.Problem{Status: http.StatusRequestedRangeNotSatisfiable,
		Detail: fmt.Sprintf("The document has %d bytes; ask for a part of them, such as bytes=0-99.", size)},
		Header: http.Header{"Content-Range": {fmt.Sprintf("bytes */%d", size)}}}
}

// emptySuffix is the last no bytes of a document, which cannot be had (RFC 9110, section 14.1.2).
var emptySuffix = regexp.MustCompile(`([=,][ \t]*)-0+\b`)

// withoutEmpty asks for what lies beyond the end of any document in place of its last no bytes, for
// which net/http gives a part that ends before it begins.
func withoutEmpty(r *http.Request) *http.Request {
	asked := r.Header.Get("Range")
	beyond := emptySuffix.ReplaceAllString(asked, "${1}"+strconv.Itoa(math.MaxInt64)+"-")
	if beyond == asked {
		return r
	}
	r = r.Clone(r.Context())
	r.Header.Set("Range", beyond)
	return r
}

// Part is Head.Part for a document that is held in memory.
func (d *Document) Part(w http.ResponseWriter, r *http.Request) error {
	return d.Head.Part(w, r, d.Body.Sum(), bytes.NewReader(d.Body.Bytes()))
}

const (
	// chunk is how much of a large answer is sent before the connection is
	// given more time: with chunkTime, the least rate at which a client reads.
	chunk = 1 << 20
	// chunkTime is how long one chunk may take.
	chunkTime = 60 * time.Second
)

// partWriter passes an answer on and gives the connection time for each piece
// of it. It keeps back the answer that there is no such part.
type partWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	outside bool
}

// WriteHeader implements http.ResponseWriter.
func (p *partWriter) WriteHeader(status int) {
	if p.outside = status == http.StatusRequestedRangeNotSatisfiable; !p.outside {
		p.ResponseWriter.WriteHeader(status)
	}
}

// Write implements http.ResponseWriter.
func (p *partWriter) Write(b []byte) (int, error) {
	if p.outside {
		return len(b), nil
	}
	return p.ResponseWriter.Write(b)
}

// ReadFrom keeps the way by which the kernel copies a file to a connection.
func (p *partWriter) ReadFrom(src io.Reader) (int64, error) {
	if p.outside {
		return io.Copy(io.Discard, src)
	}
	part, ok := src.(*io.LimitedReader)
	if !ok {
		return io.Copy(p.ResponseWriter, src)
	}
	return copyInTime(p.ResponseWriter, p.control, part.R, part.N, chunkTime)
}

// CopyInTime copies n bytes to an answer; the client gets time for each piece
// of them, so that a slow one is cut off and a large answer is not.
func CopyInTime(w http.ResponseWriter, src io.Reader, n int64) error {
	_, err := copyInTime(w, http.NewResponseController(w), src, n, chunkTime)
	return err
}

func copyInTime(w io.Writer, control *http.ResponseController, src io.Reader, n int64, within time.Duration) (sent int64, err error) {
	for sent < n {
		control.SetWriteDeadline(time.Now().Add(within)) //nolint:errcheck // not every writer has deadlines
		more, err := io.CopyN(w, src, min(chunk, n-sent))
		sent += more
		if err != nil {
			return sent, err
		}
	}
	return sent, nil
}
