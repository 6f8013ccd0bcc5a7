package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/assay-register/assay/build/output"
	"github.com/assay-register/assay/render/catalog"
	"github.com/assay-register/assay/render/snapshot"
)

// builtFile lies in the hidden folder and says what the present snapshot file was made
// from, so that the next build can tell whether it would make another one.
const builtFile = "built.json"

// built is what it says.
type built struct {
	// Mark was set in the store before its rows were read.
	Mark string `json:"mark"`
	// Inputs is a hash of everything else that a build reads, and of the program; Frame one
	// of what every entry is judged by.
	Inputs string `json:"inputs"`
	Frame  string `json:"frame"`
	// Records names the file of what was made of each entry.
	Records string `json:"records"`
	// Content is that of the file (pack.Directory).
	Content string `json:"content"`
	Report  Report `json:"report"`
}

// errUnchanged ends a build that would say what the present file says.
var errUnchanged = errors.New("nothing changed")

// begin sets the mark from which the next build counts what changed.
func (r *run) begin(ctx context.Context, st catalog.Store) error {
	if !r.opts.Record || r.opts.Program == "" || r.opts.Formats != nil {
		return r.records.create(r.file.unfinished(recordsFile), "")
	}
	err := st.Update(ctx, func(tx catalog.Tx) (err error) {
		r.mark, err = tx.Changes().Mark(ctx)
		return err
	})
	if err != nil {
		return err
	}
	return r.records.create(r.file.unfinished(recordsFile), r.mark)
}

// changedSince lists the entries of which rows were written since a mark; known is false
// where the store does not know.
func changedSince(ctx context.Context, tx catalog.Tx, mark string) (ids []string, known bool, err error) {
	if mark == "" {
		return nil, false, nil
	}
	ids, err = tx.Changes().Since(ctx, mark)
	if errors.Is(err, catalog.ErrNotFound) {
		return nil, false, nil
	}
	return ids, err == nil, err
}

// unchanged tells whether the present file was made from what the store holds, and
// opens what it was made of where that is so of some entries. What a build reads besides
// the rows of entries was read before.
func (r *run) unchanged(ctx context.Context, tx catalog.Tx, ids []string) error {
	if r.mark == "" {
		return nil
	}
	var err error
	if r.inputs, err = r.sumInputs(ctx, tx, ids); err != nil {
		return err
	}
	if r.framed, err = r.sumFrame(ctx, tx); err != nil || r.opts.Full || r.file.before == nil {
		return err
	}
	was, err := r.file.lastBuilt()
	if err != nil || was.Content != r.file.before.Pack.Directory.Content {
		return err
	}
	changed, known, err := changedSince(ctx, tx, was.Mark)
	if err != nil || !known {
		return err
	}
	if was.Inputs == r.inputs && len(changed) == 0 {
		r.report = was.Report
		return errUnchanged
	}
	if was.Frame != r.framed {
		return nil
	}
	if was.Records == "" {
		return nil
	}
	return errors.Join(r.records.open(r.file.records(), was.Records, changed), r.bases.open(r.file.bases(), was.Records))
}

// lastBuilt is what the folder says of the last build, nothing where it says nothing.
func (f *file) lastBuilt() (built, error) {
	var was built
	b, err := os.ReadFile(filepath.Join(f.opts.Out, output.HiddenDir, builtFile))
	if errors.Is(err, fs.ErrNotExist) {
		return was, nil
	}
	if err != nil {
		return was, err
	}
	if torn := json.Unmarshal(b, &was); torn != nil {
		was = built{} // says nothing
	}
	return was, nil
}

// noteBuilt says what the present file was made from, once the store has recorded it.
func (r *run) noteBuilt(context.Context) error {
	if r.mark == "" {
		return nil
	}
	report := r.report
	report.Written, report.Bytes, report.Stages = 0, 0, nil
	report.Unchanged = int64(r.file.made.Documents)
	report.Snapshot, report.AsOf = r.catalog.ID, r.catalog.AsOf.Format(time.RFC3339)
	report.Entries, report.Listed = len(r.catalog.Lines), len(r.catalog.Order)
	b, err := json.Marshal(built{r.mark, r.inputs, r.framed, r.records.name, r.file.made.Content, report})
	if err != nil {
		return err
	}
	tmp := r.file.unfinished(builtFile)
	if err := os.WriteFile(tmp, b, 0o644); err != nil {
		return err
	}
	// A note that does not name the records in place is of no use, and does no harm.
	written := r.file.unfinished(basesFile)
	if err := r.bases.write(written, r.records.name); err != nil {
		return err
	}
	return errors.Join(r.records.present(r.file.records()), os.Rename(written, r.file.bases()), os.Rename(tmp, filepath.Join(r.opts.Out, output.HiddenDir, builtFile)))
}

// records and bases are where those of the present file lie.
func (f *file) records() string { return filepath.Join(f.opts.Out, output.HiddenDir, recordsFile) }
func (f *file) bases() string   { return filepath.Join(f.opts.Out, output.HiddenDir, basesFile) }

// sumInputs sums up what a build reads besides the rows of the entries that it shows.
func (r *run) sumInputs(ctx context.Context, tx catalog.Tx, ids []string) (string, error) {
	through, err := lastTold(ctx, tx)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, part := range []any{
		snapshot.Format, r.opts.Program, r.opts.Site, r.frame.Day, through, r.reference, r.harvests, r.watch.pace, r.watch.down, r.gone,
	} {
		if err := addInput(sum, part); err != nil {
			return "", err
		}
	}
	for _, id := range ids {
		fmt.Fprintln(sum, id)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// sumFrame sums up what every entry is judged by, but for what its record names itself.
func (r *run) sumFrame(ctx context.Context, tx catalog.Tx) (string, error) {
	counted, err := (&loader{tx: tx, day: r.frame.Day}).counted(ctx)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, part := range []any{snapshot.Format, r.opts.Program, r.opts.Site, r.frame.Day, counted} {
		if err := addInput(sum, part); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func addInput(sum hash.Hash, part any) error {
	b, err := json.Marshal(part)
	if err != nil {
		return fmt.Errorf("inputs of the build: %w", err)
	}
	fmt.Fprintln(sum, len(b))
	sum.Write(b)
	return nil
}
