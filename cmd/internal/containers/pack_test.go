package containers

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/assay-register/assay/render/pack"
)

// packed is the form of render/pack.
type packed struct{}

func (packed) write(path string, each func(func(*pack.Group) error) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := pack.NewWriter(f)
	err = each(w.Append)
	_, closed := w.Close()
	return errors.Join(err, closed, f.Sync(), f.Close())
}

type packReader struct {
	*pack.Reader
	file *os.File
}

func openPack(path string) (*packReader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	r, err := pack.Open(f, info.Size())
	return &packReader{r, f}, err
}

func (packed) open(path string) (reader, error) { return openPack(path) }

func (r *packReader) read(route string, out io.Writer) error {
	f, err := r.Route(route)
	if err != nil || f == nil {
		return fmt.Errorf("%s: %v, %w", route, f, err)
	}
	return r.Write(out, f, 0, f.Document.Size)
}

func (r *packReader) Close() error { return r.file.Close() }

func (p packed) renew(from, to string, fresh func(int) *pack.Group) error {
	old, err := openPack(from)
	if err != nil {
		return err
	}
	defer old.Close()
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	w := pack.NewWriter(f)
	for n := range old.Directory.Groups {
		if g := fresh(n); g != nil {
			err = w.Append(g)
		} else {
			err = w.Keep(old.Reader, n)
		}
		if err != nil {
			return err
		}
	}
	_, err = w.Close()
	return errors.Join(err, f.Sync(), f.Close())
}
