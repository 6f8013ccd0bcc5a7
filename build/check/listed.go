package check

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"slices"
	"sort"
)

const (
	// heldMax is how many routes lie in memory: 28 MiB of them.
	heldMax = 1 << 19
	// blockRoutes is how many routes are read at once from the file.
	blockRoutes = 64
	// listedSize is the size of a route in the file, in bytes.
	listedSize = 16 + sha256.Size + 8
)

// listed is what routes.ndjson says of a route.
type listed struct {
	// key begins the SHA-256 of the route: routes have any length, and who wrote the
	// list cannot make two of them one.
	key  [16]byte
	sum  [sha256.Size]byte
	line uint64
}

// listing finds what routes.ndjson says of a route in memory that does not grow with the
// list: what is too much for it lies in sorted runs in a file without a name.
type listing struct {
	held []listed
	runs []run
	file *os.File
	size int64
	// limit is heldMax, but for tests.
	limit int
	lines uint64
	// err is the first one of reading the file; nothing is known of what could not be read.
	err error
}

// run is a sorted part of the file: where it begins, and the key of each of its blocks.
type run struct {
	at     int64
	routes int
	blocks [][16]byte
}

func keyOf(route string) (key [16]byte) {
	sum := sha256.Sum256([]byte(route))
	copy(key[:], sum[:])
	return key
}

// add takes the next line.
func (l *listing) add(route string, sum [sha256.Size]byte) error {
	l.lines++
	l.held = append(l.held, listed{keyOf(route), sum, l.lines})
	if len(l.held) < l.limit {
		return nil
	}
	return l.spill()
}

// seal is called when all lines are added, before any is looked up.
func (l *listing) seal() { l.sort() }

func (l *listing) sort() {
	slices.SortFunc(l.held, func(a, b listed) int {
		return cmp.Or(bytes.Compare(a.key[:], b.key[:]), cmp.Compare(a.line, b.line))
	})
}

// spill writes what is held as a run.
func (l *listing) spill() error {
	if l.file == nil {
		f, err := os.CreateTemp("", "assay-routes-*")
		if err != nil {
			return err
		}
		if err := os.Remove(f.Name()); err != nil {
			return errors.Join(err, f.Close())
		}
		l.file = f
	}
	l.sort()
	r := run{at: l.size, routes: len(l.held)}
	for part := range slices.Chunk(l.held, blockRoutes) {
		r.blocks = append(r.blocks, part[0].key)
		b := make([]byte, 0, blockRoutes*listedSize)
		for i := range part {
			b = append(append(b, part[i].key[:]...), part[i].sum[:]...)
			b = binary.LittleEndian.AppendUint64(b, part[i].line)
		}
		if _, err := l.file.WriteAt(b, l.size); err != nil {
			return err
		}
		l.size += int64(len(b))
	}
	l.runs, l.held = append(l.runs, r), l.held[:0]
	return nil
}

// find is the first line of a route, nil where there is none.
func (l *listing) find(route string) *listed {
	key := keyOf(route)
	for i := range l.runs {
		if found, err := l.search(&l.runs[i], key); err != nil {
			l.err = cmp.Or(l.err, err)
		} else if found != nil {
			return found
		}
	}
	return first(l.held, key)
}

// first is the first line with a key among sorted ones.
func first(sorted []listed, key [16]byte) *listed {
	i, ok := slices.BinarySearchFunc(sorted, key, func(a listed, key [16]byte) int { return bytes.Compare(a.key[:], key[:]) })
	if !ok {
		return nil
	}
	return &sorted[i]
}

// search looks through a run: the first line with a key is in the last block that begins
// before it, or begins the next one.
func (l *listing) search(r *run, key [16]byte) (*listed, error) {
	i := sort.Search(len(r.blocks), func(i int) bool { return bytes.Compare(r.blocks[i][:], key[:]) >= 0 })
	for _, block := range []int{i - 1, i} {
		if block < 0 || block >= len(r.blocks) {
			continue
		}
		lines, err := l.block(r, block)
		if err != nil {
			return nil, err
		}
		if found := first(lines, key); found != nil {
			return found, nil
		}
	}
	return nil, nil
}

// block reads one.
func (l *listing) block(r *run, number int) ([]listed, error) {
	from := number * blockRoutes
	b := make([]byte, min(blockRoutes, r.routes-from)*listedSize)
	if _, err := l.file.ReadAt(b, r.at+int64(from)*listedSize); err != nil {
		return nil, err
	}
	lines := make([]listed, len(b)/listedSize)
	for i := range lines {
		one := b[i*listedSize:]
		copy(lines[i].key[:], one)
		copy(lines[i].sum[:], one[16:])
		lines[i].line = binary.LittleEndian.Uint64(one[16+sha256.Size:])
	}
	return lines, nil
}

// close gives the file up.
func (l *listing) close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}
