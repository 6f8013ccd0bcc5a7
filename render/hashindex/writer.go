package hashindex

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// passes is how many times the records are read to be sorted: each pass sorts
// those whose hash begins with one of 16 digits, so that a sixteenth of them is
// in memory.
const passes = 16

// Writer collects the pages of a snapshot.
type Writer struct {
	records, blocks io.ReadWriteSeeker
	out             *bufio.Writer
	routes          strings.Builder
	count, routed   int
	offsets         []uint64
	packer          *zstd.Encoder
}

// NewWriter makes a writer with two empty files for what is not sorted yet.
func NewWriter(records, blocks io.ReadWriteSeeker) (*Writer, error) {
	packer, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault))
	if err != nil {
		return nil, err
	}
	return &Writer{records: records, blocks: blocks, out: bufio.NewWriterSize(records, 1<<16), offsets: []uint64{0}, packer: packer}, nil
}

// Add notes a page: the hash of its bytes and, unless it is zero, the one that
// its manifest names.
func (w *Writer) Add(route string, body, manifest [sha256.Size]byte) error {
	if strings.ContainsRune(route, '\n') {
		return fmt.Errorf("route %q holds a line feed", route)
	}
	number := uint32(w.routed)
	if err := w.record(body, number); err != nil {
		return err
	}
	if manifest != ([sha256.Size]byte{}) {
		if err := w.record(manifest, number|manifestBit); err != nil {
			return err
		}
	}
	w.routes.WriteString(route)
	w.routes.WriteByte('\n')
	if w.routed++; w.routed%blockRoutes == 0 {
		return w.pack()
	}
	return nil
}

func (w *Writer) record(sum [sha256.Size]byte, number uint32) error {
	w.count++
	_, err := w.out.Write(binary.BigEndian.AppendUint32(append(w.out.AvailableBuffer(), sum[:prefixSize]...), number))
	return err
}

// pack ends a block.
func (w *Writer) pack() error {
	if w.routes.Len() == 0 {
		return nil
	}
	packed := w.packer.EncodeAll([]byte(w.routes.String()), nil)
	w.routes.Reset()
	w.offsets = append(w.offsets, w.offsets[len(w.offsets)-1]+uint64(len(packed)))
	_, err := w.blocks.Write(packed)
	return err
}

// Finish writes the index.
func (w *Writer) Finish(to io.Writer) error {
	if err := errors.Join(w.pack(), w.out.Flush()); err != nil {
		return err
	}
	out := bufio.NewWriterSize(to, 1<<16)
	head := binary.BigEndian.AppendUint64([]byte(magic), uint64(w.count))
	out.Write(binary.BigEndian.AppendUint64(head, uint64(len(w.offsets)-1)))
	for digit := range passes {
		if err := w.sorted(out, byte(digit)); err != nil {
			return err
		}
	}
	for _, o := range w.offsets {
		out.Write(binary.BigEndian.AppendUint64(nil, o))
	}
	if _, err := w.blocks.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if _, err := io.Copy(out, w.blocks); err != nil {
		return err
	}
	return out.Flush()
}

// sorted writes the records whose hash begins with a digit.
func (w *Writer) sorted(out io.Writer, digit byte) error {
	if _, err := w.records.Seek(0, io.SeekStart); err != nil {
		return err
	}
	in := bufio.NewReaderSize(w.records, 1<<16)
	var list [][recordSize]byte
	var r [recordSize]byte
	for range w.count {
		if _, err := io.ReadFull(in, r[:]); err != nil {
			return err
		}
		if r[0]>>4 == digit {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b [recordSize]byte) int { return bytes.Compare(a[:], b[:]) })
	for i := range list {
		if _, err := out.Write(list[i][:]); err != nil {
			return err
		}
	}
	return nil
}

// ManifestSum reads the hash that the manifest at the end of a sealed body
// names; zero when there is none.
func ManifestSum(body []byte) (sum [sha256.Size]byte) {
	key := []byte(`"answer_sha256":"`)
	i := bytes.LastIndex(body, key)
	if i < 0 || len(body) < i+len(key)+2*sha256.Size {
		return sum
	}
	if _, err := hex.Decode(sum[:], body[i+len(key):i+len(key)+2*sha256.Size]); err != nil {
		return [sha256.Size]byte{}
	}
	return sum
}
