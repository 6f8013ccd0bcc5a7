package translog

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// IndexDir holds the index of a log, which only its writer and its service read: for each
// leaf what it is about and its number, in files FROM-TO of the leaves from one number to
// before another, sorted. A few files of growing age cover the log, so that the leaves about
// an entry are found by some dozens of small reads however long the log is.
const IndexDir = "topics"

// Topic is what a leaf is about, shortened: the first half of a SHA-256.
type Topic [16]byte

// TopicOf is the topic of an id, or of a kind of leaves that are about no entry.
func TopicOf(id string) Topic {
	sum := sha256.Sum256([]byte(id))
	return Topic(sum[:16])
}

// Compare orders topics.
func (t Topic) Compare(o Topic) int { return bytes.Compare(t[:], o[:]) }

// IndexRow is the size of a row of the index: a topic and the number of a leaf, big-endian.
const IndexRow = 24

// AppendRow appends a row of the index.
func AppendRow(rows []byte, about Topic, index int64) []byte {
	return binary.BigEndian.AppendUint64(append(rows, about[:]...), uint64(index))
}

// IndexRun is a file of the index: the leaves from From to before To.
type IndexRun struct{ From, To int64 }

// Name is the path of the file below the folder of the log.
func (r IndexRun) Name() string { return fmt.Sprintf("%s/%d-%d", IndexDir, r.From, r.To) }

// ParseIndexRun reads the name of a file in the folder of the index.
func ParseIndexRun(name string) (r IndexRun, ok bool) {
	from, to, _ := strings.Cut(name, "-")
	var err, also error
	r.From, err = strconv.ParseInt(from, 10, 64)
	r.To, also = strconv.ParseInt(to, 10, 64)
	return r, err == nil && also == nil && 0 <= r.From && r.From < r.To && r.Name() == IndexDir+"/"+name
}

// IndexRuns lists the fewest files that cover the first size leaves, of those that lie below
// the folder of a log. ErrIndex says that there are none.
func IndexRuns(root fs.FS, size int64) (cover []IndexRun, err error) {
	names, err := fs.ReadDir(root, IndexDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	longest := map[int64]IndexRun{}
	for _, n := range names {
		if r, ok := ParseIndexRun(n.Name()); ok && r.To > longest[r.From].To {
			longest[r.From] = r
		}
	}
	for at := int64(0); at < size; at = cover[len(cover)-1].To {
		r, ok := longest[at]
		if !ok {
			return nil, fmt.Errorf("%w: it reaches to leaf %d of %d", ErrIndex, at, size)
		}
		cover = append(cover, r)
	}
	return cover, nil
}

// ErrIndex says that the index of a log does not cover it.
var ErrIndex = errors.New("the index of the log is not whole: a build makes it anew")

// Index finds the leaves about something in the index of a log. It is safe for concurrent use.
type Index struct {
	size int64
	runs []openRun
}

type openRun struct {
	IndexRun
	file io.ReaderAt
	io.Closer
}

// OpenIndex opens the index of the first size leaves of a log. The files are closed with the
// last use of the index, or by Close.
func OpenIndex(root fs.FS, size int64) (*Index, error) {
	// A writer may put one file in the place of several between list and opening.
	for again := 0; ; again++ {
		x, err := openIndex(root, size)
		if err == nil || again == 3 || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrIndex) {
			return x, err
		}
	}
}

func openIndex(root fs.FS, size int64) (*Index, error) {
	cover, err := IndexRuns(root, size)
	if err != nil {
		return nil, err
	}
	x := &Index{size: size}
	for _, r := range cover {
		f, err := root.Open(r.Name())
		if err != nil {
			return nil, errors.Join(err, x.Close())
		}
		at, ok := f.(io.ReaderAt)
		info, err := f.Stat()
		if err != nil || !ok || info.Size() != (r.To-r.From)*IndexRow {
			return nil, errors.Join(fmt.Errorf("%w: %s has another size than its name says", ErrIndex, r.Name()), err, f.Close(), x.Close())
		}
		x.runs = append(x.runs, openRun{r, at, f})
	}
	return x, nil
}

// Close closes the files.
func (x *Index) Close() (err error) {
	for i := range x.runs {
		err = errors.Join(err, x.runs[i].Close())
	}
	return err
}

