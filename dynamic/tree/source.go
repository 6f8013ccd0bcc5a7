package tree

import (
	"io"
	"io/fs"
	"os"
	"sync/atomic"

	"github.com/assay-register/assay/dynamic/web"
)

// source is where the files of a site lie: below a directory or in snapshot files.
// Paths are relative to the root of the tree.
type source interface {
	// stat finds a regular file, nil for none; folder tells whether there are files below a path.
	stat(path string) fs.FileInfo
	folder(path string) bool
	// open opens a file, for which a stat showed found.
	open(path string, found fs.FileInfo) (content, fs.FileInfo, error)
	// form opens the compressed form of a file with its size, nil where none lies beside it.
	form(f *file, c web.Coding) (content, int64)
	// sum is the SHA-256 of an open file in lower-case hex.
	sum(in content, info fs.FileInfo) (string, error)
}

// content is a file that is open and at its beginning.
type content interface {
	io.ReadSeeker
	io.Closer
}

// disk is a directory that a build keeps up to date.
type disk struct {
	dir string
	// at is dir, kept open for reading files.
	at atomic.Pointer[root]
}

// stat finds a regular file. What it finds is opened below the root only, so
// a link that leads out of the tree is found but never served.
func (d *disk) stat(path string) fs.FileInfo {
	info, err := os.Stat(d.dir + "/" + path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return info
}

func (d *disk) folder(path string) bool {
	info, err := os.Stat(d.dir + "/" + path)
	return err == nil && info.IsDir()
}

// open opens a file below the root. The root is kept open; when the path
// leads to another file than from there, as after the directory was exchanged,
// the root is opened anew.
func (d *disk) open(path string, found fs.FileInfo) (content, fs.FileInfo, error) {
	if root := d.at.Load(); root != nil {
		in, info, err := root.open(path)
		if err == nil && os.SameFile(info, found) {
			return in, info, nil
		}
		if err == nil {
			in.Close()
		}
	}
	root, err := openRoot(d.dir)
	if err != nil {
		return nil, nil, notExist(err)
	}
	d.at.Store(root) // the one before is closed when no reader holds it any more
	in, info, err := root.open(path)
	if err != nil {
		return nil, nil, err
	}
	return in, info, nil
}

// form opens the precompressed form of a file. Both bear the same time of
// modification; one that differs belongs to another version and is passed over.
func (d *disk) form(f *file, c web.Coding) (content, int64) {
	if c == web.Identity {
		return nil, 0
	}
	in, err := os.OpenInRoot(d.dir, f.path+c.Extension())
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

func (d *disk) sum(in content, _ fs.FileInfo) (string, error) { return hashOf(in) }
