package translog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// Width is how many hashes a whole tile, and how many leaves a whole bundle holds
// (C2SP tlog-tiles).
const (
	Width  = 1 << height
	height = 8
)

// Names below the folder of a log.
const (
	CheckpointFile = "checkpoint"
	TileDir        = "tile"
)

// TilePath is the path of a tile of hashes: of the level, the number and, if it is
// not whole, the width.
func TilePath(t tlog.Tile) string {
	return fmt.Sprintf("%s/%d/%s", TileDir, t.L, numbered(t.N, t.W))
}

// BundlePath is that of a bundle of leaves.
func BundlePath(n int64, width int) string { return TileDir + "/entries/" + numbered(n, width) }

// numbered writes 1234067 as x001/x234/067, with the width of what is not whole.
func numbered(n int64, width int) string {
	groups := []string{fmt.Sprintf("%03d", n%1000)}
	for n /= 1000; n > 0; n /= 1000 {
		groups = append([]string{fmt.Sprintf("x%03d", n%1000)}, groups...)
	}
	path := strings.Join(groups, "/")
	if width < Width {
		path += fmt.Sprintf(".p/%d", width)
	}
	return path
}

// widthOf is how many hashes of a tile of the level there are in a tree of a size, 0 for none.
func widthOf(level int, n, size int64) int {
	return int(max(0, min(Width, size>>(height*level)-n*Width)))
}

// AppendBundle appends a leaf to a bundle.
func AppendBundle(bundle, leaf []byte) []byte {
	bundle = binary.BigEndian.AppendUint16(bundle, uint16(len(leaf)))
	return append(bundle, leaf...)
}

var errBundle = errors.New("a bundle of leaves ends in the middle of one: fetch it again, or restore it")

// Leaves takes a bundle apart. The leaves share its memory.
func Leaves(bundle []byte) (list [][]byte, err error) {
	for len(bundle) > 0 {
		if len(bundle) < 2 {
			return nil, errBundle
		}
		n := int(binary.BigEndian.Uint16(bundle))
		if len(bundle)-2 < n {
			return nil, errBundle
		}
		list = append(list, bundle[2:2+n:2+n])
		bundle = bundle[2+n:]
		if len(list) > Width {
			return nil, fmt.Errorf("a bundle holds more than %d leaves", Width)
		}
	}
	return list, nil
}

// Media types of a log.
const (
	TypeNote = "text/plain; charset=utf-8"
	TypeTile = "application/octet-stream"
)

// EntryDir is the folder with a proof for each entry, ID.json, below that of the log; Dir
// is that of the log in the folder of a site, and Prefix begins its routes.
const (
	EntryDir = "entry"
	Dir      = "log"
	Prefix   = "/log/"
)
