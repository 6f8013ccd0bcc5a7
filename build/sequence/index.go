package sequence

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/assay-register/assay/render/translog"
)

// indexChunk is how many leaves are sorted in memory when an index is made anew.
const indexChunk = 1 << 18

// openIndex opens the index of what is signed. One that does not cover it is made anew from
// the leaves; what a run wrote that was killed before it signed is taken away.
func (f *Folder) openIndex() error {
	if err := f.keepIndex(f.Size()); err != nil {
		return err
	}
	x, err := translog.OpenIndex(os.DirFS(f.dir), f.Size())
	if errors.Is(err, translog.ErrIndex) {
		if err := f.reindex(); err != nil {
			return err
		}
		x, err = translog.OpenIndex(os.DirFS(f.dir), f.Size())
	}
	if err == nil {
		f.index = x
	}
	return err
}

// renewIndex opens the index of what was signed just now.
func (f *Folder) renewIndex() error {
	if err := f.index.Close(); err != nil {
		return err
	}
	return f.openIndex()
}

// keepIndex removes the files of the index that are not of the fewest which cover the log of
// a size: those that were merged, and those of leaves that are not signed.
func (f *Folder) keepIndex(size int64) error {
	names, err := os.ReadDir(f.path(translog.IndexDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, n := range names {
		if r, ok := translog.ParseIndexRun(n.Name()); !ok || r.To > size {
			if err := os.Remove(f.path(translog.IndexDir + "/" + n.Name())); err != nil {
				return err
			}
		}
	}
	cover, err := translog.IndexRuns(os.DirFS(f.dir), size)
	if errors.Is(err, translog.ErrIndex) {
		return nil // it is made anew
	}
	if err != nil {
		return err
	}
	for _, n := range names {
		if r, ok := translog.ParseIndexRun(n.Name()); ok && r.To <= size && !slices.Contains(cover, r) {
			if err := os.Remove(f.path(r.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// reindex makes the index anew.
func (f *Folder) reindex() error {
	if err := os.RemoveAll(f.path(translog.IndexDir)); err != nil {
		return err
	}
	tree, rows, at := f.tree(), []byte(nil), int64(0)
	for n := int64(0); n*translog.Width < f.Size(); n++ {
		bundle, err := tree.Bundle(n)
		if err != nil {
			return err
		}
		for i, b := range bundle {
			l, err := translog.DecodeLeaf(b)
			if err != nil {
				return err
			}
			rows = translog.AppendRow(rows, translog.TopicOf(l.About()), n*translog.Width+int64(i))
		}
		end := (n + 1) * translog.Width
		if end < f.Size() && end-at < indexChunk {
			continue
		}
		before, err := translog.OpenIndex(os.DirFS(f.dir), at)
		if err != nil {
			return err
		}
		if err := errors.Join(f.writeIndex(before, rows), before.Close()); err != nil {
			return err
		}
		rows, at = rows[:0], min(end, f.Size())
		if err := f.keepIndex(at); err != nil {
			return err
		}
	}
	return nil
}

func indexRows(leaves []leaf, from int64) (rows []byte) {
	rows = make([]byte, 0, len(leaves)*translog.IndexRow)
	for i := range leaves {
		rows = translog.AppendRow(rows, leaves[i].about, from+int64(i))
	}
	return rows
}

// writeIndex puts rows behind an index, in a file of their own or with those before them.
func (f *Folder) writeIndex(before *translog.Index, rows []byte) (err error) {
	if len(rows) == 0 {
		return nil
	}
	translog.SortRows(rows)
	run, stay := before.Grown(int64(len(rows) / translog.IndexRow))
	path := f.path(run.Name())
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	tmp := path + ".tmp"
	out, err := os.Create(tmp)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(out, 1<<16)
	if err := errors.Join(before.Merge(w, stay, rows), w.Flush(), out.Close()); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}
