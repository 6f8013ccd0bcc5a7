package build

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/pack"
)

// kept are the groups of the snapshot file before that say what this one is to say:
// their compressed bytes are copied. One that cannot be read is made anew.
type kept struct {
	// from is that file, nil where every group is made anew.
	from *pack.Reader
	// documents and bytes, before compression, are those of the groups that were found.
	documents, bytes atomic.Int64
	fault            atomic.Pointer[error]
}

// holds finds the group of a key, if its documents are these.
func (k *kept) holds(key string, files []artifact.File) (number int, same bool) {
	if k.from == nil {
		return 0, false
	}
	number, same, err := k.from.Holds(key, files)
	size := 0
	for i := range files {
		size += len(files[i].Body)
	}
	return number, k.found(same, len(files), int64(size), err)
}

// holdsStreamed finds the group of a document that was streamed.
func (k *kept) holdsStreamed(s *pack.Streamed) (number int, same bool) {
	if k.from == nil {
		return 0, false
	}
	number, same, err := k.from.HoldsStreamed(s)
	size := int64(0)
	for i := range s.Documents {
		size += s.Documents[i].Size
	}
	return number, k.found(same, len(s.Documents), size, err)
}

func (k *kept) found(same bool, documents int, size int64, err error) bool {
	if err != nil {
		k.fault.Store(&err)
	}
	if same {
		k.documents.Add(int64(documents))
		k.bytes.Add(size)
	}
	return same
}

// keepEntry takes the documents of an entry alone from the present file as they are, by the number of
// their group: how many have a route.
func (f *file) keepEntry(id string, number int) (routes int, rest later, err error) {
	documents, err := f.before.Pack.In(number, entryKey(id))
	if err != nil {
		return 0, nil, err
	}
	return len(documents) - 1, f.keepGroup(number, documents), nil
}

// again writes a document of the present file whose group is kept, and holds it to its hash: a copy would carry
// on what is damaged, so then all is made anew.
func (f *file) again(route string, w io.Writer) error {
	sum := sha256.New()
	found, err := f.before.Pack.Route(route)
	if err == nil && found == nil {
		err = errors.New("it is not there")
	}
	if err == nil {
		err = f.before.Pack.Write(io.MultiWriter(w, sum), found, 0, found.Document.Size)
	}
	if err == nil && !bytes.Equal(sum.Sum(nil), found.Document.Sum[:]) {
		err = errors.New("it has not its hash")
	}
	if err != nil {
		return fmt.Errorf("%w: document %s: %w", errRecords, route, err)
	}
	return nil
}

// keepGroup takes a group of the present file as it is.
func (f *file) keepGroup(number int, documents []pack.Document) later {
	size := int64(0)
	for i := range documents {
		size += documents[i].Size
	}
	f.kept.bytes.Add(size)
	f.kept.documents.Add(int64(len(documents)))
	return func() error { return f.writer.Keep(f.before.Pack, number) }
}
