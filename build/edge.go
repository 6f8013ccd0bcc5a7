package build

import (
	"bytes"
	"context"
	"os"
	"path/filepath"

	"github.com/assay-register/assay/render/edge"
)

// edge writes the configuration for servers and hosts into the hidden folder.
// A file of the same bytes is left alone, so that nobody reloads for nothing.
func (r *run) edge(context.Context) error {
	files, err := edge.Files(r.opts.Site.BaseURL)
	if err != nil {
		return err
	}
	for _, f := range files {
		path := filepath.Join(r.opts.Out, filepath.FromSlash(edge.Dir), filepath.FromSlash(f.Path))
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, f.Body) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		tmp := r.tree.UnfinishedFile()
		if err := os.WriteFile(tmp, f.Body, 0o644); err != nil {
			return err
		}
		if err := os.Rename(tmp, path); err != nil {
			return err
		}
	}
	return nil
}
