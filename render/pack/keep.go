package pack

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/assay-register/assay/render/artifact"
)

// copyBuffer is the size of the reads and writes of a copy, in bytes.
const copyBuffer = 1 << 20

// Holds is the number of the group with a key, if its documents are these files, one
// after the other; false where they differ or there is none. Files whose hashes are not
// known are hashed.
func (x *Reader) Holds(key string, files []artifact.File) (number int, same bool, err error) {
	want := make([]Document, len(files))
	for i := range files {
		want[i] = describe(&files[i])
	}
	return x.holds(key, want)
}

// HoldsStreamed is Holds for a document that was streamed.
func (x *Reader) HoldsStreamed(s *Streamed) (number int, same bool, err error) {
	return x.holds(s.Key, s.Documents)
}

func (x *Reader) holds(key string, want []Document) (number int, same bool, err error) {
	number, found, err := x.Number(key)
	if err != nil || !found {
		return 0, false, err
	}
	g, _, err := x.group(number)
	if err != nil || len(g.Documents) != len(want) {
		return 0, false, err
	}
	for i := range want {
		if !g.Documents[i].is(&want[i]) {
			return 0, false, nil
		}
	}
	return number, true, nil
}

// is tells whether a document that was read says what another one says.
func (d *Document) is(other *Document) bool {
	return d.Sum == other.Sum && d.Size == other.Size && d.Route == other.Route && d.Alias == other.Alias &&
		d.Type == other.Type && d.Class == other.Class && d.Cache == other.Cache && d.Manifest == other.Manifest
}

// kept are groups of another file that follow each other there and here.
type kept struct {
	from       *Reader
	first, end int
}

// Keep adds the group with a number of another file, as it is (Reader.Number). Groups
// that follow each other are copied together, with large reads and writes, so an error
// may come with a later call; the other file stays open until then.
func (w *Writer) Keep(from *Reader, number int) error {
	if from.former {
		w.err = errors.Join(w.err, fmt.Errorf("group %d is of the form before, so it cannot be kept", number))
		return w.err
	}
	if k := &w.kept; k.from == from && k.end == number {
		k.end++
		return w.err
	}
	w.copyKept()
	w.kept = kept{from, number, number + 1}
	return w.err
}

// copyKept copies what was kept so far.
func (w *Writer) copyKept() {
	k := w.kept
	w.kept = kept{}
	if k.from == nil || w.err != nil {
		return
	}
	if err := w.copy(k); w.err == nil {
		w.err = err
	}
}

// copy reads no further than the last group: runs are short where much changed.
func (w *Writer) copy(k kept) error {
	start, _, err := k.from.place(k.first)
	if err != nil {
		return err
	}
	_, last, err := k.from.place(k.end - 1)
	if err != nil {
		return err
	}
	if w.copying == nil {
		w.copying = bufio.NewReaderSize(nil, copyBuffer)
	}
	in := w.copying
	in.Reset(io.NewSectionReader(k.from.r, start, last.Offset+last.Length-start))
	places := bufio.NewReader(io.NewSectionReader(k.from.r, k.from.Directory.Places.Offset+int64(k.first)*placeSize, int64(k.end-k.first)*placeSize))
	var place [placeSize]byte
	for number := k.first; number < k.end; number++ {
		here := k.from.Directory.Places.Offset + int64(number)*placeSize
		if _, err := io.ReadFull(places, place[:]); err != nil {
			return early(here, err)
		}
		at, err := k.from.placed(place[:], here, start)
		if err != nil {
			return err
		}
		if err := w.through(in, at.Offset-start); err != nil {
			return early(start, err)
		}
		g, err := k.from.next(in, number, at, at.Offset-start)
		if err != nil {
			return err
		}
		if g.refers() {
			return fmt.Errorf("group %s refers to others of its file, so it cannot be copied", g.Key)
		}
		if err := w.close(g); err != nil {
			return err
		}
		start = at.Offset + at.Length
	}
	return nil
}

// next reads the table of a group, unless it was read before: who keeps a group has mostly looked at it.
func (x *Reader) next(in *bufio.Reader, number int, at Span, span int64) (*Group, error) {
	if g, _ := x.recent.group(number); g != nil {
		_, err := in.Discard(int(at.Length))
		return g, early(at.Offset, err)
	}
	packed := make([]byte, at.Length)
	if _, err := io.ReadFull(in, packed); err != nil {
		return nil, early(at.Offset, err)
	}
	g, err := x.unseal(packed, span)
	if err != nil {
		return nil, broken(at.Offset, fmt.Sprintf("group %d: %v", number, err))
	}
	return g, nil
}

// through copies n bytes of frames.
func (w *Writer) through(in *bufio.Reader, n int64) error {
	for n > 0 && w.err == nil {
		b, err := in.Peek(int(min(n, copyBuffer)))
		if err != nil {
			return err
		}
		w.put(b)
		n -= int64(len(b))
		if _, err := in.Discard(len(b)); err != nil {
			return err
		}
	}
	return w.err
}