// Of returns the numbers of the leaves about a topic, ascending.
func (x *Index) Of(t Topic) (list []int64, err error) {
	for i := range x.runs {
		if list, err = x.runs[i].of(t, x.size, list); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// of appends the leaves of one file.
func (r *openRun) of(t Topic, size int64, list []int64) ([]int64, error) {
	var row [IndexRow]byte
	read := func(n int64) error {
		if _, err := r.file.ReadAt(row[:], n*IndexRow); err != nil {
			return fmt.Errorf("%s: %w", r.Name(), err)
		}
		return nil
	}
	low, high := int64(0), r.To-r.From
	for low < high {
		middle := (low + high) / 2
		if err := read(middle); err != nil {
			return nil, err
		}
		if Topic(row[:16]).Compare(t) < 0 {
			low = middle + 1
		} else {
			high = middle
		}
	}
	for ; low < r.To-r.From; low++ {
		if err := read(low); err != nil {
			return nil, err
		}
		n := int64(binary.BigEndian.Uint64(row[16:]))
		if Topic(row[:16]) != t || n >= size {
			break
		}
		list = append(list, n)
	}
	return list, nil
}

// Lacking returns which of the topics, which are sorted, no leaf is about: one pass over the
// index, which is quicker than to look for each where they are many.
func (x *Index) Lacking(topics []Topic) (map[Topic]bool, error) {
	known := make([]bool, len(topics))
	for i := range x.runs {
		r := &x.runs[i]
		in, row, at := r.reader(), [IndexRow]byte{}, 0
		for range r.To - r.From {
			if _, err := io.ReadFull(in, row[:]); err != nil {
				return nil, fmt.Errorf("%s: %w", r.Name(), err)
			}
			for at < len(topics) && topics[at].Compare(Topic(row[:16])) < 0 {
				at++
			}
			if at < len(topics) && topics[at] == Topic(row[:16]) && int64(binary.BigEndian.Uint64(row[16:])) < x.size {
				known[at] = true
			}
		}
	}
	out := map[Topic]bool{}
	for i, t := range topics {
		if !known[i] {
			out[t] = true
		}
	}
	return out, nil
}

func (r *openRun) reader() *bufio.Reader {
	return bufio.NewReaderSize(io.NewSectionReader(r.file, 0, (r.To-r.From)*IndexRow), 1<<16)
}

// SortRows sorts rows of an index.
func SortRows(rows []byte) {
	list := slices.Collect(slices.Chunk(slices.Clone(rows), IndexRow))
	slices.SortFunc(list, bytes.Compare)
	for i, row := range list {
		copy(rows[i*IndexRow:], row)
	}
}

// Merge writes the rows of the files from one on, and rows that are sorted, in one order.
func (x *Index) Merge(w io.Writer, from int, rows []byte) error {
	type source struct {
		in  io.Reader
		row []byte
	}
	sources := []*source{{in: bytes.NewReader(rows)}}
	for i := range x.runs[from:] {
		sources = append(sources, &source{in: x.runs[from+i].reader()})
	}
	next := func(s *source) (bool, error) {
		if s.row == nil {
			s.row = make([]byte, IndexRow)
		}
		_, err := io.ReadFull(s.in, s.row)
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		return err == nil, err
	}
	live := sources[:0]
	for _, s := range sources {
		ok, err := next(s)
		if err != nil {
			return err
		}
		if ok {
			live = append(live, s)
		}
	}
	for len(live) > 0 {
		least := slices.MinFunc(live, func(a, b *source) int { return bytes.Compare(a.row, b.row) })
		if _, err := w.Write(least.row); err != nil {
			return err
		}
		ok, err := next(least)
		if err != nil {
			return err
		}
		if !ok {
			live = slices.DeleteFunc(live, func(s *source) bool { return s == least })
		}
	}
	return nil
}

// Grown is the file that takes in so many more leaves, and how many of the present files
// stay: each holds twice as many leaves as the next one at least, so that they are few and a
// leaf is written again only when the log has doubled.
func (x *Index) Grown(more int64) (r IndexRun, stay int) {
	r = IndexRun{x.size, x.size + more}
	for stay = len(x.runs); stay > 0 && x.runs[stay-1].To-x.runs[stay-1].From < 2*(r.To-r.From); stay-- {
		r.From = x.runs[stay-1].From
	}
	return r, stay
}
