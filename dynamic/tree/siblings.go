package tree

import (
	"errors"
	"io"
	"net/http"

	"github.com/assay-register/assay/dynamic/web"
)

// siblings gives the body the precompressed form that the request asks for, if
// it lies on disk.
func (t *Tree) siblings(r *http.Request, f *file) error {
	if !web.Compressible(f.head.Type) {
		return nil
	}
	c := web.Negotiate(r.Header.Get("Accept-Encoding"), web.PreferSmall)
	if c == web.Identity || f.looked[c].Load() {
		return nil
	}
	if in, size := t.lies().form(f, c); in != nil && size <= memoryMax {
		defer in.Close()
		coded, err := io.ReadAll(in)
		if err != nil {
			return err
		}
		f.body.Preload(c, coded)
	}
	f.looked[c].Store(true)
	return nil
}

// siblingMin is the size up to which a build writes no compressed forms.
const siblingMin = 64 << 10

// large is a large file, open and at its beginning.
type large struct {
	content
	coding web.Coding
	size   int64
	// sum is the hash of the original.
	sum string
}

// stream copies a large file from disk to the connection.
func (t *Tree) stream(w http.ResponseWriter, r *http.Request, head *web.Head, f *file) error {
	in, err := t.large(r, f)
	if err != nil {
		return err
	}
	defer in.Close()
	if web.WantsPart(r) {
		return head.Part(w, r, in.sum, in.content)
	}
	if in.coding == web.Identity && t.lies() == source(&t.packs) && web.Compressible(head.Type) {
		if done, err := head.Code(w, r, in.sum, in.content); done {
			return err
		}
	}
	if !head.Begin(w, r, in.sum, in.coding, in.size) {
		return nil
	}
	return web.CopyInTime(w, in.content, in.size)
}

// codings are the orders in which the forms of a large file are looked for: a
// snapshot file has no brotli.
var codings = [][]web.Coding{web.PreferSmall, {web.Zstd, web.Gzip}, {web.Gzip}}

// large opens the file in the coding that suits the client, as it is for one
// that wants a part.
func (t *Tree) large(r *http.Request, f *file) (*large, error) {
	if web.Compressible(f.head.Type) && !web.WantsPart(r) {
		for _, prefer := range codings {
			c := web.Negotiate(r.Header.Get("Accept-Encoding"), prefer)
			if in, size := t.lies().form(f, c); in != nil {
				return &large{in, c, size, f.sum}, nil
			}
		}
	}
	in, info, err := t.lies().open(f.path, f.info)
	if err != nil {
		return nil, err
	}
	l := &large{in, web.Identity, info.Size(), f.sum}
	if same(info, f.info) {
		return l, nil
	}
	// It was replaced since its hash was taken.
	if l.sum, err = t.lies().sum(in, info); err == nil {
		_, err = in.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return l, nil
}
