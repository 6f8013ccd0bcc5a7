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
	// Inputs is a hash of everything else that a build reads but the day, and of the program; Frame
	// one of what every entry is judged by.
	Inputs string `json:"inputs"`
	Frame  string `json:"frame"`
	// Day is the UTC day of which the scores are stored, Until the last one on which a build would
	// say the same, in days since 1970.
	Day   int `json:"day"`
	Until int `json:"until"`
	// Records names the file of what was made of each entry, Bodies is the one beside it.
	Records string     `json:"records"`
	Bodies  heldBodies `json:"bodies"`
	// Content is that of the file (pack.Directory).
	Content string `json:"content"`
	Report  Report `json:"report"`
}

// errUnchanged ends a build that would say what the present file says.
var errUnchanged = errors.New("nothing changed")

// begin sets the mark from which the next build counts what changed.
func (r *run) begin(ctx context.Context, st catalog.Store) error {
	if !r.opts.Record || r.opts.Program == "" || r.opts.Formats != nil {
		return r.records.create(r.file.unfinished, "")
	}
	err := st.Update(ctx, func(tx catalog.Tx) (err error) {
		r.mark, err = tx.Changes().Mark(ctx)
		return err
	})
	if err != nil {
		return err
	}
	return r.records.create(r.file.unfinished, r.mark)
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
	today := dayNumber(r.frame.Day)
	if was.Inputs == r.inputs && len(changed) == 0 && was.Day <= today && today <= was.Until {
		return r.same(&was)
	}
	if was.Frame != r.framed || was.Records == "" {
		return nil
	}
	return errors.Join(r.records.open(r.file.left, &was, changed), r.bases.open(r.file.left(basesFile), was.Records))
}

// same ends a build that would say what the one before says. On another day it takes the scores
// from the records, which the store is to have of each day.
func (r *run) same(was *built) error {
	if was.Day < dayNumber(r.frame.Day) {
		if err := r.records.open(r.file.left, was, nil); err != nil || r.records.from == nil {
			return err
		}
		scores, err := r.records.scores(r.frame.Day)
		if err != nil {
			return fmt.Errorf("%w: %w", errRecords, err)
		}
		r.scores = scores
	}
	r.was, r.report = *was, was.Report
	return errUnchanged
}

// stay ends such a build: what the next one compares with is of this day.
func (r *run) stay(ctx context.Context, st catalog.Store) error {
	if len(r.scores) == 0 {
		return nil
	}
	if err := r.record(ctx, st); err != nil {
		return err
	}
	r.was.Mark, r.was.Day = r.mark, dayNumber(r.frame.Day)
	return r.file.note(&r.was)
}

// lastBuilt is what the folder says of the last build, nothing where it says nothing.
func (f *file) lastBuilt() (built, error) {
	var was built
	b, err := os.ReadFile(f.left(builtFile))
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
	report.Written, report.Bytes, report.Rendered, report.Stages = 0, 0, 0, nil
	report.Unchanged = int64(r.file.made.Documents)
	today := dayNumber(r.frame.Day)
	if report.Entries == 0 {
		r.until = today // a register of no entries is as of its day
	}
	// A note that does not name the records in place is of no use, and does no harm.
	written := r.file.unfinished(basesFile)
	if err := r.bases.write(written, r.records.name); err != nil {
		return err
	}
	return errors.Join(r.records.present(r.file.left), os.Rename(written, r.file.left(basesFile)), r.file.note(&built{Mark: r.mark, Inputs: r.inputs,
		Frame: r.framed, Day: today, Until: r.until, Records: r.records.name, Bodies: r.records.bodies.heldBodies, Content: r.file.made.Content, Report: report}))
}

// note says what the present file was made from.
func (f *file) note(b *built) error {
	body, err := json.Marshal(b)
	if err != nil {
		return err
	}
	tmp := f.unfinished(builtFile)
	return errors.Join(os.WriteFile(tmp, body, 0o644), os.Rename(tmp, f.left(builtFile)))
}

// left is where a file lies that the build of the present file left to the next one.
func (f *file) left(name string) string { return filepath.Join(f.opts.Out, output.HiddenDir, name) }

// sumInputs sums up what a build reads besides the rows of the entries that it shows.
func (r *run) sumInputs(ctx context.Context, tx catalog.Tx, ids []string) (string, error) {
	through, err := lastTold(ctx, tx)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, part := range []any{
		snapshot.Format, r.opts.Program, r.opts.Site, through, r.reference, r.harvests, r.watch.pace, r.watch.down, r.gone, r.outages.Incidents, r.outages.Announced,
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
	for _, part := range []any{snapshot.Format, r.opts.Program, r.opts.Site, counted} {
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
