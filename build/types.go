package build

import (
	"bytes"
	"encoding/gob"
	"sync"
)

// types write and read what records keep of entries (keptEntry) as encoding/gob does, but with
// what a stream says of its types once for all: each record is read by itself. Several goroutines
// may use them.
type types struct {
	// known is what the last build wrote of its types.
	known []byte
	// said is what this build writes of them: the numbers of types are a process's own.
	said             []byte
	writers, readers sync.Pool
}

// typesWriter and typesReader have said, or read, their types.
type typesWriter struct {
	bytes.Buffer
	enc *gob.Encoder
}

type typesReader struct {
	bytes.Reader
	dec *gob.Decoder
}

// begin is what a build says of its types: they, and a value that says nothing.
func (t *types) begin() ([]byte, error) {
	w := &typesWriter{}
	w.enc = gob.NewEncoder(w)
	err := w.enc.Encode(&keptEntry{})
	t.said = bytes.Clone(w.Bytes())
	t.writers.Put(w)
	return t.said, err
}

// append adds a part that holds an entry.
func (t *types) append(b []byte, k *keptEntry) ([]byte, error) {
	w, ok := t.writers.Get().(*typesWriter)
	if !ok {
		w = &typesWriter{}
		w.enc = gob.NewEncoder(w)
		if err := w.enc.Encode(&keptEntry{}); err != nil {
			return nil, err
		}
	}
	w.Reset()
	if err := w.enc.Encode(k); err != nil {
		return nil, err
	}
	b = appendPart(b, w.Bytes())
	t.writers.Put(w)
	return b, nil
}

// read reads an entry of the last build.
func (t *types) read(part []byte, k *keptEntry) error {
	r, ok := t.readers.Get().(*typesReader)
	if !ok {
		r = &typesReader{}
		r.dec = gob.NewDecoder(r)
		r.Reset(t.known)
		if err := r.dec.Decode(&keptEntry{}); err != nil {
			return err
		}
	}
	r.Reset(part)
	if err := r.dec.Decode(k); err != nil {
		return err
	}
	t.readers.Put(r)
	return nil
}
