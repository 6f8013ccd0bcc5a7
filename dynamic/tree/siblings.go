package tree

import (
	"errors"
	"io"
	"net/http"
	"os"

	"github.com/assay-register/assay/dynamic/web"
)

// sibling opens the precompressed form of a file. Both bear the same time of
// modification; one that differs belongs to another version and is passed over.
func (t *Tree) sibling(f *file, c web.Coding) (*os.File, int64) {
	in, err := os.OpenInRoot(t.dir, f.path+c.Extension())
	if err != nil {
		return nil, 0
	}
	info, err := in.Stat()
	if err != nil || !info.Mode().IsRegular() || !info.ModTime().Equal(f.info.ModTime()) {
		in.Close()
		return nil, 0
	}
	return in, info.Size()
}

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
	if in, size := t.sibling(f, c); in != nil && size <= memoryMax {
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

// source is a large file, open and at its beginning.
type source struct {
	*os.File
	coding web.Coding
	size   int64
	// sum is the hash of the original.
	sum string
}

// stream copies a large file from disk to the connection.
func (t *Tree) stream(w http.ResponseWriter, r *http.Request, head *web.Head, f *file) error {
	in, err := t.source(r, f)
	if err != nil {
		return err
	}
	defer in.Close()
	if web.WantsPart(r) {
		return head.Part(w, r, in.sum, in.File)
	}
	if !head.Begin(w, r, in.sum, in.coding, in.size) {
		return nil
	}
	return web.CopyInTime(w, in.File, in.size)
}

// source opens the file in the coding that suits the client, as it is for one
// that wants a part.
func (t *Tree) source(r *http.Request, f *file) (*source, error) {
	if web.Compressible(f.head.Type) && !web.WantsPart(r) {
		if c := web.Negotiate(r.Header.Get("Accept-Encoding"), web.PreferSmall); c != web.Identity {
			if in, size := t.sibling(f, c); in != nil {
				return &source{in, c, size, f.sum}, nil
			}
		}
	}
	in, err := os.OpenInRoot(t.dir, f.path)
	if err != nil {
		return nil, notExist(err)
	}
	s := &source{in, web.Identity, 0, f.sum}
	if err := s.verify(f); err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return s, nil
}

// verify hashes again a file that was replaced since its hash was taken.
func (s *source) verify(f *file) error {
	info, err := s.Stat()
	if err != nil {
		return err
	}
	s.size = info.Size()
	if same(info, f.info) {
		return nil
	}
	if s.sum, err = hashOf(s.File); err != nil {
		return err
	}
	_, err = s.Seek(0, io.SeekStart)
	return err
}
