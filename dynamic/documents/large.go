package documents

import (
	"io"
	"net/http"

	"github.com/assay-register/assay/dynamic/web"
)

// stream copies a large document to the connection: in the coded form that the file has,
// else compressed while it is sent.
func (d site) stream(w http.ResponseWriter, r *http.Request, doc *document) error {
	plain := whole(doc.file.Open(doc.found))
	if web.WantsPart(r) {
		return doc.head.Part(w, r, doc.sum, plain)
	}
	in, coding := plain, web.Identity
	if web.Compressible(doc.head.Type) {
		in, coding = d.form(r, doc, plain)
		if coding == web.Identity {
			if done, err := doc.head.Code(w, r, doc.sum, plain); done {
				return err
			}
		}
	}
	if follows, err := doc.head.Begin(w, r, doc.sum, coding, in.Size()); !follows {
		return err
	}
	return web.CopyInTime(w, in, in.Size())
}

// codings are the orders in which coded forms are looked for: a snapshot file has no brotli,
// and gzip of a few documents only.
var codings = [][]web.Coding{{web.Zstd, web.Gzip}, {web.Gzip}}

// form is a large document in the coding that suits the client best of those that the file
// has, else as it is.
func (d site) form(r *http.Request, doc *document, plain *io.SectionReader) (*io.SectionReader, web.Coding) {
	for _, prefer := range codings {
		switch c := web.Negotiate(r.Header.Get("Accept-Encoding"), prefer); c {
		case web.Zstd:
			if z := doc.file.Open(doc.found).Zstd(); z != nil {
				return z, c
			}
		case web.Gzip:
			if p, err := d.find(doc.place.route + ".gz"); err == nil && p != nil && p.file == doc.file {
				return whole(p.file.Open(p.found)), c
			}
		}
	}
	return plain, web.Identity
}
