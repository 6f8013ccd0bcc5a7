package check

import (
	"golang.org/x/mod/sumdb/tlog"

	"github.com/assay-register/assay/render/translog"
)

func bundleRoute(n int64, width int) string {
	return translog.Prefix + translog.BundlePath(n, width)
}

// tile holds a tile of the log to the hashes that its leaves make, so that what was changed is
// named by its file, and hands what it makes to the tile above.
func (r *logReader) tile(level int, n int64, made []tlog.Hash) {
	has, path, err := r.read.Tile(level, n)
	if err != nil {
		r.c.report.fault(translog.Prefix+path, "cannot be read: %v", err)
	}
	for i := range has {
		if has[i] == made[i] {
			continue
		}
		if level == 0 {
			r.c.report.fault(translog.Prefix+path, "its hash of leaf %d is not that of the leaf in %s: one of the two was changed", n*translog.Width+int64(i), bundleRoute(n, len(made)))
		} else {
			r.c.report.fault(translog.Prefix+path, "its hash %d is not that of the tile below: it was changed", i)
		}
		break
	}
	if len(made) < translog.Width {
		return
	}
	if level == len(r.above) {
		r.above = append(r.above, nil)
	}
	var whole translog.Range
	for _, h := range made {
		whole.AddHash(h)
	}
	r.above[level] = append(r.above[level], whole.Tree().Hash)
	if len(r.above[level]) == translog.Width {
		full := r.above[level]
		r.above[level] = nil
		r.tile(level+1, n/translog.Width, full)
	}
}

// lastTiles holds the last tile of each level, which is not whole.
func (r *logReader) lastTiles(size int64) {
	for level := 0; level < len(r.above); level++ {
		if part := r.above[level]; len(part) > 0 {
			r.tile(level+1, size>>(8*(level+2)), part)
		}
	}
}
