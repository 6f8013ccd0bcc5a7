package output

import (
	"os"
	"path/filepath"

	"github.com/assay-register/assay/render/snapshot"
)

// SnapshotsDir is where the snapshot files of a directory of documents lie that a build
// brought up to date, below it.
const SnapshotsDir = HiddenDir + "/snapshots"

// Folder is the folder of the snapshot files of a site: the one that is named, or that of
// a directory of documents.
func Folder(site string) string {
	below := filepath.Join(site, filepath.FromSlash(SnapshotsDir))
	if _, err := os.Stat(filepath.Join(site, snapshot.PresentFile)); err == nil {
		return site
	}
	if _, err := os.Stat(below); err == nil {
		return below
	}
	return site
}
