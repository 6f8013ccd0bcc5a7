package sequence

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/snapshot"
	"github.com/assay-register/assay/render/translog"
	"github.com/assay-register/assay/render/wire"
)

// signed are the files of a snapshot whose sums are signed: those that bind all others, and
// the exports, which people keep by themselves.
func signed(file *output.SnapshotFile) (list []translog.Sum, err error) {
	for _, route := range wire.SignedRoutes() {
		f, err := file.Pack.Route(route)
		if err != nil {
			return nil, err
		}
		if f != nil {
			list = append(list, translog.Sum{SHA256: hex.EncodeToString(f.Document.Sum[:]), Name: artifact.Path(route, f.Document.Type)})
		}
	}
	return list, nil
}

// sums signs those of a snapshot, beside its file and for readers of the log. The same
// snapshot and keys make the same bytes.
func (f *Folder) sums(h *Head) error {
	if h == nil || len(h.Files) == 0 {
		return nil
	}
	s := translog.Sums{Origin: f.origin(), Snapshot: h.Snapshot, Files: h.Files}
	note, err := s.Sign(f.keys...)
	if err != nil {
		return err
	}
	return errors.Join(replace(filepath.Join(filepath.Dir(f.dir), snapshot.SigOf(h.Snapshot)), note), replace(f.path(translog.SumsFile), note))
}

// PutSums keeps the signed sums of a log that was signed elsewhere.
func PutSums(dir string, signed []byte) error {
	return replace(filepath.Join(dir, translog.SumsFile), signed)
}

// replace writes a file that says something else than it said.
func replace(path string, body []byte) error {
	before, err := os.ReadFile(path)
	if err == nil && bytes.Equal(before, body) {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	tmp := path + ".tmp"
	return errors.Join(os.WriteFile(tmp, body, 0o644), os.Rename(tmp, path))
}
