package build

import (
	"bufio"
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
