package build

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/bundle"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/pack"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/wire"
)

// routeLog writes routes.ndjson as groups are appended to the file and sums up each class
// of files. Both happen in an order that depends on the snapshot only.
type routeLog struct {
	w *bufio.Writer
	// lengths are those of the lines of each group, in bytes.
	lengths []uint32
	classes []*classSum
	// tree sums up the documents of entries, leaves are the hashes of its leaves.
	tree   bundle.Tree
	leaves []byte
	// summed is the last line that a class was summed up by, used again.
	summed []byte
}

type classSum struct {
	name  artifact.Class
	files int
	bytes int64
	sum   hash.Hash
}

func newRouteLog(w io.Writer) *routeLog {
	r := &routeLog{w: bufio.NewWriterSize(w, 1<<17)}
	r.tree.Each = func(h tlog.Hash) { r.leaves = append(r.leaves, h[:]...) }
	return r
}

// hashed has files know their hashes.
func hashed(files []artifact.File) {
	for i := range files {
		f := &files[i]
		if f.Sums != nil {
			continue
		}
		f.Sums = &artifact.Sums{Body: sha256.Sum256(f.Body)}
		if f.Type == artifact.JSON {
			f.Sums.Manifest = wire.ManifestSum(f.Body)
		}
	}
}

// add adds a document to those of its class.
func (r *routeLog) add(d *pack.Document) {
	c := r.class(d.Class)
	c.files++
	c.bytes += d.Size
	r.summed = hex.AppendEncode(append(append(r.summed[:0], d.Route...), ' '), d.Sum[:])
	r.summed = append(r.summed, '\n')
	c.sum.Write(r.summed)
	r.tree.Add(d.Route, d.Sum[:])
}

// group takes the documents of a group that have a route.
func (r *routeLog) group(g *pack.Group) {
	for i := range g.Documents {
		if d := &g.Documents[i]; strings.HasPrefix(d.Route, "/") {
			r.add(d)
		}
	}
	b := g.Routes(r.w.AvailableBuffer())
	r.lengths = append(r.lengths, uint32(len(b)))
	r.w.Write(b) //nolint:errcheck // Flush tells it
}

// streamRoutes is the stream of the lines, of which each group of the file has its own.
const streamRoutes = "routes"

// stream writes all lines, which lie in a file.
func (r *routeLog) stream(in io.Reader) func(io.Writer) error {
	return func(w io.Writer) error {
		lines := bufio.NewReaderSize(in, 1<<17)
		var b []byte
		for number, n := range r.lengths {
			b = slices.Grow(b[:0], int(n))[:n]
			if _, err := io.ReadFull(lines, b); err != nil {
				return err
			}
			if err := artifact.WriteQuote(w, streamRoutes, number, 0, b); err != nil {
				return err
			}
		}
		return nil
	}
}

func (r *routeLog) class(name artifact.Class) *classSum {
	for _, c := range r.classes {
		if c.name == name {
			return c
		}
	}
	c := &classSum{name: name, sum: sha256.New()}
	r.classes = append(r.classes, c)
	return c
}

// artefacts are the sums of snapshot.json.
func (r *routeLog) artefacts() []wire.ArtefactClass {
	out := []wire.ArtefactClass{}
	for _, c := range r.classes {
		out = append(out, wire.ArtefactClass{Class: string(c.name), Files: c.files, Bytes: c.bytes, SHA256: hex.EncodeToString(c.sum.Sum(nil))})
	}
	return out
}

// keepTree keeps the hashes of the leaves with the snapshot: what proves an entry is made of them.
func (r *run) keepTree() error {
	if len(r.routes.leaves) == 0 {
		return nil
	}
	part := artifact.File{Route: snapshot.PartRoute(bundle.TreeFile), Type: "application/octet-stream", Class: artifact.ClassCatalog,
		Stream: func(w io.Writer) error {
			_, err := w.Write(r.routes.leaves)
			return err
		}}
	_, rest, err := r.file.streamed(&part, pack.FrameMax, r.file.quotes)
	return errors.Join(err, rest.do())
}

const sumRule = "SHA-256 over one line per file of the class, in the order of routes.ndjson: the route, a space, the file's lower-case hex SHA-256, a line feed"

func encodeSnapshotPage(p wire.SnapshotPage) (artifact.File, error) {
	p.Rule = sumRule
	b, err := jsonx.Marshal(p)
	return artifact.File{Route: "/snapshot.json", Type: artifact.JSON, Class: artifact.ClassCatalog, Body: b}, err
}
