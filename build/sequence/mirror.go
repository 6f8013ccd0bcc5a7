package sequence

import (
	"fmt"

	"github.com/assay-register/assay/render/translog"
)

// Mirror brings a log that another machine signs into the folder: its leaves, from which
// tiles and index are made anew, the list of its checkpoints, and the checkpoint last. A
// log whose leaves do not make the signed root, or that does not continue what lies in the
// folder, is an error, and the folder stays as it is.
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
	leaves, err := f.fetchLeaves(fetch, there.N)
	if err != nil {
		return 0, err
	}
	list, err := fetch(translog.CheckpointsFile)
	if err != nil {
		return 0, err
	}
	if err := translog.CheckCheckpoints(list); err != nil {
		return 0, err
	}
	return there.N - before, f.take(leaves, there, signed, list)
}

// fetchLeaves gets the leaves behind those of the folder.
func (f *Folder) fetchLeaves(fetch translog.Fetch, size int64) (leaves []leaf, err error) {
	tree := translog.NewTree(fetch, size)
	for n := f.Size() / translog.Width; n*translog.Width < size; n++ {
		bundle, err := tree.Bundle(n)
		if err != nil {
			return nil, err
		}
		for i, b := range bundle {
			if n*translog.Width+int64(i) < f.Size() {
				continue
			}
			l, err := translog.DecodeLeaf(b)
			if err != nil {
				return nil, err
			}
			leaves = append(leaves, leaf{b, translog.TopicOf(l.About())})
		}
	}
	return leaves, nil
}

// take writes what was fetched, if it makes the signed root.
func (f *Folder) take(leaves []leaf, there *translog.Checkpoint, signed, list []byte) error {
	grown, root, err := f.grow(leaves)
	if err != nil {
		return err
	}
	if root != there.Hash {
		return fmt.Errorf("the %d leaves of the log do not make the root that is signed, or do not continue those that lie here", there.N)
	}
	if err := f.write(leaves, there.N, grown); err != nil {
		return err
	}
	if err := replace(f.path(translog.CheckpointsFile), list); err != nil {
		return err
	}
	return f.present(there, signed)
}
