package translog

import (
	"errors"
	"fmt"
	"io/fs"
)

// Log is a log as its writer left it, with its index: what answers about entries are
// made from. It is safe for concurrent use.
type Log struct {
	fetch  Fetch
	signed []byte
	last   *Checkpoint
	index  Index
	before Checkpoints
}

// OpenLog reads a log of one's own; nil says that there is none.
func OpenLog(fetch Fetch) (*Log, error) {
	signed, err := fetch(CheckpointFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	l := &Log{fetch: fetch, signed: signed}
	if l.last, err = Unsigned(signed); err != nil {
		return nil, err
	}
	index, err := fetch(IndexFile)
	if err != nil {
		return nil, err
	}
	if int64(len(index)) < l.last.N*IndexRow {
		return nil, fmt.Errorf("%s has %d bytes, a log of %d leaves has %d", IndexFile, len(index), l.last.N, l.last.N*IndexRow)
	}
	l.index = Index(index[:l.last.N*IndexRow])
	list, err := fetch(CheckpointsFile)
	if err != nil {
		return nil, err
	}
	l.before, err = ReadCheckpoints(list)
	return l, err
}

// Checkpoint is the present one, and Signed its note.
func (l *Log) Checkpoint() *Checkpoint { return l.last }

// Signed is the note of the present checkpoint.
func (l *Log) Signed() []byte { return l.signed }

// Index tells what the leaves are about.
func (l *Log) Index() Index { return l.index }

// Now proves the leaves about an entry below the present checkpoint.
func (l *Log) Now(entry string) (*Proof, error) {
	return l.prove(NewTree(l.fetch, l.last.N), entry, l.index.Of(TopicOf(entry)), func(int64) []byte { return l.signed })
}

// First proves each leaf about an entry below the first checkpoint that has it: the
// proof of a leaf never changes, and later checkpoints are proven from the tiles.
func (l *Log) First(entry string) (*Proof, error) {
	return l.FirstOf(NewTree(l.fetch, l.last.N), entry, l.index.Of(TopicOf(entry)))
}

// FirstOf is First where the numbers of the leaves are known.
func (l *Log) FirstOf(tree *Tree, entry string, numbers []int64) (*Proof, error) {
	return l.prove(tree, entry, numbers, func(index int64) []byte {
		if c := l.before.First(index); c != nil {
			return []byte(c.Note)
		}
		return l.signed
	})
}

// Keys proves the leaves that name the keys of the log, in their order.
func (l *Log) Keys() (*Proof, error) { return l.First(KindKey) }

func (l *Log) prove(tree *Tree, entry string, numbers []int64, checkpoint func(index int64) []byte) (*Proof, error) {
	p := &Proof{Entry: entry, Leaves: []Inclusion{}}
	for _, index := range numbers {
		in, err := Prove(tree, index, checkpoint(index))
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
	numbers := l.index.Of(TopicOf(KindHead))
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
			return l.prove(tree, KindHead, numbers[i:i+1], func(int64) []byte { return l.signed })
		}
	}
	return nil, nil
}
