package sequence

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/assay-register/assay/render/translog"
)

// ErrTooLong is what a fetch says of a file that is longer than it reads.
var ErrTooLong = errors.New("longer than is read")

// Mirror brings a log that another machine signs into the folder: its leaves, from which
// tiles and index are made anew, the list of its checkpoints, and the checkpoint last. A
// log whose leaves do not make the signed root, or that does not continue what lies in the
// folder, is an error, and readers of the folder see what they saw before. Some thousand
// leaves are in memory at a time.
//
// Of a list of checkpoints that is longer than fetch reads, this one lists those that it saw itself.
func Mirror(dir string, fetch translog.Fetch) (grown int64, err error) {
	signed, err := fetch(translog.CheckpointFile)
	if err != nil {
		return 0, err
	}
	there, err := translog.Unsigned(signed)
	if err != nil {
		return 0, err
	}
	f, err := Open(dir)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if string(f.signed) == string(signed) {
		return 0, nil
	}
	before := f.Size()
	if f.last != nil && (f.last.Origin != there.Origin || before > there.N) {
		return 0, fmt.Errorf("the log %s of %d leaves does not continue that of %d which lies here", there.Origin, there.N, before)
	}
	if err := f.fetchLeaves(fetch, there); err != nil {
		return 0, err
	}
	list, err := fetch(translog.CheckpointsFile)
	if err == nil {
		err = translog.CheckCheckpoints(list)
	}
	switch {
	case errors.Is(err, ErrTooLong):
		if err = f.note(there.N, signed); err != nil {
			return 0, err
		}
	case err != nil:
		return 0, err
	default:
		if err := replace(f.path(translog.CheckpointsFile), list); err != nil {
			return 0, err
		}
	}
	return there.N - before, f.present(there, signed)
}

// fetchLeaves writes the leaves behind those of the folder, which must make the signed root.
// What was written of another log stays behind the present checkpoint, where nobody reads.
func (f *Folder) fetchLeaves(fetch translog.Fetch, there *translog.Checkpoint) error {
	tree, batch := translog.NewTree(fetch, there.N), []leaf(nil)
	root := translog.Checkpoint{Origin: there.Origin}
	if f.last != nil {
		root = *f.last
	}
	for n := f.Size() / translog.Width; n*translog.Width < there.N; n++ {
		bundle, err := tree.Bundle(n)
		if err != nil {
			return err
		}
		at := f.Size() + int64(len(batch))
		for _, b := range bundle[at-n*translog.Width:] {
			l, err := translog.DecodeLeaf(b)
			if err != nil {
				return err
			}
			batch = append(batch, leaf{b, translog.TopicOf(l.About())})
		}
		if end := f.Size() + int64(len(batch)); end == there.N || len(batch) >= batchLeaves {
			grown, hash, err := f.grow(batch)
			if err != nil {
				return err
			}
			if end == there.N && hash != there.Hash {
				return errRoot(there.N)
			}
			if err := f.write(batch, end, grown); err != nil {
				return err
			}
			root.N, root.Hash = end, hash
			next := root
			f.last, batch = &next, batch[:0]
			if err := f.renewIndex(); err != nil {
				return err
			}
		}
	}
	if f.last == nil || f.last.Hash != there.Hash {
		return errRoot(there.N)
	}
	return nil
}

func errRoot(n int64) error {
	return fmt.Errorf("the %d leaves of the log do not make the root that is signed, or do not continue those that lie here", n)
}

// note appends to the list of checkpoints.
func (f *Folder) note(size int64, signed []byte) error {
	line, err := json.Marshal(translog.Signed{Size: size, Note: string(signed)})
	if err != nil {
		return err
	}
	return appendTo(f.path(translog.CheckpointsFile), append(line, '\n'))
}
