package translog

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// Fetch returns the bytes of a file of the log by its path below the log's folder;
// fs.ErrNotExist says that there is none.
type Fetch func(path string) ([]byte, error)

// Files fetches from a file system.
func Files(root fs.FS) Fetch {
	return func(path string) ([]byte, error) { return fs.ReadFile(root, path) }
}

// Tree reads what a log of a size holds. It trusts what it is given but for the
// lengths: Verified is for a log of others. It is not safe for concurrent use.
type Tree struct {
	fetch Fetch
	size  int64
	tiles map[tlog.Tile][]byte
}

// NewTree reads a log of the size.
func NewTree(fetch Fetch, size int64) *Tree {
	return &Tree{fetch: fetch, size: size, tiles: map[tlog.Tile][]byte{}}
}

// tilesKept bounds the tiles in memory: 8 kB each.
const tilesKept = 256

// whole fetches a file that has so many hashes or leaves at least: the file of that width,
// else the whole one, which a log may have put in its place (C2SP tlog-tiles).
func (t *Tree) whole(width int, path func(width int) string) ([]byte, error) {
	b, err := t.fetch(path(width))
	if errors.Is(err, fs.ErrNotExist) && width < Width {
		b, err = t.fetch(path(Width))
	}
	if err != nil {
		return nil, fmt.Errorf("the log lacks %s: %w", path(width), err)
	}
	return b, nil
}

func (t *Tree) tile(level int, n int64) ([]byte, tlog.Tile, error) {
	tile := tlog.Tile{H: height, L: level, N: n, W: widthOf(level, n, t.size)}
	if b, ok := t.tiles[tile]; ok {
		return b, tile, nil
	}
	b, err := t.whole(tile.W, func(w int) string { return TilePath(tlog.Tile{H: height, L: level, N: n, W: w}) })
	if err != nil {
		return nil, tile, err
	}
	if len(b) < tile.W*tlog.HashSize {
		return nil, tile, fmt.Errorf("%s has %d bytes, it needs %d", TilePath(tile), len(b), tile.W*tlog.HashSize)
	}
	if len(t.tiles) >= tilesKept {
		clear(t.tiles)
	}
	t.tiles[tile] = b[:tile.W*tlog.HashSize]
	return t.tiles[tile], tile, nil
}

// Tile returns the hashes that the tree has in a tile, and the path of the tile.
func (t *Tree) Tile(level int, n int64) (hashes []tlog.Hash, path string, err error) {
	b, tile, err := t.tile(level, n)
	for ; len(b) > 0; b = b[tlog.HashSize:] {
		hashes = append(hashes, tlog.Hash(b[:tlog.HashSize]))
	}
	return hashes, TilePath(tile), err
}

// ReadHashes implements tlog.HashReader.
func (t *Tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		where := tlog.TileForIndex(height, index)
		b, tile, err := t.tile(where.L, where.N)
		if err != nil {
			return nil, err
		}
		if out[i], err = tlog.HashFromTile(tile, b, index); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Bundle returns the leaves of a bundle that the tree has.
func (t *Tree) Bundle(n int64) ([][]byte, error) {
	width := widthOf(0, n, t.size)
	b, err := t.whole(width, func(w int) string { return BundlePath(n, w) })
	if err != nil {
		return nil, err
	}
	leaves, err := Leaves(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", BundlePath(n, width), err)
	}
	if len(leaves) < width {
		return nil, fmt.Errorf("%s has %d leaves, it needs %d", BundlePath(n, width), len(leaves), width)
	}
	return leaves[:width], nil
}

// Leaf returns the bytes of one leaf.
func (t *Tree) Leaf(index int64) ([]byte, error) {
	if index < 0 || index >= t.size {
		return nil, fmt.Errorf("leaf %d of a log of %d: %w", index, t.size, fs.ErrNotExist)
	}
	leaves, err := t.Bundle(index / Width)
	if err != nil {
		return nil, err
	}
	return leaves[index%Width], nil
}

// Verified reads the hashes of a log of others: each tile is held against the root of the
// tree before a hash of it is used.
func Verified(fetch Fetch, tree tlog.Tree) tlog.HashReader {
	return tlog.TileHashReader(tree, &remote{fetch: fetch})
}

// remote implements tlog.TileReader.
type remote struct {
	fetch Fetch
	// read are the paths of the tiles that were read last.
	read []string
}

func (*remote) Height() int                     { return height }
func (*remote) SaveTiles([]tlog.Tile, [][]byte) {}
func (r *remote) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	out := make([][]byte, len(tiles))
	r.read = r.read[:0]
	for i, tile := range tiles {
		r.read = append(r.read, TilePath(tile))
		b, err := r.fetch(TilePath(tile))
		if errors.Is(err, fs.ErrNotExist) && tile.W < Width {
			full := tile
			full.W = Width
			b, err = r.fetch(TilePath(full))
		}
		if err != nil {
			return nil, fmt.Errorf("the log lacks %s: %w", TilePath(tile), err)
		}
		if len(b) < tile.W*tlog.HashSize {
			return nil, fmt.Errorf("%s has %d bytes, it needs %d", TilePath(tile), len(b), tile.W*tlog.HashSize)
		}
		out[i] = b[:tile.W*tlog.HashSize]
	}
	return out, nil
}

// ErrUnproven says that the tiles of a log do not show whether it continues another one: they
// could not be read, or were changed on their way.
var ErrUnproven = errors.New("the tiles do not show it")

// Consistent proves that the larger of two trees only appended to the smaller one.
func Consistent(fetch Fetch, older, newer tlog.Tree) error {
	if older.N > newer.N {
		return fmt.Errorf("the log had %d leaves and has %d: leaves were taken away", older.N, newer.N)
	}
	if older.N == newer.N {
		if older.Hash != newer.Hash {
			return fmt.Errorf("the log has two roots of size %d: it is forked", newer.N)
		}
		return nil
	}
	if older.N == 0 {
		return nil
	}
	tiles := &remote{fetch: fetch}
	proof, err := tlog.ProveTree(newer.N, older.N, tlog.TileHashReader(newer, tiles))
	if err != nil {
		return fmt.Errorf("the log of %d leaves does not prove that it continues that of %d, %w: %w (of %s)", newer.N, older.N, ErrUnproven, err, strings.Join(tiles.read, ", "))
	}
	if err := tlog.CheckTree(proof, newer.N, newer.Hash, older.N, older.Hash); err != nil {
		return fmt.Errorf("the log of %d leaves is no continuation of that of %d: it was rewritten or forked", newer.N, older.N)
	}
	return nil
}
