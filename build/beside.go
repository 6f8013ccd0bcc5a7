package build

import (
	"errors"
	"io"
	"os"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/artifact"
)

// beside takes the documents of single entries between two builds.
type beside interface {
	// put takes what formats made, a list for each, of what belongs together under a
	// key; drop takes that away.
	put(key string, made [][]artifact.File) error
	drop(key string, made [][]artifact.File) error
	// present is the snapshot that readers get, part a part of it as it lies encoded.
	present() (string, error)
	part(id, name string) (part, error)
	// end lets readers see what was put.
	end() error
	close() error
}

// part is a part of an encoded snapshot.
type part interface {
	io.Reader
	io.ReaderAt
}

// openBeside opens the site of a build in the form that it has.
func openBeside(opts *Options) (beside, error) {
	if opts.File {
		return openOverlay(opts.Out)
	}
	t, err := output.Beside(opts.Out)
	if err != nil {
		return nil, err
	}
	return &besideTree{Tree: t, root: opts.Out}, nil
}

// besideTree puts pages into a tree.
type besideTree struct {
	*output.Tree
	root string
}

func (t *besideTree) put(_ string, made [][]artifact.File) error {
	for _, files := range made {
		if err := t.PutEntry(files); err != nil {
			return err
		}
	}
	return nil
}

func (t *besideTree) drop(_ string, made [][]artifact.File) error {
	for _, files := range made {
		for i := range files {
			if err := t.Drop(&files[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *besideTree) present() (string, error) { return output.Current(t.root) }

func (t *besideTree) part(id, name string) (part, error) {
	f, err := os.Open(t.Join(output.HiddenDir, id, name))
	if err != nil {
		return nil, err // and no part that holds a nil
	}
	return f, nil
}

func (t *besideTree) end() error { return nil }

func (t *besideTree) close() error { return t.Close() }

// closePart closes a part that is a file.
func closePart(p part) error {
	if c, ok := p.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

var errNoSite = errors.New("no site was built here")
