package xmltree

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/assay-register/assay/build/harvest/source"
)

// Captured reads files: the one that the input opens, or the XML files of the
// folder or archive that it is. Those that cannot be read are rejected.
func Captured(ctx context.Context, in *source.Input, reject func(source.Rejection) error, each func(r io.Reader, name string) error) error {
	switch {
	case in.Open != nil && !archive(in.Name):
		r, err := in.Open(ctx)
		if err != nil {
			return fmt.Errorf("open %s: %w", in.Name, err)
		}
		defer r.Close()
		return each(r, in.Name)
	case in.Open == nil && in.Files == nil:
		return fmt.Errorf("open %s: the input is neither a file nor a folder nor live", in.Name)
	}
	return tree(ctx, in, reject, each)
}

// tree reads the XML files of a folder or archive.
func tree(ctx context.Context, in *source.Input, reject func(source.Rejection) error, each func(r io.Reader, name string) error) error {
	whole := *in
	if in.Open != nil {
		whole.Files = nil // the folder around the archive
	}
	files, err := whole.Tree(ctx, File)
	if err != nil {
		return err
	}
	for _, bad := range files.Problems() {
		if err := reject(bad); err != nil {
			return err
		}
	}
	names, err := files.Names()
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read %s: %w", in.Name, err)
		}
		data, bad := files.Read(name)
		if bad != nil {
			err = reject(*bad)
		} else {
			err = each(bytes.NewReader(data), files.Place(name))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// archive tells by its name that an input is an archive.
func archive(name string) bool {
	name = strings.ToLower(path.Base(name))
	for _, ext := range []string{".zip", ".tar", ".tar.gz", ".tgz"} {
		if strings.HasSuffix(name, ext) {
			return true
		}
	}
	return false
}
