package output

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/wire"
)

// Reports calls fn for the reports about the finished site, which lie in a folder of it.
func Reports(ctx context.Context, folder string, fn func(*wire.RouteLine) error) error {
	list, err := os.ReadDir(filepath.Join(folder, "reports"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, r := range list {
		l := wire.RouteLine{Route: "/reports/" + r.Name(), Class: string(artifact.ClassCatalog)}
		if !r.Type().IsRegular() || !artifact.HasExtension(l.Route) {
			continue
		}
		l.Type = artifact.TypeOf(l.Route[1:])
		if err := Dir(folder).sum(ctx, &l); err != nil {
			return err
		}
		if err := fn(&l); err != nil {
			return err
		}
	}
	return nil
}

func (d Dir) sum(ctx context.Context, l *wire.RouteLine) error {
	in, err := d.Open(ctx, l.Route, l.Type)
	if err != nil {
		return err
	}
	defer in.Close()
	sum := sha256.New()
	size, err := io.Copy(sum, in)
	if err != nil {
		return fmt.Errorf("%s: %w", l.Route, err)
	}
	l.SHA256, l.Bytes = hex.EncodeToString(sum.Sum(nil)), int(size)
	return nil
}

// Stored opens a document of a directory.
func (d Dir) Stored(document *wire.RouteLine) (Stored, error) {
	f, err := os.Open(filepath.Join(string(d), filepath.FromSlash(artifact.Path(document.Route, document.Type))))
	if err != nil {
		return Stored{}, err
	}
	info, err := f.Stat()
	if err != nil {
		return Stored{}, errors.Join(err, f.Close())
	}
	return Stored{f, info.Size(), info.ModTime()}, nil
}
