package tree

import (
	"io/fs"
	"os"
)

// root is the directory of the tree, kept open for reading files.
type root struct {
	safe *os.Root
	// quick is the directory again where the system opens a file below one in a
	// single call, else nil. It is used by the system's number only.
	quick *os.File
}

func openRoot(dir string) (*root, error) {
	safe, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	r := &root{safe: safe}
	if quick, err := safe.Open("."); err == nil && opensBeneath(quick) {
		r.quick = quick
	}
	return r, nil
}

// open opens a file for which no link leads out of the directory, and says what
// it is. What the quick way refuses is left to the safe one, which explains.
func (r *root) open(path string) (*os.File, fs.FileInfo, error) {
	in, err := openBeneath(r.quick, path)
	if err != nil {
		in, err = r.safe.Open(path)
	}
	if err != nil {
		return nil, nil, notExist(err)
	}
	info, err := in.Stat()
	if err != nil {
		in.Close()
		return nil, nil, err
	}
	return in, info, nil
}
