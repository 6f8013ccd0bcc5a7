package build

import (
	"bufio"
	"fmt"
	"os"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
)

// streams collects the fragments of documents that hold every entry, in files
// beside the snapshot file, so that memory does not grow with the documents.
type streams struct {
	create func(name string) (*os.File, error)
	open   map[string]*stream
	// own are those whose fragments lie in the records.
	own map[string]bool
	// entries counts the entries seen, so that a stream that begins late has
	// empty fragments for those before.
	entries int
}

type stream struct {
	file *os.File
	buf  *bufio.Writer
	end  int64
	ends []int64
}

// add writes the fragments of the next entry.
func (s *streams) add(fragments []artifact.Fragment) error {
	for _, p := range fragments {
		t := s.open[p.Stream]
		if t == nil {
			f, err := s.create("stream-" + p.Stream)
			if err != nil {
				return fmt.Errorf("stream %s: %w", p.Stream, err)
			}
			t = &stream{file: f, buf: bufio.NewWriterSize(f, 1<<16), ends: make([]int64, s.entries)}
			s.open[p.Stream] = t
		}
		if _, err := t.buf.Write(p.Body); err != nil {
			return fmt.Errorf("stream %s: %w", p.Stream, err)
		}
		t.end += int64(len(p.Body))
	}
	s.entries++
	for _, t := range s.open {
		t.ends = append(t.ends, t.end)
	}
	return nil
}

// finish hands the streams to the catalog.
func (s *streams) finish(c *snapshot.Catalog) error {
	for name, t := range s.open {
		if err := t.buf.Flush(); err != nil {
			return fmt.Errorf("stream %s: %w", name, err)
		}
		c.Streams[name] = &snapshot.Stream{Data: t.file, Ends: t.ends}
	}
	return nil
}

// close gives the files up; they lie among the unfinished ones.
func (s *streams) close() {
	for _, t := range s.open {
		t.file.Close()
	}
}
