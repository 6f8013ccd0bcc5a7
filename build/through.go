package build

import (
	"context"
	"os"
	"strconv"

	"github.com/assay-register/assay/render/snapshot"
)

// keepThrough puts beside the encoded snapshot which events it shows.
func (r *run) keepThrough(context.Context) error {
	stage := r.tree.Unfinished(snapshot.ThroughFile)
	if err := os.WriteFile(stage, []byte(strconv.FormatInt(r.catalog.Through, 10)+"\n"), 0o644); err != nil {
		return err
	}
	return r.tree.KeepBeside(stage, r.catalog.ID, snapshot.ThroughFile)
}
