package okf

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/wire"
)

// level is the compression of the archive.
const level = 6

// write streams the archive: names sorted, one time for all files, no owner, a
// gzip header without name and time. One file is in memory at a time.
func (t *tree) write(w io.Writer) error {
	zip, err := gzip.NewWriterLevel(w, level)
	if err != nil {
		return err
	}
	// The zero time.Time would be written as a number of its own; the epoch is
	// how the header says that there is no time (RFC 1952, 2.3.1).
	zip.ModTime = time.Unix(0, 0)
	out := tar.NewWriter(zip)
	err = t.files(func(name string, body []byte) error {
		h := tar.Header{Typeflag: tar.TypeReg, Name: name, Size: int64(len(body)), Mode: 0o644, ModTime: t.asOf, Format: tar.FormatUSTAR}
		if err := out.WriteHeader(&h); err != nil {
			return fmt.Errorf("archive %s: %w", name, err)
		}
		_, err := out.Write(body)
		return err
	})
	if err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	return zip.Close()
}

// measured writes and remembers the hash and the size of what was written.
type measured struct {
	sum  string
	size int64
}

func (m *measured) stream(write func(io.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error {
		h, n := sha256.New(), &counter{}
		if err := write(io.MultiWriter(w, h, n)); err != nil {
			return err
		}
		m.sum, m.size = hex.EncodeToString(h.Sum(nil)), n.size
		return nil
	}
}

type counter struct{ size int64 }

// Write implements io.Writer.
func (c *counter) Write(p []byte) (int, error) {
	c.size += int64(len(p))
	return len(p), nil
}

// bundle emits the archive and then the summary, which names its hash.
func (t *tree) bundle(emit func(artifact.File) error) error {
	var m measured
	stream := m.stream(t.write)
	if err := emit(artifact.File{Route: Root + "bundle.tar.gz", Type: Gzip, Class: Class, Stream: stream}); err != nil {
		return err
	}
	if m.sum == "" {
		// The taker of the file did not write it yet.
		if err := stream(io.Discard); err != nil {
			return err
		}
	}
	body, err := wire.Seal(t.summary(&m), t.asOf, false)
	if err != nil {
		return fmt.Errorf("okf summary: %w", err)
	}
	return emit(artifact.File{Route: Root + "summary", Type: artifact.JSON, Class: Class, Body: body})
}

func (t *tree) stamp() string { return t.asOf.Format(time.RFC3339) }
