package ldes

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"time"
)

// versions keeps the last version of each record: what it says in a scratch file, where it
// lies in memory.
type versions struct {
	file *os.File
	end  int64
	last map[[16]byte]version
}

// version is one of a record.
type version struct {
	// record is a hash of its name.
	record  [16]byte
	at      time.Time
	deleted bool
	// from is where the place stands in the file, and behind it what it says.
	from        int64
	place, body int
}

// newVersions makes a file for the time of the run. Where the system lets go of the name of an
// open file, nothing is left even by a process that is killed.
func newVersions(dir string) (*versions, error) {
	f, err := os.CreateTemp(dir, "assay-ldes-*")
	if err != nil {
		return nil, fmt.Errorf("make room for the versions of a feed: %w", err)
	}
	_ = os.Remove(f.Name())
	return &versions{file: f, last: map[[16]byte]version{}}, nil
}

func (k *versions) close() {
	_ = k.file.Close()
	_ = os.Remove(k.file.Name())
}

// add keeps a version unless a later one of its record is there; of two of one time the second
// counts.
func (k *versions) add(record string, v version, place string, body []byte) error {
	sum := sha256.Sum256([]byte(record))
	v.record = [16]byte(sum[:16])
	if before, ok := k.last[v.record]; ok && before.at.After(v.at) {
		return nil
	}
	v.from, v.place, v.body = k.end, len(place), len(body)
	for _, part := range [][]byte{[]byte(place), body} {
		n, err := k.file.WriteAt(part, k.end)
		if err != nil {
			return fmt.Errorf("keep a version of the feed: %w", err)
		}
		k.end += int64(n)
	}
	k.last[v.record] = v
	return nil
}

// inOrder lists the versions in the order of their cursors.
func (k *versions) inOrder() []version {
	list := make([]version, 0, len(k.last))
	for _, v := range k.last {
		list = append(list, v)
	}
	clear(k.last)
	slices.SortFunc(list, func(a, b version) int {
		if n := a.at.Compare(b.at); n != 0 {
			return n
		}
		return bytes.Compare(a.record[:], b.record[:])
	})
	return list
}

// cursor names a version so that names have the order of the versions.
func (v *version) cursor() string {
	return v.at.UTC().Format("2006-01-02T15:04:05.000000000Z") + " " + hex.EncodeToString(v.record[:])
}

// read gives where a version was found and what it says.
func (k *versions) read(v *version) (place string, body []byte, err error) {
	b := make([]byte, v.place+v.body)
	if _, err := k.file.ReadAt(b, v.from); err != nil {
		return "", nil, fmt.Errorf("read a version of the feed: %w", err)
	}
	return string(b[:v.place]), b[v.place:], nil
}
