package query

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-register/assay/render/snapshot"
)

// folder is where the snapshot files of a library lie: ID.snapshot for each that is kept,
// ID.overlay for what lies over it, and a file that names the present one.
type folder string

// page is the file that changes when another snapshot is presented.
func (f folder) page() string { return filepath.Join(string(f), snapshot.PresentFile) }

// present is the id of the snapshot that is presented.
func (f folder) present() (string, error) {
	b, err := os.ReadFile(f.page())
	if err != nil {
		return "", err
	}
	id := strings.TrimSpace(string(b))
	if !snapshot.IsID(id) {
		return "", fmt.Errorf("%s names no snapshot", f.page())
	}
	return id, nil
}

// ids are the snapshots that can be read, by name.
func (f folder) ids() (ids []string) {
	names, err := os.ReadDir(string(f))
	if err != nil {
		return nil
	}
	for _, n := range names {
		if id, ok := snapshot.IDOf(n.Name()); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

func (f folder) has(id string) bool {
	_, err := os.Stat(filepath.Join(string(f), snapshot.FileOf(id)))
	return err == nil
}

// open opens the file of a snapshot; fs.ErrNotExist where there is none.
func (f folder) open(id string) (*File, error) { return openFile(string(f), snapshot.FileOf(id)) }
