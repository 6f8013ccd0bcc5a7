package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"syscall"
	"time"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// Tailer lays over a snapshot file what changed since it was built, where no Rebuilder
// does: for those who serve what others build, or publish.
type Tailer struct {
	Store catalog.Store
	// Folder is that of the snapshot files.
	Folder string
	// Refresh lays entries over the present one, as the function Refresh does, whose pages
	// are of the given site: that of who built it.
	Refresh func(ctx context.Context, site snapshot.Site, at time.Time, ids []string) (Refreshed, error)
	Clock   func() time.Time
	// Max is how many entries are laid over a snapshot at most; more changes are for the
	// next build.
	Max int
	Log *slog.Logger

	snapshot string
	site     snapshot.Site
	cursor   int64
	laid     map[string]bool
	denied   bool
}

// Follow lays what changed since the last time: to be called when the log has
// grown or another snapshot is presented. After an error the same is read again.
func (f *Tailer) Follow(ctx context.Context) error {
	s, err := output.OpenPresent(f.Folder)
	if err != nil || s == nil {
		return err
	}
	defer s.Close()
	cursor, known, site := f.cursor, f.laid, f.site
	if s.ID != f.snapshot {
		known = map[string]bool{}
		if site, cursor, err = f.begin(ctx, s); err != nil {
			return err
		}
	}
	ids, _, cursor, err := changes(ctx, f.Store, cursor)
	if err != nil {
		return err
	}
	if len(ids) > bulk {
		ids = nil // a harvest, which the next build shows
	}
	ids = within(ids, known, f.Max)
	if len(ids) > 0 {
		if _, err = f.Refresh(ctx, site, f.Clock(), ids); err != nil && !f.mayNot(err) {
			return err
		}
	}
	for _, id := range ids {
		known[id] = true
	}
	f.snapshot, f.site, f.cursor, f.laid = s.ID, site, cursor, known
	return nil
}

// mayNot tells that a folder is for reading only: what changed is left to who builds.
func (f *Tailer) mayNot(err error) bool {
	if !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.EROFS) {
		return false
	}
	if !f.denied {
		f.denied = true
		f.Log.Warn("who builds the site shows what changes between two builds; this process may not write into its folder", "error", err)
	}
	return true
}

// begin is the site of a snapshot, and where the events begin that it does not show: now for
// one that does not say.
func (f *Tailer) begin(ctx context.Context, s *output.SnapshotFile) (site snapshot.Site, through int64, err error) {
	head, err := s.Document(snapshot.PartRoute(snapshot.HeadFile))
	if err != nil {
		return site, 0, err
	}
	var of struct {
		Site snapshot.Site `json:"site"`
	}
	if err := json.NewDecoder(head).Decode(&of); err != nil {
		return site, 0, err
	}
	in, err := s.Document(snapshot.PartRoute(snapshot.ThroughFile))
	if err == nil {
		_, err = fmt.Fscan(in, &through)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) || through > 0 {
		return of.Site, through, err
	}
	err = f.Store.View(ctx, func(tx catalog.Tx) (err error) {
		through, err = tx.Events().Last(ctx)
		return err
	})
	return of.Site, through, err
}

// within are those of the ids that are known, and as many others as there is
// room for.
func within(ids []string, known map[string]bool, most int) []string {
	out, room := ids[:0], most-len(known)
	for _, id := range ids {
		if !known[id] {
			if room <= 0 {
				continue
			}
			room--
		}
		out = append(out, id)
	}
	return out
}
