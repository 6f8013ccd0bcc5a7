package sequence

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/translog"
)

// ErrForgot says that the log does not continue what its key signed last: store and folder were both
// put back. Nothing was signed.
var ErrForgot = errors.New("the log does not continue what its key signed last, so that register and log were put back together: nothing was signed, " +
	"because two logs would be told; put the latest files of its folder back, from where the site was published to or from a reader's copy, " +
	"and go on with assay log resume")

// remembered holds the log to the checkpoint that its key signed last, which backups of the register do
// not bring back.
func (s *sequencer) remembered() error {
	if s.opts.Seen == "" {
		return nil
	}
	signed, err := os.ReadFile(s.opts.Seen)
	if errors.Is(err, fs.ErrNotExist) {
		s.forgetful = true
		return nil
	}
	if err != nil {
		return err
	}
	seen, err := translog.Unsigned(signed)
	if err != nil {
		return fmt.Errorf("%s: %w", s.opts.Seen, err)
	}
	if name := s.opts.Keys[0].Name(); seen.Origin != name {
		return fmt.Errorf("%s has the checkpoint of the log %s, and the key is that of %s: nothing was signed; give each log a file of its own (signing_memory)", s.opts.Seen, seen.Origin, name)
	}
	now := translog.Checkpoint{}
	if s.folder.last != nil {
		now = *s.folder.last
	}
	if err := translog.Consistent(translog.Files(os.DirFS(s.folder.dir)), seen.Tree, now.Tree); err != nil {
		return fmt.Errorf("%w (%s: %w)", ErrForgot, s.opts.Seen, err)
	}
	return nil
}

// remember keeps the present checkpoint. A place that cannot be written is told in the report: the
// log is signed by then.
func (s *sequencer) remember() {
	if s.opts.Seen != "" && s.folder.signed != nil {
		s.report.Forgetful = replace(s.opts.Seen, s.folder.signed)
	}
}

// Compare looks whether the log of a folder, the store and the key tell one story, and changes nothing
// that is signed: the error is what Run would say.
func Compare(ctx context.Context, st catalog.Store, dir string, o Options) error {
	f, err := Open(dir, o.Keys...)
	if err != nil {
		return err
	}
	defer f.Close()
	s := &sequencer{st: st, folder: f, opts: o}
	if f.last != nil {
		s.cursor = f.last.Events
	}
	return errors.Join(s.compare(ctx), s.remembered())
}
