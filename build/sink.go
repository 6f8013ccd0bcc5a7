package build

import (
	"os"

	"github.com/assay-register/assay/render/artifact"
	"github.com/assay-register/assay/render/catalog"
)

// sink is where a build puts its documents: a tree of files or one snapshot file.
// Several goroutines hand documents in side by side; what is left to do with them
// is done one after the other, in an order that depends on the snapshot only.
type sink interface {
	// Unfinished is a path for a file that goes when the build ends, UnfinishedFile
	// a new one.
	Unfinished(name string) string
	UnfinishedFile() string
	// former calls fn for the entries of the site that this one follows; page is a
	// document of it, nil for none.
	former(fn func(id, slug string, published int64)) error
	page(route, mediaType string) []byte
	// entry takes the documents that the formats made of one entry alone, a list
	// for each format, put those of a key. Both give back the rooms of the bodies.
	entry(e *catalog.Entry, made [][]artifact.File) (later, error)
	put(key string, files []artifact.File) (later, error)
	// large takes a document that lies in an unfinished file. zipped opens the gzip form of
	// one that it took before, nil where it has none.
	large(f *artifact.File, in *os.File) (later, error)
	zipped(route string) (*os.File, error)
}

// later is what is left to do with documents, nil for nothing.
type later func() error

func (l later) do() error {
	if l == nil {
		return nil
	}
	return l()
}

// free gives back the rooms of documents that nobody reads any more.
func free(files []artifact.File) {
	for i := range files {
		files[i].Free()
	}
}
