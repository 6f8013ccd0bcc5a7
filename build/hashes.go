package build

import (
	"crypto/sha256"
	"errors"
	"os"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/hashindex"
)

// hashLog collects the hashes of the pages while they are made.
type hashLog struct {
	*hashindex.Writer
	files []*os.File
}

// newHashLog makes a log with unfinished files of the tree.
func newHashLog(tree *tree) (*hashLog, error) {
	h := &hashLog{}
	for _, name := range []string{"hash-records", "hash-routes"} {
		f, err := os.Create(tree.Unfinished(name))
		if err != nil {
			return nil, errors.Join(err, h.close())
		}
		h.files = append(h.files, f)
	}
	var err error
	h.Writer, err = hashindex.NewWriter(h.files[0], h.files[1])
	return h, err
}

func (h *hashLog) close() error {
	var err error
	for _, f := range h.files {
		err = errors.Join(err, f.Close())
	}
	return err
}

// keepHashes puts the index of hashes beside the encoded snapshot, when all
// pages are made and before a server learns of them.
func (r *run) keepHashes() error {
	stage := r.tree.Unfinished(hashindex.File)
	out, err := os.Create(stage)
	if err != nil {
		return err
	}
	if err := errors.Join(r.routes.hashes.Finish(out), out.Close()); err != nil {
		return err
	}
	return r.tree.KeepBeside(stage, r.catalog.ID, hashindex.File)
}

// has tells whether a page of the snapshot has a hash.
func (r *run) has(sum [sha256.Size]byte) (bool, error) {
	f, err := os.Open(r.tree.Join(output.HiddenDir, r.catalog.ID, hashindex.File))
	if err != nil {
		return false, err
	}
	defer f.Close()
	x, err := hashindex.Open(f)
	if err != nil {
		return false, err
	}
	found, err := x.Find(sum)
	return len(found) > 0, err
}
