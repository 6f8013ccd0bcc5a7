package check

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/okf/okfcheck"
)

// The OKF bundle lies below one route, and again as one archive.
const (
	bundleRoot = "/api/v1/okf/"
	bundleFile = "bundle.tar.gz"
)

// checkArchive compares the archive with the pages of the bundle: each of them
// is in it once, with the same bytes, in the order of the names.
func (c *checker) checkArchive(route string, page io.Reader) {
	zip, err := gzip.NewReader(page)
	if err != nil {
		c.report.fault(route, "is no gzip file: %v", err)
		return
	}
	in, last := tar.NewReader(zip), ""
	for {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			c.report.fault(route, "is no tar archive: %v", err)
			return
		}
		if h.Name <= last {
			c.report.fault(route, "holds %s behind %s", h.Name, last)
		}
		last = h.Name
		sum := sha256.New()
		if _, err := io.Copy(sum, in); err != nil {
			c.report.fault(route, "%s cannot be read: %v", h.Name, err)
			return
		}
		if known, ok := c.sum(bundleRoot + h.Name); !ok || known != [sha256.Size]byte(sum.Sum(nil)) {
			c.report.fault(route, "%s is no page of the bundle, or has other bytes", h.Name)
		}
		c.archived++
	}
}

// checkBundle holds the bundle to the MUST and SHOULD rules of OKF.
func (c *checker) checkBundle(ctx context.Context) {
	if len(c.bundle) == 0 {
		return
	}
	files := newBundleFS(ctx, c.pages, c.bundle)
	for name := range c.bundle {
		if path.Ext(name) == ".md" {
			c.report.Concepts++
		}
	}
	if _, there := c.bundle[bundleFile]; there && c.archived != c.report.Concepts {
		c.report.fault(bundleRoot+bundleFile, "holds %d of the %d pages of the bundle", c.archived, c.report.Concepts)
	}
	for _, f := range okfcheck.Check(files) {
		c.report.fault(bundleRoot+f.Path, "OKF %s: %s", f.Rule, f.Text)
	}
}

// bundleFS shows the pages of a bundle as files, wherever the site is.
type bundleFS struct {
	ctx   context.Context
	pages output.Pages
	types map[string]string
	dirs  map[string][]fs.DirEntry
}

func newBundleFS(ctx context.Context, pages output.Pages, types map[string]string) *bundleFS {
	b := &bundleFS{ctx, pages, types, map[string][]fs.DirEntry{".": nil}}
	for name := range types {
		b.list(name, false)
	}
	for _, list := range b.dirs {
		slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	}
	return b
}

// list adds a name to its directory, and that to its own.
func (b *bundleFS) list(name string, dir bool) {
	parent := path.Dir(name)
	if _, known := b.dirs[parent]; !known {
		b.list(parent, true)
	}
	b.dirs[parent] = append(b.dirs[parent], fs.FileInfoToDirEntry(bundleInfo{path.Base(name), dir}))
	if dir {
		b.dirs[name] = nil
	}
}

// Open implements fs.FS.
func (b *bundleFS) Open(name string) (fs.File, error) {
	media, ok := b.types[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	page, err := b.pages.Open(b.ctx, bundleRoot+name, media)
	if err != nil {
		return nil, err
	}
	return bundlePage{struct {
		io.Reader
		io.Closer
	}{&capped{in: page, most: readMax}, page}, bundleInfo{path.Base(name), false}}, nil
}

// ReadDir implements fs.ReadDirFS.
func (b *bundleFS) ReadDir(name string) ([]fs.DirEntry, error) {
	list, ok := b.dirs[name]
	if !ok {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	return list, nil
}

// Stat implements fs.StatFS.
func (b *bundleFS) Stat(name string) (fs.FileInfo, error) {
	_, dir := b.dirs[name]
	if _, file := b.types[name]; !file && !dir {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return bundleInfo{path.Base(name), dir}, nil
}

// bundlePage is an open page.
type bundlePage struct {
	io.ReadCloser
	info bundleInfo
}

// Stat implements fs.File.
func (p bundlePage) Stat() (fs.FileInfo, error) { return p.info, nil }

// bundleInfo tells the name of a page or directory; its size is not known.
type bundleInfo struct {
	name string
	dir  bool
}

// Name implements fs.FileInfo, as do the methods that follow.
func (i bundleInfo) Name() string { return i.name }

// Size is not known.
func (i bundleInfo) Size() int64 { return 0 }

// Mode tells a directory from a page.
func (i bundleInfo) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

// ModTime is not known.
func (i bundleInfo) ModTime() time.Time { return time.Time{} }

// IsDir tells a directory.
func (i bundleInfo) IsDir() bool { return i.dir }

// Sys is nothing.
func (i bundleInfo) Sys() any { return nil }
