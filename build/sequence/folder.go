package sequence

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/translog"
)

// Folder is a log on a disk. It has one writer at a time.
type Folder struct {
	dir    string
	keys   []translog.Key
	unlock func()
	// last is the present checkpoint, nil for an empty log.
	last   *translog.Checkpoint
	signed []byte
	// index is that of the leaves that are signed.
	index *translog.Index
}

// Open opens the log of a folder, which it makes if there is none, for writing. The
// name of the keys is the origin of the log; a checkpoint is signed by all.
func Open(dir string, keys ...translog.Key) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	unlock, err := output.Lock(dir)
	if err != nil {
		return nil, fmt.Errorf("the log %s: %w", dir, err)
	}
	f := &Folder{dir: dir, keys: keys, unlock: unlock}
	if err := f.read(); err != nil {
		unlock()
		return nil, fmt.Errorf("the log %s: %w", dir, err)
	}
	return f, nil
}

// Close lets others write.
func (f *Folder) Close() {
	_ = f.index.Close() // it was only read
	f.unlock()
}

func (f *Folder) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

// read takes the present checkpoint, and cuts off what a run wrote behind it that was
// killed before it signed.
func (f *Folder) read() error {
	var err error
	f.signed, err = os.ReadFile(f.path(translog.CheckpointFile))
	if errors.Is(err, fs.ErrNotExist) {
		f.signed, err = nil, nil
	}
	if err != nil {
		return err
	}
	if f.signed != nil {
		if f.last, err = translog.Unsigned(f.signed); err != nil {
			return fmt.Errorf("%s: %w", translog.CheckpointFile, err)
		}
	}
	if err := f.openIndex(); err != nil {
		return err
	}
	return f.cutCheckpoints()
}

// Size is the number of leaves.
func (f *Folder) Size() int64 {
	if f.last == nil {
		return 0
	}
	return f.last.N
}

// Checkpoint is the present one, nil for an empty log.
func (f *Folder) Checkpoint() *translog.Checkpoint { return f.last }

// tree reads what lies in the folder.
func (f *Folder) tree() *translog.Tree {
	return translog.NewTree(translog.Files(os.DirFS(f.dir)), f.Size())
}

