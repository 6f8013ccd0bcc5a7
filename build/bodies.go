package build

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
)

// bodiesFile lies beside the records and has what is kept of the entries, compressed, behind a magic word and
// the name of the build that began it. A build adds what it makes anew and leaves the rest where it is:
// the records tell where that of each entry lies. Once more than half is of no use, a
// build begins another one. What was added by a build that did not end is written over.
const bodiesFile = "bodies"

const bodiesMagic = "assay bodies 1\n"

// body is where what is kept of an entry lies: at its offset the head, behind it each fragment that documents of
// several entries read, and last what only the entry's own documents read, with their lengths in bytes.
type body struct{ at, head, told, own int64 }

func (b *body) size() int64 { return b.head + b.told + b.own }

// heldBodies tells how much of a file of bodies records refer to.
type heldBodies struct {
	// Name is that of the build that began the file, End where the next one goes on.
	Name string `json:"name"`
	End  int64  `json:"end"`
	// Used are the bytes of the bodies of present entries.
	Used int64 `json:"used"`
}

// wasteful tells that most is of no use.
func (h *heldBodies) wasteful() bool { return h.Used < h.End/2 }

// bodies are the file that this build adds to, and the one that the last build left: the same one
// where that is gone on with.
type bodies struct {
	heldBodies
	out, before *os.File
	to          *bufio.Writer
}

// create begins a file.
func (b *bodies) create(path, name string) (err error) {
	if b.out, err = os.Create(path); err != nil {
		return err
	}
	b.heldBodies = heldBodies{Name: name}
	b.to = bufio.NewWriterSize(b.out, 1<<20)
	return b.write([]byte(bodiesMagic + name + "\n"))
}

func (b *bodies) write(p []byte) error {
	n, err := b.to.Write(p)
	b.End += int64(n)
	return err
}

// open reads the file that the last build left, and goes on with it unless it is wasteful; false
// where it is another one.
func (b *bodies) open(path string, was heldBodies) (bool, error) {
	before, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return false, notThere(err)
	}
	want := bodiesMagic + was.Name + "\n"
	head := make([]byte, len(want))
	if _, err := before.ReadAt(head, 0); err != nil || string(head) != want {
		return false, before.Close()
	}
	b.before = before
	if was.wasteful() {
		return true, nil
	}
	unused := b.out
	b.out, b.heldBodies = before, heldBodies{was.Name, was.End, 0}
	b.to = bufio.NewWriterSize(io.NewOffsetWriter(before, was.End), 1<<20)
	return true, errors.Join(unused.Close(), os.Remove(unused.Name()))
}

// add takes a body of the next entry: one that was made, or nil for one that lies in the file already.
func (b *bodies) add(at *body, made []byte) error {
	b.Used += at.size()
	if made == nil {
		return nil
	}
	at.at = b.End
	return b.write(made)
}

// read reads a part of what the last build left.
func (b *bodies) read(at, n int64) ([]byte, error) {
	if at < 0 || n < 0 || n > recordMax {
		return nil, fmt.Errorf("a part of %d bytes from %d", n, at)
	}
	part := make([]byte, n)
	_, err := b.before.ReadAt(part, at)
	return part, err
}

// keep is what add is to be given of a body that stays.
func (b *bodies) keep(at *body) ([]byte, error) {
	if b.before == b.out {
		return nil, nil
	}
	return b.read(at.at, at.size())
}

// present leaves the file to the next build.
func (b *bodies) present(path string) error {
	if err := errors.Join(b.to.Flush(), b.out.Sync()); err != nil {
		return err
	}
	if b.out == b.before {
		return nil
	}
	return os.Rename(b.out.Name(), path)
}

func (b *bodies) close() {
	for _, f := range []*os.File{b.out, b.before} {
		if f != nil {
			f.Close() // the second time of one file does nothing
		}
	}
	b.out, b.before = nil, nil
}
