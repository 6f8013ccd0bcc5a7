package translog

import (
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// Log is a log as its writer left it, with its index: what answers about entries are
// made from. It is safe for concurrent use.
type Log struct {
	fetch  Fetch
	signed []byte
	last   *Checkpoint
	index  *Index
	before *Checkpoints
}

// OpenLog reads a log of one's own from its folder; nil says that there is none.
func OpenLog(root fs.FS) (*Log, error) {
	l := &Log{fetch: Files(root)}
	var err error
	l.signed, err = l.fetch(CheckpointFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if l.last, err = Unsigned(l.signed); err != nil {
		return nil, err
	}
	if l.index, err = OpenIndex(root, l.last.N); err != nil {
		return nil, err
	}
	if l.before, err = OpenCheckpoints(root); err != nil {
		return nil, errors.Join(err, l.index.Close())
	}
	return l, nil
}

// Close closes the files of the log. A log that is dropped without it lets them go when
// nobody uses it any more.
func (l *Log) Close() error { return errors.Join(l.index.Close(), l.before.Close()) }

// Checkpoint is the present one, and Signed its note.
func (l *Log) Checkpoint() *Checkpoint { return l.last }

// Signed is the note of the present checkpoint.
func (l *Log) Signed() []byte { return l.signed }

// About lists the numbers of the leaves about an entry, or of a kind that is about none.
func (l *Log) About(entry string) ([]int64, error) { return l.index.Of(TopicOf(entry)) }

// Now proves the leaves about an entry below the present checkpoint.
func (l *Log) Now(entry string) (*Proof, error) {
	return l.prove(NewTree(l.fetch, l.last.N), entry, func(int64) ([]byte, error) { return l.signed, nil })
}

// First proves each leaf about an entry below the first checkpoint that has it: the
// proof of a leaf never changes, and later checkpoints are proven from the tiles.
func (l *Log) First(entry string) (*Proof, error) {
	return l.FirstOf(NewTree(l.fetch, l.last.N), entry)
}

// FirstOf is First with a tree of the log, for whoever asks for many.
func (l *Log) FirstOf(tree *Tree, entry string) (*Proof, error) {
	return l.prove(tree, entry, func(index int64) ([]byte, error) {
		c, _, err := l.before.First(index)
		if err != nil || c == nil || c.Size > l.last.N {
			return l.signed, err
		}
		return []byte(c.Note), nil
	})
}

// Keys proves the leaves that name the keys of the log, in their order.
func (l *Log) Keys() (*Proof, error) { return l.First(KindKey) }

func (l *Log) prove(tree *Tree, entry string, checkpoint func(index int64) ([]byte, error)) (*Proof, error) {
	numbers, err := l.About(entry)
	if err != nil {
		return nil, err
	}
	p := &Proof{Entry: entry, Leaves: []Inclusion{}}
	for _, index := range numbers {
		signed, err := checkpoint(index)
		if err != nil {
			return nil, err
		}
		in, err := Prove(tree, index, signed)
		if err != nil {
			return nil, err
		}
		p.Leaves = append(p.Leaves, in)
	}
	return p, nil
}

// headsBack is how many heads are looked at for the one of a snapshot that is shown.
const headsBack = 50

// Head proves the leaf of a snapshot below the present checkpoint, nil where none of the
// last ones is of it.
func (l *Log) Head(snapshot string) (*Proof, error) {
	numbers, err := l.About(KindHead)
	if err != nil {
		return nil, err
	}
	tree := NewTree(l.fetch, l.last.N)
	for i := len(numbers) - 1; i >= 0 && i >= len(numbers)-headsBack; i-- {
		b, err := tree.Leaf(numbers[i])
		if err != nil {
			return nil, err
		}
		head, err := DecodeLeaf(b)
		if err != nil {
			return nil, err
		}
		if head.Subject == snapshot {
			in, err := Prove(tree, numbers[i], l.signed)
			return &Proof{Entry: KindHead, Leaves: []Inclusion{in}}, err
		}
	}
	return nil, nil
}

// Numbered is a leaf with its number.
type Numbered struct {
	Index int64
	Leaf  *Leaf
}

// Leaves reads the leaves about an entry, oldest first.
func (l *Log) Leaves(entry string) ([]Numbered, error) {
	numbers, err := l.About(entry)
	if err != nil {
		return nil, err
	}
	tree, out := NewTree(l.fetch, l.last.N), make([]Numbered, len(numbers))
	for i, n := range numbers {
		if out[i], err = leafAt(tree, n); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// HeadAt is the last snapshot whose time is not after an instant, nil for none, and the number of
// its leaf. The times of snapshots ascend.
func (l *Log) HeadAt(at time.Time) (*Leaf, int64, error) {
	numbers, err := l.About(KindHead)
	if err != nil {
		return nil, 0, err
	}
	tree := NewTree(l.fetch, l.last.N)
	var head Numbered
	for low, high := 0, len(numbers); low < high; {
		middle := (low + high) / 2
		x, err := leafAt(tree, numbers[middle])
		if err != nil {
			return nil, 0, err
		}
		when, err := time.Parse(time.RFC3339, x.Leaf.At)
		if err != nil {
			return nil, 0, fmt.Errorf("leaf %d: %w", x.Index, err)
		}
		if when.After(at) {
			high = middle
		} else {
			head, low = x, middle+1
		}
	}
	return head.Leaf, head.Index, nil
}

func leafAt(tree *Tree, n int64) (Numbered, error) {
	b, err := tree.Leaf(n)
	if err != nil {
		return Numbered{}, err
	}
	leaf, err := DecodeLeaf(b)
	return Numbered{n, leaf}, err
}
