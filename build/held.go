package build

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"io"
	"os"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/assay-register/assay/render/artifact"
)

// pages are the files that one format made of one entry.
type pages struct {
	Entry string
	Files []artifact.File
}

// hold makes the changed pages of a published tree wait; those of a new one
// nobody reads.
func (r *run) hold() error {
	if r.tree.Fresh() {
		return nil
	}
	f, err := os.Create(r.tree.Unfinished("held"))
	if err != nil {
		return err
	}
	r.held, err = newHeld(f)
	return err
}

func (r *run) unhold() {
	if r.held != nil {
		r.held.close() // it goes with the unfinished files
	}
}

// put writes the files of an entry, or lets those that changed wait.
func (r *run) put(p pages) error {
	if r.held == nil {
		return r.write(p)
	}
	if r.live(p.Entry) {
		return nil
	}
	changed, err := r.tree.Changed(p.Files)
	if err != nil {
		return err
	}
	return r.held.add(pages{p.Entry, changed})
}

func (r *run) live(entry string) bool { return r.opts.Live != nil && r.opts.Live(entry) }

// write writes the files of an entry, unless newer ones lie there.
func (r *run) write(p pages) error {
	if r.live(p.Entry) {
		return nil
	}
	return r.tree.PutEntry(p.Files)
}

// release names the snapshot and writes the pages that waited for its name,
// those that name other new pages last.
func (r *run) release(ctx context.Context) error {
	if err := r.tree.Begin(r.catalog.ID); err != nil {
		return err
	}
	if r.held != nil {
		done := func(struct{}) error { return nil }
		err := pipeline(ctx, r.opts.Workers, r.held.each, func(p pages) (struct{}, error) { return struct{}{}, r.write(p) }, done)
		if err != nil {
			return err
		}
	}
	for _, p := range r.late {
		if err := r.write(p); err != nil {
			return err
		}
	}
	r.late = nil
	return nil
}

// held keeps the changed pages of entries on the disk until the snapshot has a
// name: nothing may be read of a snapshot that cannot be named. It is safe for
// concurrent use until pages are read back.
type held struct {
	mu   sync.Mutex
	file *os.File
	zip  *zstd.Encoder
	enc  *gob.Encoder
}

func newHeld(file *os.File) (*held, error) {
	zip, err := zstd.NewWriter(file, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	return &held{file: file, zip: zip, enc: gob.NewEncoder(zip)}, nil
}

// add keeps pages, if there are any.
func (h *held) add(p pages) error {
	if len(p.Files) == 0 {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.enc.Encode(p)
}

// each reads back what was added.
func (h *held) each(emit func(pages) error) error {
	if err := h.zip.Close(); err != nil {
		return err
	}
	if _, err := h.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	zip, err := zstd.NewReader(bufio.NewReaderSize(h.file, 1<<17), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer zip.Close()
	for dec := gob.NewDecoder(zip); ; {
		var p pages
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := emit(p); err != nil {
			return err
		}
	}
}

func (h *held) close() error {
	h.zip.Reset(nil)
	return h.file.Close()
}
