package build

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"slices"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/jsonx"
	"github.com/assay-register/assay/render/pack"
	"github.com/assay-register/assay/render/wire"
)

// routeLog writes routes.ndjson as groups are appended to the file and sums up each class
// of files. Both happen in an order that depends on the snapshot only.
type routeLog struct {
	w *bufio.Writer
	// lengths are those of the lines of each group, in bytes.
	lengths []uint32
	classes []*classSum
	// summed is the last line that a class was summed up by, used again.
	summed []byte
}

type classSum struct {
	name  artifact.Class
	files int
	bytes int64
	sum   hash.Hash
}

func newRouteLog(w io.Writer) *routeLog { return &routeLog{w: bufio.NewWriterSize(w, 1<<17)} }

// logged is a file as the log needs it, without its bytes.
type logged struct {
	route, alias, media string
	class               artifact.Class
	sum                 [sha256.Size]byte
	// manifest is the hash that the page's manifest names, zero for none.
	manifest [sha256.Size]byte
	size     int
}

func note(f *artifact.File) logged {
	n := logged{route: f.Route, alias: f.Alias, media: f.Type, class: f.Class, size: len(f.Body)}
	if f.Sums != nil {
		n.sum, n.manifest = f.Sums.Body, f.Sums.Manifest
		return n
	}
	n.sum = sha256.Sum256(f.Body)
	if f.Type == artifact.JSON {
		n.manifest = wire.ManifestSum(f.Body)
	}
	return n
}

// notes notes files, which know their hashes from then on.
func notes(files []artifact.File) []logged {
	out := make([]logged, len(files))
	for i := range files {
		out[i] = note(&files[i])
		files[i].Sums = &artifact.Sums{Body: out[i].sum, Manifest: out[i].manifest}
	}
	return out
}

// noted notes documents of a snapshot file that have a route.
func noted(documents []pack.Document) []logged {
	out := make([]logged, 0, len(documents))
	for i := range documents {
		if d := &documents[i]; strings.HasPrefix(d.Route, "/") {
			out = append(out, logged{route: d.Route, alias: d.Alias, media: d.Type, class: d.Class, sum: d.Sum, manifest: d.Manifest, size: int(d.Size)})
		}
	}
	return out
}

// sum adds a file to those of its class.
func (r *routeLog) sum(f *logged) {
	c := r.class(f.class)
	c.files++
	c.bytes += int64(f.size)
	r.summed = hex.AppendEncode(append(append(r.summed[:0], f.route...), ' '), f.sum[:])
	r.summed = append(r.summed, '\n')
	c.sum.Write(r.summed)
}

// group writes the lines of a group.
func (r *routeLog) group(g *pack.Group) {
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

const sumRule = "SHA-256 over one line per file of the class, in the order of routes.ndjson: the route, a space, the file's lower-case hex SHA-256, a line feed"

func encodeSnapshotPage(p wire.SnapshotPage) (artifact.File, error) {
	p.Rule = sumRule
	b, err := jsonx.Marshal(p)
	return artifact.File{Route: "/snapshot.json", Type: artifact.JSON, Class: artifact.ClassCatalog, Body: b}, err
}
