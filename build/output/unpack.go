package output

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/pack"
)

// Unpack writes the documents of a snapshot file below an empty directory, each
// checked by its hash, and tells how many they are. A second route of a document is a hard link.
func Unpack(ctx context.Context, s *SnapshotFile, dir string) (documents int, err error) {
	if list, err := os.ReadDir(dir); err == nil && len(list) > 0 {
		return 0, fmt.Errorf("%s is not empty: choose a new directory", dir)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return 0, err
	}
	defer root.Close()
	err = s.Pack.Each(func(f *pack.Found) error {
		if !strings.HasPrefix(f.Document.Route, "/") {
			return nil
		}
		documents++
		if err := unpack(root, s.Pack, f); err != nil {
			return fmt.Errorf("%s: %w", f.Document.Route, err)
		}
		return ctx.Err()
	})
	return documents, err
}

func unpack(root *os.Root, x *pack.Reader, f *pack.Found) error {
	d := f.Document
	path := filepath.FromSlash(artifact.Path(d.Route, d.Type))
	out, err := createIn(root, path)
	if err != nil {
		return err
	}
	buf := bufio.NewWriter(out)
	if err := errors.Join(x.Verify(buf, f), buf.Flush(), out.Close()); err != nil || d.Alias == "" {
		return err
	}
	alias := filepath.FromSlash(artifact.Path(d.Alias, d.Type))
	if err := root.MkdirAll(filepath.Dir(alias), 0o755); err != nil {
		return err
	}
	return root.Link(path, alias)
}

func createIn(root *os.Root, path string) (*os.File, error) {
	if err := root.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	return root.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
}
