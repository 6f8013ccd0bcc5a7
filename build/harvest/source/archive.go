package source

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// archiveBytes bounds what is kept in memory of one archive.
const archiveBytes = 256 << 20

// openArchive reads the tar or zip archive (tar may be gzipped) that Open
// opens and holds the files that keep wants.
func (in *Input) openArchive(ctx context.Context, keep func(name string) bool) (*Tree, error) {
	r, err := in.Open(ctx)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", in.Name, err)
	}
	defer r.Close()
	limits := in.Limits.OrDefault()
	limits.Bytes = min(limits.Bytes, archiveBytes)
	s, err := newArchiveStream(r, in.Name, limits)
	if err != nil {
		return nil, err
	}
	var head [4]byte
	n, err := io.ReadFull(s, head[:])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("read %s: %w", in.Name, err)
	}
	all := io.MultiReader(bytes.NewReader(head[:n]), s)
	t := &Tree{name: in.Name, limits: limits, keep: keep, held: map[string][]byte{}}
	if string(head[:]) == "PK\x03\x04" {
		err = t.zip(all)
	} else {
		err = t.tar(all)
	}
	if p := s.Problem(); p != nil {
		t.bad = append(t.bad, *p)
	} else if err != nil {
		return nil, fmt.Errorf("read %s: %w", in.Name, err)
	}
	return t, nil
}

func (t *Tree) tar(r io.Reader) error {
	in := tar.NewReader(r)
	for {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("tar: %w", err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if err := t.add(h.Name, in); err != nil {
			return err
		}
	}
}

func (t *Tree) zip(r io.Reader) error {
	all, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	in, err := zip.NewReader(bytes.NewReader(all), int64(len(all)))
	if err != nil {
		return fmt.Errorf("zip: %w", err)
	}
	for _, f := range in.File {
		if !f.Mode().IsRegular() {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return fmt.Errorf("zip: %s: %w", f.Name, err)
		}
		err = t.add(f.Name, r)
		r.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// add keeps one file. A file that is too large is refused, not the archive.
func (t *Tree) add(name string, r io.Reader) error {
	name = path.Clean(strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/"))
	if !fs.ValidPath(name) || !t.keep(name) {
		return nil
	}
	if len(t.held) >= t.limits.Files || t.size > t.limits.Bytes {
		return fmt.Errorf("more than %d files or %d bytes", t.limits.Files, t.limits.Bytes)
	}
	data, err := io.ReadAll(io.LimitReader(r, int64(t.limits.Record)+1))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if len(data) > t.limits.Record {
		t.bad = append(t.bad, t.tooLarge(name))
		return nil
	}
	t.size += int64(len(data))
	t.held[name] = data
	return nil
}
