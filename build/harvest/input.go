package harvest

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
	"github.com/assay-register/assay/render/catalog"
)

// InputOf is what a run of a source reads: its file or folder if it has one,
// else its address.
func InputOf(s catalog.Source, allowPrivate bool) (source.Input, error) {
	in := source.Input{Name: cmp.Or(s.File, s.Endpoint, s.URL), Source: s, AllowPrivate: allowPrivate}
	if s.File == "" {
		if err := catalog.CheckURL("url", in.Name); err != nil {
			return in, fmt.Errorf("source %s: %w", cmp.Or(s.Key, s.ID), err)
		}
		return in, nil
	}
	info, err := os.Stat(s.File)
	if err != nil {
		return in, fmt.Errorf("source %s: %w", cmp.Or(s.Key, s.ID), err)
	}
	if info.IsDir() {
		in.Files = os.DirFS(s.File)
		return in, nil
	}
	in.Files = os.DirFS(filepath.Dir(s.File))
	in.Size = info.Size()
	in.Open = func(context.Context) (io.ReadCloser, error) { return os.Open(s.File) }
	return in, nil
}

// hostOf is where a source is asked; sources of one host wait for each other,
// and so do files, which share a disk.
func hostOf(s *catalog.Source) string {
	if s.File != "" {
		return "file"
	}
	return strings.ToLower(catalog.Host(cmp.Or(s.Endpoint, s.URL)))
}
