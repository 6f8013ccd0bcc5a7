package static

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/pack"
	"github.com/assay-register/assay/render/search/segment"
)

// entrySize is how many documents lie together, as those of an entry do.
const entrySize = 20

// fillSnapshot puts the files of a directory into the snapshot file of a folder, in their
// order.
func fillSnapshot(b *testing.B, snapshots, site string) {
	b.Helper()
	list, err := filepath.Glob(filepath.Join(snapshots, "*.snapshot"))
	if err != nil || len(list) != 1 {
		b.Fatal(list, err)
	}
	if err := fill(list[0], site); err != nil {
		b.Fatal(err)
	}
}

// fill writes a snapshot file anew, with the files.
func fill(path, site string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	base, err := pack.Open(in, info.Size())
	if err != nil {
		return err
	}
	out, err := os.Create(path + ".new")
	if err != nil {
		return err
	}
	w := pack.NewWriter(out)
	if err := base.EachGroup(w.Append); err != nil {
		return err
	}
	for n := 0; n < files; n += entrySize {
		group := make([]artifact.File, entrySize)
		for i := range group {
			route := fmt.Sprintf("/f/%d/%d.txt", (n+i)/1000, n+i)
			body, err := os.ReadFile(filepath.Join(site, strings.TrimPrefix(route, "/")))
			if err != nil {
				return err
			}
			group[i] = artifact.File{Route: route, Type: artifact.Text, Class: artifact.ClassEntry, Body: body}
		}
		g, err := w.Compressor().Compress(fmt.Sprint("entry ", n), group)
		if err != nil {
			return err
		}
		if err := w.Append(g); err != nil {
			return err
		}
	}
	if err := w.Section(segment.File, base.Section(segment.File)); err != nil {
		return err
	}
	if _, err := w.Close(); err != nil {
		return err
	}
	return errors.Join(out.Close(), os.Rename(path+".new", path))
}
