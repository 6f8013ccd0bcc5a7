package translog

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// CheckpointsFile lists every checkpoint that was signed, by size.
const CheckpointsFile = "checkpoints.ndjson"

// Signed is a line of the list of checkpoints.
type Signed struct {
	Size int64  `json:"size"`
	Note string `json:"note"`
}

// CheckCheckpoints reads a whole list, which must be one.
func CheckCheckpoints(b []byte) error {
	n, size := 0, int64(0)
	for line := range bytes.Lines(b) {
		n++
		var c Signed
		if err := json.Unmarshal(line, &c); err != nil {
			return fmt.Errorf("line %d of %s: %w", n, CheckpointsFile, err)
		}
		if c.Size < size {
			return fmt.Errorf("line %d of %s has %d leaves, the one before %d", n, CheckpointsFile, c.Size, size)
		}
		size = c.Size
	}
	return nil
}

// Checkpoints is the list of the checkpoints of a log as it lies in a file, of which little
// is read. It is safe for concurrent use.
type Checkpoints struct {
	file io.ReaderAt
	size int64
	io.Closer
}

// OpenCheckpoints opens the list; fs.ErrNotExist where there is none.
func OpenCheckpoints(root fs.FS) (*Checkpoints, error) {
	f, err := root.Open(CheckpointsFile)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	at, ok := f.(io.ReaderAt)
	if err != nil || !ok {
		return nil, errors.Join(fmt.Errorf("%s cannot be read in parts", CheckpointsFile), err, f.Close())
	}
	return &Checkpoints{at, info.Size(), f}, nil
}

// First is the first checkpoint of more than so many leaves, which is the first that has the
// leaf of that number, nil for none; at is where its line begins, or where the list ends.
func (c *Checkpoints) First(index int64) (first *Signed, at int64, err error) {
	low, high := int64(0), c.size
	for low < high {
		middle := (low + high) / 2
		s, end, err := c.line(middle)
		if err != nil {
			return nil, 0, err
		}
		if s == nil || s.Size > index {
			high = middle
		} else {
			low = end
		}
	}
	s, _, err := c.line(low)
	return s, low, err
}

// line is the first whole line that begins at a place or behind it, nil for none, and where
// the one behind it begins.
func (c *Checkpoints) line(from int64) (s *Signed, end int64, err error) {
	before := max(0, from-1) // a line begins behind the end of another one
	in := bufio.NewReader(io.NewSectionReader(c.file, before, c.size-before))
	end = before
	if from > 0 {
		skipped, err := in.ReadSlice('\n')
		for end += int64(len(skipped)); errors.Is(err, bufio.ErrBufferFull); end += int64(len(skipped)) {
			skipped, err = in.ReadSlice('\n')
		}
		if errors.Is(err, io.EOF) {
			return nil, end, nil
		}
		if err != nil {
			return nil, end, err
		}
	}
	line, err := in.ReadBytes('\n')
	if errors.Is(err, io.EOF) {
		return nil, end, nil // none, or one that is being written
	}
	if err != nil {
		return nil, end, err
	}
	s = new(Signed)
	if err := json.Unmarshal(line, s); err != nil {
		return nil, end, fmt.Errorf("%s at byte %d: %w", CheckpointsFile, end, err)
	}
	return s, end + int64(len(line)), nil
}
