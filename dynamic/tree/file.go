package tree

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/assay-register/assay/dynamic/query"
	"github.com/assay-register/assay/dynamic/web"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

const (
	// memoryMax is the largest file that is held in memory; larger ones are
	// copied from the disk and only their hash is remembered.
	memoryMax = 1 << 20
	// settled is the age from which a file is remembered. Two files of one
	// name and size that are younger could bear the same time and inode.
	settled = 100 * time.Millisecond
)

// file is what is remembered of one file of the tree.
type file struct {
	path string
	// head is what answers say about it; only the snapshot is added.
	head web.Head
	// info is that of the open file when it was read.
	info fs.FileInfo
	// body is nil for a large file, whose hash is sum.
	body *web.Body
	sum  string
	// snapshot is the one that a list page names itself.
	snapshot string
	// owner is the last answer to which snapshot it belongs.
	owner atomic.Pointer[owned]
	// looked tells in which codings a sibling was looked for.
	looked [4]atomic.Bool
	// charged is the cost at which the cache holds the file, 0 if it does not.
	charged atomic.Int64
}

// open returns the file as it is on disk now: the remembered one if it is the
// same, else it is read. info comes from a stat that this request made.
func (t *Tree) open(path string, info fs.FileInfo) (*file, error) {
	if f, ok := t.files.Get(path); ok && same(f.info, info) {
		return f, nil
	}
	key := path + "\x00" + strconv.FormatInt(info.ModTime().UnixNano(), 10) + "\x00" + strconv.FormatInt(info.Size(), 10)
	v, err, _ := t.loading.Do(key, func() (any, error) { return t.read(path, info) })
	if err != nil {
		return nil, err
	}
	f := v.(*file)
	if time.Since(f.info.ModTime()) > settled {
		f.charged.CompareAndSwap(0, 1)
		t.keep(f)
	}
	return f, nil
}

func same(a, b fs.FileInfo) bool {
	x, isA := a.(*document)
	y, isB := b.(*document)
	if isA || isB {
		return isA && isB && x.file.Info == y.file.Info
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

// keep charges the cache for what the file has grown to.
func (t *Tree) keep(f *file) {
	was := f.charged.Load()
	if was == 0 {
		return
	}
	size := int64(len(f.path)) + 512
	if f.body != nil {
		size += f.body.Size()
	}
	if size != was && f.charged.CompareAndSwap(was, size) {
		t.files.Put(f.path, f, size)
	}
}

// read reads a file. Builds replace files by renaming, so an open file never
// changes: what is read is all old or all new. found is the file that a stat of
// the path showed.
func (t *Tree) read(path string, found fs.FileInfo) (*file, error) {
	in, info, err := t.lies().open(path, found)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	f := &file{path: path, info: info, head: web.Head{Type: artifact.TypeOf(path), Cache: cacheOf("/" + path), Modified: info.ModTime()}}
	defer f.head.Prepare()
	if info.Size() > memoryMax {
		f.sum, err = t.lies().sum(in, info)
		return f, err
	}
	content := make([]byte, info.Size())
	if _, err := io.ReadFull(in, content); err != nil {
		return nil, fmt.Errorf("%s was cut off while it was read: %w", path, err)
	}
	f.body = web.NewBody(content)
	f.head.Link = cmp.Or(linkOf(path, content), t.alternates(path), t.catalogue(path))
	f.snapshot = snapshotOf(path, content)
	return f, nil
}

// hash is the SHA-256 of the bytes in lower-case hex.
func (f *file) hash() string {
	if f.body == nil {
		return f.sum
	}
	return f.body.Sum()
}

// owned is the snapshot of a file, as found when another was present.
type owned struct {
	present query.Present
	id      string
}

// ownedBy names the snapshot of a file that was found when one was present. The
// answer is remembered: in a tree that was copied, times tell nothing, and each
// file has to be looked up.
func (t *Tree) ownedBy(f *file, present query.Present) string {
	if d, ok := f.info.(*document); ok && d.pending {
		return query.Pending
	}
	if f.snapshot != "" {
		return f.snapshot
	}
	if o := f.owner.Load(); o != nil && o.present == present {
		return o.id
	}
	id := t.library.Owner(present, f.info.ModTime(), f.hash())
	if id != query.Pending {
		f.owner.Store(&owned{present, id})
	}
	return id
}

// named are the pages that say of which snapshot they are.
var named = []string{"snapshot.json", "api/v1/entries/index.json", "api/v1/entries/facets/index.json",
	"api/v1/entries/trending/index.json", "api/v1/entries/leaderboard/index.json"}

// snapshotOf reads the snapshot that a page names, "" if it names none.
func snapshotOf(path string, body []byte) string {
	if !slices.Contains(named, path) {
		return ""
	}
	var page struct {
		Snapshot string `json:"snapshot"`
	}
	if json.Unmarshal(body, &page) != nil || !snapshot.IsID(page.Snapshot) {
		return ""
	}
	return page.Snapshot
}

// readMax bounds a file that Read returns, in bytes. A pinned page of the
// catalogue has about two megabytes.
const readMax = 64 << 20

// Read returns the file of a route; fs.ErrNotExist when there is none.
func (t *Tree) Read(route string) ([]byte, error) {
	path, info := t.find(route)
	if info == nil {
		return nil, fmt.Errorf("%s: %w", route, fs.ErrNotExist)
	}
	if info.Size() > readMax {
		return nil, fmt.Errorf("%s has %d bytes, at most %d are read", route, info.Size(), readMax)
	}
	in, _, err := t.lies().open(path, info)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(in)
}

// notExist tells a path that is not there, which a link that leads out of the
// tree is too, from a disk or a system in trouble.
func notExist(err error) error {
	var trouble syscall.Errno
	if errors.As(err, &trouble) && trouble != syscall.ENOTDIR && trouble != syscall.ELOOP {
		return err
	}
	return fmt.Errorf("%w: %w", fs.ErrNotExist, err)
}

func hashOf(in io.Reader) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, in); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// linkOf makes the Link header of a list page from the links in its body.
func linkOf(path string, body []byte) string {
	if path != "api/v1/entries/index.json" && path != "api/v1/institutions/index.json" && !strings.HasPrefix(path, "s/") {
		return ""
	}
	var page struct {
		Links wire.Links `json:"links"`
	}
	if json.Unmarshal(body, &page) != nil || page.Links.Self == "" {
		return ""
	}
	return web.Link(page.Links)
}

// Used is how many bytes of files are held in memory.
func (t *Tree) Used() int64 { return t.files.Used() }