// cutCheckpoints keeps the checkpoints up to the present one.
func (f *Folder) cutCheckpoints() error {
	list, err := translog.OpenCheckpoints(os.DirFS(f.dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, keep, err := list.First(f.Size())
	if err := errors.Join(err, list.Close()); err != nil {
		return err
	}
	return os.Truncate(f.path(translog.CheckpointsFile), keep)
}

// leaf is one to be appended, with what it is about.
type leaf struct {
	bytes []byte
	about translog.Topic
}

// append puts leaves behind the others and signs the tree; what is written before is on
// the disk when the checkpoint appears.
func (f *Folder) append(leaves []leaf, cursor translog.Cursor) error {
	grown, root, err := f.grow(leaves)
	if err != nil {
		return err
	}
	next := translog.Checkpoint{Origin: f.origin(), Events: cursor, Tree: tlog.Tree{N: f.Size() + int64(len(leaves)), Hash: root}}
	if err := f.write(leaves, next.N, grown); err != nil {
		return err
	}
	return f.sign(&next)
}

// grow are the hashes of the tree with more leaves, and its root.
func (f *Folder) grow(leaves []leaf) (*growing, tlog.Hash, error) {
	size := f.Size()
	grown := &growing{old: f.tree(), base: tlog.StoredHashCount(size)}
	for i, l := range leaves {
		hashes, err := tlog.StoredHashesForRecordHash(size+int64(i), tlog.RecordHash(l.bytes), grown)
		if err != nil {
			return nil, tlog.Hash{}, err
		}
		grown.hashes = append(grown.hashes, hashes...)
	}
	root, err := tlog.TreeHash(size+int64(len(leaves)), grown)
	return grown, root, err
}

// write puts leaves, their hashes and their rows of the index behind the others.
func (f *Folder) write(leaves []leaf, size int64, grown *growing) error {
	if err := f.writeBundles(leaves); err != nil {
		return err
	}
	if err := f.writeTiles(f.Size(), size, grown); err != nil {
		return err
	}
	return f.writeIndex(f.index, indexRows(leaves, f.Size()))
}

func (f *Folder) origin() string {
	if f.last != nil {
		return f.last.Origin
	}
	return f.keys[0].Name()
}

// growing are the hashes of a tree with those that are not on the disk yet.
type growing struct {
	old    *translog.Tree
	base   int64
	hashes []tlog.Hash
}

// ReadHashes implements tlog.HashReader.
func (g *growing) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, n := range indexes {
		if n >= g.base {
			out[i] = g.hashes[n-g.base]
			continue
		}
		h, err := g.old.ReadHashes(indexes[i : i+1])
		if err != nil {
			return nil, err
		}
		out[i] = h[0]
	}
	return out, nil
}

func (f *Folder) writeBundles(leaves []leaf) error {
	at := f.Size()
	var bundle []byte
	if at%translog.Width != 0 {
		before, err := f.tree().Bundle(at / translog.Width)
		if err != nil {
			return err
		}
		for _, l := range before {
			bundle = translog.AppendBundle(bundle, l)
		}
	}
	for i := range leaves {
		bundle = translog.AppendBundle(bundle, leaves[i].bytes)
		at++
		if at%translog.Width != 0 && i < len(leaves)-1 {
			continue
		}
		n := (at - 1) / translog.Width
		if err := f.put(translog.BundlePath(n, int(at-n*translog.Width)), bundle); err != nil {
			return err
		}
		if at%translog.Width == 0 {
			if err := f.superseded(translog.BundlePath(n, translog.Width)); err != nil {
				return err
			}
		}
		bundle = bundle[:0]
	}
	return nil
}

func (f *Folder) writeTiles(from, to int64, hashes tlog.HashReader) error {
	for _, t := range tlog.NewTiles(8, from, to) {
		b, err := tlog.ReadTileData(t, hashes)
		if err != nil {
			return err
		}
		if err := f.put(translog.TilePath(t), b); err != nil {
			return err
		}
		if t.W == translog.Width {
			if err := f.superseded(translog.TilePath(t)); err != nil {
				return err
			}
		}
	}
	return nil
}

// superseded removes the parts of a tile that is whole now; readers take the whole one
// (C2SP tlog-tiles).
func (f *Folder) superseded(whole string) error { return os.RemoveAll(f.path(whole + ".p")) }

func (f *Folder) put(name string, body []byte) error {
	if err := os.MkdirAll(filepath.Dir(f.path(name)), 0o755); err != nil {
		return err
	}
	tmp := f.path(name + ".tmp")
	return errors.Join(os.WriteFile(tmp, body, 0o644), os.Rename(tmp, f.path(name)))
}

func appendTo(path string, b []byte) error {
	out, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, bytes.NewReader(b))
	return errors.Join(err, out.Close())
}

// sign makes the checkpoint the present one.
func (f *Folder) sign(c *translog.Checkpoint) error {
	signers := make([]note.Signer, len(f.keys))
	for i := range f.keys {
		signers[i] = f.keys[i]
	}
	signed, err := c.Sign(signers...)
	if err != nil {
		return err
	}
	if err := f.note(c.N, signed); err != nil {
		return err
	}
	return f.present(c, signed)
}

// present makes a signed checkpoint the present one.
func (f *Folder) present(c *translog.Checkpoint, signed []byte) error {
	// The checkpoint is on the disk before it has its name: one that lost its bytes with
	// the power would leave no log.
	tmp := f.path(translog.CheckpointFile + ".tmp")
	if err := errors.Join(os.WriteFile(tmp, signed, 0o644), output.Sync(f.dir)); err != nil {
		return err
	}
	if err := os.Rename(tmp, f.path(translog.CheckpointFile)); err != nil {
		return err
	}
	f.last, f.signed = c, signed
	return errors.Join(output.Sync(f.dir), f.renewIndex())
}
